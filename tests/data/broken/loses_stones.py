"""transform() overwrites a column before it is read."""

from sparring.games.tic_tac_toe import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

SYMMETRIES = 2


def transform(state, k):
    if k == 1:
        for row in range(3):
            state["board"][3 * row] = state["board"][3 * row + 2]
            state["board"][3 * row + 2] = state["board"][3 * row]


def transform_move(move, k):
    return move // 3 * 3 + 2 - move % 3 if k == 1 else move
