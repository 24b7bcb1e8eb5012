"""Chess: checkmate wins.

By FIDE's laws, with castling, captures en passant and promotion. Draws are stalemate, too little material to mate (bare
kings, a knight or a bishop more, or bishops on one colour only), and, without being claimed, the third occurrence of a
position and fifty moves of each side without a capture or a pawn's move; a mate on the last of these counts.

Moves are typed as they are written down (Nf3, exd5, O-O, e8=Q) or from square to square (g1f3, e7e8q). The board is in
`chess_board.py`, the moves are in `chess_moves.py`. A judgement is in centipawns / 10 000.
"""

import numpy as np

from sparring.bits import NONE, count
from sparring.games.chess_board import BISHOP, DARK, KING, KNIGHT, POSITION, QUEEN, ROOK, reckoned_key, threatened
from sparring.games.chess_board import PAWN as PAWNS
from sparring.games.chess_data import read_data
from sparring.games.chess_drawing import draw_board, svg_board
from sparring.games.chess_exchange import exchange, prize
from sparring.games.chess_judges import evaluate, material
from sparring.games.chess_moves import MOST_MOVES, MOVES, SQUARE, TO, legal, noisy, null_move, play, threatens
from sparring.games.chess_sight import (
    FEATURES,
    FRAMES,
    FRAMINGS,
    MOST_FEATURES,
    PACKED,
    PHASES,
    changes,
    features,
    frame,
    pack,
    phase,
    unpack,
)
from sparring.games.chess_text import UCI_MOVE, read_fen, read_san, read_uci, write_fen, write_san, write_uci
from sparring.games.contract import ONGOING
from sparring.records import scratch

__all__ = [
    "FEATURES",
    "FRAMES",
    "FRAMINGS",
    "MOST_FEATURES",
    "MOST_MOVES",
    "MOVES",
    "PACKED",
    "PHASES",
    "changes",
    "evaluate",
    "exchange",
    "features",
    "frame",
    "legal",
    "material",
    "noisy",
    "null_move",
    "pack",
    "phase",
    "play",
    "prize",
    "read_data",
    "read_san",
    "read_uci",
    "threatened",
    "threatens",
    "unpack",
    "write_uci",
]

STATE = POSITION
RESULTS = (-1.0, 0.0, 1.0)
REPETITION = 3
PAWN = 0.02  # 200 centipawns: by ODDS 100 are worth only 56 % of a point, which is less than a pawn is
ODDS = 12.5
SLOTS = 384
PLAYERS = ("White", "Black")

FIFTY = 100  # half-moves
BACK_RANK = np.array([ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK], np.int8)
ROOM = np.dtype([("moves", "i4", (MOST_MOVES,))])


def start(state):
    for square in range(64):
        state["board"][square] = -1
    for file in range(8):
        for side, home, front in ((0, 0, 8), (1, 56, 48)):
            put_piece(state, side, BACK_RANK[file], home + file)
            put_piece(state, side, PAWNS, front + file)
    state["mover"] = 0
    state["ep"] = -1
    state["castling"] = 15
    state["full"] = 1
    state["key"] = reckoned_key(state)


def put_piece(state, side, kind, square):
    state["board"][square] = kind
    state["pieces"][kind] |= np.uint64(1) << np.uint64(square)
    state["colours"][side] |= np.uint64(1) << np.uint64(square)


def mover(state):
    return state["mover"]


def key(state):
    return state["key"]


def quiet(state):
    return np.int64(state["half"])


def dead(state):
    """Whether no series of moves can mate: bare kings, one knight or bishop more, or only bishops on one colour."""
    pieces = state["pieces"]
    if pieces[PAWNS] | pieces[ROOK] | pieces[QUEEN] != NONE:
        return False
    if pieces[KNIGHT] != NONE:
        return count(state["colours"][0] | state["colours"][1]) <= 3
    bishops = pieces[BISHOP]
    return bishops & DARK == NONE or bishops & ~DARK == NONE


def ended(state):
    """Draws by material or by the fifty moves; a mate with the last of these counts."""
    if dead(state):
        return 1
    if state["half"] < FIFTY:
        return ONGOING
    return result(state)


def result(state):
    if legal(state, scratch(ROOM)["moves"][:]) == 0:
        if not threatened(state):
            return 1
        return 0 if state["mover"] == 0 else 2
    return 1 if state["half"] >= FIFTY or dead(state) else ONGOING


def slot(state, move):
    """The kind of piece that moves, and where it goes."""
    return np.int64(state["board"][move & SQUARE]) * 64 + (move >> TO & SQUARE)


def position(text):
    """The position that a FEN tells (`chess_text.py`)."""
    return read_fen(text)


def describe(state):
    """The FEN that tells a position."""
    return write_fen(state)


def draw(state):
    return draw_board(state)


def svg(state):
    return svg_board(state)


def move_name(state, move):
    return write_san(state, move)


def read_move(state, text):
    """The move in UCI's notation or in SAN, as loosely as people write it."""
    return read_uci(state, text) if UCI_MOVE.fullmatch(text) else read_san(state, text)
