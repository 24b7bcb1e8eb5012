"""legal() writes more moves than MOST_MOVES."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401

MOST_MOVES = 2


def legal(state, moves):
    n = 0
    while n < 3 and n < state["left"] and (n < 2 or state["left"] < 15):
        moves[n] = n
        n += 1
    return n
