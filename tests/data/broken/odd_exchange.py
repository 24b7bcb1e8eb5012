"""exchange() asks for more where less is asked."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def exchange(state, move, least):
    return least > 50
