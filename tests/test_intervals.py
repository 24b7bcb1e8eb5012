"""Wilson's interval agrees with published ones, and says so when it is asked for nonsense."""

import math

import pytest

from sparring.errors import MatchError
from sparring.intervals import wilson


@pytest.mark.parametrize(("points", "low", "high"), [(196, 0.441, 0.539), (277, 0.646, 0.736)])
def test_wilson_gives_the_published_intervals(points, low, high):
    assert wilson(points, 400) == pytest.approx((low, high), abs=5e-4)


def test_wilson_ends_are_where_the_score_test_just_rejects():
    low, high = wilson(7.5, 20, confidence=0.9)
    for end in (low, high):
        assert abs(7.5 / 20 - end) / math.sqrt(end * (1 - end) / 20) == pytest.approx(1.6448536, abs=1e-6)


def test_wilson_of_a_match_won_by_all_ends_exactly_at_one():
    for games in (1, 3, 7, 49, 1000):
        assert wilson(games, games)[1] == 1.0
        assert wilson(0, games)[0] == 0.0
        assert 0 < wilson(games, games)[0] < 1


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ((0, 0), "games is 0"),
        ((5, 4), "points is 5"),
        ((-1, 4), "points is -1"),
        ((1, 4, 95), "confidence is 95"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_value(asked, named):
    with pytest.raises(MatchError, match=named):
        wilson(*asked)
