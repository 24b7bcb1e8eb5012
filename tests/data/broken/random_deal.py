"""deal() deals another position each time."""

import numpy as np
from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def deal(state, seed):
    state["left"] = 12 + np.random.randint(0, 100)
