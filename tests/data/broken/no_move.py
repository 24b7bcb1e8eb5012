"""legal() finds nothing when one stone is left, though the game goes on."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    n = 0
    while n < 3 and n + 1 < state["left"]:
        moves[n] = n
        n += 1
    return n
