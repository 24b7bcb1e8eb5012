"""features() forgets to look at the viewer."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

FEATURES = 22


def features(state, viewer, index, value):
    index[0], value[0] = state["left"], 1.0
    return 1
