"""legal() promises three moves, whatever it wrote."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    for i in range(min(3, int(state["left"]))):
        moves[i] = i
    return 3
