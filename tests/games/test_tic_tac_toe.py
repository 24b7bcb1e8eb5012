"""Tic-tac-toe: the whole game is known."""

import collections

import numpy as np
import pytest

from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.games.walk import count_lines


@pytest.fixture(scope="module")
def game():
    return load("tic-tac-toe")


@pytest.fixture(scope="module")
def every_position(game):
    """Every reachable position by its bytes: (the position, how many games end from there in loss, draw, win)."""
    known = {}

    def visit(state):
        at = state.tobytes()
        if at not in known:
            games = collections.Counter()
            end = game.result(state)
            if end != ONGOING:
                games[end] = 1
            for move in game.legal_moves(state):
                games += visit(game.after(state, move))
            known[at] = state, games
        return known[at][1]

    visit(game.states()[0])
    return known


def test_there_are_5478_positions(every_position):
    assert len(every_position) == 5478


def test_there_are_255168_games_of_which_x_wins_131184_and_o_77904(game, every_position):
    games = every_position[game.states()[0].tobytes()][1]
    assert games == {2: 131184, 0: 77904, 1: 46080}
    assert games.total() == 255168


def test_no_game_ends_before_the_fifth_move(game):
    first = game.states()[0]
    assert count_lines(game, first, 5) == 9 * 8 * 7 * 6 * 5
    assert count_lines(game, first, 6) == 60480 - 1440 * 4  # 1440 lines are won by the fifth move


@pytest.mark.compiled
def test_nine_moves_can_be_played_in_127872_ways(game):
    assert count_lines(game, game.states()[0], 9) == 127872


def test_with_best_play_nobody_wins(game, every_position):
    values = {}

    def value(state):
        at = state.tobytes()
        if at not in values:
            end = game.result(state)
            best = max if game.mover(state) == 0 else min
            after = [game.after(state, move) for move in game.legal_moves(state)]
            values[at] = end - 1 if end != ONGOING else best(map(value, after))
        return values[at]

    assert value(game.states()[0]) == 0


ROWS, COLUMNS = ["a3 b3 c3", "a2 b2 c2", "a1 b1 c1"], ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]


@pytest.mark.parametrize("line", [*ROWS, *COLUMNS, "a1 b2 c3", "a3 b2 c1"])
def test_three_in_a_row_win(game, line):
    state = game.states()[0]
    others = [name for name in ("a1", "b1", "c2", "a3", "b3", "c1") if name not in line.split()]
    for own, other in zip(line.split(), [*others[:2], None], strict=True):
        assert game.result(state) == ONGOING
        game.play(state, game.parse_move(state, own))
        if other:
            game.play(state, game.parse_move(state, other))
    assert game.result(state) == 2


def test_the_eight_symmetries_differ_and_map_the_corners_to_corners(game):
    images = {tuple(int(game.transform_move(move, k)) for move in range(9)) for k in range(8)}
    assert len(images) == 8
    assert all({image[i] for i in (0, 2, 6, 8)} == {0, 2, 6, 8} and image[4] == 4 for image in images)


def test_there_are_765_positions_apart_from_symmetry(game, every_position):
    classes = set()
    for state, _ in every_position.values():
        images = []
        for k in range(8):
            image = state.copy()
            game.transform(image, k)
            images.append(image.tobytes())
        classes.add(min(images))
    assert len(classes) == 765


def test_nets_see_their_own_stones_first(game):
    state = game.after(game.states()[0], 0, 4, 8)
    index, value = np.zeros(9, np.int32), np.zeros(9, np.float32)
    assert sorted(index[: game.features(state, 0, index, value)].tolist()) == [0, 8, 9 + 4]
    assert sorted(index[: game.features(state, 1, index, value)].tolist()) == [4, 9, 9 + 8]
