"""Breakthrough on 6 × 6: two rows of pawns a side. A pawn moves one step forward, straight or diagonally; it captures
only diagonally. Whoever reaches the far row wins, as does whoever takes the last pawn (Dan Troyka, 2000).

A move is 3 * from + direction; player 0 moves up the board (towards row 5), player 1 down.
"""

import numpy as np

from sparring.games.contract import ONGOING

SIZE = 6
STATE = np.dtype([("board", "i1", SIZE * SIZE), ("pawns", "i1", 2), ("turn", "i1"), ("won", "i1")], align=True)
MOVES = 3 * SIZE * SIZE
RESULTS = (-1.0, 1.0)
FEATURES = 2 * SIZE * SIZE  # own pawns, then the opponent's, the board turned so that own pawns move up
MOST_FEATURES = 4 * SIZE
SYMMETRIES = 2
PLAYERS = ("white", "black")


def start(state):
    for i in range(2 * SIZE):
        state["board"][i] = 1
        state["board"][SIZE * SIZE - 1 - i] = 2
    state["pawns"][0] = state["pawns"][1] = 2 * SIZE


def mover(state):
    return state["turn"]


def target(state, move):
    """The point a move leads to, or -1 where it leads off the board or onto a pawn it may not take."""
    i, side = move // 3, move % 3 - 1
    x, y = i % SIZE + side, i // SIZE + (1 if state["turn"] == 0 else -1)
    if x < 0 or x >= SIZE or y < 0 or y >= SIZE:
        return -1
    there = state["board"][SIZE * y + x]
    free = there == 0 if side == 0 else there != state["turn"] + 1
    return SIZE * y + x if free else -1


def legal(state, moves):
    n = 0
    for move in range(MOVES):
        if state["board"][move // 3] == state["turn"] + 1 and target(state, move) >= 0:
            moves[n] = move
            n += 1
    return n


def play(state, move):
    to, turn = target(state, move), state["turn"]
    if state["board"][to] != 0:
        state["pawns"][1 - turn] -= 1
    state["board"][to] = turn + 1
    state["board"][move // 3] = 0
    if to // SIZE == (SIZE - 1 if turn == 0 else 0) or state["pawns"][1 - turn] == 0:
        state["won"] = turn + 1
    state["turn"] = 1 - turn


def result(state):
    return ONGOING if state["won"] == 0 else 2 - state["won"]


def features(state, viewer, index, value):
    n = 0
    for i in range(SIZE * SIZE):
        if state["board"][i] != 0:
            point = i if viewer == 0 else SIZE * (SIZE - 1 - i // SIZE) + i % SIZE
            index[n] = point if state["board"][i] == viewer + 1 else SIZE * SIZE + point
            value[n] = 1.0
            n += 1
    return n


def transform(state, k):
    for y in range(SIZE):
        for x in range(SIZE // 2 if k == 1 else 0):
            a, b = SIZE * y + x, SIZE * y + SIZE - 1 - x
            state["board"][a], state["board"][b] = state["board"][b], state["board"][a]


def transform_move(move, k):
    i, side = move // 3, move % 3
    return 3 * (i - i % SIZE + SIZE - 1 - i % SIZE) + 2 - side if k == 1 else move


def draw(state):
    rows = [" ".join(".wb"[v] for v in state["board"][SIZE * y : SIZE * y + SIZE]) for y in range(SIZE)]
    return "\n".join(f"{y + 1} {rows[y]}" for y in range(SIZE - 1, -1, -1)) + "\n  a b c d e f"


def move_name(state, move):
    i, to = move // 3, target(state, move)
    return "abcdef"[i % SIZE] + str(i // SIZE + 1) + "abcdef"[to % SIZE] + str(to // SIZE + 1)
