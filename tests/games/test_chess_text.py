"""FEN, UCI's moves and SAN: read, written, and refused with what is wrong."""

import re

import pytest

from sparring.errors import GameError
from sparring.games.chess_text import legal_moves, read_fen, read_san, read_uci, write_fen, write_san, write_uci
from sparring.games.game import load
from sparring.rng import draw_below, seeded

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REFUSED = {
    "": "'' has 0 fields, but must have 6, or 4 without the counters",
    "8/8/8/8/8/8/8/8 w -": "has 3 fields, but must have 6, or 4 without the counters",
    START + " 5": "has 7 fields, but must have 6",
    "4k3/8/8/8/8/8/4K3 w - - 0 1": "the board '4k3/8/8/8/8/8/4K3' has 7 ranks, but must have 8",
    "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1": "has 9 ranks, but must have 8",
    "4k3/8/8/8/9/8/8/4K3 w - - 0 1": "'9' in rank '9' is no piece (PNBRQK, pnbrqk) or number of empty squares",
    "4k3/8/8/8/8/8/8/4X3 w - - 0 1": "'X' in rank '4X3' is no piece",
    "4k3/8/8/7/8/8/8/4K3 w - - 0 1": "rank 5, '7', has 7 squares, but must have 8",
    "4k3/8/8/8/8/8/8/4K3p w - - 0 1": "rank 1, '4K3p', has 9 squares, but must have 8",
    "4k3/8/8/8/8/8/8/4K3 white - - 0 1": "the side to move is 'white', but it must be w or b",
    "8/8/8/8/8/8/8/4K3 w - - 0 1": "Black has 0 kings, but must have one",
    "4k3/8/8/8/8/8/8/3KK3 w - - 0 1": "White has 2 kings, but must have one",
    "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1": "White has 9 pawns, but a side has 8 at most",
    "qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 b - - 0 1": "Black has too many pieces, 15 queens, 1 kings: more promoted",
    "4k3/8/8/8/8/8/PPPPPPP1/RNBQKBNR w - - 0 1": None,
    "4k3/8/8/8/1QQ5/8/PPPPPPP1/RNB1KBNR w - - 0 1": None,
    "4k3/8/8/8/QQQ5/8/PPPPPPP1/RNB1KBNR w - - 0 1": "White has too many pieces, 7 pawns, 2 knights, 2 bishops, 2 rooks",
    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1": "a pawn is on h8, but pawns are never on rank 1 or 8",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1": "a pawn is on a1, but pawns are never on rank 1 or 8",
    "4k3/8/8/8/8/8/8/4RK2 w - - 0 1": "Black is in check, but White is to move and could take the king",
    "8/8/8/3k4/4K3/8/8/8 b - - 0 1": "White is in check, but Black is to move and could take the king",
    "4k3/8/8/8/8/8/8/4K2R w KX - 0 1": "castling is 'KX', but it must be - or some of KQkq, each once",
    "4k3/8/8/8/8/8/8/4K2R w KK - 0 1": "castling is 'KK', but it must be - or some of KQkq, each once",
    "4k3/8/8/8/8/8/8/3K3R w K - 0 1": "castling is 'K', but White's king is not on e1, so that K cannot be",
    "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1": "castling is 'KQ', but White's rook is not on a1, so that Q cannot be",
    "4k2R/8/8/8/8/8/8/4K3 b k - 0 1": "castling is 'k', but Black's rook is not on h8, so that k cannot be",
    "4k3/8/8/8/8/8/8/4K3 w - x9 0 1": "the en passant square is 'x9', but it must be - or a square such as e3",
    "4k3/8/8/8/4p3/8/8/4K3 w - e3 0 1": "the en passant square is e3, but it must be on rank 6 where White is to move",
    "4k3/8/8/8/8/8/8/4K3 w - d6 0 1": "the en passant square is d6, but no pawn of Black can just have moved past it",
    "4k3/3p4/8/3p4/8/8/8/4K3 w - d6 0 1": "the en passant square is d6, but no pawn of Black can just have moved past",
    "4k3/8/3n4/3p4/8/8/8/4K3 w - d6 0 1": "the en passant square is d6, but no pawn of Black can just have moved past",
    "4k3/8/8/8/8/8/8/4K3 w - - x 1": "the half-move counter is 'x', but it must be a whole number, 0 to 255",
    "4k3/8/8/8/8/8/8/4K3 w - - 256 1": "the half-move counter is '256', but it must be a whole number, 0 to 255",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 0": "the move counter is '0', but it must be a whole number, 1 to",
}


@pytest.mark.parametrize(("fen", "line"), REFUSED.items())
def test_a_fen_that_cannot_be_is_refused_with_what_is_wrong(fen, line):
    if line is None:
        assert write_fen(read_fen(fen)) == fen
        return
    with pytest.raises(GameError, match=re.escape(line)) as told:
        read_fen(fen)
    assert "\n" not in str(told.value)


def test_a_fen_is_written_as_it_was_read():
    for fen in (START, "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 17 42", "8/8/8/8/8/2k5/8/K7 b - - 99 300"):
        assert write_fen(read_fen(fen)) == fen


def test_counters_may_be_missing_and_a_square_that_nobody_can_take_on_is_dropped():
    assert write_fen(read_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3")).endswith(" b KQkq - 0 1")


def san_of(fen):
    state = read_fen(fen)
    return {write_uci(state, move): write_san(state, move) for move in legal_moves(state)}


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (START, "g1f3", "Nf3"),
        (START, "e2e4", "e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("R6k/8/8/8/8/8/4K3/R7 w - - 0 1", None, None),
        ("6k1/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1a3", "R1a3"),
        ("6k1/8/8/8/4Q2Q/8/2K5/7Q w - - 0 1", "h4e1", "Qh4e1"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),  # the other knight is pinned
    ],
)
def test_san_is_as_short_as_it_can_be(fen, uci, san):
    if uci is None:
        with pytest.raises(GameError):
            read_fen(fen)
        return
    assert san_of(fen)[uci] == san
    assert write_uci(read_fen(fen), read_san(read_fen(fen), san)) == uci


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8N", "a7b8n"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "0-0-0", "e1c1"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8!?", "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra1a8", "a1a8"),
        (START, "Ng1f3", "g1f3"),
    ],
)
def test_san_is_read_as_loosely_as_people_write_it(fen, text, uci):
    assert write_uci(read_fen(fen), read_san(read_fen(fen), text)) == uci


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Nf4", "'Nf4' is not a legal move in rnbqkbnr/pppppppp"),
        ("Rad1", "'Rad1' is not a legal move in"),
        ("O-O", "'O-O' is not a legal move in"),
        ("bishop", "'bishop' is no move: moves are written like e4, Nf3, exd5, Rad1, e8=Q, O-O"),
    ],
)
def test_a_move_that_is_none_is_refused(text, line):
    with pytest.raises(GameError, match=re.escape(line)):
        read_san(read_fen(START), text)


def test_a_move_that_may_be_two_is_refused_with_both():
    with pytest.raises(GameError, match="'Rd1' may be R(ad1 and Rhd1|hd1 and Rad1)"):
        read_san(read_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1")


def test_a_move_of_uci_that_is_not_legal_is_refused():
    with pytest.raises(GameError, match=re.escape("'e2e5' is not a legal move in")):
        read_uci(read_fen(START), "e2e5")


def test_names_are_unique_and_read_back_in_a_random_game():
    game, rng = load("chess"), seeded(3)
    state = game.states()[0]
    for _ in range(60):
        moves = legal_moves(state)
        names = [write_san(state, move) for move in moves]
        assert len(set(names)) == len(names)
        pick = draw_below(rng, len(moves))
        assert read_san(state, names[pick]) == moves[pick] == read_uci(state, write_uci(state, moves[pick]))
        state = game.after(state, moves[pick])


def test_moves_may_be_typed_in_either_notation():
    game = load("chess")
    state = game.states()[0]
    assert len({game.parse_move(state, text) for text in ("e4", "E4", "e2e4", " e4 ")}) == 1
    with pytest.raises(GameError, match="'e5' is not a legal move"):
        game.parse_move(state, "e5")


def test_a_position_is_read_and_described_as_fen():
    module = load("chess").module
    assert module.describe(module.position(START)) == START
