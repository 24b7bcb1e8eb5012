"""The chess board as text and as an SVG image, White at the bottom. Plain Python."""

from typing import Any

from sparring.games.chess_text import SIDES, piece_letter
from sparring.games.drawing import CELL, INK, LINE

LIGHT, DARK = "#f3ead7", "#b58f64"
FIGURES = dict(zip("PNBRQKpnbrqk", "♙♘♗♖♕♔♟♞♝♜♛♚", strict=True))


def draw_board(state: Any) -> str:
    """Ranks 8 to 1, White's pieces as capital letters, files below, and who is to move."""
    rows = [
        f"{row + 1} " + " ".join(piece_letter(state, 8 * row + column) or "." for column in range(8))
        for row in range(7, -1, -1)
    ]
    return "\n".join([*rows, "  a b c d e f g h", f"{SIDES[state['mover']]} to move"])


def svg_board(state: Any) -> str:
    """The same as an image."""
    shapes = []
    for square in range(64):
        column, row = square % 8, 7 - square // 8
        x, y = CELL * column, CELL * row
        fill = LIGHT if (column + row) % 2 == 0 else DARK
        shapes.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{LINE}"/>')
        if letter := piece_letter(state, square):
            shapes.append(
                f'<text x="{x + CELL / 2:g}" y="{y + CELL * 0.8:g}" text-anchor="middle" font-size="{CELL * 0.83:g}" '
                f'fill="{INK}">{FIGURES[letter]}</text>'
            )
    size = f'width="{8 * CELL}" height="{8 * CELL}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>' + "".join(shapes) + "</svg>"
