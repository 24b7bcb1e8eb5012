"""legal() asks a helper that slips when few stones are left."""

from halves import half
from nim import MOVES, RESULTS, STATE, mover, play, result, start  # noqa: F401


def legal(state, moves):
    moves[0] = 0
    return 1 + 0 * half(21 - state["left"])
