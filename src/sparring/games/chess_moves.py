"""The moves of chess: which are legal, and what they do. A move is from | to << 6 | promotion << 12.

promotion: 0 none, else the type of the new piece, 1 a knight to 4 a queen. Castling is the king's move of two squares.
Generation writes legal moves only: pinned pieces move along their pin, others where they end a check.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, lowest
from sparring.compiled import compiled
from sparring.games.chess_board import (
    ALL,
    ANTIDIAGONALS,
    BETWEEN,
    BISHOP,
    BLACK_KEY,
    CASTLING_KEYS,
    DIAGONALS,
    EMPTY,
    EP_KEYS,
    FILES,
    KING,
    KING_ATTACKS,
    KNIGHT,
    KNIGHT_ATTACKS,
    LAST_RANKS,
    NOT_A,
    NOT_H,
    PAWN,
    PAWN_ATTACKS,
    PIECE_KEYS,
    QUEEN,
    RANK,
    RANK_3,
    RANK_6,
    ROOK,
    S7,
    S8,
    S9,
    WHITE,
    attackers,
    bishop_attacks,
    danger,
    rook_attacks,
    threatened,
)
from sparring.records import copy_record, spare

MOVES = 5 * 4096
MOST_MOVES = 224  # 218 is the most that anyone has found
SQUARE = 63
TO, PROMOTION = 6, 12  # where these stand in a move
HOMES = np.full(64, 15, np.uint8)  # rights that a move from or to a square leaves
for _square, _lost in ((0, 2), (4, 3), (7, 1), (56, 8), (60, 12), (63, 4)):
    HOMES[_square] -= _lost
CASTLING_PATHS = np.array([0x60, 0x0E, 0x60 << 56, 0x0E << 56], np.uint64)  # must be empty, by right
CASTLING_WALKS = np.array([0x60, 0x0C, 0x60 << 56, 0x0C << 56], np.uint64)  # must not be attacked
CASTLING_MOVES = np.array([4 | 6 << 6, 4 | 2 << 6, 60 | 62 << 6, 60 | 58 << 6])
QUIET, NOISY = np.int64(1), np.int64(0)  # as arguments, literals would be compiled once each
UP, UP_LEFT, UP_RIGHT = (np.int64(n) for n in (8, 7, 9))  # a white pawn's steps


# --- which are legal ---------------------------------------------------------------------------------------------


@compiled
def put(moves, n, origin, targets):
    """Write the moves from a square to each of `targets` behind the first n; returns how many there are then."""
    at = np.uint64(n)  # what is no signed number is not looked at for counting from the end
    while targets != NONE:
        moves[at] = origin | lowest(targets) << TO
        targets &= targets - ONE
        at += ONE
    return np.int64(at)


@compiled
def put_pawns(moves, n, targets, step, all_kinds):
    """The same for the moves of pawns by `step` to each of `targets`. all_kinds: knights, bishops and rooks too."""
    last = targets & LAST_RANKS
    targets ^= last
    at = np.uint64(n)
    while targets != NONE:
        to = lowest(targets)
        moves[at] = to - step | to << TO
        targets &= targets - ONE
        at += ONE
    n = np.int64(at)
    while last != NONE:
        to = lowest(last)
        move = to - step | to << TO
        moves[n] = move | QUEEN << PROMOTION
        n += 1
        if all_kinds:
            moves[n] = move | KNIGHT << PROMOTION
            moves[n + 1] = move | ROOK << PROMOTION
            moves[n + 2] = move | BISHOP << PROMOTION
            n += 3
        last &= last - ONE
    return n


@compiled
def put_pawn_moves(moves, n, pawns, side, other, free, onto, all_kinds):
    """The moves of a side's pawns that end in `onto`: captures of `other`, steps where `free`; none en passant."""
    if side == WHITE:
        one = (pawns << S8) & free
        two = ((one & RANK_3) << S8) & free
        left, right = (pawns & NOT_A) << S7, (pawns & NOT_H) << S9
        up, up_left, up_right = UP, UP_LEFT, UP_RIGHT
    else:
        one = (pawns >> S8) & free
        two = ((one & RANK_6) >> S8) & free
        left, right = (pawns & NOT_A) >> S9, (pawns & NOT_H) >> S7
        up, up_left, up_right = -UP, -UP_RIGHT, -UP_LEFT
    steps = onto if all_kinds else onto & LAST_RANKS
    n = put_pawns(moves, n, left & other & onto, up_left, all_kinds)
    n = put_pawns(moves, n, right & other & onto, up_right, all_kinds)
    n = put_pawns(moves, n, one & steps, up, all_kinds)
    return put_pawns(moves, n, two & steps, 2 * up, all_kinds)


@compiled
def put_en_passant(state, moves, n, side, king):
    """Captures en passant, after each of which the king's safety is looked at anew: two pawns leave a rank at once."""
    to = np.int64(state["ep"])
    taken = bit(to - 8 if side == WHITE else to + 8)
    other = state["colours"][1 - side]
    occupied = (state["colours"][side] | other) ^ taken | bit(to)
    left = PAWN_ATTACKS[64 * (1 - side) + to] & state["pieces"][PAWN] & state["colours"][side]
    while left != NONE:
        origin = lowest(left)
        if attackers(state, king, occupied ^ bit(origin)) & (other ^ taken) == NONE:
            moves[n] = origin | to << TO
            n += 1
        left &= left - ONE
    return n


@compiled(inline=True)
def checks_and_pins(state, side, king, own, other):
    """(pieces that give check, own pieces that are pinned, the other side's that pin them)."""
    pieces = state["pieces"]
    lines, slants = pieces[ROOK] | pieces[QUEEN], pieces[BISHOP] | pieces[QUEEN]
    checkers = KNIGHT_ATTACKS[king] & pieces[KNIGHT] | PAWN_ATTACKS[64 * side + king] & pieces[PAWN]
    checkers &= other
    pinned, pinners = NONE, NONE
    seen = (rook_attacks(king, other) & lines | bishop_attacks(king, other) & slants) & other
    while seen != NONE:
        at = lowest(seen)
        blockers = BETWEEN[64 * king + at] & own
        if blockers == NONE:
            checkers |= bit(at)
        elif blockers & (blockers - ONE) == NONE:
            pinned |= blockers
            pinners |= bit(at)
        seen &= seen - ONE
    return checkers, pinned, pinners


@compiled
def generate(state, moves, all_kinds):
    """Write the legal moves, or (all_kinds 0) only captures and promotions to a queen; returns how many."""
    side = np.int64(state["mover"])
    pieces = state["pieces"]
    own, other = state["colours"][side], state["colours"][1 - side]
    occupied = own | other
    king = lowest(pieces[KING] & own)
    onto = ~own if all_kinds else other
    n = np.int64(0)
    rights = free_castling(state, side, occupied) if all_kinds else np.int64(0)
    steps = KING_ATTACKS[king] & onto
    attacked = NONE
    if steps != NONE or rights != 0:
        attacked = danger(state, 1 - side, occupied ^ bit(king))
        n = put(moves, n, king, steps & ~attacked)
    checkers, pinned, pinners = checks_and_pins(state, side, king, own, other)
    onto_pawns = onto | ~occupied if all_kinds else onto | LAST_RANKS
    if checkers != NONE:
        rescue = NONE  # from two checks only the king escapes
        if checkers & (checkers - ONE) == NONE:
            rescue = checkers | BETWEEN[64 * king + lowest(checkers)]
        onto &= rescue
        onto_pawns &= rescue
    else:
        if rights != 0:
            n = put_castling(moves, n, rights, 2 * side, attacked)
        while pinners != NONE:
            at = lowest(pinners)
            way = BETWEEN[64 * king + at] | bit(at)
            n = put_pinned(state, moves, n, lowest(way & own), way & ~own, side, all_kinds)
            pinners &= pinners - ONE
    own &= ~pinned
    n = put_pawn_moves(moves, n, pieces[PAWN] & own, side, other, ~occupied, onto_pawns, all_kinds)
    if state["ep"] >= 0:
        n = put_en_passant(state, moves, n, side, king)
    return put_piece_moves(state, moves, n, own, occupied, onto)


@compiled(inline=True)
def put_piece_moves(state, moves, n, own, occupied, onto):
    """The moves of knights, bishops, rooks and queens among `own` that end in `onto`."""
    pieces = state["pieces"]
    left = pieces[KNIGHT] & own
    while left != NONE:
        origin = lowest(left)
        n = put(moves, n, origin, KNIGHT_ATTACKS[origin] & onto)
        left &= left - ONE
    left = (pieces[BISHOP] | pieces[QUEEN]) & own
    while left != NONE:
        origin = lowest(left)
        n = put(moves, n, origin, bishop_attacks(origin, occupied) & onto)
        left &= left - ONE
    left = (pieces[ROOK] | pieces[QUEEN]) & own
    while left != NONE:
        origin = lowest(left)
        n = put(moves, n, origin, rook_attacks(origin, occupied) & onto)
        left &= left - ONE
    return n


@compiled
def free_castling(state, side, occupied):
    """The rights of a side whose king and rook have nothing between them: 1 king's side, 2 queen's side."""
    rights = np.int64(state["castling"]) >> 2 * side & 3
    for wing in range(2):
        if CASTLING_PATHS[2 * side + wing] & occupied != NONE:
            rights &= ~(1 << wing)
    return rights


@compiled
def put_castling(moves, n, rights, first, attacked):
    """Castling by these rights where the king is safe on its way. first: 0 for White, 2 for Black."""
    for wing in range(2):
        if rights >> wing & 1 and CASTLING_WALKS[first + wing] & attacked == NONE:
            moves[n] = CASTLING_MOVES[first + wing]
            n += 1
    return n


@compiled
def put_pinned(state, moves, n, origin, way, side, all_kinds):
    """The moves of a pinned piece; way: the other squares from its king to the pinning piece, this included."""
    kind = np.int64(state["board"][origin])
    pinner = way & state["colours"][1 - side]
    if kind == PAWN:
        return put_pawn_moves(moves, n, bit(origin), side, pinner, way ^ pinner, ALL, all_kinds)
    if kind == KNIGHT:
        return n
    straight = rook_attacks(origin, way) & way != NONE
    if kind == QUEEN or straight == (kind == ROOK):
        return put(moves, n, origin, way if all_kinds else pinner)
    return n


@compiled
def legal(state, moves):
    """Write the legal moves; none where the player to move is mated or stalemated."""
    return generate(state, moves, QUIET)


@compiled
def noisy(state, moves):
    """Write the legal captures, those en passant too, and promotions to a queen."""
    return generate(state, moves, NOISY)


# --- what they do ------------------------------------------------------------------------------------------------


@compiled
def play(state, move):
    """Play a move; `key` is kept up to date."""
    origin, to, new = move & SQUARE, move >> TO & SQUARE, move >> PROMOTION
    side = np.int64(state["mover"])
    other = 1 - side
    pieces, colours, board = state["pieces"], state["colours"], state["board"]
    kind, taken = np.int64(board[origin]), np.int64(board[to])
    both = bit(origin) | bit(to)
    found = state["key"] ^ BLACK_KEY
    if state["ep"] >= 0:
        found ^= EP_KEYS[state["ep"] & 7]
        state["ep"] = EMPTY
    half = np.int64(state["half"]) + 1
    if taken >= 0:
        pieces[taken] ^= bit(to)
        colours[other] ^= bit(to)
        found ^= PIECE_KEYS[(other * 6 + taken) * 64 + to]
        half = 0
    base = (side * 6 + kind) * 64
    pieces[kind] ^= both
    colours[side] ^= both
    found ^= PIECE_KEYS[base + origin] ^ PIECE_KEYS[base + to]
    board[origin] = EMPTY
    board[to] = kind
    if kind == PAWN:
        half = 0
        found ^= played_pawn(state, origin, to, new, side, taken)
    elif kind == KING and (to - origin == 2 or origin - to == 2):
        found ^= played_rook(state, to, side)
    if state["castling"] != 0:
        rights = state["castling"] & HOMES[origin] & HOMES[to]
        found ^= CASTLING_KEYS[state["castling"]] ^ CASTLING_KEYS[rights]
        state["castling"] = rights
    state["half"] = min(half, 255)
    state["full"] += side
    state["mover"] = other
    state["key"] = found


@compiled
def played_pawn(state, origin, to, new, side, taken):
    """What a pawn's move does besides: promotion, capture en passant, a square to be taken on. Returns key's change."""
    pieces, colours, board = state["pieces"], state["colours"], state["board"]
    if new > 0:
        pieces[PAWN] ^= bit(to)
        pieces[new] ^= bit(to)
        board[to] = new
        return PIECE_KEYS[side * 384 + to] ^ PIECE_KEYS[(side * 6 + new) * 64 + to]
    if origin ^ to == 16:
        passed = (origin + to) >> 1
        if PAWN_ATTACKS[64 * side + passed] & pieces[PAWN] & colours[1 - side] != NONE:
            state["ep"] = passed
            return EP_KEYS[passed & 7]
    elif (origin ^ to) & 7 != 0 and taken < 0:
        gone = to - 8 if side == WHITE else to + 8
        pieces[PAWN] ^= bit(gone)
        colours[1 - side] ^= bit(gone)
        board[gone] = EMPTY
        return PIECE_KEYS[(1 - side) * 384 + gone]
    return NONE


@compiled
def played_rook(state, to, side):
    """Put the rook beside the king that has castled to `to`. Returns key's change."""
    origin, behind = (to + 1, to - 1) if to & 7 == 6 else (to - 2, to + 1)
    both = bit(origin) | bit(behind)
    state["pieces"][ROOK] ^= both
    state["colours"][side] ^= both
    state["board"][origin] = EMPTY
    state["board"][behind] = ROOK
    base = (side * 6 + ROOK) * 64
    return PIECE_KEYS[base + origin] ^ PIECE_KEYS[base + behind]


@compiled
def null_move(state):
    """Let the player to move pass, unless only pawns are left, when every move may be worse than none (zugzwang).

    No earlier position is then looked at for repetition: a pass cannot be part of one.
    """
    side = np.int64(state["mover"])
    if state["colours"][side] & ~(state["pieces"][PAWN] | state["pieces"][KING]) == NONE:
        return False
    found = state["key"] ^ BLACK_KEY
    if state["ep"] >= 0:
        found ^= EP_KEYS[state["ep"] & 7]
        state["ep"] = EMPTY
    state["half"] = 0
    state["full"] += side
    state["mover"] = 1 - side
    state["key"] = found
    return True


@compiled
def threatens(state, move):
    """Whether a move gives check, seen without playing it, by the piece itself or by one that it has stood before."""
    origin, to, new = move & SQUARE, move >> TO & SQUARE, move >> PROMOTION
    side, pieces = np.int64(state["mover"]), state["pieces"]
    own, other = state["colours"][side], state["colours"][1 - side]
    king = lowest(pieces[KING] & other)
    kind = np.int64(state["board"][origin])
    if (kind == PAWN and (origin ^ to) & 7 != 0 and state["board"][to] < 0) or (
        kind == KING and (to - origin == 2 or origin - to == 2)
    ):
        after = spare(state)  # two pieces leave their squares
        copy_record(state, after)
        play(after, move)
        return threatened(after)
    if new > 0:
        kind = new
    straight = FILES[king] | RANK << np.uint64(king & 56)
    slanting = DIAGONALS[king] | ANTIDIAGONALS[king]
    occupied = (own | other) & ~bit(origin) | bit(to)
    if kind == KNIGHT:
        if KNIGHT_ATTACKS[king] & bit(to) != NONE:
            return True
    elif kind == PAWN:
        if PAWN_ATTACKS[64 * side + to] & bit(king) != NONE:
            return True
    elif kind != KING:
        ways = slanting if kind == BISHOP else straight if kind == ROOK else straight | slanting
        if ways & bit(to) != NONE and BETWEEN[64 * king + to] & occupied == NONE:
            return True
    own &= ~bit(origin)
    if straight & bit(origin) != NONE:
        return rook_attacks(king, occupied) & (pieces[ROOK] | pieces[QUEEN]) & own != NONE
    if slanting & bit(origin) != NONE:
        return bishop_attacks(king, occupied) & (pieces[BISHOP] | pieces[QUEEN]) & own != NONE
    return False
