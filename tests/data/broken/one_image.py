"""transform_move() gives two moves the same image."""

from sparring.games.tic_tac_toe import MOVES, RESULTS, STATE, legal, mover, play, result, start  # noqa: F401

SYMMETRIES = 2


def transform(state, k):
    if k == 1:
        for i in range(4):
            other = state["board"][8 - i]
            state["board"][8 - i] = state["board"][i]
            state["board"][i] = other


def transform_move(move, k):
    return max(8 - move, 1) if k == 1 else move
