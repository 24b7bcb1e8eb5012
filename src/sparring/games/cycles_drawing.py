"""Light cycles drawn: trails as blocks, heads as a letter and the way they go."""

from typing import Any

from sparring.games.cycles_board import HEIGHT, WIDTH
from sparring.games.drawing import BOARD, INK, LINE

TRAILS = ("██", "▒▒")
ARROWS = "▲▶▼◀"
COLOURS = ("#2a6fb0", "#d9822b")
SIDE = 16  # of a cell in the image


def owner(state: Any, x: int, y: int) -> int:
    """The player whose trail is on a cell, -1 where there is none."""
    return next((p for p in (0, 1) if int(state["trails"][p, y]) >> x & 1), -1)


def as_text(state: Any, players: tuple[str, str]) -> str:
    """The board in a frame, and who is to move."""
    heads = {int(state["heads"][p]): players[p][0].upper() + ARROWS[state["headings"][p]] for p in (0, 1)}
    lines = ["┌" + "──" * WIDTH + "┐"]
    for y in range(HEIGHT):
        cells = ((heads.get(x + WIDTH * y), owner(state, x, y)) for x in range(WIDTH))
        lines.append("│" + "".join(head or (TRAILS[p] if p >= 0 else " ·") for head, p in cells) + "│")
    letters = ", ".join(f"{name} {TRAILS[p][0]}" for p, name in enumerate(players))
    return "\n".join([*lines, "└" + "──" * WIDTH + "┘", f"{players[state['turn']]} to move ({letters})"])


def as_svg(state: Any, players: tuple[str, str]) -> str:
    """The board as an SVG image."""
    size = f'width="{WIDTH * SIDE}" height="{HEIGHT * SIDE}"'
    shapes = [f'<rect {size} fill="{BOARD}" stroke="{LINE}"/>']
    for y in range(HEIGHT):
        for x in range(WIDTH):
            p = owner(state, x, y)
            if p >= 0:
                at = f'x="{x * SIDE}" y="{y * SIDE}" width="{SIDE}" height="{SIDE}"'
                shapes.append(f'<rect {at} fill="{COLOURS[p]}"/>')
    for p in (0, 1):
        cx, cy = (int(v * SIDE + SIDE // 2) for v in (state["heads"][p] % WIDTH, state["heads"][p] // WIDTH))
        shapes.append(f'<circle cx="{cx}" cy="{cy}" r="{SIDE // 2}" fill="#ffffff" stroke="{INK}"/>')
        text = f'text-anchor="middle" font-family="sans-serif" font-size="11" fill="{INK}"'
        shapes.append(f'<text x="{cx}" y="{cy + 4}" {text}>{players[p][0].upper()}</text>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>' + "".join(shapes) + "</svg>"
