"""play() puts a stone back, so that the game never ends."""

from nim import MOVES, RESULTS, STATE, legal, mover, result, start  # noqa: F401


def play(state, move):
    state["left"] = 1 + (state["left"] + move) % 21
    state["turn"] = 1 - state["turn"]
