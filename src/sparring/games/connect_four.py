"""Connect Four: four in a row on 7 columns and 6 rows; a stone falls to the lowest free point of its column.

The board is two sets of bits, column by column from the left, each column seven bits from the bottom, the seventh
always empty: so a run of four is four bits at a distance of 1, 6, 7 or 8 (Tromp's layout).
"""

import numpy as np

from sparring.bits import ONE, holds
from sparring.games.contract import ONGOING
from sparring.games.drawing import board_svg

STATE = np.dtype([("stones", "u8", 2), ("placed", "i4"), ("turn", "i4")], align=True)
MOVES = 7
RESULTS = (-1.0, 0.0, 1.0)
FEATURES = 84  # own stones (column * 6 + row), then the opponent's
MOST_FEATURES = 42
SYMMETRIES = 2
PLAYERS = ("X", "O")

NONE = np.uint64(0)
COLUMN = np.uint64(0x7F)
BOTTOM = np.uint64(sum(1 << 7 * c for c in range(7)))
TOPS = tuple(np.uint64(1 << 7 * c + 5) for c in range(7))
CELLS = tuple(np.uint64(0x3F << 7 * c) for c in range(7))
SHIFTS = tuple(np.uint64(7 * c) for c in range(7))
S1, S2, S6, S7, S8, S12, S14, S16 = (np.uint64(n) for n in (1, 2, 6, 7, 8, 12, 14, 16))


def start(state):
    state["turn"] = 0


def mover(state):
    return state["turn"]


def legal(state, moves):
    full = state["stones"][0] | state["stones"][1]
    n = 0
    for column in range(7):
        if full & TOPS[column] == NONE:
            moves[n] = column
            n += 1
    return n


def play(state, move):
    full = state["stones"][0] | state["stones"][1]
    turn = state["turn"]
    state["stones"][turn] |= (full + BOTTOM) & CELLS[move]
    state["turn"] = 1 - turn
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
    last = 1 - state["turn"]
    if four(state["stones"][last]):
        return 2 - 2 * last
    return 1 if state["placed"] == 42 else ONGOING


def features(state, viewer, index, value):
    n = 0
    for side in range(2):
        b = state["stones"][viewer if side == 0 else 1 - viewer]
        for i in range(42):
            if holds(b, i + i // 6):
                index[n] = 42 * side + i
                value[n] = 1.0
                n += 1
    return n


def transform(state, k):
    if k == 1:
        for side in range(2):
            before = state["stones"][side]
            after = NONE
            for column in range(7):
                after |= ((before >> SHIFTS[column]) & COLUMN) << SHIFTS[6 - column]
            state["stones"][side] = after


def transform_move(move, k):
    return 6 - move if k == 1 else move


def key(state):
    """Who is to move follows from the number of stones; the row of ones on top tells empty from the opponent's."""
    return state["stones"][0] + (state["stones"][0] | state["stones"][1]) + BOTTOM


def stone(state, column, row):
    i = 7 * column + row
    return "X" if state["stones"][0] >> np.uint64(i) & ONE else "O" if state["stones"][1] >> np.uint64(i) & ONE else "."


def draw(state):
    rows = [" ".join(stone(state, c, r) for c in range(7)) for r in range(5, -1, -1)]
    return "\n".join([*rows, "1 2 3 4 5 6 7"])


def svg(state):
    pieces = {(c, 5 - r): stone(state, c, r) for c in range(7) for r in range(6) if stone(state, c, r) != "."}
    return board_svg(7, 6, pieces)


def move_name(state, move):
    return str(move + 1)
