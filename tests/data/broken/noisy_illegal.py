"""noisy() follows a move that is not legal when few stones are left."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def noisy(state, moves):
    moves[0] = 2
    return 1
