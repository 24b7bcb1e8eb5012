"""features() numbers inputs from 1 to FEATURES."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

FEATURES = 21


def features(state, viewer, index, value):
    index[0], value[0] = state["left"], 1.0 if state["turn"] == viewer else -1.0
    return 1
