"""What a game defines. Kernels import these names; `Game.bind` replaces them by a game's own.

A rules file is plain Python: a few constants and functions over one NumPy record, the position. It may use integers,
floats, loops, tuples and small arrays as constants; no objects, dictionaries or strings in the functions that are
compiled. `state["field"]` reads and writes a field. Randomness enters only through `chance`.

Required: STATE, MOVES, start, mover, legal, play, result. Everything else here has the default that stands here.
"""

import numpy as np

from sparring.records import hash_record

ONGOING = -1  # what `result` returns while the game goes on
CHANCE = 2  # what `mover` returns when dice are to be rolled

# --- constants ---------------------------------------------------------------------------------------------------

STATE = np.dtype([("nothing", "i1")])
"""dtype of a position: a record, best with align=True and below about 150 bytes. Zeros before `start`."""

MOVES = 0
"""Moves are numbered 0 to MOVES - 1, the outcomes of chance too."""

RESULTS = (-1.0, 0.0, 1.0)
"""The values of the ends for player 0, ascending. `result` returns an index into it."""

REPETITION = 0
"""The game is drawn when a position (its `key`) occurs for this time; 0: never. 3 is chess's rule."""

LIMIT = 0
"""The game is drawn after this many moves; 0: no limit. A backstop for games that random play may never finish.

Where RESULTS has no 0.0 the game then ends without a result, which is worth 0 in a match."""

MOST_MOVES = 0
"""The most legal moves a position can have, for buffers; 0: MOVES."""

FEATURES = 0
"""How many inputs a net has; `features` writes indices 0 to FEATURES - 1. 0: the game has no net."""

MOST_FEATURES = 0
"""The most inputs that are active at once; 0: FEATURES."""

FEATURES_VERSION = 1
"""Raise it when the meaning of an input changes: nets trained on the old meaning are then refused."""

VIEWER = -1
"""0 or 1: nets always look through that player's eyes and value the position for that player (their inputs must then
say who is to move). -1: they look through the eyes of the player who is asked about, as most games want."""

PLANES = ()
"""(planes, rows, columns), where the first inputs are planes of a board: input (plane * rows + row) * columns + column.
Inputs behind them say something of the whole position. (): there is no board, and every input is of that kind."""

SYMMETRIES = 1
"""How many symmetries `transform` knows, with k = 0 the identity."""

OVERVIEW = 0
"""How many numbers `overview` writes. 0: the game has no small net."""

PROSPECTS = 0
"""How many numbers `prospects` writes of each move."""

BOTS = ()
"""Names of functions `bot(state) -> move` of the rules file: players written by hand, which search nothing. The first
is the teacher that cloning learns from."""


# --- rules -------------------------------------------------------------------------------------------------------


def start(state):
    """Write the first position into `state`, which holds zeros."""
    raise NotImplementedError


def deal(state, seed):
    """Change the first position into that of number `seed` (uint64), in games that begin at random."""
    return


def mover(state):
    """Who is to move: 0, 1, or CHANCE. After the end: 0 or 1, whichever is handy."""
    raise NotImplementedError


def legal(state, moves):
    """Write the legal moves of a game that goes on into `moves` (int32, MOST_MOVES long); return how many (>= 1).

    A player who cannot move but does not lose by it has a move for that: a pass.
    """
    raise NotImplementedError


def play(state, move):
    """Change `state` by a legal move, or where chance is to move by an outcome's number."""
    raise NotImplementedError


def result(state):
    """An index into RESULTS, or ONGOING."""
    raise NotImplementedError


def chance(state, outcomes, probabilities):
    """Where `mover` is CHANCE: write the outcomes' numbers (int32) and chances (float64, sum 1); return how many."""
    return 0


# --- what nets see -----------------------------------------------------------------------------------------------


def features(state, viewer, index, value):
    """Write the active inputs as pairs (index[i] int32, value[i] float32), as `viewer` sees the position.

    Returns how many. An index occurs at most once; inputs not written are 0.
    """
    return 0


def overview(state, out):
    """Describe the position to a small net as its player to move sees it: out float32 (OVERVIEW,), about -1 to 1."""
    return


def prospects(state, out):
    """Describe what each legal move leads to, likewise: out float32 (MOVES, PROSPECTS), zeros before."""
    return


def transform(state, k):
    """Change `state` into its image under symmetry k. Who is to move, and all that the rules see, stays alike."""
    return


def transform_move(move, k):
    """The image of a move under symmetry k."""
    return move


# --- what searches see -------------------------------------------------------------------------------------------


def key(state):
    """A uint64 that tells positions apart, for the transposition table and for repetition."""
    return hash_record(state)


def quiet(state):
    """How many moves ago a move was last made that cannot be undone: repetition is not looked for before it."""
    return 1 << 30


def noisy(state, moves):
    """Write the moves that a quiescence search follows (captures, mostly), all of them legal; return how many."""
    return 0


def evaluate(state):
    """A hand-written judgement: the expected result for the player to move, between the ends of RESULTS."""
    return 0.0


# --- plain Python: these are never compiled ----------------------------------------------------------------------
# draw(state) -> str            the position as text
# svg(state) -> str             the position as an SVG image
# move_name(state, move) -> str the move as a player writes it; unique among the legal moves of `state`
# PLAYERS = ("first", "second") what the two players are called

REQUIRED = ("STATE", "MOVES", "start", "mover", "legal", "play", "result")
CONSTANTS = (
    *("STATE", "MOVES", "RESULTS", "REPETITION", "LIMIT", "MOST_MOVES", "FEATURES", "MOST_FEATURES"),
    *("FEATURES_VERSION", "VIEWER", "PLANES", "SYMMETRIES", "OVERVIEW", "PROSPECTS", "BOTS"),
)
RULES = (
    *("start", "deal", "mover", "legal", "play", "result", "chance", "features", "overview", "prospects"),
    *("transform", "transform_move", "key", "quiet", "noisy", "evaluate"),
)
PLAIN = ("draw", "svg", "move_name", "PLAYERS")
