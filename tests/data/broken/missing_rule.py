"""legal() is spelt wrong."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legals(state, moves):
    moves[0] = 0
    return 1
