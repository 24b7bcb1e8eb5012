"""play() counts in an array outside of the position."""

import numpy as np
from nim import MOVES, RESULTS, STATE, legal, mover, result, start  # noqa: F401

PLAYED = np.zeros(1, np.int64)


def play(state, move):
    PLAYED[0] += 1
    state["left"] -= 1 + PLAYED[0] % 2
    state["turn"] = 1 - state["turn"]
