"""Golden files, one a game: how many lines there are, and a random game move by move, down to its last drawing."""

import hashlib

import numpy as np
import pytest

from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load, names
from sparring.games.walk import count_lines
from sparring.rng import draw_below, draw_index, seeded

ENOUGH_LINES = 20_000


def perft(game):
    """Lines of 1, 2, 3 … moves, up to about 20 000."""
    counts = []
    while len(counts) < 8 and (not counts or counts[-1] < ENOUGH_LINES // 5):
        counts.append(count_lines(game, game.states()[0], len(counts) + 1))
    return counts


def playthrough(game):
    """Random game 0 of seed 1, moves by name; at most 200."""
    rng, state = seeded(1, 0), game.states()[0]
    played = []
    while game.result(state) == ONGOING and len(played) < 200:
        moves = game.legal_moves(state)
        if game.mover(state) == CHANCE:
            chances = np.zeros(game.MOST_MOVES)
            game.chance(state, np.zeros(game.MOST_MOVES, np.int32), chances)
            move = moves[draw_index(rng, chances, len(moves))]
        else:
            move = moves[draw_below(rng, len(moves))]
        played.append(game.move_name(state, move))
        state = game.after(state, move)
    svg = game.svg(state)
    return {
        "moves": " ".join(played),
        "result": int(game.result(state)),
        "drawing": game.draw(state).splitlines(),
        "svg": hashlib.sha256(svg.encode()).hexdigest()[:16] if svg else None,
    }


@pytest.mark.parametrize("name", names())
def test_a_game_still_plays_as_in_its_golden_file(golden, name):
    game = load(name)
    golden(name, {"perft": perft(game), "game": playthrough(game)})


@pytest.mark.parametrize("name", names())
def test_the_moves_of_a_golden_game_are_read_back_by_name(golden, name):
    game = load(name)
    state = game.states()[0]
    for text in playthrough(game)["moves"].split():
        move = game.parse_move(state, text.upper())
        assert game.move_name(state, move) == text
        state = game.after(state, move)
