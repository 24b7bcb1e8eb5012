"""What nets see of chess: 768 inputs, a piece on a square each, and positions packed into 24 bytes for files.

A position is seen as its viewer sits at the board: input (side * 6 + type) * 64 + square, side 0 the viewer's own,
squares counted from the viewer's left corner (for Black square ^ 56). All values are 1.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, count, holds, lowest
from sparring.compiled import compiled
from sparring.games.chess_board import BLACK, EMPTY, KING, WHITE, reckoned_key, upside_down

FEATURES = 768
MOST_FEATURES = 32
FRAMES = 64
PHASES = 33
PACKED = np.dtype([("occupied", "u8"), ("men", "u1", (16,))])
# for nets with frames, by name: (set of weights, flip) of each square of the viewer's king. A king on the files e to h
# is seen in a mirror, so the tables are of the files a to d, from the viewer's back rank on.
MIRRORED = tuple(7 if square % 8 > 3 else 0 for square in range(64))
PLACES = {
    "mirrored": (),
    "kings4": ((0, 0, 1, 1), (2, 2, 2, 2), *((3, 3, 3, 3),) * 6),
    "kings8": ((0, 1, 2, 3), (4, 4, 5, 5), *((6, 6, 6, 6),) * 2, *((7, 7, 7, 7),) * 4),
}
FRAMINGS = {
    name: (tuple(rows[square // 8][square % 8 ^ MIRRORED[square]] for square in range(64)) if rows else (), MIRRORED)
    for name, rows in PLACES.items()
}
SIDE, TYPE = np.int64(384), np.int64(64)  # between the inputs of one side or type and the next
FLIP = np.int64(56)
THEIRS = np.int64(8)  # in the four bits of a packed piece
ROW = np.int64(16)


@compiled
def input_of(state, square, viewer):
    """The input of the piece on a square."""
    side = np.int64(holds(state["colours"][BLACK], square)) ^ viewer
    return side * SIDE + np.int64(state["board"][square]) * TYPE + (square ^ FLIP * viewer)


@compiled
def features(state, viewer, index, value):
    """Every piece is an input."""
    left = state["colours"][0] | state["colours"][1]
    n = np.int64(0)
    while left != NONE:
        index[n] = input_of(state, lowest(left), viewer)
        value[n] = 1.0
        left &= left - ONE
        n += 1
    return n


@compiled
def changes(before, after, viewer, gone, come):
    """Inputs of pieces that stand only in one of the two positions."""
    left = (before["colours"][0] ^ after["colours"][0]) | (before["colours"][1] ^ after["colours"][1])
    for kind in range(6):
        left |= before["pieces"][kind] ^ after["pieces"][kind]
    went, came = np.int64(0), np.int64(0)
    while left != NONE:
        square = lowest(left)
        left &= left - ONE
        if before["board"][square] >= 0:
            gone[went] = input_of(before, square, viewer)
            went += 1
        if after["board"][square] >= 0:
            come[came] = input_of(after, square, viewer)
            came += 1
    return went, came


@compiled
def frame(state, viewer):
    """The square of the viewer's king, as the viewer counts."""
    return lowest(state["pieces"][KING] & state["colours"][viewer]) ^ (FLIP * viewer)


@compiled
def phase(state):
    """How many pieces there are."""
    return count(state["colours"][0] | state["colours"][1])


@compiled
def pack(state, packed):
    """Write the board as its player to move sees it: the occupied squares, and four bits for each, lowest first.

    Of four bits three are the type, and the highest says that it is the opponent's, as in the format of "bullet".
    """
    mover = np.int64(state["mover"])
    left = state["colours"][0] | state["colours"][1]
    theirs = state["colours"][1 - mover]
    if mover != WHITE:
        left, theirs = upside_down(left), upside_down(theirs)
    packed["occupied"] = left
    men = packed["men"]
    for i in range(ROW):
        men[i] = 0
    i = 0
    while left != NONE:
        square = lowest(left)
        man = np.int64(state["board"][square ^ (FLIP * mover)])
        if holds(theirs, square):
            man |= THEIRS
        men[i >> 1] |= man << 4 * (i & 1)
        left &= left - ONE
        i += 1


@compiled
def unpack(packed, state):
    """Make the position with White to move, without rights to castle; everything of `state` is written."""
    for kind in range(6):
        state["pieces"][kind] = NONE
    state["colours"][0] = NONE
    state["colours"][1] = NONE
    for square in range(64):
        state["board"][square] = EMPTY
    left = np.uint64(packed["occupied"])
    i = 0
    while left != NONE:
        square = lowest(left)
        man = np.int64(packed["men"][i >> 1]) >> 4 * (i & 1) & 15
        state["pieces"][man & 7] |= bit(square)
        state["colours"][man >> 3] |= bit(square)
        state["board"][square] = man & 7
        left &= left - ONE
        i += 1
    state["mover"] = 0
    state["ep"] = EMPTY
    state["castling"] = 0
    state["half"] = 0
    state["full"] = 1
    state["key"] = reckoned_key(state)
