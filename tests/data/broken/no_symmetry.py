"""transform() mirrors the board, transform_move() turns it."""

from sparring.games.tic_tac_toe import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

SYMMETRIES = 2


def transform(state, k):
    if k == 1:
        for row in range(3):
            left = state["board"][3 * row]
            state["board"][3 * row] = state["board"][3 * row + 2]
            state["board"][3 * row + 2] = left


def transform_move(move, k):
    return 8 - move if k == 1 else move
