"""What captures are worth in chess: a move's prize at first sight, and how a series of captures on its square ends."""

import numpy as np

from sparring.bits import NONE, ONE, bit
from sparring.compiled import compiled
from sparring.games.chess_board import BISHOP, KING, PAWN, QUEEN, ROOK, WHITE, attackers
from sparring.games.chess_board import bishop_attacks as slants_from
from sparring.games.chess_board import rook_attacks as lines_from
from sparring.games.chess_moves import PROMOTION, SQUARE, TO

VALUES = np.array([100, 320, 330, 500, 950, 20000])  # centipawns, by type


@compiled
def prize(state, move):
    """Centipawns that a move takes, or gains by promotion, less a little for a dear piece that takes; 0 if none."""
    origin, to, new = move & SQUARE, move >> TO & SQUARE, move >> PROMOTION
    kind, taken = np.int64(state["board"][origin]), np.int64(state["board"][to])
    gain = VALUES[taken] if taken >= 0 else 0
    if kind == PAWN:
        if new > 0:
            gain += VALUES[new] - VALUES[PAWN]
        elif taken < 0 and (origin ^ to) & 7 != 0:
            gain = VALUES[PAWN]
    return gain - kind if gain > 0 else 0


@compiled
def exchange(state, move, least):
    """Whether a move gains at least `least` centipawns once all captures on its square are made that pay.

    Each side takes with its least piece, and stops where taking loses (static exchange evaluation; the comparison with
    a threshold alone goes back to J. Reul 2010). Pins, and promotions by later captures, are not looked at.
    """
    origin, to, new = move & SQUARE, move >> TO & SQUARE, move >> PROMOTION
    pieces = state["pieces"]
    kind, taken = np.int64(state["board"][origin]), np.int64(state["board"][to])
    side = np.int64(state["mover"])
    occupied = (state["colours"][0] | state["colours"][1]) & ~bit(origin) | bit(to)
    gain = VALUES[taken] if taken >= 0 else 0
    if kind == KING and (to - origin == 2 or origin - to == 2):
        return least <= 0
    if new > 0:
        gain += VALUES[new] - VALUES[PAWN]
        kind = new
    elif kind == PAWN and taken < 0 and (origin ^ to) & 7 != 0:
        gain = VALUES[PAWN]
        occupied ^= bit(to - 8 if side == WHITE else to + 8)
    balance = gain - least  # of whoever has just taken, were the series to end here
    if balance < 0:
        return False
    balance = VALUES[kind] - balance  # what the other side is ahead by, if it takes the piece and that is the end
    if balance <= 0:
        return True
    lines, slants = pieces[ROOK] | pieces[QUEEN], pieces[BISHOP] | pieces[QUEEN]
    around = attackers(state, to, occupied) & occupied
    good = True  # for the player of `move`
    while True:
        side = 1 - side
        own = around & state["colours"][side]
        if own == NONE:
            return good
        kind = np.int64(0)
        while own & pieces[kind] == NONE:
            kind += 1
        if kind == KING:  # which may not take what is defended
            return good if around & state["colours"][1 - side] != NONE else not good
        good = not good
        balance = VALUES[kind] - balance
        if balance < 0 or (balance == 0 and good):
            return good
        least_piece = own & pieces[kind]
        occupied ^= least_piece & (~least_piece + ONE)
        if kind in (PAWN, BISHOP, QUEEN):
            around |= slants_from(to, occupied) & slants
        if kind in (ROOK, QUEEN):
            around |= lines_from(to, occupied) & lines
        around &= occupied
