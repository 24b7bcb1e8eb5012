"""What can be wrong with a position or a game in a file of millions: found in compiled code, and counted.

`chess_text.refuse_impossible` says the same of one position, in words for whoever wrote it.
"""

from dataclasses import dataclass, field

import numpy as np

from sparring.bits import NONE, count, holds, lowest
from sparring.compiled import compiled
from sparring.games.chess_board import (
    BISHOP,
    EMPTY,
    KING,
    KNIGHT,
    LAST_RANKS,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    WHITE,
    attackers,
)

FINE, UNREADABLE, KINGS, PAWNS, PIECES, LAST_RANK, CHECK, RIGHTS, KING_SQUARES, RESULT, SCORE, MOVE, CUT = range(13)

WORDS = {
    UNREADABLE: "not of this format",
    KINGS: "a side without exactly one king",
    PAWNS: "more than 8 pawns",
    PIECES: "more promoted pieces than pawns are missing",
    LAST_RANK: "a pawn on rank 1 or 8",
    CHECK: "the side not to move in check",
    RIGHTS: "castling or en passant that cannot be",
    KING_SQUARES: "king squares that differ from the board",
    RESULT: "a result out of range",
    SCORE: "a score out of range",
    MOVE: "an illegal move",
    CUT: "cut off in the middle of a record",
}
MOST_SHARE = 0.01  # of what a file holds; with more faults it is hardly of this format

KING_HOMES, ROOK_HOMES = np.array([4, 4, 60, 60]), np.array([7, 0, 63, 56])  # by right to castle
ONE_KING, MOST_PAWNS = np.int64(1), np.int64(8)


@compiled
def fault_of(state):
    """What about a position cannot be, as one of the numbers above; FINE where nothing is wrong."""
    pieces = state["pieces"]
    for side in range(2):
        men = state["colours"][side]
        if count(pieces[KING] & men) != ONE_KING:
            return KINGS
        pawns = count(pieces[PAWN] & men)
        if pawns > MOST_PAWNS:
            return PAWNS
        promoted = max(count(pieces[QUEEN] & men) - 1, 0)
        for kind in (KNIGHT, BISHOP, ROOK):
            promoted += max(count(pieces[kind] & men) - 2, 0)
        if promoted > MOST_PAWNS - pawns:
            return PIECES
    if pieces[PAWN] & LAST_RANKS != NONE:
        return LAST_RANK
    side = np.int64(state["mover"])
    mine, theirs = state["colours"][side], state["colours"][1 - side]
    if attackers(state, lowest(pieces[KING] & theirs), mine | theirs) & mine != NONE:
        return CHECK
    return FINE


@compiled
def rights_stand(state):
    """Whether king and rook stand where they must for every right to castle."""
    for right in range(4):
        if state["castling"] >> right & 1:
            men = state["colours"][right >> 1]
            if not holds(state["pieces"][KING] & men, KING_HOMES[right]):
                return False
            if not holds(state["pieces"][ROOK] & men, ROOK_HOMES[right]):
                return False
    return True


@compiled
def passed_stands(state, square):
    """Set the square to take en passant on, if a pawn stands to take; returns whether it can be one. Below 0: none."""
    state["ep"] = EMPTY
    if square < 0:
        return True
    side = np.int64(state["mover"])
    back, row = (-8, 5) if side == WHITE else (8, 2)
    pawns, men = state["pieces"][PAWN], state["colours"][1 - side]
    if square >> 3 != row or not holds(pawns & men, square + back):
        return False
    if state["board"][square] != EMPTY or state["board"][square - back] != EMPTY:
        return False
    if PAWN_ATTACKS[64 * (1 - side) + square] & pawns & state["colours"][side] != NONE:
        state["ep"] = square
    return True


@dataclass
class Faults:
    """Faults of a file so far: how many of each kind, and where the first of them is (bytes, or lines from 1)."""

    unit: str = "byte"
    counts: dict[int, int] = field(default_factory=dict)
    first: dict[int, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All faults."""
        return sum(self.counts.values())

    def add(self, kinds: np.ndarray, places: np.ndarray) -> None:
        """Take in faults: their kinds (n,), in the order of their places (n,)."""
        for kind in np.unique(kinds):
            self.counts[int(kind)] = self.counts.get(int(kind), 0) + int((kinds == kind).sum())
            self.first.setdefault(int(kind), int(places[kinds == kind][0]))

    def told(self) -> list[str]:
        """A line for each kind, the most frequent first."""
        ordered = sorted(self.counts, key=lambda kind: (-self.counts[kind], kind))
        return [f"{self.counts[k]:,} × {WORDS[k]}, first at {self.unit} {self.first[k]:,}" for k in ordered]
