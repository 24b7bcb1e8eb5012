"""legal() reads past the end of a field when few stones are left."""

import numpy as np
from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401

BONUS = np.array([0, 1, 2, 3, 4, 5, 6])


def legal(state, moves):
    moves[0] = 0
    return 1 + 0 * BONUS[min(21 - state["left"], 7)]
