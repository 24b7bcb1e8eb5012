"""prospects() writes a row too many."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

PROSPECTS = 1


def prospects(state, out):
    out[MOVES if state["left"] < 10 else 0, 0] = 1.0
