"""Positions in 32 bytes each, as the trainer "bullet" reads them (J. Merino): board, score, result, the kings' squares.

A record tells a position as its player to move sees it, the board turned upside down where that is Black; so it is
read as a position with White to move. Castling, en passant and the counters are not kept.
"""

import numpy as np

from sparring.bits import NONE, ONE, count, lowest
from sparring.compiled import compiled
from sparring.games.chess_board import BLACK, KING, WHITE
from sparring.games.chess_faults import FINE, KING_SQUARES, PIECES, RESULT, UNREADABLE, fault_of
from sparring.games.chess_sight import PACKED, THEIRS, pack, unpack

RECORD = np.dtype(
    [
        ("packed", PACKED),  # in a field of its own: Numba converts a record to one that it begins with, with a warning
        ("score", "<i2"),  # centipawns
        ("result", "u1"),  # 0 lost, 1 drawn, 2 won
        ("king", "u1"),  # the own king's square
        ("other_king", "u1"),  # the opponent's, as that player sees it
        ("spare", "u1", (3,)),
    ]
)
MOST_MEN = 32
TURN = np.int64(56)
LAST_KIND = np.int64(KING)


@compiled
def read_records(records, states, scores, results, kinds, places):
    """Turn records into positions, scores and results for White, who is to move; those that cannot be are passed over.

    states: POSITION; scores: int16; results: uint8; kinds: int64, of faults; places: int64, the numbers of their
    records; all as long as records. Returns (how many positions, how many faults).
    """
    kept, faults = 0, 0
    for i in range(records.shape[0]):
        fault = read_record(records[i], states[kept])
        if fault != FINE:
            kinds[faults], places[faults] = fault, i
            faults += 1
            continue
        scores[kept] = records[i]["score"]
        results[kept] = records[i]["result"]
        kept += 1
    return kept, faults


@compiled
def read_record(record, state):
    """Write the record's position into `state`; returns what is wrong with it, or FINE."""
    packed = record["packed"]
    n = count(packed["occupied"])
    if n > MOST_MEN:
        return PIECES
    for i in range(n):
        man = np.int64(packed["men"][i >> 1]) >> 4 * (i & 1) & 15
        if man & 7 > LAST_KIND:
            return UNREADABLE
    unpack(packed, state)
    fault = fault_of(state)
    if fault != FINE:
        return fault
    kings = state["pieces"][KING]
    own, other = lowest(kings & state["colours"][WHITE]), lowest(kings & state["colours"][BLACK])
    if record["king"] != own or record["other_king"] != other ^ TURN:
        return KING_SQUARES
    return RESULT if record["result"] > 2 else FINE


@compiled
def write_records(states, scores, results, records):
    """Write positions as records. scores, results: for White."""
    for i in range(states.shape[0]):
        state, record = states[i], records[i]
        pack(state, record["packed"])
        white = state["mover"] == WHITE
        record["score"] = scores[i] if white else -scores[i]
        record["result"] = results[i] if white else 2 - results[i]
        mover = np.int64(state["mover"])
        kings = state["pieces"][KING]
        record["king"] = lowest(kings & state["colours"][mover]) ^ (TURN * mover)
        record["other_king"] = lowest(kings & state["colours"][1 - mover]) ^ (TURN * (1 - mover))
        for j in range(3):
            record["spare"][j] = 0


@compiled
def set_kings(records):
    """Write the kings' squares into records whose boards are complete."""
    for i in range(records.shape[0]):
        record = records[i]
        packed, j = record["packed"], 0
        left = packed["occupied"]
        while left != NONE:
            man = np.int64(packed["men"][j >> 1]) >> 4 * (j & 1) & 15
            if man == KING:
                record["king"] = lowest(left)
            elif man == KING | THEIRS:
                record["other_king"] = lowest(left) ^ TURN
            left &= left - ONE
            j += 1
