"""frame() counts the stones, but FRAMES leaves no room for all."""

from nim import FEATURES, MOVES, RESULTS, STATE, features, legal, mover, play, result, start  # noqa: F401

FRAMES = 21


def frame(state, viewer):
    return int(state["left"])
