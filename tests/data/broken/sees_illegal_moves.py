"""prospects() describes all three moves, even where fewer stones are left."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

PROSPECTS = 1


def prospects(state, out):
    for move in range(MOVES):
        out[move, 0] = (state["left"] + 100 - move) / 121
