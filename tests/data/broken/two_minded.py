"""The bot multiplies numbers of 8 bits, which compiled become wider."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

BOTS = ("careless",)


def careless(state):
    return 1 if state["left"] * state["left"] > 100 else 0
