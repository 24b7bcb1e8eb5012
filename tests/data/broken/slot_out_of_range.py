"""slot() counts from 1."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

SLOTS = 3


def slot(state, move):
    return move + 1
