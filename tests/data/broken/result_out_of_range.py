"""result() returns a value where an index is asked for."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, start  # noqa: F401


def result(state):
    return -1 if state["left"] > 0 else 100
