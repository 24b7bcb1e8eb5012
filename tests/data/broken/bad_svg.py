"""svg() leaves a tag open."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def svg(state):
    return f"<svg><text>{state['left']}</svg>"
