"""A distribution over results is worth its points for money, and its chance of winning the match at a score."""

import numpy as np
import pytest

from sparring.arena.equity import cubeless, mirrored, per_cube, worths
from sparring.arena.match_table import table_of
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

CHANCES = np.array([0.01, 0.09, 0.3, 0.4, 0.15, 0.05])


def test_money_is_worth_points_times_the_cube():
    assert worths(Stakes(), 0).tolist() == [-3, -2, -1, 1, 2, 3]
    assert cubeless(CHANCES, Stakes(), 0) == pytest.approx(0.4 + 0.3 + 0.15 - 0.3 - 0.18 - 0.03)
    assert cubeless(CHANCES, Stakes(0, (7, 0), 4, 1), 1) == pytest.approx(4 * 0.34)


def test_a_match_is_worth_the_chance_of_winning_it_at_the_score_that_follows():
    table = table_of("backgammon")
    stakes = Stakes(7, (4, 2), 2, 0)
    chance = table.chance
    assert worths(stakes, 0, table).tolist() == [0, chance(3, 1), chance(3, 3), chance(1, 5), 1, 1]
    assert worths(stakes, 1, table) == pytest.approx(1 - worths(stakes, 0, table)[::-1])


def test_a_gammon_is_worth_nothing_more_where_a_single_win_is_enough():
    table = table_of("backgammon")
    lost, won = worths(Stakes(5, (4, 2)), 0, table)[:3], worths(Stakes(5, (4, 2)), 0, table)[3:]
    assert won.tolist() == [1, 1, 1]
    assert lost[0] < lost[1] < lost[2]


def test_what_one_player_has_the_other_lacks():
    table = table_of("backgammon")
    for stakes in (Stakes(9, (3, 5)), Stakes(5, (4, 2), crawford=True), Stakes(5, (4, 2), 2, 0)):
        assert cubeless(CHANCES, stakes, 0, table) + cubeless(mirrored(CHANCES), stakes, 1, table) == pytest.approx(1)
    assert cubeless(CHANCES, Stakes(), 0) == pytest.approx(-cubeless(mirrored(CHANCES), Stakes(), 1))


def test_batches_of_any_shape_are_valued_one_by_one():
    batch = np.random.default_rng(1).dirichlet(np.ones(6), (2, 3)).astype(np.float32)
    table, stakes = table_of("backgammon"), Stakes(5, (1, 3))
    values = cubeless(batch, stakes, 1, table)
    assert values.shape == (2, 3)
    assert values[1, 2] == pytest.approx(float(cubeless(batch[1, 2], stakes, 1, table)))


def test_values_a_cube_are_one_for_a_single_win_and_minus_one_for_a_single_loss():
    table = table_of("backgammon")
    assert per_cube(3.0, Stakes(0, (0, 0), 4, 0), 0) == 0.75
    stakes = Stakes(7, (4, 2), 2, 1)
    assert per_cube(worths(stakes, 1, table), stakes, 1, table)[[2, 3]] == pytest.approx([-1, 1])


def test_worths_cannot_be_changed_by_who_reads_them():
    with pytest.raises(ValueError):
        worths(Stakes(), 0)[0] = 7


@pytest.mark.parametrize(
    "chances, said",
    [
        (np.ones(5) / 5, r"shape \(5,\)"),
        (0.5, r"shape \(\)"),
        (np.ones(6), "sum to 6 … 6"),
        ([-0.5, 0.5, 0.5, 0.5, 0, 0], "each must be 0 or more"),
        ([np.nan] * 6, "sum to nan"),
    ],
)
def test_what_is_no_distribution_is_refused(chances, said):
    with pytest.raises(MatchError, match=said):
        cubeless(chances, Stakes(), 0)


def test_a_match_without_a_table_is_refused():
    with pytest.raises(MatchError, match="a match to 5 needs a match equity table"):
        worths(Stakes(5), 0)
