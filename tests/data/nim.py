"""Nim with one heap, for tests of small nets: take one to three; who cannot take has lost."""

import numpy as np

from sparring.games.contract import ONGOING

STATE = np.dtype([("heap", "i1"), ("turn", "i1")])
MOVES = 3
RESULTS = (-1.0, 1.0)
SIZE = 13
OVERVIEW = 3
PROSPECTS = 4


def start(state):
    state["heap"] = SIZE


def deal(state, seed):
    state["heap"] = 1 + seed % np.uint64(SIZE)


def mover(state):
    return state["turn"]


def legal(state, moves):
    n = min(int(state["heap"]), MOVES)
    for i in range(n):
        moves[i] = i
    return n


def play(state, move):
    state["heap"] -= move + 1
    state["turn"] = 1 - state["turn"]


def result(state):
    if state["heap"] > 0:
        return ONGOING
    return 0 if state["turn"] == 0 else 1


def overview(state, out):
    out[0] = state["heap"] / SIZE
    out[1] = (state["heap"] % 4) / 4
    out[2] = 1.0 if state["turn"] == 0 else -1.0


def prospects(state, out):
    for move in range(min(int(state["heap"]), MOVES)):
        left = state["heap"] - move - 1
        out[move, 0] = left / SIZE
        out[move, 1] = (left % 4) / 4
        out[move, 2] = 1.0 if left == 0 else 0.0
        out[move, 3] = (move + 1) / MOVES
