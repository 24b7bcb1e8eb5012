"""move_name() calls two moves the same."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def move_name(state, move):
    return "one" if move == 0 else "more"
