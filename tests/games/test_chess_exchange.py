"""Prizes, and series of captures on one square, which a slow twin plays out."""

import numpy as np
import pytest
from reference_chess import Board

from sparring.compiled import INTERPRETED
from sparring.games.chess_text import legal_moves, read_fen, read_uci, write_fen, write_uci
from sparring.games.game import load
from sparring.rng import draw_below, seeded


@pytest.fixture(scope="module")
def game():
    return load("chess")


@pytest.mark.parametrize(
    ("fen", "move", "gain"),
    [
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/4p3/3p4/8/8/8/8/3RK3 w - - 0 1", "d1d6", 100 - 500),
        ("4k3/8/3r4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),  # the rook behind helps: the other side does not take
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
        ("4k3/8/8/3q4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 950),
        ("4k3/8/8/8/3p4/8/8/3RK3 w - - 0 1", "e1e2", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 850),
        ("1r1k4/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850 - 950),
        ("4k3/8/3p4/4p3/8/5K2/8/8 w - - 0 1", "f3e4", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
    ],
)
def test_a_move_gains_what_is_left_when_neither_side_wants_to_take_any_more(game, fen, move, gain):
    state = read_fen(fen)
    assert Board(fen).exchange(move) == gain, "the twin"
    asked = [gain - 1, gain, gain + 1]
    assert [bool(game.exchange(state, read_uci(state, move), least)) for least in asked] == [True, True, False]


def test_a_king_takes_only_what_is_not_defended(game):
    fen = "4k3/8/8/2p5/3p4/4K3/8/8 w - - 0 1"
    state = read_fen("4k3/8/8/8/3p4/4K3/8/8 w - - 0 1")
    assert game.exchange(state, read_uci(state, "e3d4"), 100)
    assert "e3d4" not in {write_uci(read_fen(fen), move) for move in legal_moves(read_fen(fen))}
    state = read_fen("4k3/8/3p4/4n3/8/5Q2/5K2/4R3 w - - 0 1")
    assert not game.exchange(state, read_uci(state, "e1e5"), 0), "a rook for a knight, and the pawn takes it"


def test_exchanges_agree_with_the_slow_obvious_ones_in_random_games(game):
    rng, asked = seeded(21), 0
    while asked < (60 if INTERPRETED else 600):
        state = game.states()[0]
        for _ in range(100):
            moves = game.legal_moves(state)
            if not moves:
                break
            noisy = np.zeros(game.MOST_MOVES, np.int32)
            takes = noisy[: game.noisy(state, noisy)].tolist()
            board = Board(write_fen(state))
            for move in (takes if takes else moves)[:2]:
                gain = board.exchange(write_uci(state, move))
                for least in (gain - 30, gain, gain + 1, gain + 200):
                    assert bool(game.exchange(state, move, least)) == (gain >= least), (write_fen(state), gain, least)
                asked += 1
            state = game.after(state, moves[draw_below(rng, len(moves))])


def prizes(game, fen):
    state = read_fen(fen)
    return {write_uci(state, move): game.prize(state, move) for move in legal_moves(state)}


def test_a_prize_is_what_is_taken_or_gained_less_a_little_for_a_dear_taker(game):
    found = prizes(game, "1r2k3/P7/8/3pP3/8/2N5/8/3QK3 w - d6 0 1")
    assert found["c3d5"] > found["d1d5"] > 0
    assert found["a7b8q"] > found["a7a8q"] > found["a7a8r"] > 0
    assert found["e5d6"] == 100
    assert {found[move] for move in ("e1e2", "c3e4", "e5e6")} == {0}
