"""pack() has room for fifteen stones only."""

import numpy as np
from nim import FEATURES, MOVES, RESULTS, STATE, features, legal, mover, play, result, start  # noqa: F401

PACKED = np.dtype([("left", "u1")])


def pack(state, packed):
    packed["left"] = state["left"] & 15


def unpack(packed, state):
    state["left"] = packed["left"]
    state["turn"] = 0
