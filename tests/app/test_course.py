"""A game on its way: turns of several moves in one word."""

import numpy as np
import pytest

from sparring.app.course import drawn_deal, follow, moves_of
from sparring.errors import GameError
from sparring.games.game import load


@pytest.fixture(scope="module")
def game():
    return load("backgammon")


def steps(game, position, text):
    state = np.array([game.module.position(position)], game.STATE)[0]
    names = []
    for move in moves_of(game, state, text):
        names.append(game.move_name(state, move))
        state = game.after(state, move)
    return " ".join(names)


def test_first_and_last_point_stand_for_the_steps_between(game):
    assert steps(game, "13:15X 1:15O; white plays 3-3", "13/4 13/10") == "13/10 10/7 7/4 13/10"


def test_of_two_ways_the_one_that_hits_nobody_is_meant(game):
    assert steps(game, "13:15X 10:O 1:14O; white plays 3-1", "13/9") == "13/12 12/9"


def test_a_hit_on_the_way_is_played_where_no_other_way_is_open(game):
    assert steps(game, "13:15X 10:O 12:2O 1:12O; white plays 3-1", "13/9") == "13/10* 10/9"


def test_a_way_that_is_closed_is_told_as_any_move_that_is_not_legal(game):
    with pytest.raises(GameError, match="'13/9' is not a legal move here"):
        steps(game, "13:15X 10:2O 12:2O 1:11O; white plays 3-1", "13/9")


def test_a_record_of_a_game_may_hold_such_words(game):
    assert follow(game, "3-1 8/5 6/5 6-4 24/14").names[-2:] == ["24/18", "18/14"]


def test_a_game_begins_with_the_position_of_its_number(data):
    nim = load(str(data / "nim.py"))
    course = follow(nim, "1", deal=7)
    assert [(int(state["heap"]), int(state["turn"])) for state in course.states] == [(8, 0), (6, 1)]
    assert (course.deal, follow(nim, "").deal) == (7, None)


def test_a_seed_draws_a_number_that_no_match_is_dealt_where_games_begin_at_random(data, game):
    nim = load(str(data / "nim.py"))
    drawn = [drawn_deal(nim, seed) for seed in range(40)] + [drawn_deal(nim, 1, game) for game in range(40)]
    assert len(set(drawn)) == 80
    assert 2**61 < max(drawn) < 2**63
    assert drawn_deal(game, 1) is None


@pytest.mark.parametrize(
    ("name", "deal", "says"),
    [
        ("backgammon", 3, "--deal is 3, but backgammon has one first position"),
        ("nim.py", -1, "--deal is -1, but it must be 0 to 2**64 - 1"),
        ("nim.py", 1 << 64, f"--deal is {1 << 64}, but it must be 0 to 2**64 - 1"),
    ],
)
def test_a_number_that_is_none_of_a_first_position_is_refused(data, name, deal, says):
    with pytest.raises(GameError) as caught:
        follow(load(str(data / name) if name.endswith(".py") else name), "", deal=deal)
    assert str(caught.value) == says


def test_a_position_and_a_number_are_not_given_both(game):
    with pytest.raises(GameError, match="^give --position or --deal, not both: '24:2X' and 3$"):
        follow(game, "", "24:2X", 3)
