"""Points a game: their mean, error and interval from sums are those of the values, and they belong to some games."""

import math
import statistics

import numpy as np
import pytest

from sparring.arena.points import Points, in_points
from sparring.arena.stats import student_t
from sparring.errors import MatchError
from sparring.games.game import load

VALUES = [-3, 0.5, 2, 1, -1, 1.5, 0, 2]


def test_mean_and_error_follow_the_textbook():
    points = Points.of([1, 2, 3, 6])
    assert (points.mean, points.error) == pytest.approx((3, math.sqrt(14 / 3 / 4)))
    points = Points.of(VALUES)
    assert points.mean == pytest.approx(statistics.mean(VALUES))
    assert points.error == pytest.approx(statistics.stdev(VALUES) / math.sqrt(len(VALUES)))


def test_sums_of_parts_are_the_sum_of_the_whole():
    assert Points.of(VALUES[:3]) + Points.of(VALUES[3:]) + Points() == Points.of(VALUES)


def test_the_interval_is_student_s():
    points = Points.of(VALUES)
    low, high = points.interval()
    assert (low + high) / 2 == pytest.approx(points.mean)
    assert (high - low) / 2 == pytest.approx(student_t(0.975, len(VALUES) - 1) * points.error)


def test_the_interval_holds_the_mean_in_as_many_cases_as_it_says():
    random = np.random.default_rng(3)
    samples = random.choice([-3, -2, -1, 1, 2, 3], (2000, 12), p=[0.01, 0.1, 0.39, 0.37, 0.12, 0.01])
    true = float(np.dot([-3, -2, -1, 1, 2, 3], [0.01, 0.1, 0.39, 0.37, 0.12, 0.01]))
    held = [low <= true <= high for low, high in (Points.of(sample).interval() for sample in samples)]
    assert 0.93 < np.mean(held) < 0.97


def test_a_single_pair_shows_no_spread():
    points = Points.of([-2.0])
    assert (points.mean, points.error, points.interval()) == (-2, math.inf, (-math.inf, math.inf))
    assert str(points) == "-2.000 points a game; one pair does not show how sure that is"


def test_there_is_no_mean_of_nothing():
    with pytest.raises(MatchError, match="there are 0 games; a mean needs at least one"):
        _ = Points().mean


def test_it_reads_as_mean_interval_and_error():
    assert str(Points.of([0.5, 1.5] * 50)) == "+1.000 points a game [+0.900, +1.100], standard error 0.050"


@pytest.mark.parametrize(("name", "points"), [("backgammon", True), ("tic-tac-toe", False), ("pig", False)])
def test_a_game_is_for_points_if_it_is_won_by_more_than_one_number_of_them(name, points):
    assert in_points(load(name)) is points
