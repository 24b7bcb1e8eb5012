"""What tests of files of chess positions have in common."""

import pathlib

import numpy as np

from sparring.games.chess_board import POSITION
from sparring.games.chess_data import Reading
from sparring.games.chess_text import read_fen, read_uci
from sparring.games.contract import ONGOING
from sparring.games.game import load

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSED = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"


def read(path, **options):
    """(all positions, scores, results, the reading) of a file."""
    reading = Reading(pathlib.Path(path), **options)
    blocks = list(reading.blocks())
    states = np.concatenate([np.zeros(0, POSITION), *(block.states for block in blocks)])
    return states, *(np.concatenate([getattr(b, n) for b in blocks] or [[]]) for n in ("scores", "results")), reading


def random_games(n, seed=1, first=0):
    """n games by random moves as (starts, moves, scores, results), and all of their positions."""
    game, random = load("chess"), np.random.default_rng(seed)
    starts, moves, scores, positions = [], [], [], []
    for _ in range(n):
        state, line = game.states()[0], []
        for _ in range(first):
            state = game.after(state, int(random.choice(game.legal_moves(state))))
        starts.append(state)
        while len(line) < 60 and game.result(state) == ONGOING:
            positions.append(state)
            line.append(int(random.choice(game.legal_moves(state))))
            state = game.after(state, line[-1])
        moves.append(np.array(line, np.int32))
        scores.append(random.integers(-3000, 3000, len(line)).astype(np.int16))
    return (np.array(starts, POSITION), moves, scores, random.integers(0, 3, n)), np.array(positions, POSITION)


def uci_game(fen, *moves):
    """(starts, moves, scores, results) of one game; scores 1, 2, 3, …, won by White."""
    state, line = read_fen(fen), []
    start = state.copy()
    for name in moves:
        line.append(read_uci(state, name))
        state = load("chess").after(state, line[-1])
    scores = [np.arange(1, len(line) + 1).astype(np.int16)]
    return np.array([start], POSITION), [np.array(line, np.int32)], scores, np.array([2])
