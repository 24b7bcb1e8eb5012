"""play() uses a name that does not exist."""

from nim import MOVES, RESULTS, STATE, legal, mover, result, start  # noqa: F401


def play(state, move):
    state["left"] -= move + 1
    state["turn"] = other(state["turn"])  # noqa: F821
