"""legal() writes a move for each stone."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    for i in range(3):
        moves[i] = i + 1
    return 3
