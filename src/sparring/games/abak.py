"""Abak (Abak Evolution Backgammon): backgammon in which the checkers have classes.

Nine soldiers, two guards, a general, a druid, an even and an odd wounded a side. As in backgammon, and:

- A point is a stack of at most five checkers, of which only the top one may move. From the bar any may enter.
- A lone guard is hit by a guard only; the druid traps it in the middle (7 to 18); to others it is a block.
- The druid, in the middle, does not hit a lone checker but traps it: it sits on it, and the trapped one neither moves
  nor holds the point, until the druid leaves or is hit. A druid that holds a checker is itself hit, never trapped.
- The general may step backward, not past 24, while another own checker is outside home. After a backward step it
  moves no more this turn; after a forward one its next step is not backward, unless that one entered from the bar.
- The even wounded use only 2, 4 and 6, the odd wounded only 1, 3 and 5, for entering and bearing off too.
- Checkers are borne off while all are home and none is trapped; with a larger die, from the farthest point if its top
  checker may use it.
- As many dice as possible must be played, of one the larger; steps backward count.

A game of about 2 000 rolls ends without a result: a general can walk back for ever. The machine is in `tables.py`.
"""

import numpy as np

from sparring.games.abak_expert import expert
from sparring.games.abak_features import INPUTS, see
from sparring.games.stacks import DRUID, EVEN, GENERAL, GUARD, ODD, SOLDIER, TABLE, set_up
from sparring.games.tables import MOST_MOVES, MOVES, RESULTS, chance, key, legal, mover, play, result
from sparring.games.tables_drawing import draw_table, svg_table
from sparring.games.tables_judges import pips
from sparring.games.tables_text import PLAYERS, name_of_move, read_position, write_position

__all__ = ["MOST_MOVES", "MOVES", "PLAYERS", "RESULTS", "chance", "key", "legal", "mover", "play", "result"]
__all__ += ["expert", "pips"]  # judgements

STATE = TABLE
LIMIT = 6400  # in moves: what about 2 000 rolls are with their steps

FEATURES = INPUTS  # `abak_features.py`
MOST_FEATURES = 256  # at most seven a checker, eight, and a strength for each checker

HEIGHT = np.int64(5)  # of a stack
LETTERS = ("SGNDEO", "sgndeo")  # soldier, guard, general, druid, even and odd wounded
STACKS = {
    24: (EVEN, DRUID),
    23: (ODD, SOLDIER),
    13: (SOLDIER, SOLDIER, GUARD, SOLDIER),
    8: (SOLDIER, GUARD, SOLDIER),
    6: (SOLDIER, SOLDIER, SOLDIER, GENERAL),
}
SETUP = np.zeros((24, 5), np.int8)
for _own, _stack in STACKS.items():
    SETUP[_own - 1, : len(_stack)] = [kind + 1 for kind in _stack]


def start(state):
    set_up(state, SETUP, HEIGHT)


def features(state, viewer, index, value):
    return see(state, viewer, index, value)


def position(text):
    """The position that a line tells, such as "24:ED 13:3SG 8:sD 6:3SN; white plays 3-1" (`tables_text.py`)."""
    return read_position(text, LETTERS, SETUP, int(HEIGHT))


def describe(state):
    """The line that tells a position."""
    return write_position(state, LETTERS)


def draw(state):
    return draw_table(state, LETTERS)


def svg(state):
    return svg_table(state, LETTERS)


def move_name(state, move):
    return name_of_move(state, move, LETTERS)
