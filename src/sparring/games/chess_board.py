"""The chess board: sets of squares, what pieces attack, and numbers that tell positions apart.

Squares are 0 to 63, a1 = 0, b1 = 1, h8 = 63; a set of them is a uint64, bit i for square i. A sliding piece's attacks
come from the occupied squares by subtraction, o ^ (o - 2r), upward and on the board turned upside down (hyperbola
quintessence; A. Warda and G. Isenberg 2007); along ranks from a table.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, holds, lowest
from sparring.compiled import compiled

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (np.int64(i) for i in range(6))
WHITE, BLACK = np.int64(0), np.int64(1)
EMPTY = -1  # on "board" and in "ep"

POSITION = np.dtype(
    [
        ("pieces", "u8", (6,)),  # squares with such a piece of either side
        ("colours", "u8", (2,)),  # squares with White's and Black's pieces
        ("key", "u8"),
        ("board", "i1", (64,)),  # the type of the piece on each square, or EMPTY
        ("mover", "i1"),
        ("ep", "i1"),  # the square behind a pawn that has just moved two, where an enemy pawn stands to take it
        ("castling", "u1"),  # rights: 1 White's king's side, 2 White's queen's side, 4 and 8 Black's
        ("half", "u1"),  # moves since a pawn moved or something was taken
        ("full", "i4"),  # the number of the move, from 1; so wide that no bytes between fields are left to chance
    ],
    align=True,
)

FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
NOT_A, NOT_H = ~FILE_A, ~FILE_H
RANK_3, RANK_6 = np.uint64(0xFF << 16), np.uint64(0xFF << 40)
LAST_RANKS = np.uint64(0xFF << 56 | 0xFF)
DARK = np.uint64(0xAA55AA55AA55AA55)
ALL = ~NONE
RANK = np.uint64(0xFF)
INNER = np.uint64(63)
TWO = np.uint64(2)
S1, S7, S8, S9, S16, S32 = (np.uint64(n) for n in (1, 7, 8, 9, 16, 32))
EVEN_BYTES, EVEN_PAIRS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
SLANTING = ((1, 1), (-1, -1), (1, -1), (-1, 1))
LEAPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


# --- tables, made here -------------------------------------------------------------------------------------------


def _set_of(squares):
    return np.uint64(sum(1 << square for square in squares))


def _ray(square, direction, most=7):
    """Squares from `square` on, nearest first."""
    (column, row), (dx, dy) = (square % 8, square // 8), direction
    steps = ((column + k * dx, row + k * dy) for k in range(1, most + 1))
    return [x + 8 * y for x, y in steps if 0 <= x < 8 and 0 <= y < 8]


def _reached(directions, most):
    """For every square the set of those that lie up to `most` steps in these directions, (64,) uint64."""
    return np.array([_set_of(s for d in directions for s in _ray(square, d, most)) for square in range(64)])


def _between():
    """The squares between two that are joined by a line, (64 * 64,) uint64: [64 * a + b]."""
    table = np.zeros(64 * 64, np.uint64)
    for square in range(64):
        for direction in (*STRAIGHT, *SLANTING):
            ray = _ray(square, direction)
            for k, other in enumerate(ray):
                table[64 * square + other] = _set_of(ray[:k])
    return table


def _ranks():
    """Attacks along a rank, (64 * 8,) uint8: [8 * the six inner squares, which are occupied or not + file]."""
    table = np.zeros(64 * 8, np.uint8)
    for inner in range(64):
        for file in range(8):
            for step in (-1, 1):
                at = file + step
                while 0 <= at < 8:
                    table[8 * inner + file] |= 1 << at
                    if 1 <= at <= 6 and inner >> (at - 1) & 1:
                        break
                    at += step
    return table


KNIGHT_ATTACKS = _reached(LEAPS, 1)
KING_ATTACKS = _reached(STRAIGHT + SLANTING, 1)
PAWN_ATTACKS = np.concatenate(
    [_reached(((-1, 1), (1, 1)), 1), _reached(((-1, -1), (1, -1)), 1)]
)  # [64 * side + square]
FILES = _reached(STRAIGHT[2:], 7)
DIAGONALS = _reached(SLANTING[:2], 7)
ANTIDIAGONALS = _reached(SLANTING[2:], 7)
RANK_ATTACKS = _ranks()
BETWEEN = _between()

_random = np.random.default_rng(64)
PIECE_KEYS = _random.integers(0, 1 << 64, 2 * 6 * 64, np.uint64)  # [(side * 6 + type) * 64 + square]
CASTLING_KEYS = _random.integers(0, 1 << 64, 16, np.uint64)
EP_KEYS = _random.integers(0, 1 << 64, 8, np.uint64)  # by file
BLACK_KEY = _random.integers(0, 1 << 64, 1, np.uint64)[0]


# --- attacks -----------------------------------------------------------------------------------------------------


@compiled
def upside_down(squares):
    """The set with White's side of the board on Black's (LLVM makes one instruction of it)."""
    squares = ((squares >> S8) & EVEN_BYTES) | ((squares & EVEN_BYTES) << S8)
    squares = ((squares >> S16) & EVEN_PAIRS) | ((squares & EVEN_PAIRS) << S16)
    return (squares >> S32) | (squares << S32)


@compiled
def along(square, line, occupied):
    """Attacks from a square along a line that is no rank; `line` is without the square itself."""
    here = bit(square)
    blockers = occupied & line
    up = blockers - (here << ONE)
    down = upside_down(upside_down(blockers) - (upside_down(here) << ONE))
    return (up ^ down) & line


@compiled
def bishop_attacks(square, occupied):
    """What a bishop on a square attacks; occupied squares stop it, and are attacked too."""
    return along(square, DIAGONALS[square], occupied) | along(square, ANTIDIAGONALS[square], occupied)


@compiled
def rook_attacks(square, occupied):
    """The same of a rook."""
    rank = np.uint64(square & 56)
    inner = (occupied >> (rank + ONE)) & INNER
    return along(square, FILES[square], occupied) | np.uint64(RANK_ATTACKS[np.int64(inner) * 8 + (square & 7)]) << rank


@compiled
def piece_attacks(kind, square, occupied):
    """The same of a knight, bishop, rook, queen or king."""
    if kind == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if kind == KING:
        return KING_ATTACKS[square]
    attacked = NONE
    if kind != ROOK:
        attacked |= bishop_attacks(square, occupied)
    if kind != BISHOP:
        attacked |= rook_attacks(square, occupied)
    return attacked


@compiled
def pawn_attacks(pawns, side):
    """What pawns of a side attack, all at once."""
    if side == WHITE:
        return ((pawns & NOT_A) << S7) | ((pawns & NOT_H) << S9)
    return ((pawns & NOT_H) >> S7) | ((pawns & NOT_A) >> S9)


@compiled
def swept(lines, slants, free):
    """What all pieces attack that move along ranks and files, or along diagonals, at once; they stop where not `free`.

    Each direction is filled in three doubling steps (Kogge and Stone 1973), without a branch.
    """
    right, left = free & NOT_A, free & NOT_H
    attacked = rising(lines, free, S8) | falling(lines, free, S8)
    attacked |= (rising(lines, right, S1) | rising(slants, right, S9) | falling(slants, right, S7)) & NOT_A
    return attacked | ((falling(lines, left, S1) | falling(slants, left, S9) | rising(slants, left, S7)) & NOT_H)


@compiled
def rising(sliders, free, step):
    """What sliders reach in steps toward higher squares, through free ones."""
    sliders |= free & (sliders << step)
    free &= free << step
    sliders |= free & (sliders << (step + step))
    free &= free << (step + step)
    sliders |= free & (sliders << (step << TWO))
    return sliders << step


@compiled
def falling(sliders, free, step):
    """The same toward lower squares."""
    sliders |= free & (sliders >> step)
    free &= free >> step
    sliders |= free & (sliders >> (step + step))
    free &= free >> (step + step)
    sliders |= free & (sliders >> (step << TWO))
    return sliders >> step


@compiled
def danger(state, side, occupied):
    """All squares that `side` attacks where these are occupied."""
    pieces, own = state["pieces"], state["colours"][side]
    queens = pieces[QUEEN] & own
    attacked = swept(pieces[ROOK] & own | queens, pieces[BISHOP] & own | queens, ~occupied)
    attacked |= pawn_attacks(pieces[PAWN] & own, side) | KING_ATTACKS[lowest(pieces[KING] & own)]
    knights = pieces[KNIGHT] & own
    while knights != NONE:
        attacked |= KNIGHT_ATTACKS[lowest(knights)]
        knights &= knights - ONE
    return attacked


@compiled
def attackers(state, square, occupied):
    """All pieces of either side that attack a square where these are occupied."""
    pieces = state["pieces"]
    pawns = PAWN_ATTACKS[64 + square] & state["colours"][WHITE] | PAWN_ATTACKS[square] & state["colours"][BLACK]
    found = pawns & pieces[PAWN] | KNIGHT_ATTACKS[square] & pieces[KNIGHT] | KING_ATTACKS[square] & pieces[KING]
    found |= bishop_attacks(square, occupied) & (pieces[BISHOP] | pieces[QUEEN])
    return found | rook_attacks(square, occupied) & (pieces[ROOK] | pieces[QUEEN])


@compiled
def threatened(state):
    """Whether the player to move is in check."""
    side = np.int64(state["mover"])
    own, other = state["colours"][side], state["colours"][1 - side]
    return attackers(state, lowest(state["pieces"][KING] & own), own | other) & other != NONE


@compiled
def reckoned_key(state):
    """The key of a position from all that stands in it; `play` keeps it up to date."""
    found = CASTLING_KEYS[state["castling"]]
    left = state["colours"][0] | state["colours"][1]
    while left != NONE:
        square = lowest(left)
        side = np.int64(holds(state["colours"][BLACK], square))
        found ^= PIECE_KEYS[(side * 6 + np.int64(state["board"][square])) * 64 + square]
        left &= left - ONE
    if state["ep"] >= 0:
        found ^= EP_KEYS[state["ep"] & 7]
    return found ^ BLACK_KEY if state["mover"] == BLACK else found
