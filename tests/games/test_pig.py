"""Pig: roll as often as you dare."""

import numpy as np
import pytest

from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load

ROLL, HOLD = 0, 1


@pytest.fixture(scope="module")
def game():
    return load("pig")


def position(game, own=0, other=0, gathered=0):
    """The first player to move."""
    state = game.states()[0]
    state["score"] = own, other
    state["gathered"] = gathered
    return state


def test_the_first_player_begins_and_can_only_roll(game):
    state = game.states()[0]
    assert game.mover(state) == 0
    assert game.legal_moves(state) == [ROLL]


def test_the_die_shows_each_face_with_the_same_chance(game):
    state = game.after(game.states()[0], ROLL)
    assert game.mover(state) == CHANCE
    faces, chances = np.zeros(6, np.int32), np.zeros(6)
    assert game.chance(state, faces, chances) == 6
    assert faces.tolist() == [1, 2, 3, 4, 5, 6]
    assert np.allclose(chances, 1 / 6) and abs(chances.sum() - 1.0) < 1e-12


@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_points_are_gathered_and_the_same_player_goes_on(game, face):
    state = game.after(position(game, gathered=7), ROLL, face)
    assert game.mover(state) == 0
    assert state["gathered"] == 7 + face
    assert game.legal_moves(state) == [ROLL, HOLD]


def test_a_one_loses_what_was_gathered_and_the_turn_but_not_the_score(game):
    state = game.after(position(game, own=40, other=30, gathered=20), ROLL, 1)
    assert game.mover(state) == 1
    assert state["gathered"] == 0
    assert state["score"].tolist() == [40, 30]


def test_holding_keeps_what_was_gathered_and_ends_the_turn(game):
    state = game.after(position(game, own=40, other=30, gathered=20), HOLD)
    assert game.mover(state) == 1
    assert state["score"].tolist() == [60, 30]
    assert state["gathered"] == 0


@pytest.mark.parametrize(("gathered", "end"), [(9, ONGOING), (10, 1), (15, 1)])
def test_whoever_holds_a_hundred_wins(game, gathered, end):
    assert game.result(game.after(position(game, own=90, gathered=gathered), HOLD)) == end


def test_a_hundred_must_be_held_and_not_only_gathered(game):
    assert game.result(position(game, own=90, gathered=20)) == ONGOING


def test_the_second_player_wins_with_a_hundred_too(game):
    state = game.after(position(game, own=10, other=95, gathered=3), HOLD, ROLL, 5, HOLD)
    assert game.result(state) == 0


def test_nets_see_their_own_score_first_and_whose_points_are_gathered(game):
    state = position(game, own=40, other=30, gathered=20)
    index, value = np.zeros(4, np.int32), np.zeros(4, np.float32)
    assert game.features(state, 0, index, value) == 4
    assert np.allclose(value[np.argsort(index)], [0.4, 0.3, 0.2, 0.0])
    assert game.features(state, 1, index, value) == 4
    assert np.allclose(value[np.argsort(index)], [0.3, 0.4, 0.0, 0.2])


def test_the_judgement_stays_within_the_results_however_much_is_gathered(game):
    assert game.evaluate(position(game, own=99, gathered=400)) <= 1.0
    assert game.evaluate(position(game, other=99)) < 0.0 < game.evaluate(position(game, gathered=20))
