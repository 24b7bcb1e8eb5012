"""Which positions are trained on, and as what."""

import numpy as np
import pytest

from sparring.games.game import load
from sparring.learn.replay import Examiner, Positions, choose_rows, join
from sparring.rng import seeded

RESULTS = (-1.0, 0.0, 1.0)


def some_positions(game, n=60, seed=1):
    walk = game.bind("games.walk")
    moves, chances, rng = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES), seeded(seed)
    states = game.states(n)
    for i, state in enumerate(states):
        walk.random_plies(state, i % 5, moves, chances, rng)
    numbers = np.random.default_rng(seed)
    return Positions(states, numbers.uniform(-1, 1, n).astype(np.float32), numbers.integers(0, 3, n).astype(np.uint8))


def test_balance_makes_positions_of_both_winners_equal_in_number_and_keeps_every_draw():
    ends = np.array([2] * 100 + [0] * 20 + [1] * 7, np.uint8)
    rows = choose_rows(ends, RESULTS, True, np.random.default_rng(1))
    won, lost, level = (rows[ends[rows] == e] for e in (2, 0, 1))
    assert (len(won), len(lost), len(level)) == (60, 60, 7)
    assert len(set(won)) == 60, "the bigger pool is subsampled without repeats"
    assert set(lost) == set(range(100, 120)), "the smaller pool is used whole"
    assert sorted(level) == list(range(120, 127)), "every position of a drawn game, once"


@pytest.mark.parametrize(("ends", "balance"), [([2] * 9 + [1], True), ([2] * 9 + [0], False)])
def test_without_balance_or_where_one_winner_is_absent_everything_is_used_once(ends, balance):
    rows = choose_rows(np.array(ends, np.uint8), RESULTS, balance, np.random.default_rng(1))
    assert sorted(rows) == list(range(10))


def test_rows_come_in_random_order():
    ends = np.array([2] * 50 + [0] * 50, np.uint8)
    assert list(choose_rows(ends, RESULTS, True, np.random.default_rng(1))) != list(range(100))


@pytest.mark.parametrize("name", ["tic_tac_toe", "tigers_and_sheep"])
def test_examples_are_the_features_of_the_position_under_its_symmetry_as_the_eyes_see_it(name):
    game = load(name)
    positions = some_positions(game)
    rows, images = np.arange(60)[::-1].copy(), np.arange(60) % game.SYMMETRIES
    found = Examiner(game).examples(positions, rows, images)
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    for i, (row, image) in enumerate(zip(rows, images, strict=True)):
        state = positions.states[row : row + 1].copy()[0]
        game.transform(state, image)
        eyes = game.VIEWER if game.VIEWER >= 0 else game.mover(state)
        n = game.features(state, eyes, index, value)
        dense = np.zeros(game.FEATURES, np.float32)
        dense[index[:n]] = value[:n]
        assert (found.inputs[i] == dense).all()
        sign = 1 if eyes == 0 else -1
        assert found.wanted[i] == pytest.approx(sign * positions.targets[row])
        assert RESULTS[found.happened[i]] == sign * RESULTS[positions.ends[row]]


def test_inputs_of_an_earlier_call_do_not_shine_through():
    game = load("tic_tac_toe")
    positions, examiner = some_positions(game), Examiner(game)
    still = np.zeros(60, np.int64)
    fresh = examiner.examples(positions, np.arange(60), still).inputs.copy()
    examiner.examples(positions, np.arange(60)[::-1].copy(), still)
    assert (examiner.examples(positions, np.arange(60), still).inputs == fresh).all()


def test_positions_survive_their_file_form():
    game = load("tigers_and_sheep")
    positions = some_positions(game)
    back = Positions.of_arrays(positions.arrays, game)
    assert (back.states == positions.states).all()
    assert (back.targets == positions.targets).all()
    assert (back.ends == positions.ends).all()
    assert len(join([positions, back])) == 120
