"""What backgammon's nets see: the 198 inputs of TD-Gammon (Tesauro 1992), as the player asked about sees them.

Of each player, the viewer first, 98 inputs (add 98 for the other), n the checkers on the point that this player
calls `own`:

    4 * (own - 1)       1 if n >= 1
    4 * (own - 1) + 1   1 if n >= 2
    4 * (own - 1) + 2   1 if n >= 3
    4 * (own - 1) + 3   (n - 3) / 2 if n > 3
    96                  checkers on the bar / 2
    97                  checkers borne off / 15

    196                 1 if it is the viewer's turn, to play or to roll
    197                 1 if it is the other's
"""

import numpy as np

from sparring.bits import NONE, ONE, lowest
from sparring.compiled import compiled
from sparring.games.stacks import FIFTEEN, S60

INPUTS = 198
MOST_ACTIVE = 36  # at most one a checker, and six
SIDE = 98


@compiled
def see(state, viewer, index, value):
    """Write the active inputs, as `features` of the contract does; returns how many."""
    n = 0
    for place in range(2):
        side = np.int64(viewer) if place == 0 else 1 - np.int64(viewer)
        first = SIDE * place
        points = np.uint64(state["top"][side])
        while points != NONE:
            point = lowest(points)
            points &= points - ONE
            checkers = np.int64(state["stack"][point] >> S60)
            own = point if side == 0 else 25 - point
            at = first + 4 * (own - 1)
            for i in range(min(checkers, 3)):
                index[n] = at + i
                value[n] = 1.0
                n += 1
            if checkers > 3:
                index[n] = at + 3
                value[n] = np.float32(checkers - 3) * np.float32(0.5)
                n += 1
        bar, off = np.uint64(state["bar"][side]) & FIFTEEN, np.uint64(state["off"][side]) & FIFTEEN
        if bar != NONE:
            index[n] = first + 96
            value[n] = np.float32(bar) * np.float32(0.5)
            n += 1
        if off != NONE:
            index[n] = first + 97
            value[n] = np.float32(off) / np.float32(15.0)
            n += 1
    index[n] = 196 if state["turn"] == viewer else 197
    value[n] = 1.0
    return n + 1
