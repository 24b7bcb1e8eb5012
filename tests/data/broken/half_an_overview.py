"""overview() leaves its second number as it was."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

OVERVIEW = 2


def overview(state, out):
    out[0] = state["left"] / 21
