"""Score and cube change as the rules of match play say, and stakes that cannot be are refused in one line."""

import pytest

from sparring.arena.stakes import MOST_CUBE, Stakes
from sparring.errors import MatchError


def test_a_double_that_is_taken_doubles_the_cube_and_gives_it_to_the_taker():
    stakes = Stakes(length=7).doubled(0)
    assert (stakes.cube, stakes.owner) == (2, 1)
    assert not stakes.may_double(0) and stakes.may_double(1)
    stakes = stakes.doubled(1)
    assert (stakes.cube, stakes.owner) == (4, 0)


def test_a_double_that_is_passed_loses_the_cube_before_it():
    assert Stakes(length=7).dropped(0).scores == (1, 0)
    assert Stakes(length=7).doubled(0).dropped(1).scores == (0, 2)


def test_a_game_counts_its_points_times_the_cube_and_puts_the_cube_back():
    stakes = Stakes(length=15).doubled(1)
    assert stakes.after(-3) == Stakes(15, (0, 6))
    assert Stakes(0, (5, 2), 4, 0).after(2.0) == Stakes(0, (13, 2))


def test_the_winner_of_a_match_gets_no_more_points_than_he_lacks():
    stakes = Stakes(5, (3, 4), 2, 0).after(3)
    assert (stakes.scores, stakes.over, stakes.winner) == ((5, 4), True, 0)
    assert not stakes.may_double(0) and not stakes.may_double(1)


def test_the_first_game_after_a_player_came_within_a_point_is_the_crawford_game_and_only_that():
    crawford = Stakes(5, (2, 0)).after(2)
    assert crawford.crawford and not crawford.may_double(0) and not crawford.may_double(1)
    later = crawford.after(-1)
    assert later == Stakes(5, (4, 1)) and later.post_crawford and later.may_double(1)
    assert later.doubled(1).after(-1) == Stakes(5, (4, 3))
    assert not Stakes(5, (4, 3)).after(-1).crawford
    assert not Stakes(5, (3, 2)).after(-3).crawford


def test_a_match_to_one_point_has_no_crawford_game():
    assert not Stakes(1).crawford and not Stakes(1).post_crawford


@pytest.mark.parametrize("stakes", [Stakes(5, (4, 1), crawford=True), Stakes(5, (4, 1)), Stakes(5, (1, 2)), Stakes()])
def test_a_game_without_a_result_is_played_again(stakes):
    assert stakes.after(0) == stakes


def test_the_cube_is_turned_no_further_than_it_is_printed():
    stakes = Stakes()
    while stakes.cube < MOST_CUBE:
        stakes = stakes.doubled(0 if stakes.owner is None else stakes.owner)
    assert stakes.cube == 64 and not stakes.may_double(stakes.owner)


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"cube": 3, "owner": 0}, "cube is 3, but it must be a power of two, 1 to 64"),
        ({"cube": 128, "owner": 0}, "cube is 128, but it must be a power of two"),
        ({"cube": 0}, "cube is 0"),
        ({"cube": 1.5}, "cube is 1.5, but it must be a whole number"),
        ({"cube": "two"}, "cube is 'two', but it must be a whole number"),
        ({"cube": 2}, "cube at 2 in the centre"),
        ({"owner": 1}, "cube at 1 owned by player 1"),
        ({"cube": 2, "owner": 2}, "owner is 2, but it must be 0, 1 or None"),
        ({"length": 5, "scores": (6, 0)}, "score is 6, but it must be 0 to 5, the length of the match"),
        ({"length": 5, "scores": (5, 5)}, "only one player can have won"),
        ({"length": 5, "scores": (0, -1)}, "score is -1, but it must be 0 to 5"),
        ({"scores": (0, -1)}, "score is -1, but it must be 0 or more"),
        ({"scores": (0,)}, "must be a pair"),
        ({"length": -1}, "length is -1"),
        ({"length": float("nan")}, "length is nan, but it must be a whole number"),
        ({"length": 5, "scores": (3, 2), "crawford": True}, "Crawford game at (3, 2)"),
        ({"length": 5, "scores": (5, 4), "crawford": True}, "Crawford game at (5, 4)"),
        ({"length": 5, "scores": (4, 4), "crawford": True}, "where both lack one point it lies behind them"),
        ({"crawford": True}, "Crawford game at (0, 0)"),
        (
            {"length": 5, "scores": (4, 0), "crawford": True, "cube": 2, "owner": 0},
            "in the Crawford game it stays at 1",
        ),
    ],
)
def test_stakes_that_cannot_be_are_named(wrong, said):
    with pytest.raises(MatchError) as fault:
        Stakes(**wrong)
    assert said in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize(
    "stakes, said",
    [
        (Stakes(5, (4, 0), crawford=True), "this is the Crawford game"),
        (Stakes(5, (0, 5)), "the match is over"),
        (Stakes(1), "a match to 1 point is played without the cube"),
        (Stakes(0, (0, 0), 2, 1), "the cube is player 1's"),
        (Stakes(0, (0, 0), 64, 0), "the cube is at 64 and turned no further"),
    ],
)
def test_a_double_that_is_not_allowed_is_refused_with_the_reason(stakes, said):
    for turn in (stakes.doubled, stakes.dropped):
        with pytest.raises(MatchError) as fault:
            turn(0)
        assert f"player 0 cannot double: {said}" in str(fault.value)


def test_no_game_follows_the_end_of_a_match():
    with pytest.raises(MatchError, match="is over"):
        Stakes(5, (0, 5)).after(1)
    with pytest.raises(MatchError, match="points is 0.5"):
        Stakes(5).after(0.5)
