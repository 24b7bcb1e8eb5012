"""quiet() starts again at every move, so that no repetition is seen."""

from nim import MOVES, STATE, legal, mover, start  # noqa: F401

REPETITION = 3
LIMIT = 100
RESULTS = (-1.0, 0.0, 1.0)


def play(state, move):
    state["left"] = 1 + (state["left"] + move) % 21
    state["turn"] = 1 - state["turn"]


def result(state):
    return -1


def quiet(state):
    return 0
