"""What a game defines. Kernels import these names; `Game.bind` replaces them by a game's own.

A rules file is plain Python: a few constants and functions over one NumPy record, the position. It may use integers,
floats, loops, tuples and small arrays as constants; no objects, dictionaries or strings in the functions that are
compiled. `state["field"]` reads and writes a field. Randomness enters only through `chance`.

Required: STATE, MOVES, start, mover, legal, play, result. Everything else here has the default that stands here.
"""

import numpy as np

from sparring.records import copy_record, hash_record

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

PAWN = 0.0
"""What a small lead adds to a judgement: the unit of the margins by which a search reduces and prunes. 0: it prunes
nothing by judgement, and looks at every move as deeply as at every other."""

ODDS = 0.0
"""0: a judgement is an expected result. Else the expected result is tanh(ODDS × judgement): for games whose judgements
are sums, of material mostly, which a search had better compare before they are squeezed into expectations."""

SLOTS = 0
"""How many kinds of moves `slot` tells apart."""

FRAMES = 0
"""How many frames `frame` tells apart. 0: what an input means depends on nothing else."""

PHASES = 1
"""How many phases `phase` tells apart."""

PACKED = None
"""dtype of a position as `pack` writes it, for files of many positions; None: STATE."""

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


def ended(state):
    """`result` as far as it can be seen without looking for moves; by default `result` itself.

    Where a rules file has this, `legal` may also be asked after an end that it does not see, and writes no move then;
    searches ask `result` only where it wrote none.
    """
    return ONGOING


# --- what nets see -----------------------------------------------------------------------------------------------


def features(state, viewer, index, value):
    """Write the active inputs as pairs (index[i] int32, value[i] float32), as `viewer` sees the position.

    Returns how many. An index occurs at most once; inputs not written are 0.
    """
    return 0


def changes(before, after, viewer, gone, come):
    """Write the inputs that are active in only one of two positions, all of whose values are 1, as `viewer` sees them.

    gone, come: int32 (MOST_FEATURES,), active before and active after. Returns (how many gone, how many come). Without
    it a net inside a search is reckoned from all inputs at every position.
    """
    return 0, 0


def frame(state, viewer):
    """0 to FRAMES - 1: what the meaning of inputs may depend on, in chess where `viewer`'s king stands."""
    return 0


def phase(state):
    """0 to PHASES - 1: how far the game is, in chess the number of pieces; a net may have outputs for each."""
    return 0


def pack(state, packed):
    """Write what nets see of a position, as its player to move sees it, into `packed` (PACKED)."""
    copy_record(state, packed)


def unpack(packed, state):
    """Make a position from that in which the player to move sees the same."""
    copy_record(packed, state)


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
    """A hand-written judgement: the expected result for the player to move, between the ends of RESULTS (see ODDS)."""
    return 0.0


def threatened(state):
    """Whether the player to move is in check: then a search goes deeper, and does not stop to judge."""
    return False


def threatens(state, move):
    """Whether a legal move puts the other player in check: `threatened` of the position after it.

    For speed: most moves near the horizon are left out unless they give check, and without it are played to see.
    """
    return False


def null_move(state):
    """Let the player to move pass, if it can be assumed that some move is better than that; returns whether it did.

    Not where `threatened`; else `state` is left as it is. The pass is no legal move: it only tells a search what the
    other player could do with two moves in a row.
    """
    return False


def prize(state, move):
    """What a move takes, in hundredths of a small lead (PAWN), less a little for what it risks; 0 for quiet moves."""
    return 0


def exchange(state, move, least):
    """Whether the captures that begin with `move` gain at least `least` hundredths of a small lead (PAWN)."""
    return True


def slot(state, move):
    """0 to SLOTS - 1: the kind of a move, in chess the piece and where it goes. Searches learn what answers what."""
    return 0


# --- plain Python: these are never compiled ----------------------------------------------------------------------
# draw(state) -> str            the position as text
# svg(state) -> str             the position as an SVG image
# move_name(state, move) -> str the move as a player writes it; unique among the legal moves of `state`
# PLAYERS = ("first", "second") what the two players are called

REQUIRED = ("STATE", "MOVES", "start", "mover", "legal", "play", "result")
CONSTANTS = (
    *("STATE", "MOVES", "RESULTS", "REPETITION", "LIMIT", "MOST_MOVES", "FEATURES", "MOST_FEATURES"),
    *("FEATURES_VERSION", "VIEWER", "PLANES", "SYMMETRIES", "OVERVIEW", "PROSPECTS", "BOTS"),
    *("PAWN", "ODDS", "SLOTS", "FRAMES", "PHASES", "PACKED"),
)
RULES = (
    *("start", "deal", "mover", "legal", "play", "result", "ended", "chance", "features", "overview", "prospects"),
    *("changes", "frame", "phase", "pack", "unpack", "transform", "transform_move", "key", "quiet", "noisy"),
    *("evaluate", "threatened", "threatens", "null_move", "prize", "exchange", "slot"),
)
PLAIN = ("draw", "svg", "move_name", "PLAYERS")
