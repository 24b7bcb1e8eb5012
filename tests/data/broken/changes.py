"""legal() plays the moves to see whether they are legal, and does not take them back."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    n = 0
    while state["left"] > n:
        state["left"] -= 1
        moves[n] = n
        n += 1
    return n
