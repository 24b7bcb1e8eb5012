"""A helper with a table that is too short."""

import numpy as np

HALVES = np.array([0, 0, 1, 1, 2, 2, 3])


def half(n):
    return HALVES[n]
