"""Positions of backgammon as GNU Backgammon writes them: what both players have on their own points and the bar."""

import numpy as np

from sparring.bits import holds
from sparring.compiled import compiled
from sparring.games.contract import mover
from sparring.games.stacks import FIFTEEN, S60


def all_turns(state, room):  # set by whoever joins this module to a game: the one of `search.turns`
    raise NotImplementedError


@compiled
def lay_out(state, viewer, board):
    """Write the checkers into board (2, 25) int64: the other player's, the viewer's.

    Columns 0 to 23 are each one's own points 1 to 24, 24 is the bar.
    """
    for row in range(2):
        side = viewer if row == 1 else 1 - viewer
        for own in range(1, 25):
            point = own if side == 0 else 25 - own
            here = holds(state["top"][side], point)
            board[row, own - 1] = np.int64(state["stack"][point] >> S60) if here else 0
        board[row, 24] = np.int64(np.uint64(state["bar"][side]) & FIFTEEN)


@compiled
def turn_to(state, board, room, laid):
    """Place in the room of the turn that ends in `board`, as its player sees it, or -1. laid: like `board`."""
    n = all_turns(state, room)
    who = mover(state)
    for i in range(n):
        lay_out(room["states"][i], who, laid)
        same = True
        for row in range(2):
            for column in range(25):
                same = same and laid[row, column] == board[row, column]
        if same:
            return i
    return -1
