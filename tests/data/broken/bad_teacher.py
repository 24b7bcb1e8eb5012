"""The teacher always takes three, even where fewer are left."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

BOTS = ("greedy",)


def greedy(state):
    return 2
