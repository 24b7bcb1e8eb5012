"""Whole games in files, four bytes a move, as the engine Viridithas keeps them (C. McMonigle): a head with the first
position, moves with their scores, four zero bytes. Scores (centipawns) and results are White's.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, count, lowest
from sparring.compiled import compiled
from sparring.games.chess_board import BLACK, EMPTY, KING, PAWN, ROOK, reckoned_key, threatened
from sparring.games.chess_bulletformat import MOST_MEN
from sparring.games.chess_exchange import prize
from sparring.games.chess_faults import (
    FINE,
    MOVE,
    PIECES,
    RESULT,
    RIGHTS,
    ROOK_HOMES,
    UNREADABLE,
    fault_of,
    passed_stands,
    rights_stand,
)
from sparring.games.chess_moves import PROMOTION, SQUARE, TO, legal, play
from sparring.games.chess_sight import PACKED
from sparring.records import copy_record

HEAD = np.dtype(
    [
        ("packed", PACKED),  # the type 6 is a rook that may castle; four bits with 8: Black's
        ("side", "u1"),  # the en passant square, or 64; 128: Black is to move
        ("half", "u1"),
        ("full", "<u2"),
        ("score", "<i2"),  # not used
        ("result", "u1"),  # 0 Black won, 1 drawn, 2 White won
        ("extra", "u1"),
    ]
)
STEP = np.dtype([("move", "<u2"), ("score", "<i2")])  # a move and the score of the position before it

UNMOVED = np.int64(6)
NO_SQUARE, BLACK_MOVES = np.int64(64), np.int64(128)
EN_PASSANT, CASTLES, PROMOTES = np.int64(1), np.int64(2), np.int64(3)
KIND, FLAG = np.int64(12), np.int64(14)  # where these stand in a move: the new piece, from 0 a knight; its kind
MOST_FULL, MOST_SCORE = np.int64(65_535), np.int64(32_767)
WORD = np.int64(STEP.itemsize)
HEAD_SIZE = np.int64(HEAD.itemsize)
ZERO, ONE_MOVE, NOWHERE = np.int64(0), np.int64(1), np.int64(-1)


# --- reading -----------------------------------------------------------------------------------------------------


@compiled
def read_games(data, heads, steps, quiet, desk, states, scores, results, ends, kinds, places):
    """Play games out of bytes until there is no whole one, or no room left.

    data: uint8, from a game's head on; heads, steps: room for one HEAD and one STEP, shape (1,). quiet: 1 leaves out
    positions in check and those whose move takes something or promotes. desk: int32, MOST_MOVES. states: POSITION;
    scores: int16; results: uint8; ends: int64, bytes up to the end of each game; kinds: int64, of faults; places:
    int64, the bytes where their games begin. A game with an illegal move is kept up to it.
    Returns (positions, games, faults, bytes read).
    """
    kept, games, faults, at = ZERO, ZERO, ZERO, ZERO
    while games < ends.shape[0] and faults < kinds.shape[0]:
        end = game_end(data, at)
        if end < 0:
            break
        if (end - at - HEAD_SIZE) // WORD > states.shape[0] - kept:  # the last position needs room too
            if kept > 0:
                break
            fault = np.int64(UNREADABLE)
        else:
            copy_bytes(data, at, heads)
            fault = read_head(heads[0], states[kept])
        if fault == FINE:
            kept, fault = read_moves(data, at, end, heads[0], steps, quiet, desk, states, scores, results, kept)
        if fault != FINE:
            kinds[faults], places[faults] = fault, at
            faults += 1
        at = end
        ends[games] = at
        games += 1
    return kept, games, faults, at


@compiled
def game_end(data, at):
    """The place behind the game that begins at `at`; -1 where it is not whole."""
    at += HEAD_SIZE
    while at + WORD <= data.shape[0]:
        if data[at] == 0 and data[at + 1] == 0 and data[at + 2] == 0 and data[at + 3] == 0:
            return at + WORD
        at += WORD
    return np.int64(-1)


@compiled
def copy_bytes(data, at, record):
    """Fill a record, an array of shape (1,), from bytes."""
    target = record.view(np.uint8)
    for i in range(target.shape[0]):
        target[i] = data[at + i]


@compiled
def read_head(head, state):
    """Write the head's position into `state`; returns what is wrong with it, or FINE."""
    packed = head["packed"]
    left = packed["occupied"]
    if count(left) > MOST_MEN:
        return np.int64(PIECES)
    for kind in range(6):
        state["pieces"][kind] = NONE
    state["colours"][0] = NONE
    state["colours"][1] = NONE
    for square in range(64):
        state["board"][square] = EMPTY
    state["castling"] = 0
    i = 0
    while left != NONE:
        square = lowest(left)
        man = np.int64(packed["men"][i >> 1]) >> 4 * (i & 1) & 15
        kind, side = man & 7, man >> 3
        if kind > UNMOVED:
            return np.int64(UNREADABLE)
        if kind == UNMOVED:
            kind = np.int64(ROOK)
            right = 2 * side + (0 if square & 7 == 7 else 1)
            if square != ROOK_HOMES[right]:
                return np.int64(RIGHTS)
            state["castling"] |= 1 << right
        state["pieces"][kind] |= bit(square)
        state["colours"][side] |= bit(square)
        state["board"][square] = kind
        left &= left - ONE
        i += 1
    return read_rest(head, state)


@compiled
def read_rest(head, state):
    """The head's other fields; returns what is wrong, or FINE."""
    side = np.int64(head["side"])
    state["mover"] = side >> 7
    state["half"], state["full"] = head["half"], max(np.int64(head["full"]), ONE_MOVE)
    fault = np.int64(fault_of(state))
    if fault != FINE:
        return fault
    square = side & 127
    if not rights_stand(state) or not passed_stands(state, square if square < NO_SQUARE else NOWHERE):
        return np.int64(RIGHTS)
    state["key"] = reckoned_key(state)
    return np.int64(RESULT if head["result"] > 2 else FINE)


@compiled
def read_moves(data, at, end, head, steps, quiet, desk, states, scores, results, kept):
    """Play the moves from states[kept]; returns (how many positions there are then, what is wrong or FINE)."""
    for place in range(at + HEAD_SIZE, end - WORD, WORD):
        copy_bytes(data, place, steps)
        state, here = states[kept], kept
        move = from_file(np.int64(steps[0]["move"]))
        if not among(move, desk, legal(state, desk)):
            return kept, np.int64(MOVE)
        if not quiet or (not threatened(state) and prize(state, move) == 0):
            scores[kept] = max(np.int64(steps[0]["score"]), -MOST_SCORE)
            results[kept] = head["result"]
            kept += 1
            copy_record(states[here], states[kept])
        play(states[kept], move)
    return kept, np.int64(FINE)


@compiled
def among(move, moves, n):
    """Whether a move is one of the first n."""
    found = False
    for i in range(n):
        found |= moves[i] == move
    return found


@compiled
def from_file(move):
    """A file's move as the rules have it (`chess_moves.py`)."""
    origin, to, flag = move & SQUARE, move >> TO & SQUARE, move >> FLAG
    if flag == CASTLES:
        to = origin + 2 if to > origin else origin - 2
    new = (move >> KIND & 3) + 1 if flag == PROMOTES else 0
    return origin | (to & SQUARE) << TO | new << PROMOTION


# --- writing -----------------------------------------------------------------------------------------------------


@compiled
def write_games(starts, firsts, moves, scores, ends, work, heads, steps, out):
    """Write games as bytes into out (uint8, long enough); returns how many.

    starts: POSITION (games,). firsts: int64 (games + 1,), which of moves and scores are whose. work: POSITION (1,).
    """
    at = ZERO
    for game in range(starts.shape[0]):
        state = work[0]
        copy_record(starts[game], state)
        write_head(state, ends[game], heads[0])
        at = put_bytes(heads, out, at)
        for i in range(firsts[game], firsts[game + 1]):
            steps[0]["move"] = to_file(state, np.int64(moves[i]))
            steps[0]["score"] = scores[i]
            at = put_bytes(steps, out, at)
            play(state, np.int64(moves[i]))
        steps[0]["move"], steps[0]["score"] = 0, 0
        at = put_bytes(steps, out, at)
    return at


@compiled
def put_bytes(record, out, at):
    """Write a record's bytes; returns the place behind them."""
    source = record.view(np.uint8)
    for i in range(source.shape[0]):
        out[at + i] = source[i]
    return at + source.shape[0]


@compiled
def write_head(state, end, head):
    """Write a position and a result, 0 to 2 for White, as a game's head."""
    left = state["colours"][0] | state["colours"][1]
    packed = head["packed"]
    packed["occupied"] = left
    for i in range(16):
        packed["men"][i] = 0
    i = 0
    while left != NONE:
        square = lowest(left)
        kind = np.int64(state["board"][square])
        side = ONE_MOVE if state["colours"][BLACK] & bit(square) != NONE else ZERO
        for right in range(2 * side, 2 * side + 2):
            if kind == ROOK and ROOK_HOMES[right] == square and state["castling"] >> right & 1:
                kind = UNMOVED
        packed["men"][i >> 1] |= (kind | side << 3) << 4 * (i & 1)
        left &= left - ONE
        i += 1
    square = np.int64(state["ep"]) if state["ep"] >= 0 else NO_SQUARE
    head["side"] = square | (BLACK_MOVES if state["mover"] == BLACK else ZERO)
    head["half"], head["full"] = state["half"], min(np.int64(state["full"]), MOST_FULL)
    head["score"], head["result"], head["extra"] = 0, end, 0


@compiled
def to_file(state, move):
    """A move of the rules as the file has it."""
    origin, to, new = move & SQUARE, move >> TO & SQUARE, move >> PROMOTION
    kind = np.int64(state["board"][origin])
    if new > 0:
        return origin | to << TO | (new - 1) << KIND | PROMOTES << FLAG
    if kind == KING and abs(to - origin) == 2:
        rook = origin + 3 if to > origin else origin - 4
        return origin | rook << TO | CASTLES << FLAG
    if kind == PAWN and (to ^ origin) & 7 != 0 and state["board"][to] < 0:
        return origin | to << TO | EN_PASSANT << FLAG
    return origin | to << TO
