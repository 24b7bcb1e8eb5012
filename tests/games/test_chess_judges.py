"""Judgements of chess by hand: whose view, which unit, and what they prefer."""

import numpy as np
import pytest

from sparring.games.chess_text import read_fen
from sparring.games.game import load

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5k2/8/4P3/3K4/8/2p5/8 b - - 0 1",
)


@pytest.fixture(scope="module")
def game():
    return load("chess")


def judged(game, fen):
    """Centipawns."""
    return float(game.evaluate(read_fen(fen))) * 10000


def turned(fen):
    """The position with the sides swapped."""
    board, side, castling, *_ = fen.split()
    ranks = reversed(board.swapcase().split("/"))
    return " ".join(["/".join(ranks), "w" if side == "b" else "b", castling.swapcase(), "- 0 1"])


def test_material_is_counted_for_the_player_to_move_in_centipawns_by_ten_thousand(game):
    material = game.module.material
    assert material(read_fen("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1")) == pytest.approx(0.07)
    assert material(read_fen("4k3/8/8/8/8/8/PP6/R3K3 b - - 0 1")) == pytest.approx(-0.07)
    assert game.PAWN == 0.02
    assert np.tanh(game.ODDS * 0.04) == pytest.approx(2 / (1 + np.exp(-1)) - 1), "400 centipawns"


@pytest.mark.parametrize("fen", FENS)
def test_a_position_with_the_sides_swapped_is_worth_the_same(game, fen):
    assert judged(game, turned(fen)) == judged(game, fen)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"),
        ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/2BBK3 w - - 0 1", "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1"),
        ("3qk3/8/8/8/8/8/5PPP/3Q2K1 w - - 0 1", "3qk3/8/8/8/6K1/8/5PPP/3Q4 w - - 0 1"),
        ("4k3/8/8/8/3K4/8/4P3/8 w - - 0 1", "4k3/8/8/8/8/8/4P3/K7 w - - 0 1"),
        ("4k3/4p3/8/8/8/8/PPP5/3RK3 w - - 0 1", "4k3/4p3/8/8/8/8/PPP5/2R1K3 w - - 0 1"),
    ],
)
def test_the_judgement_prefers_what_players_do(game, better, worse):
    assert judged(game, better) > judged(game, worse)


def test_a_queen_up_is_worth_about_a_queen_and_nothing_is_worth_more_than_a_win(game):
    assert 700 < judged(game, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") < 1200
    assert judged(game, "4k3/8/8/8/8/QQQQQ3/QQQQ4/RNBBK1NR b - - 0 1") == pytest.approx(-9999)


def test_the_first_position_is_worth_the_move(game):
    assert 0 < judged(game, FENS[0]) < 40
