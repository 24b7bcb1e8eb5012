"""STATE is no record."""

from nim import MOVES, RESULTS, legal, mover, play, result, start  # noqa: F401

STATE = [0, 0]
