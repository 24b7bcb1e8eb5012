"""Cube decisions agree with the published points of money play and of match scores, and with Janowski's formulas."""

import numpy as np
import pytest

from sparring.arena.cube import EFFICIENCY, Action, accepts, advise, take_point, value
from sparring.arena.equity import cubeless, mirrored, worths
from sparring.arena.match_equity import compute_table
from sparring.arena.match_table import table_of
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

KAZAROSS = table_of("backgammon")
MONEY = Stakes()
OWNED, GIVEN = Stakes(0, (0, 0), 2, 0), Stakes(0, (0, 0), 2, 1)  # player 0 has the cube; his opponent has it
JANOWSKI = np.array([0.0, 0.04, 0.31, 0.47, 0.17, 0.01])  # the position of his article
W, L = (0.47 + 2 * 0.17 + 3 * 0.01) / 0.65, (0.31 + 2 * 0.04) / 0.35


def races(win):
    """Distributions without gammons."""
    win = np.asarray(win, float)
    none = np.zeros_like(win)
    return np.stack([none, none, 1 - win, win, none, none], -1)


def at(mine, theirs, cube=1, owner=None, crawford=False, length=15):
    """Stakes where player 0 lacks `mine` points and player 1 `theirs`."""
    return Stakes(length, (length - mine, length - theirs), cube, owner, crawford)


def random_chances(n, seed=3):
    return np.random.default_rng(seed).dirichlet([0.1, 0.6, 2, 2, 0.6, 0.1], n)


# --- money -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("efficiency, point", [(0, 0.25), (1, 0.2), (2 / 3, 0.5 / (2 + 1 / 3))])
def test_without_gammons_a_dead_cube_is_taken_from_25_percent_and_a_live_one_from_20(efficiency, point):
    assert take_point(races(0.5), MONEY, 0, efficiency=efficiency) == pytest.approx(point)


@pytest.mark.parametrize("x", [0, 0.5, 0.68, 1])
def test_take_points_with_gammons_follow_the_formula(x):
    assert take_point(JANOWSKI, MONEY, 0, efficiency=x) == pytest.approx((L - 0.5) / (W + L + 0.5 * x))
    assert take_point(mirrored(JANOWSKI), MONEY, 1, efficiency=x) == pytest.approx((W - 0.5) / (W + L + 0.5 * x))


@pytest.mark.parametrize("x", [0, 0.5, 0.68, 1])
def test_the_value_of_an_owned_cube_follows_the_formula(x):
    assert value(JANOWSKI, OWNED, 0, efficiency=x) == pytest.approx(2 * (0.65 * (W + L + 0.5 * x) - L))
    assert value(JANOWSKI, GIVEN, 0, efficiency=x) == pytest.approx(2 * (0.65 * (W + L + 0.5 * x) - L - 0.5 * x))


def test_a_live_cube_in_the_centre_is_worth_a_straight_line_from_pass_to_cash():
    win = np.array([0.2, 0.35, 0.5, 0.65, 0.8])
    assert value(races(win), MONEY, 0, efficiency=1) == pytest.approx([-1, -0.5, 0, 0.5, 1])


def test_a_dead_cube_is_worth_what_the_game_is_worth_without_one():
    chances = random_chances(20)
    for stakes in (MONEY, OWNED, GIVEN, at(5, 7), at(7, 5, 2, 0)):
        assert value(chances, stakes, 0, KAZAROSS, efficiency=0) == pytest.approx(
            cubeless(chances, stakes, 0, KAZAROSS)
        )


def test_the_doubling_window_of_a_last_cube_is_50_to_75_percent():
    advice = advise(races([0.49, 0.51, 0.74, 0.76, 0.99]), MONEY, 0, efficiency=0)
    assert advice.doubles.tolist() == [False, True, True, True, True]
    assert advice.takes.tolist() == [True, True, True, False, False]


def test_with_a_live_cube_the_window_closes_at_80_percent():
    advice = advise(races([0.79, 0.81]), MONEY, 0, efficiency=1)
    assert [advice.action(i) for i in (0, 1)] == [Action.NO_DOUBLE, Action.NO_DOUBLE]
    assert advice.no_double[1] == pytest.approx(1)
    assert not advice.takes[1]


def test_owning_the_cube_asks_for_more_before_redoubling_than_a_first_double():
    win = np.linspace(0.5, 0.78, 200)
    first = win[np.argmax(advise(races(win), MONEY, 0).doubles)]
    again = win[np.argmax(advise(races(win), OWNED, 0).doubles)]
    assert 0.68 < first < again < 0.73


def test_a_player_who_wins_gammons_mostly_is_too_good_to_double():
    advice = advise(np.array([[0, 0, 0.05, 0.05, 0.9, 0], [0, 0, 0.25, 0.75, 0, 0], [0, 0, 0.1, 0.9, 0, 0]]), MONEY, 0)
    assert [advice.action(i) for i in range(3)] == [Action.TOO_GOOD, Action.DOUBLE_TAKE, Action.DOUBLE_PASS]
    assert advice.best == pytest.approx([advice.no_double[0], advice.double_take[1], 1])


def test_taker_and_doubler_agree():
    chances = random_chances(200)
    for stakes in (MONEY, OWNED, at(3, 5), at(5, 3), at(7, 4, 2, 0), at(1, 4)):
        advice = advise(chances, stakes, 0, KAZAROSS)
        assert np.array_equal(accepts(mirrored(chances), stakes, 1, KAZAROSS), advice.takes)


def test_a_double_is_taken_exactly_above_the_take_point():
    chances = random_chances(200)
    win = chances[:, 3:].sum(1)
    for stakes in (MONEY, GIVEN, at(3, 5), at(5, 3), at(7, 4, 2, 1)):
        assert np.array_equal(accepts(chances, stakes, 0, KAZAROSS), win >= take_point(chances, stakes, 0, KAZAROSS))


# --- matches ---------------------------------------------------------------------------------------------------------


def test_a_last_cube_is_taken_from_what_is_risked_over_what_is_at_stake():
    """At 2-away 2-away the doubled game decides: a pass leaves the chance of who lacks 2 against 1 before Crawford."""
    assert take_point(races(0.5), at(2, 2), 0, KAZAROSS) == pytest.approx(0.32264)
    flat = compute_table(np.array([0, 0, 1, 1, 0, 0]), 15)
    assert take_point(races(0.5), at(2, 2), 0, flat) == pytest.approx(0.25)
    stakes = at(3, 3, 2, 1)  # at 3-away the cube goes to 4, and is dead
    assert take_point(races(0.5), stakes, 0, KAZAROSS) == pytest.approx(KAZAROSS.chance(3, 1))


@pytest.mark.parametrize("efficiency", [0, 0.68, 1])
def test_who_may_double_back_for_nothing_takes_by_the_chance_of_winning_the_match(efficiency):
    """2-away doubles 4-away: the cube will be at 4, so a take is worth the chance of winning the game."""
    point = take_point(races(0.5), at(4, 2), 0, KAZAROSS, efficiency=efficiency)
    assert point == pytest.approx(KAZAROSS.chance(4, 1))


def test_a_take_that_leaves_a_redouble_is_made_with_less_than_a_dead_cube_asks_for():
    dead, live = (take_point(races(0.5), at(7, 7), 0, KAZAROSS, efficiency=x) for x in (0, 1))
    lost, passed, won = (KAZAROSS.chance(7, 5), KAZAROSS.chance(7, 6), KAZAROSS.chance(5, 7))
    assert dead == pytest.approx((passed - lost) / (won - lost))
    assert 0.19 < live < 0.22 < dead < 0.26


def test_at_2_away_2_away_every_advantage_is_doubled():
    advice = advise(races([0.51, 0.6, 0.67, 0.68, 0.9]), at(2, 2), 0, KAZAROSS)
    assert advice.doubles.all()
    assert advice.takes.tolist() == [True, True, True, False, False]


@pytest.mark.parametrize("theirs", [2, 3, 4, 7])
def test_after_the_crawford_game_the_trailer_doubles_at_once_and_the_leader_never(theirs):
    win = np.linspace(0.02, 0.98, 25)
    assert advise(races(win), at(theirs, 1), 0, KAZAROSS).doubles.all()
    assert not advise(races(win), at(1, theirs), 0, KAZAROSS).doubles.any()


def test_in_the_crawford_game_nobody_doubles():
    stakes = at(4, 1, crawford=True)
    chances = random_chances(10)
    with pytest.raises(MatchError, match="Crawford"):
        advise(chances, stakes, 0, KAZAROSS)
    assert value(chances, stakes, 0, KAZAROSS) == pytest.approx(cubeless(chances, stakes, 0, KAZAROSS))


def test_at_double_match_point_the_cube_means_nothing():
    chances = random_chances(10)
    win = chances[:, 3:].sum(1)
    assert value(chances, at(1, 1), 0, KAZAROSS, roller=0) == pytest.approx(win)
    assert not advise(chances, at(1, 1), 0, KAZAROSS).doubles.any()


@pytest.mark.parametrize("mine, theirs", [(2, 5), (1, 2), (2, 2)])
def test_who_is_carried_to_the_end_by_the_cube_does_not_turn_it(mine, theirs):
    assert not advise(random_chances(50), at(mine, theirs, 2, 0), 0, KAZAROSS).doubles.any()


# --- both ------------------------------------------------------------------------------------------------------------

SCORES = [MONEY, OWNED, GIVEN, at(7, 7), at(3, 8), at(8, 3, 2, 0), at(4, 9, 2, 1), at(1, 3), at(3, 1), at(5, 1, 2, 1)]


@pytest.mark.parametrize("stakes", SCORES, ids=str)
@pytest.mark.parametrize("roller", [None, 0, 1])
def test_what_one_player_has_the_other_lacks(stakes, roller):
    chances = random_chances(100)
    mine = value(chances, stakes, 0, KAZAROSS, roller=roller)
    theirs = value(mirrored(chances), stakes, 1, KAZAROSS, roller=roller)
    assert mine + theirs == pytest.approx(0 if stakes.money else 1)


@pytest.mark.parametrize("stakes", [OWNED, at(7, 7, 2, 0), at(3, 8, 2, 0), at(9, 4, 4, 0), at(2, 1, 2, 0)], ids=str)
def test_a_cube_of_ones_own_is_worth_more_than_none_and_none_more_than_the_opponents(stakes):
    chances = random_chances(300)
    owned = value(chances, stakes, 0, KAZAROSS)
    given = value(chances, Stakes(stakes.length, stakes.scores, stakes.cube, 1), 0, KAZAROSS)
    none = cubeless(chances, stakes, 0, KAZAROSS)
    assert np.all(owned >= none - 1e-12) and np.all(none >= given - 1e-12)


@pytest.mark.parametrize("stakes", SCORES, ids=str)
def test_more_wins_are_worth_more(stakes):
    win = np.linspace(0, 1, 101)[:, None]
    chances = np.concatenate([(1 - win) * [0.01, 0.2, 0.79], win * [0.75, 0.24, 0.01]], 1)
    for roller in (None, 0, 1):
        assert np.diff(value(chances, stakes, 0, KAZAROSS, roller=roller)).min() > -1e-12


def test_who_may_double_first_has_no_less():
    chances = random_chances(200)
    for stakes in SCORES:
        later = value(chances, stakes, 0, KAZAROSS)
        assert np.all(value(chances, stakes, 0, KAZAROSS, roller=0) >= later - 1e-12)
        assert np.all(value(chances, stakes, 0, KAZAROSS, roller=1) <= later + 1e-12)
    assert value(races(0.95), MONEY, 0, roller=0) == 1


def test_batches_of_any_shape_are_valued_one_by_one_with_an_efficiency_each():
    chances = random_chances((2, 3)).astype(np.float32)
    each = np.linspace(0, 1, 6).reshape(2, 3)
    for stakes in (MONEY, at(5, 3)):
        values = value(chances, stakes, 0, KAZAROSS, efficiency=each, roller=0)
        assert values.shape == (2, 3)
        one = value(chances[1, 0], stakes, 0, KAZAROSS, efficiency=each[1, 0], roller=0)
        assert values[1, 0] == pytest.approx(float(one), abs=1e-7)
        assert take_point(chances, stakes, 0, KAZAROSS, efficiency=each).shape == (2, 3)


def test_certain_wins_and_losses_are_worth_what_they_are():
    for stakes in SCORES:
        ends = value(np.eye(6), stakes, 0, KAZAROSS)
        assert ends[[0, 5]] == pytest.approx(worths(stakes, 0, KAZAROSS)[[0, 5]], abs=0.5 * stakes.cube)
        assert np.all(np.isfinite(ends))


@pytest.mark.parametrize("efficiency", [-0.1, 1.1, float("nan")])
def test_an_efficiency_that_is_no_share_is_refused(efficiency):
    assert 0 < EFFICIENCY < 1
    with pytest.raises(MatchError, match="efficiency of the cube"):
        value(JANOWSKI, MONEY, 0, efficiency=efficiency)
