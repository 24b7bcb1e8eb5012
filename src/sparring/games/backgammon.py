"""Backgammon, with points 1, 2 and 3 (gammon, backgammon) as results; the cube and the score belong to a match.

The board and the moves are in `tables.py`. A turn is several moves, one a die.
"""

import numpy as np

from sparring.games.backgammon_sight import INPUTS, MOST_ACTIVE, see_all
from sparring.games.stacks import SOLDIER, TABLE, set_up
from sparring.games.tables import MOST_MOVES, RESULTS, chance, key, legal, mover, play, result
from sparring.games.tables_drawing import draw_table, svg_table
from sparring.games.tables_judges import pips
from sparring.games.tables_text import PLAYERS, name_of_move, read_position, write_position

__all__ = ["MOST_MOVES", "PLAYERS", "RESULTS", "chance", "key", "legal", "mover", "pips", "play", "result"]

STATE = TABLE
MOVES = 37 + 6 * 25  # of the machine's, none by other classes and none backward

FEATURES = INPUTS  # `backgammon_sight.py`; the first 198 are Tesauro's
MOST_FEATURES = MOST_ACTIVE

HEIGHT = np.int64(15)  # of a stack: all checkers
LETTERS = ("X", "O")
SETUP = np.zeros((24, 5), np.int8)
for _own, _height in ((24, 2), (13, 5), (8, 3), (6, 5)):
    SETUP[_own - 1, :_height] = SOLDIER + 1


def start(state):
    set_up(state, SETUP, HEIGHT)


def features(state, viewer, index, value):
    return see_all(state, viewer, index, value)


def position(text):
    """The position that a line tells, such as "24:2X 13:5X 1:2O; white plays 3-1" (`tables_text.py`)."""
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
