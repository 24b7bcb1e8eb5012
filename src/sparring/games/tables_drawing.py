"""The board of `tables.py` as text and as an SVG image, numbered as whoever's turn it is counts. Plain Python.

The text stands still as player 0 sits before it, and only the numbers change, since it is drawn turn after turn; the
image shows one position, and as the player to move sits before it.
"""

from typing import Any

from sparring.games.drawing import BOARD, INK, LINE
from sparring.games.stacks import gone, pips
from sparring.games.tables_text import ONE_OF, PLAYERS, Checker, checkers_in, checkers_on, dice_left

ROWS = 5  # of the text; a higher stack shows how high it is
TOP, BOTTOM = tuple(range(13, 25)), tuple(range(12, 0, -1))
CELL, TALL, EDGE = 40, 210, 24  # of the image: a point's width and a half's height; the rim for numbers
FILLS = ("#f8f4ea", "#5a3d2e")
INKS = (INK, "#f8f4ea")
POINTS = ("#d9c4a0", "#b58f64")


def draw_table(state: Any, letters: tuple[str, str]) -> str:
    """The board in 13 lines, the bar between its halves; pips, bar and what is off of each side; the turn."""
    side = int(state["turn"])
    stacks = {p: [letters[c.side][c.kind] for c in checkers_on(state, p)] for p in range(1, 25)}
    lines = [_numbers(TOP, side), *(_row(stacks, TOP, level) for level in range(ROWS))]
    lines.append("─" * 18 + "┤   ├" + "─" * 18)
    lines += [*(_row(stacks, BOTTOM, level) for level in reversed(range(ROWS))), _numbers(BOTTOM, side)]
    for player, name in enumerate(PLAYERS):
        bar, off = (_packed(state, field, player, letters) for field in ("bar", "off"))
        lines.append(f"{name} {letters[player]:6}  pips {pips(state, player):3}   bar {bar or '–'}   off {off or '–'}")
    if len(letters[side]) > 1:
        lines.append("  ".join(f"{a}{b} {name}" for a, b, name in zip(*letters, ONE_OF, strict=True)))
    return "\n".join(line.rstrip() for line in [*lines, status(state)])


def status(state: Any) -> str:
    """Whose turn it is, and the dice: `white to play 3-1 (left: 1)`."""
    who = PLAYERS[state["turn"]]
    if state["rolling"]:
        return "the opening roll" if state["opening"] else f"{who} to roll"
    if gone(state, int(state["turn"])):
        return f"{who} has won"
    a, b = state["dice"]
    left = dice_left(state)
    if not left:
        return f"{who} has rolled {a}-{b} and cannot move"
    whole = len(left) == (4 if a == b else 2)
    return f"{who} to play {a}-{b}" + ("" if whole else f" (left: {'-'.join(map(str, left))})")


def _numbers(points: tuple[int, ...], side: int) -> str:
    cells = [f"{p if side == 0 else 25 - p:2} " for p in points]
    return f"{''.join(cells[:6])}│   │{''.join(cells[6:])}"


def _row(stacks: dict[int, list[str]], points: tuple[int, ...], level: int) -> str:
    def cell(point: int) -> str:
        stack = stacks[point]
        if level == ROWS - 1 and len(stack) > ROWS:
            return f"{len(stack):2} "
        return f" {stack[level]} " if level < len(stack) else " · " if level == 0 else "   "

    cells = [cell(point) for point in points]
    return f"{''.join(cells[:6])}│   │{''.join(cells[6:])}"


def _packed(state: Any, field: str, side: int, letters: tuple[str, str]) -> str:
    """The bar or what is off: letters where there are classes, else a number."""
    checkers = checkers_in(state[field][side], side)
    if len(letters[side]) == 1:
        return str(len(checkers) or "")
    return "".join(letters[side][c.kind] for c in checkers)


# --- the image ---------------------------------------------------------------------------------------------------


def svg_table(state: Any, letters: tuple[str, str]) -> str:
    """The board as an SVG image, 13 columns with the bar, borne-off checkers counted on the right."""
    side = int(state["turn"])
    width, height = 14 * CELL, 2 * (TALL + EDGE)
    shapes = [f'<rect width="{width}" height="{height + EDGE}" fill="{BOARD}"/>']
    shapes.append(f'<rect x="{6 * CELL}" y="{EDGE}" width="{CELL}" height="{2 * TALL}" fill="{LINE}"/>')
    for point in range(1, 25):
        shapes += _point(state, point, point if side == 0 else 25 - point, letters)
    for player in (0, 1):
        low = player == side
        shapes += _pile(checkers_in(state["bar"][player], player), 6.5 * CELL, not low, letters, TALL // 2)
        off = len(checkers_in(state["off"][player], player))
        shapes.append(_text(13.5 * CELL, EDGE + (2 * TALL - 20 if low else 30), f"{off} off", INK))
    shapes.append(_text(width / 2, height + EDGE / 2 + 4, status(state), INK))
    size = f'width="{width}" height="{height + EDGE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>' + "".join(shapes) + "</svg>"


def _point(state: Any, point: int, own: int, letters: tuple[str, str]) -> list[str]:
    """A point's triangle, its number and its stack. own: as the player whose turn it is counts."""
    upper = own > 12
    column = own - 13 if upper else 12 - own
    x = CELL * (column + (1 if column > 5 else 0))
    base, tip = (EDGE, EDGE + TALL - 30) if upper else (EDGE + 2 * TALL, EDGE + TALL + 30)
    corners = f"{x},{base} {x + CELL},{base} {x + CELL // 2},{tip}"
    shapes = [f'<polygon points="{corners}" fill="{POINTS[own % 2]}"/>']
    shapes.append(_text(x + CELL / 2, 17 if upper else 2 * TALL + EDGE + 17, str(own), INK))
    return shapes + _pile(checkers_on(state, point), x + CELL / 2, upper, letters, TALL)


def _pile(checkers: list[Checker], x: float, upper: bool, letters: tuple[str, str], room: int) -> list[str]:
    """Circles from the rim inward, closer together where there are many."""
    radius = CELL * 0.42
    apart = min(2 * radius, (room - 2 * radius) / max(len(checkers) - 1, 1))
    shapes = []
    for i, (side, kind) in enumerate(checkers):
        inward = radius + i * apart
        y = EDGE + inward if upper else EDGE + 2 * TALL - inward
        fill = f'fill="{FILLS[side]}" stroke="{INK}"'
        shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {fill}/>')
        if len(letters[side]) > 1:
            shapes.append(_text(x, y + 5, letters[side][kind], INKS[side]))
    return shapes


def _text(x: float, y: float, text: str, ink: str) -> str:
    style = f'text-anchor="middle" font-family="sans-serif" font-size="14" fill="{ink}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{text}</text>'
