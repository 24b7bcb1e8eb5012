"""threatens() sees a check where threatened() sees none."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def threatened(state):
    return False


def threatens(state, move):
    return True
