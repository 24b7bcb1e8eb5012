"""Ratings of many players: closed forms, simulated truths, and the cases in which the plain maximum is infinite."""

import itertools
import math
import random
import time

import numpy as np
import pytest

from sparring.arena.ratings import rate
from sparring.arena.stats import elo_of
from sparring.errors import MatchError


def by_name(rows):
    return {row.name: row for row in rows}


def expected(gap):
    return 1 / (1 + 10 ** (-gap / 400))


def test_two_players_are_apart_by_the_elo_of_their_score():
    rows = by_name(rate([("new", "old", 70, 100)], anchor="old"))
    assert rows["new"].elo == pytest.approx(elo_of(0.7), abs=1e-6)
    assert (rows["new"].points, rows["new"].games, rows["old"].points) == (70, 100, 30)
    # The Fisher information of a score s over n games is n s (1 - s) in nats.
    reach = 1.959964 * 400 / math.log(10) / math.sqrt(100 * 0.7 * 0.3)
    assert rows["new"].high - rows["new"].elo == pytest.approx(reach, rel=1e-6)
    assert rows["new"].elo - rows["new"].low == pytest.approx(reach, rel=1e-6)
    assert not rows["new"].open_ended


def test_anchor_stands_at_its_number_and_moves_all_others_with_it():
    results = [("a", "b", 6, 10), ("b", "c", 7, 10)]
    at_zero, at_1500 = by_name(rate(results, anchor="c")), by_name(rate(results, anchor="c", anchor_elo=1500))
    assert at_zero["c"].elo == at_zero["c"].low == at_zero["c"].high == 0
    for name in "abc":
        assert at_1500[name].elo == pytest.approx(at_zero[name].elo + 1500)


def test_chain_of_players_adds_up_gaps_and_variances():
    rows = by_name(rate([("a", "b", 6, 10), ("b", "c", 15, 20)], anchor="c"))
    assert rows["a"].elo == pytest.approx(elo_of(0.6) + elo_of(0.75), abs=1e-6)
    variance = 1 / (10 * 0.6 * 0.4) + 1 / (20 * 0.75 * 0.25)
    assert rows["a"].high - rows["a"].elo == pytest.approx(1.959964 * 400 / math.log(10) * math.sqrt(variance))


def test_everyones_expected_points_equal_the_points_made():
    generator = random.Random(2)
    results = [(a, b, generator.randint(1, 19) / 2, 10) for a, b in itertools.combinations("abcdefg", 2)]
    rows = by_name(rate(results))
    for name in "abcdefg":
        points = sum(
            games * expected(rows[name].elo - rows[b if name == a else a].elo)
            for a, b, _, games in results
            if name in (a, b)
        )
        assert points == pytest.approx(rows[name].points, abs=1e-6)


def simulate(generator, truth, games, pairs):
    return [
        (f"p{i}", f"p{j}", float(generator.binomial(games, expected(truth[i] - truth[j]))), games) for i, j in pairs
    ]


def test_intervals_hold_the_simulated_truth_about_as_often_as_they_say():
    generator = np.random.default_rng(7)
    inside = total = 0
    for _ in range(60):
        truth = generator.normal(0, 150, 8)
        rows = rate(simulate(generator, truth, 30, itertools.combinations(range(8), 2)), anchor="p0")
        for row in rows:
            if row.name != "p0":
                true = truth[int(row.name[1:])] - truth[0]
                inside += row.low <= true <= row.high
                total += 1
    assert 0.92 <= inside / total <= 0.98


def test_order_and_direction_of_results_change_nothing():
    generator = random.Random(4)
    results = [(a, b, generator.randint(0, 20) / 2, 10) for a, b in itertools.combinations("abcdefgh", 2)]
    before = rate(results)
    turned = [(b, a, games - points, games) if generator.random() < 0.5 else (a, b, points, games)
              for a, b, points, games in results]  # fmt: skip
    generator.shuffle(turned)
    assert rate(turned) == before


def test_split_results_of_two_players_add_up():
    whole = rate([("a", "b", 7, 10), ("b", "c", 5, 10)])
    split = rate([("a", "b", 4, 5), ("b", "c", 5, 10), ("b", "a", 2, 5), ("a", "b", 0, 0), ("a", "a", 3, 6)])
    assert split == whole


def test_rows_come_best_first_and_the_busiest_player_is_the_anchor_by_default():
    rows = rate([("weak", "middle", 2, 10), ("middle", "strong", 3, 10)])
    assert [row.name for row in rows] == ["strong", "middle", "weak"]
    assert rows[1].elo == 0


def test_player_who_won_everything_gets_a_finite_rating_and_is_marked():
    rows = by_name(rate([("champion", "a", 20, 20), ("a", "b", 12, 20)], anchor="a"))
    champion = rows["champion"]
    assert math.isfinite(champion.elo) and champion.elo > elo_of(19 / 20)
    assert champion.open_ended
    assert champion.high > champion.elo > champion.low
    # The players who did take points off each other stay at the plain maximum.
    assert rows["b"].elo == pytest.approx(elo_of(0.4), abs=1e-6)
    assert not rows["b"].open_ended


def test_two_players_at_n_to_nothing_stand_as_at_n_and_a_half_to_one_half():
    row = by_name(rate([("a", "b", 10, 10)], anchor="b"))["a"]
    assert row.elo == pytest.approx(elo_of(10.5 / 11), abs=1e-6)


def test_winning_everything_rates_higher_than_winning_all_but_half_a_point():
    for games in (1, 2, 10, 1000):
        all_won = by_name(rate([("a", "b", games, games)], anchor="b"))["a"].elo
        almost = by_name(rate([("a", "b", games - 0.5, games)], anchor="b"))["a"].elo
        assert all_won > almost


def test_long_ladder_of_whitewashes_converges():
    results = [(f"p{i:03}", f"p{i + 1:03}", 10_000, 10_000) for i in range(120)]
    rows = rate(results, anchor="p120")
    assert [row.name for row in rows] == [f"p{i:03}" for i in range(121)]
    assert all(math.isfinite(row.high) for row in rows)
    gaps = np.diff([row.elo for row in rows])
    # Inner links are all alike: each is held by the same virtual draws.
    assert np.ptp(gaps[1:-1]) < 1e-3


def test_groups_that_never_met_are_rated_apart_and_say_so():
    rows = rate([("a", "b", 6, 10), ("x", "y", 9, 10), ("y", "z", 5, 10)], anchor="a", anchor_elo=100)
    groups = {row.name: row.group for row in rows}
    assert groups == {"a": 0, "b": 0, "x": 1, "y": 1, "z": 1}
    assert by_name(rows)["a"].elo == 100
    assert by_name(rows)["y"].elo == 100
    assert by_name(rows)["x"].elo == pytest.approx(100 + elo_of(0.9), abs=1e-6)
    assert [row.group for row in rows] == [0, 0, 1, 1, 1]


def test_largest_group_comes_first_without_an_anchor():
    rows = rate([("a", "b", 6, 10), ("x", "y", 9, 10), ("y", "z", 5, 10)])
    assert {row.name for row in rows if row.group == 0} == {"x", "y", "z"}


def test_no_results_are_no_rows():
    assert rate([]) == []


def test_hundreds_of_players_take_seconds_at_most():
    generator = np.random.default_rng(0)
    truth = generator.normal(0, 300, 300)
    pairs = [(i, int(j)) for i in range(300) for j in generator.choice(300, 10, replace=False) if i != j]
    began = time.perf_counter()
    rows = rate(simulate(generator, truth, 20, pairs), anchor="p0")
    assert time.perf_counter() - began < 10
    assert len(rows) == 300
    rated = [next(row.elo for row in rows if row.name == f"p{i}") for i in range(300)]
    assert np.corrcoef(rated, truth)[0, 1] > 0.98


@pytest.mark.parametrize(
    ("results", "anchor", "named"),
    [
        ([("a", "b", 5, -1)], None, "games of a against b is -1"),
        ([("a", "b", 5, 4)], None, "points of a against b is 5"),
        ([("a", "b", -1, 4)], None, "points of a against b is -1"),
        ([("a", "b", 1, 4)], "c", "'c'"),
        ([("a", "b", math.nan, 4)], None, "is nan"),
    ],
)
def test_results_that_make_no_sense_are_named(results, anchor, named):
    with pytest.raises(MatchError) as caught:
        rate(results, anchor)
    assert named in str(caught.value)


def test_confidence_widens_the_interval():
    wide, narrow = (by_name(rate([("a", "b", 6, 10)], "b", confidence=c))["a"] for c in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.elo < narrow.high < wide.high
    with pytest.raises(MatchError, match="confidence is 95"):
        rate([("a", "b", 6, 10)], confidence=95)
