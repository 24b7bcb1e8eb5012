"""Chess as text: positions as FEN, moves as UCI writes them (e2e4, e7e8q) and in SAN (e4, exd8=Q+). Plain Python."""

import re
from typing import Any

import numpy as np

from sparring.errors import GameError, nearest
from sparring.games.chess_board import (
    BLACK,
    EMPTY,
    KING,
    LAST_RANKS,
    PAWN,
    PAWN_ATTACKS,
    POSITION,
    ROOK,
    WHITE,
    reckoned_key,
    threatened,
)
from sparring.games.chess_moves import MOST_MOVES, PROMOTION, SQUARE, TO, legal, play

LETTERS = "PNBRQK"  # by type
SIDES = ("White", "Black")
NAMES = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
RIGHTS = (("K", "e1", "h1"), ("Q", "e1", "a1"), ("k", "e8", "h8"), ("q", "e8", "a8"))
AT_FIRST = (8, 2, 2, 2, 1)  # pieces of a side, by type
HOW = "a FEN is written like 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'"
UCI_MOVE = re.compile("[a-h][1-8][a-h][1-8][nbrq]?")
MOST_HALF, MOST_FULL = 255, 1 << 20


# --- positions ---------------------------------------------------------------------------------------------------


def square_name(square: int) -> str:
    """a1 to h8."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def square_number(name: str) -> int:
    """0 to 63; -1 for what is no square's name."""
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) if re.fullmatch("[a-h][1-8]", name) else -1


def piece_letter(state: Any, square: int) -> str:
    """The piece on a square, White's as a capital letter; "" for none."""
    kind = int(state["board"][square])
    if kind < 0:
        return ""
    return LETTERS[kind].lower() if int(state["colours"][BLACK]) >> square & 1 else LETTERS[kind]


def read_fen(text: str) -> Any:
    """The position that a FEN tells, a record of its own; both counters may be missing.

    A square for en passant is kept only where a pawn stands to take. GameError names what cannot be.
    """
    fields = text.split()
    if len(fields) not in (4, 6):
        raise GameError(f"{text!r} has {len(fields)} fields, but must have 6, or 4 without the counters; {HOW}")
    board, side, castling, passed, half, full = [*fields, "0", "1"][:6]
    state = np.zeros(1, POSITION)[0]
    _read_board(state, board)
    if side not in ("w", "b"):
        raise GameError(f"the side to move is {side!r}, but it must be w or b; {HOW}")
    state["mover"] = "wb".index(side)
    state["ep"] = EMPTY
    _read_castling(state, castling)
    state["half"] = _counter("half-move", half, 0, MOST_HALF)
    state["full"] = _counter("move", full, 1, MOST_FULL)
    refuse_impossible(state)
    if passed != "-":
        _read_passed(state, passed)
    state["key"] = np.uint64(reckoned_key(state))
    return state


def _read_board(state: Any, board: str) -> None:
    """Put the pieces of the first field on the board."""
    ranks = board.split("/")
    if len(ranks) != 8:
        raise GameError(f"the board {board!r} has {len(ranks)} ranks, but must have 8, between slashes; {HOW}")
    state["board"] = EMPTY
    for row, rank in zip(range(7, -1, -1), ranks, strict=True):
        column = 0
        for letter in rank:
            if letter in "12345678":
                column += int(letter)
                continue
            kind = LETTERS.find(letter.upper())
            if kind < 0:
                raise GameError(f"{letter!r} in rank {rank!r} is no piece (PNBRQK, pnbrqk) or number of empty squares")
            if column < 8:
                place(state, int(letter.islower()), kind, 8 * row + column)
            column += 1
        if column != 8:
            raise GameError(f"rank {row + 1}, {rank!r}, has {column} squares, but must have 8")


def place(state: Any, side: int, kind: int, square: int) -> None:
    """Put a piece on an empty square; `key` is left as it is."""
    state["board"][square] = kind
    state["pieces"][kind] |= np.uint64(1 << square)
    state["colours"][side] |= np.uint64(1 << square)


def _read_castling(state: Any, text: str) -> None:
    """Set the rights to castle."""
    if text != "-" and (not re.fullmatch("[KQkq]+", text) or len(set(text)) < len(text)):
        raise GameError(f"castling is {text!r}, but it must be - or some of KQkq, each once; {HOW}")
    for number, (letter, king, rook) in enumerate(RIGHTS):
        if letter in text:
            side = number // 2
            for kind, home in ((KING, king), (ROOK, rook)):
                if piece_letter(state, square_number(home)) != "pnbrqkPNBRQK"[kind + 6 * (1 - side)]:
                    what = f"{SIDES[side]}'s {NAMES[kind][:-1]} is not on {home}"
                    raise GameError(f"castling is {text!r}, but {what}, so that {letter} cannot be")
            state["castling"] |= 1 << number


def _counter(name: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch("[0-9]{1,7}", text) or not least <= int(text) <= most:
        raise GameError(f"the {name} counter is {text!r}, but it must be a whole number, {least} to {most}; {HOW}")
    return int(text)


def _read_passed(state: Any, text: str) -> None:
    """Set the square on which a pawn can be taken en passant."""
    side, square = int(state["mover"]), square_number(text)
    back, own = (-8, 5) if side == WHITE else (8, 2)
    if square < 0:
        raise GameError(f"the en passant square is {text!r}, but it must be - or a square such as e3")
    if square >> 3 != own:
        rank = f"on rank {own + 1} where {SIDES[side]} is to move"
        raise GameError(f"the en passant square is {text}, but it must be {rank}")
    pawn = "Pp"[1 - side]
    if piece_letter(state, square + back) != pawn or piece_letter(state, square) or piece_letter(state, square - back):
        moved = f"no pawn of {SIDES[1 - side]} can just have moved past it to {square_name(square + back)}"
        raise GameError(f"the en passant square is {text}, but {moved}")
    takers = int(PAWN_ATTACKS[64 * (1 - side) + square]) & int(state["pieces"][PAWN]) & int(state["colours"][side])
    state["ep"] = square if takers else EMPTY


def refuse_impossible(state: Any) -> None:
    """GameError where a board cannot come about in a game, or would have more moves than there is room for."""
    for side, player in enumerate(SIDES):
        men = int(state["colours"][side])
        numbers = [(int(state["pieces"][kind]) & men).bit_count() for kind in range(6)]
        if numbers[KING] != 1:
            raise GameError(f"{player} has {numbers[KING]} kings, but must have one")
        if numbers[PAWN] > 8:
            raise GameError(f"{player} has {numbers[PAWN]} pawns, but a side has 8 at most")
        promoted = [max(n - most, 0) for n, most in zip(numbers[1:5], AT_FIRST[1:], strict=True)]
        if sum(promoted) > 8 - numbers[PAWN]:
            more = ", ".join(f"{n} {name}" for n, name in zip(numbers, NAMES, strict=True) if n)
            raise GameError(f"{player} has too many pieces, {more}: more promoted ones than pawns are missing")
    if pawns := int(state["pieces"][PAWN]) & int(LAST_RANKS):
        raise GameError(f"a pawn is on {square_name(pawns.bit_length() - 1)}, but pawns are never on rank 1 or 8")
    turned = np.array([state], POSITION)[0]
    turned["mover"] = 1 - state["mover"]
    if threatened(turned):
        player, other = SIDES[turned["mover"]], SIDES[state["mover"]]
        raise GameError(f"{player} is in check, but {other} is to move and could take the king")


def write_fen(state: Any) -> str:
    """The position as FEN; the en passant square is named only where a pawn stands to take."""
    ranks = ["".join(piece_letter(state, 8 * row + column) or " " for column in range(8)) for row in range(7, -1, -1)]
    board = re.sub(" +", lambda gap: str(len(gap.group())), "/".join(ranks))
    castling = "".join(right[0] for number, right in enumerate(RIGHTS) if int(state["castling"]) >> number & 1)
    passed = square_name(int(state["ep"])) if state["ep"] >= 0 else "-"
    return f"{board} {'wb'[state['mover']]} {castling or '-'} {passed} {state['half']} {state['full']}"


# --- moves -------------------------------------------------------------------------------------------------------


def legal_moves(state: Any) -> list[int]:
    """The legal moves; none after mate and stalemate."""
    moves = np.zeros(MOST_MOVES, np.int32)
    return [int(move) for move in moves[: legal(state, moves)]]


def write_uci(state: Any, move: int) -> str:
    """The move as UCI writes it; castling is the king's move."""
    kind = move >> PROMOTION
    origin, to = square_name(move & SQUARE), square_name(move >> TO & SQUARE)
    return origin + to + (LETTERS[kind].lower() if kind else "")


def read_uci(state: Any, text: str) -> int:
    """The legal move that UCI writes so; GameError where there is none."""
    names = {write_uci(state, move): move for move in legal_moves(state)}
    if text not in names:
        raise GameError(f"{text!r} is not a legal move in {write_fen(state)}.{nearest(text, names)}")
    return names[text]


def write_san(state: Any, move: int) -> str:
    """The move in standard algebraic notation, with + or # behind a check or mate."""
    after = np.array([state], POSITION)[0]
    play(after, move)
    check = "" if not threatened(after) else "+" if legal_moves(after) else "#"
    origin, to = move & SQUARE, move >> TO & SQUARE
    kind = int(state["board"][origin])
    if kind == KING and abs(to - origin) == 2:
        return ("O-O" if to > origin else "O-O-O") + check
    name = square_name(origin)
    takes = "x" if state["board"][to] >= 0 or (kind == PAWN and (to - origin) % 8) else ""
    if kind == PAWN:
        new = f"={LETTERS[move >> PROMOTION]}" if move >> PROMOTION else ""
        return (name[0] if takes else "") + takes + square_name(to) + new + check
    others = [
        square_name(other & SQUARE)
        for other in legal_moves(state)
        if other >> TO & SQUARE == to and other & SQUARE != origin and state["board"][other & SQUARE] == kind
    ]
    which = ""
    if others:
        same_file, same_rank = (any(other[i] == name[i] for other in others) for i in (0, 1))
        which = name[0] if not same_file else name[1] if not same_rank else name
    return LETTERS[kind] + which + takes + square_name(to) + check


def read_san(state: Any, text: str) -> int:
    """The legal move that a player writes so: checks, marks such as !? and = may be missing, zeros stand for O."""
    bare = re.sub(r"[+#!?]+$", "", text.strip())
    moves = legal_moves(state)
    if re.fullmatch("[O0]-[O0](-[O0])?", bare):
        wing = "O-O" if len(bare) == 3 else "O-O-O"
        found = [move for move in moves if write_san(state, move).rstrip("+#") == wing]
    else:
        parts = re.fullmatch("([NBRQK]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([NBRQ]?)", bare)
        if parts is None:
            raise GameError(f"{text!r} is no move: moves are written like e4, Nf3, exd5, Rad1, e8=Q, O-O")
        piece, file, rank, to, new = parts.groups()
        found = [
            move
            for move in moves
            if state["board"][move & SQUARE] == LETTERS.index(piece or "P")
            and square_name(move >> TO & SQUARE) == to
            and square_name(move & SQUARE).startswith(file)
            and square_name(move & SQUARE).endswith(rank)
            and LETTERS[move >> PROMOTION] == (new or "P")
        ]
    if len(found) > 1:
        which = " and ".join(write_san(state, move) for move in found)
        raise GameError(f"{text!r} may be {which} in {write_fen(state)}")
    if not found:
        names = [write_san(state, move) for move in moves]
        raise GameError(f"{text!r} is not a legal move in {write_fen(state)}.{nearest(text, names)}")
    return found[0]
