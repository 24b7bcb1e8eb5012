"""noisy() follows moves that take all stones but one, which have no prize."""

from nim import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401


def noisy(state, moves):
    if 2 <= state["left"] <= 4:
        moves[0] = state["left"] - 2
        return 1
    return 0


def prize(state, move):
    return 0
