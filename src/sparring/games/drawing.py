"""What drawings of boards share. Plain Python."""

from collections.abc import Iterable, Mapping

CELL = 48
INK, BOARD, LINE = "#22252a", "#f3ead7", "#8a7d68"
FILLS = {"X": "#c8452f", "O": "#e8b93a", "T": "#d9822b", "s": "#ffffff"}


def board_svg(
    columns: int, rows: int, pieces: Mapping[tuple[int, int], str], lines: Iterable[tuple[int, int, int, int]] = ()
) -> str:
    """A board as an SVG image.

    pieces: letter at (column, row), row 0 on top. lines: (x1, y1, x2, y2) between points, for boards that are played on
    points; without them squares are drawn.
    """
    shapes = [f'<rect width="{columns * CELL}" height="{rows * CELL}" fill="{BOARD}"/>']
    lines = list(lines)
    for x1, y1, x2, y2 in lines:
        a, b, c, d = (CELL * (v + 0.5) for v in (x1, y1, x2, y2))
        shapes.append(f'<line x1="{a:g}" y1="{b:g}" x2="{c:g}" y2="{d:g}" stroke="{LINE}" stroke-width="2"/>')
    if not lines:
        for x in range(columns):
            for y in range(rows):
                shapes.append(
                    f'<rect x="{x * CELL}" y="{y * CELL}" width="{CELL}" height="{CELL}" fill="none" stroke="{LINE}"/>'
                )
    for (x, y), letter in sorted(pieces.items()):
        cx, cy = CELL * (x + 0.5), CELL * (y + 0.5)
        fill = FILLS.get(letter, "#ffffff")
        shapes.append(f'<circle cx="{cx:g}" cy="{cy:g}" r="{CELL * 0.36:g}" fill="{fill}" stroke="{INK}"/>')
        shapes.append(
            f'<text x="{cx:g}" y="{cy + 6:g}" text-anchor="middle" font-family="sans-serif" font-size="18" '
            f'fill="{INK}">{letter}</text>'
        )
    size = f'width="{columns * CELL}" height="{rows * CELL}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>' + "".join(shapes) + "</svg>"
