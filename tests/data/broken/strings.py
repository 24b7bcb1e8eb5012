"""legal() works on text, which cannot be compiled."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    text = format(state["left"], "03d")
    moves[0] = int(text) % 2
    return 1
