"""ended() sees an end where three stones are left."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def ended(state):
    return 0 if state["left"] <= 3 else -1
