"""play() relies on integers of eight bits wrapping around, which compiled code does not do."""

import numpy as np
from nim import MOVES, RESULTS, STATE, legal, mover, result, start  # noqa: F401


def play(state, move):
    far = (state["left"] + np.int8(120)) // 2
    state["left"] = state["left"] - move - 1 if far < 0 else 0
    state["turn"] = 1 - state["turn"]
