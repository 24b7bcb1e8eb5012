"""play() draws random numbers itself."""

import numpy as np
from nim import MOVES, RESULTS, legal, mover, result, start  # noqa: F401

STATE = np.dtype([("weather", "f4"), ("left", "i1"), ("turn", "i1")])


def play(state, move):
    state["left"] -= move + 1
    state["turn"] = 1 - state["turn"]
    state["weather"] = np.random.random()
