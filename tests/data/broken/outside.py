"""play() counts on eight bits wrapping around; compiled, it writes past the end of the position."""

import numpy as np
from nim import MOVES, RESULTS, legal, mover, result, start  # noqa: F401

STATE = np.dtype([("cells", "i1", 200), ("left", "i1"), ("turn", "i1")])


def play(state, move):
    state["left"] -= move + 1
    state["turn"] = 1 - state["turn"]
    i = np.int8(100) + np.int8(30 + state["turn"])
    state["cells"][i + np.int8(127)] = 1
