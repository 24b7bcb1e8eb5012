"""changes() forgets that the count before is gone."""

from nim import FEATURES, MOVES, RESULTS, STATE, features, legal, mover, play, result, start  # noqa: F401


def changes(before, after, viewer, gone, come):
    come[0] = after["left"]
    return 0, 1
