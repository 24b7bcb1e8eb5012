"""Chess beside python-chess, where that is installed: a program of its own that thousands use."""

import random

import numpy as np
import pytest

from sparring.games import chess_text
from sparring.games.chess_board import reckoned_key
from sparring.games.contract import ONGOING
from sparring.games.game import load

pytestmark = pytest.mark.compiled
peers = pytest.importorskip("chess")
BLACK_WINS, DRAW, WHITE_WINS = range(3)


@pytest.fixture(scope="module")
def game():
    return load("chess")


def result_of(board):
    if board.is_checkmate():
        return BLACK_WINS if board.turn else WHITE_WINS
    over = board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
    return DRAW if over else ONGOING


def is_noisy(board, move):
    return move.promotion == peers.QUEEN or (board.is_capture(move) and move.promotion is None)


def compare(game, state, board, names):
    """That a position is the same and has the same moves, check, end and key. names: in SAN too."""
    assert chess_text.write_fen(state) == board.fen(en_passant="xfen")
    ours = {chess_text.write_uci(state, move): move for move in chess_text.legal_moves(state)}
    theirs = {move.uci(): move for move in board.legal_moves}
    assert ours.keys() == theirs.keys(), board.fen()
    assert bool(game.threatened(state)) == board.is_check()
    assert game.result(state) == result_of(board), board.fen()
    assert game.ended(state) in ((ONGOING, game.result(state)) if not ours else (game.result(state),))
    assert int(state["key"]) == int(reckoned_key(state))
    noisy = np.zeros(game.MOST_MOVES, np.int32)
    found = {chess_text.write_uci(state, int(move)) for move in noisy[: game.noisy(state, noisy)]}
    assert found == {name for name, move in theirs.items() if is_noisy(board, move)}, board.fen()
    if names:
        for name, move in theirs.items():
            assert chess_text.write_san(state, ours[name]) == board.san(move)
            assert chess_text.read_san(state, board.san(move)) == ours[name]


def random_games(game, positions, seed):
    """Compare the positions of random games, so many in all."""
    draw, seen = random.Random(seed), 0
    while seen < positions:
        state, board = game.states()[0], peers.Board()
        while True:
            compare(game, state, board, names=seen % 20 == 0)
            seen += 1
            if game.result(state) != ONGOING:
                break
            move = draw.choice(list(board.legal_moves))
            state = game.after(state, chess_text.read_uci(state, move.uci()))
            board.push(move)


def test_positions_of_random_games_are_those_of_python_chess(game):
    random_games(game, 2000, seed=1)


@pytest.mark.slow
def test_thirty_thousand_positions_of_random_games_are_those_of_python_chess(game):
    random_games(game, 30_000, seed=2)


@pytest.mark.parametrize("seed", range(3))
def test_positions_with_few_pieces_are_those_of_python_chess(game, seed):
    draw, seen = random.Random(seed), 0
    while seen < 300:
        board = peers.Board(None)
        squares = draw.sample(range(64), 2 + draw.randint(1, 6))
        for square, letter in zip(squares, "Kk" + "".join(draw.choices("PpNnBbRrQq", k=6)), strict=False):
            board.set_piece_at(square, peers.Piece.from_symbol(letter))
        board.turn = draw.random() < 0.5
        if board.is_valid():
            compare(game, chess_text.read_fen(board.fen()), board, names=seen % 5 == 0)
            seen += 1
