"""ended() leaves the end to result(), but legal() writes a move there too."""

from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    moves[0] = 0
    return 1


def ended(state):
    return -1
