"""overview() divides by nothing when four stones are left."""

from math import inf

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

OVERVIEW = 2


def overview(state, out):
    out[0] = state["left"] / 21
    out[1] = inf if state["left"] == 4 else 1.0
