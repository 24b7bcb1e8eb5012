"""Judgements of chess by hand, in centipawns / 10 000 for the player to move: material alone, and one of a few terms.

`evaluate` weighs a middle game and an endgame by what is left on the board: material, where pieces stand (tables made
from a few rules below), the squares they reach, pawns, and shelter and danger of the king. The weights are our own and
were not tuned.
"""

import numpy as np

from sparring.bits import NONE, ONE, count, lowest
from sparring.compiled import compiled
from sparring.games.chess_board import (
    BISHOP,
    FILE_A,
    FILES,
    KING,
    KING_ATTACKS,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    pawn_attacks,
    piece_attacks,
)
from sparring.games.chess_exchange import VALUES

SCALE = 10000.0  # centipawns in a judgement of 1
MOST = 9999  # centipawns
PHASE = np.array([0, 1, 1, 2, 4, 0])  # how much of the middle game a piece is, by type
OPENING = np.int64(24)
REACH = np.array([[0, 4, 4, 2, 1, 0], [0, 3, 4, 4, 3, 0]])  # for a square it reaches, middle game and endgame, by type
USUAL = np.array([0, 4, 6, 7, 13, 0])  # squares that it reaches when it is neither good nor bad
NEAR_KING = np.array([0, 9, 7, 11, 16, 0])  # for a square beside the other king that it attacks, in the middle game
TWO_BISHOPS = (np.int64(28), np.int64(48))
DOUBLED, ALONE = (np.int64(-8), np.int64(-18)), (np.int64(-12), np.int64(-14))  # pawns, middle game and endgame
OPEN_FILE, HALF_OPEN = np.int64(24), np.int64(11)  # for a rook, in the middle game
SHELTER = np.int64(11)  # for a pawn before the king, in the middle game
TEMPO = np.int64(12)  # for being to move
PASSED = np.array([[0, 2, 4, 10, 24, 48, 80, 0], [0, 8, 14, 28, 52, 92, 150, 0]])  # a passed pawn, by own rank


def _centre(square):
    """How near the middle, 0 in a corner to 6."""
    column, row = square % 8, square // 8
    return min(column, 7 - column) + min(row, 7 - row)


def _placed(late, kind, square):
    """Centipawns for a piece of White's on a square, besides its value; late: in the endgame."""
    column, row, centre = square % 8, square // 8, _centre(square)
    edge = min(column, 7 - column)
    if kind == PAWN:
        return 5 * (row - 1) - 6 if late else (row - 1) * edge + (8 if edge == 3 and row in (3, 4) else -4)
    if kind == KNIGHT:
        return 7 * centre - 24 if late else 9 * centre - 30 - 8 * (row == 0)
    if kind == BISHOP:
        return 4 * centre - 12 if late else 5 * centre - 12 - 10 * (row == 0)
    if kind == ROOK:
        return 2 * row - 4 if late else 3 * edge - 6 + 16 * (row == 6)
    if kind == QUEEN:
        return 5 * centre - 15 if late else centre - 4 - 3 * (row > 3)
    return 12 * centre - 40 if late else -14 * row - 11 * edge + 22 * (column in (1, 2, 6) and row == 0)


PLACES = np.array([[_placed(late, kind, square) for kind in range(6) for square in range(64)] for late in (0, 1)])


def _before(square, side, wide):
    """Squares before a pawn of a side on its file, and if wide on both beside it."""
    rows = range(square // 8 + 1, 8) if side == 0 else range(square // 8)
    columns = [c for c in range(square % 8 - wide, square % 8 + wide + 1) if 0 <= c < 8]
    return np.uint64(sum(1 << (8 * row + column) for row in rows for column in columns))


PATHS = np.array([_before(square, side, 1) for side in (0, 1) for square in range(64)])  # [64 side + square]
AHEAD = np.array([_before(square, side, 0) for side in (0, 1) for square in range(64)])
COLUMNS = [FILE_A << np.uint64(file) for file in range(8)]
NEIGHBOURS = np.array([(COLUMNS[f - 1] if f else NONE) | (COLUMNS[f + 1] if f < 7 else NONE) for f in range(8)])


@compiled
def material(state):
    """What is on the board, at the usual values."""
    total = 0
    for kind in range(5):
        piece = state["pieces"][kind]
        total += VALUES[kind] * (count(piece & state["colours"][0]) - count(piece & state["colours"][1]))
    return (total if state["mover"] == 0 else -total) / SCALE


@compiled
def evaluate(state):
    """All that is told at the top of this file."""
    early, late = np.int64(0), np.int64(0)
    left = np.int64(0)
    for side in range(2):
        sign = 1 if side == state["mover"] else -1
        a, b = worth_of_pawns(state, side)
        c, d, weight = worth_of_pieces(state, side)
        early += sign * (a + c)
        late += sign * (b + d)
        left += weight
    left = min(left, OPENING)
    total = (early * left + late * (OPENING - left)) // OPENING + TEMPO
    return min(max(total, -MOST), MOST) / SCALE


@compiled
def worth_of_pieces(state, side):
    """Centipawns of a side's pieces in the middle game and in the endgame, and how much of the middle game they are."""
    early, late, weight = np.int64(0), np.int64(0), np.int64(0)
    pieces = state["pieces"]
    own, other = state["colours"][side], state["colours"][1 - side]
    occupied = own | other
    pawns, theirs = pieces[PAWN] & own, pieces[PAWN] & other
    free = ~(own | pawn_attacks(theirs, 1 - side))
    ring = KING_ATTACKS[lowest(pieces[KING] & other)]
    flip = 56 * side
    for kind in range(KNIGHT, KING):
        squares = pieces[kind] & own
        while squares != NONE:
            square = lowest(squares)
            squares &= squares - ONE
            reached = piece_attacks(kind, square, occupied) & free
            more = count(reached) - USUAL[kind]
            place = kind * 64 + (square ^ flip)
            early += VALUES[kind] + PLACES[0, place] + REACH[0, kind] * more + NEAR_KING[kind] * count(reached & ring)
            late += VALUES[kind] + PLACES[1, place] + REACH[1, kind] * more
            weight += PHASE[kind]
            if kind == ROOK and FILES[square] & pawns == NONE:
                early += OPEN_FILE if FILES[square] & theirs == NONE else HALF_OPEN
    if count(pieces[BISHOP] & own) >= 2:
        early += TWO_BISHOPS[0]
        late += TWO_BISHOPS[1]
    king = lowest(pieces[KING] & own)
    early += PLACES[0, KING * 64 + (king ^ flip)] + SHELTER * count(KING_ATTACKS[king] & pawns)
    late += PLACES[1, KING * 64 + (king ^ flip)]
    return early, late, weight


@compiled
def worth_of_pawns(state, side):
    """Centipawns of a side's pawns, in the middle game and in the endgame."""
    early, late = np.int64(0), np.int64(0)
    pawns = state["pieces"][PAWN] & state["colours"][side]
    theirs = state["pieces"][PAWN] & state["colours"][1 - side]
    flip = 56 * side
    left = pawns
    while left != NONE:
        square = lowest(left)
        left &= left - ONE
        early += VALUES[PAWN] + PLACES[0, square ^ flip]
        late += VALUES[PAWN] + PLACES[1, square ^ flip]
        if AHEAD[64 * side + square] & pawns != NONE:
            early += DOUBLED[0]
            late += DOUBLED[1]
        elif PATHS[64 * side + square] & theirs == NONE:
            early += PASSED[0, (square ^ flip) >> 3]
            late += PASSED[1, (square ^ flip) >> 3]
        if NEIGHBOURS[square & 7] & pawns == NONE:
            early += ALONE[0]
            late += ALONE[1]
    return early, late
