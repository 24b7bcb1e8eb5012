"""legal() writes a move twice when few stones are left."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    for i in range(3):
        moves[i] = min(i, state["left"] - 1)
    return 3
