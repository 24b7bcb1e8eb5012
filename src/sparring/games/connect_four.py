"""Connect Four: four in a row on 7 columns and 6 rows; a stone falls to the lowest free point of its column.

The board is two sets of bits, column by column from the left, each column seven bits from the bottom, the seventh
always empty: so a run of four is four bits at a distance of 1, 6, 7 or 8 (Tromp's layout).
"""

import numpy as np

from sparring.bits import ONE, holds
from sparring.games.contract import ONGOING
from sparring.games.drawing import board_svg

STATE = np.dtype([("own", "u8"), ("other", "u8"), ("placed", "i8")], align=True)  # own: of the player to move
MOVES = 7
RESULTS = (-1.0, 0.0, 1.0)
FEATURES = 126  # own stones (column * 6 + row), the opponent's, points that a stone would fall on
MOST_FEATURES = 49
PLANES = (3, 7, 6)
SYMMETRIES = 2
PLAYERS = ("X", "O")

NONE = np.uint64(0)
COLUMN = np.uint64(0x7F)
BOTTOM = np.uint64(sum(1 << 7 * c for c in range(7)))
TOPS = tuple(np.uint64(1 << 7 * c + 5) for c in range(7))
CELLS = np.uint64(0x3F)  # of the leftmost column
SHIFTS = tuple(np.uint64(7 * c) for c in range(7))
S1, S2, S6, S7, S8, S12, S14, S16 = (np.uint64(n) for n in (1, 2, 6, 7, 8, 12, 14, 16))


def start(state):
    state["placed"] = 0


def mover(state):
    return state["placed"] & 1


def legal(state, moves):
    full = state["own"] | state["other"]
    n = 0
    for column in range(7):
        moves[n] = column  # written over by the next where it is full: that is quicker than to skip it
        n += full & TOPS[column] == NONE
    return n


def play(state, move):
    own, other = state["own"], state["other"]
    state["own"] = other
    state["other"] = own | ((own | other) + BOTTOM) & (CELLS << np.uint64(7 * move))
    state["placed"] += 1


def four(b):
    """Whether the set holds four in a row."""
    m = b & (b >> S7)
    if m & (m >> S14) != NONE:
        return True
    m = b & (b >> S6)
    if m & (m >> S12) != NONE:
        return True
    m = b & (b >> S8)
    if m & (m >> S16) != NONE:
        return True
    m = b & (b >> S1)
    return m & (m >> S2) != NONE


def result(state):
    if four(state["other"]):
        return 2 * (state["placed"] & 1)
    return 1 if state["placed"] == 42 else ONGOING


def features(state, viewer, index, value):
    n = 0
    for side in range(2):
        b = state["own"] if (mover(state) == viewer) == (side == 0) else state["other"]
        for i in range(42):
            if holds(b, i + i // 6):
                index[n] = 42 * side + i
                value[n] = 1.0
                n += 1
    falls = (state["own"] | state["other"]) + BOTTOM  # of each column the lowest free point, or the one above it
    for i in range(42):
        if holds(falls, i + i // 6):
            index[n] = 84 + i
            value[n] = 1.0
            n += 1
    return n


def mirrored(b):
    after = NONE
    for column in range(7):
        after |= ((b >> SHIFTS[column]) & COLUMN) << SHIFTS[6 - column]
    return after


def transform(state, k):
    if k == 1:
        state["own"] = mirrored(state["own"])
        state["other"] = mirrored(state["other"])


def transform_move(move, k):
    return 6 - move if k == 1 else move


def key(state):
    """The lowest free point of each column is marked by the sum, so that it tells empty points from the opponent's."""
    return state["own"] + (state["own"] | state["other"]) + BOTTOM


def stone(state, column, row):
    i = np.uint64(7 * column + row)
    first = state["own"] if mover(state) == 0 else state["other"]
    return "." if not (state["own"] | state["other"]) >> i & ONE else "X" if first >> i & ONE else "O"


def draw(state):
    rows = [" ".join(stone(state, c, r) for c in range(7)) for r in range(5, -1, -1)]
    return "\n".join([*rows, "1 2 3 4 5 6 7"])


def svg(state):
    pieces = {(c, 5 - r): stone(state, c, r) for c in range(7) for r in range(6) if stone(state, c, r) != "."}
    return board_svg(7, 6, pieces)


def move_name(state, move):
    return str(move + 1)
