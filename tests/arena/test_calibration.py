"""What a net foresees against what comes: bins, gaps, and errors that know how few games there were."""

import dataclasses
import math
from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena import calibration
from sparring.arena.calibration import Bin, Calibration, Forecaster, Question, gather, measure, questions, verdict
from sparring.errors import MatchError, WeightsError
from sparring.games.game import load
from sparring.nets.weights import Net

CHANCE_TO_WIN = Question("win", np.array([[0.0, 1.0], [0.0, 1.0]]))


def chances(*wins):
    """Distributions over lost and won."""
    return np.array([[1 - win, win] for win in wins], np.float32)


def test_a_case_by_hand():
    """Two games of three positions. In the lower bin .1 and .2 were foreseen and a loss came; and .3, and a win."""
    first = np.array([0, 0, 0], np.uint8), chances(0.1, 0.2, 0.8), 0
    second = np.array([0, 0, 0], np.uint8), chances(0.3, 0.6, 0.7), 1
    found = measure(gather([first, second], 2), CHANCE_TO_WIN, bins=2)
    low, high = found.bins
    assert (low.positions, low.games, high.positions, high.games) == (3, 2, 3, 2)
    assert (low.predicted, low.observed) == (pytest.approx(0.2), pytest.approx(1 / 3))
    assert (high.predicted, high.observed) == (pytest.approx(0.7), pytest.approx(2 / 3))
    gap = 0.4 / 3  # game 1 is off by -.3 in two positions, game 2 by +.7 in one
    assert low.gap == pytest.approx(gap)
    over_games = math.sqrt(2 * ((-0.3 - 2 * gap) ** 2 + (0.7 - gap) ** 2)) / 3
    assert low.error == pytest.approx(math.hypot(over_games, 1 / 2))
    assert found.whole.gap == pytest.approx(3 / 6 - 2.7 / 6)


def test_who_has_just_played_sees_the_end_with_his_own_eyes():
    seen = gather([(np.array([0, 1], np.uint8), chances(0.9, 0.1), 1)], 2)
    assert seen.ends.tolist() == [1, 0], "player 0 won: the other one lost"
    found = measure(seen, CHANCE_TO_WIN, bins=2)
    assert [(b.predicted, b.observed) for b in found.bins] == [(pytest.approx(0.1), 0), (pytest.approx(0.9), 1)]


def test_points_are_asked_for_where_games_are_won_by_points():
    assert [q.name for q in questions(load("pig"))] == ["win"]
    asked = {q.name: q for q in questions(load("backgammon"))}
    lost = ["lose by 2 or more", "lose by 3"]
    assert list(asked) == ["win", "win by 2 or more", "win by 3", *lost, "points a game"]
    assert asked["win"].worths[0].tolist() == [0, 0, 0, 1, 1, 1]
    assert asked["win by 2 or more"].worths[1].tolist() == [0, 0, 0, 0, 1, 1]
    assert asked["lose by 3"].worths[0].tolist() == [1, 0, 0, 0, 0, 0]
    assert asked["points a game"].worths[1].tolist() == [-3, -2, -1, 1, 2, 3]
    assert [q.name for q in asked.values() if not q.chance] == ["points a game"]


def test_where_sides_win_unlike_points_each_player_is_asked_as_he_sees_it():
    uneven = SimpleNamespace(RESULTS=(-1.0, 0.0, 2.0))
    asked = {q.name: q.worths.tolist() for q in questions(uneven)}
    assert asked["win"] == [[0, 0, 1], [0, 0, 1]]
    assert asked["win by 2"] == [[0, 0, 1], [0, 0, 0]]
    assert asked["lose by 2"] == [[0, 0, 0], [1, 0, 0]]
    assert asked["draw"] == [[0, 1, 0], [0, 1, 0]]


def test_bins_hold_equally_many_positions_and_equal_forecasts_stay_together():
    values = np.random.default_rng(1).permutation(1000) / 1000
    assert np.bincount(calibration.binned(values, 10)).tolist() == [100] * 10
    assert calibration.binned(np.array([0.5, 0.1, 0.5, 0.5, 0.9, 0.5]), 3).tolist() == [1, 0, 1, 1, 1, 1]
    assert calibration.binned(np.full(50, 0.3), 10).tolist() == [0] * 50


def slow_error(where, number, predicted, observed):
    """Of each bin, game by game: the spread of what games add to the gap, beyond what the mean gap would have."""
    errors = []
    for at in range(where.max() + 1):
        games = {int(g) for g, w in zip(number, where, strict=True) if w == at}
        places = {g: [i for i in range(len(where)) if where[i] == at and number[i] == g] for g in games}
        n = sum(map(len, places.values()))
        gap = sum(observed[i] - predicted[i] for own in places.values() for i in own) / n
        off = [sum(observed[i] - predicted[i] - gap for i in own) for own in places.values()]
        spread = math.sqrt(len(games) / (len(games) - 1) * sum(x * x for x in off)) / n
        errors.append(math.sqrt(spread**2 + (1 / len(games)) ** 2))
    return errors


def test_errors_are_those_of_the_slow_way():
    random = np.random.default_rng(2)
    where, number = random.integers(0, 3, 300), np.sort(random.integers(0, 20, 300))
    predicted, observed = random.random(300), random.integers(0, 2, 300).astype(float)
    found = calibration.tally(where, number, predicted, observed)
    assert [b.error for b in found] == pytest.approx(slow_error(where, number, predicted, observed))


def test_a_game_seen_many_times_over_is_no_surer():
    eyes, end = np.zeros(1, np.uint8), [0, 1, 1, 0, 1]
    once = gather([(eyes, chances(0.5), e) for e in end], 2)
    often = gather([(np.repeat(eyes, 40), chances(*[0.5] * 40), e) for e in end], 2)
    few, many = (measure(seen, CHANCE_TO_WIN).whole for seen in (once, often))
    assert many.positions == 40 * few.positions
    assert many.error == pytest.approx(few.error)
    assert few.error == pytest.approx(math.hypot(np.std(end, ddof=1) / math.sqrt(5), 1 / 5))


def test_what_is_rare_and_did_not_come_is_not_ruled_out():
    """Ten games that were to be won in one of a hundred were all lost."""
    lost = [(np.zeros(3, np.uint8), chances(0.01, 0.01, 0.01), 0)] * 10
    found = measure(gather(lost, 2), CHANCE_TO_WIN).whole
    assert found.gap == pytest.approx(-0.01)
    assert found.error == pytest.approx(1 / 10)


def test_errors_tell_how_much_gaps_scatter():
    """400 times 60 games whose chance is their own and whose positions all know it: honest forecasts of one end."""
    random, gaps, errors = np.random.default_rng(3), [], []
    for _ in range(400):
        wins = random.random(60)
        lengths, ends = random.integers(1, 30, 60), (random.random(60) < wins).astype(int)
        games = [(np.zeros(n, np.uint8), chances(*[win] * n), e) for n, win, e in zip(lengths, wins, ends, strict=True)]
        whole = measure(gather(games, 2), CHANCE_TO_WIN).whole
        gaps.append(whole.gap)
        errors.append(whole.error)
    assert np.mean(gaps) == pytest.approx(0, abs=3 * np.std(gaps) / 20)
    assert np.mean(errors) == pytest.approx(np.std(gaps), rel=0.1)


def test_one_game_shows_no_spread():
    found = measure(gather([(np.zeros(3, np.uint8), chances(0.2, 0.3, 0.4), 1)], 2), CHANCE_TO_WIN)
    assert found.whole.error == found.whole.reach == math.inf


def test_the_verdict_counts_gaps_beyond_two_points_of_percent_and_those_for_sure():
    bins = (Bin(500, 400, 0.1, 0.115, 0.001), Bin(500, 400, 0.3, 0.335, 0.01), Bin(500, 400, 0.6, 0.57, 0.002))
    points = Calibration(Question("points a game", np.zeros((2, 2)), chance=False), (Bin(9, 9, 0, 2, 0.1),), bins[0])
    told = verdict([Calibration(CHANCE_TO_WIN, bins, bins[0]), points])
    assert (told.beyond, told.surely, told.of) == (2, 1, 3)
    assert (told.question.name, told.at, told.largest) == ("win", 1, bins[1])


def steady(sureness):
    """A net for Pig that would rather hold; how sure it is of who will win is up to `sureness`."""
    see = np.array([[1.0], [-1.0], [0.8], [-0.8]], np.float32) * sureness
    layers = ((np.hstack([-see, see]), np.zeros(2, np.float32)), (np.eye(2, dtype=np.float32), np.zeros(2, np.float32)))
    return Net("pig", 1, "results", layers, {}, "leaky")


def forecasts(net, games=300, threads=1):
    return Forecaster(load("pig"), net, threads).play(games, seed=4)


@pytest.mark.compiled
def test_the_same_games_are_foreseen_whatever_the_threads():
    one, two = (dataclasses.asdict(forecasts(steady(3), 20, threads)) for threads in (1, 2))
    for name, values in one.items():
        assert np.array_equal(values, two[name]), name
    assert (one["played"], one["number"].max()) == (20, 19)


@pytest.mark.compiled
def test_what_is_over_is_no_forecast():
    seen = forecasts(steady(3), 20)
    np.testing.assert_allclose(seen.chances.sum(1), 1, atol=1e-6)
    assert seen.chances.max() < 1
    won = np.where(seen.eyes == 0, seen.ends, 1 - seen.ends)
    assert [len({*won[seen.number == game]}) for game in range(20)] == [1] * 20, "a game has one end"


@pytest.mark.compiled
def test_a_net_that_is_too_sure_is_told_so():
    """Both nets play alike, for they like the same turns; the second one only says so louder."""
    told = {sureness: verdict([measure(forecasts(steady(sureness)), CHANCE_TO_WIN)]) for sureness in (14, 80)}
    sound, loud = told[14], told[80]
    assert loud.surely > sound.surely
    assert abs(loud.largest.gap) > 0.2 > 2 * abs(sound.largest.gap)
    own = measure(forecasts(steady(80)), CHANCE_TO_WIN).bins
    assert own[2].gap > 0 > own[-3].gap, "what it gave up was won, and what it was sure of was lost"


def test_too_few_games_and_games_without_an_end_are_one_clear_line(monkeypatch):
    with pytest.raises(MatchError, match="games is 1, but at least 2 are needed"):
        forecasts(steady(3), 1)
    monkeypatch.setattr(calibration, "LONGEST", 3)
    with pytest.raises(MatchError, match="2 of 2 games were cut off after 3 turns; 2 must end"):
        forecasts(steady(3), 2)


def test_a_game_without_dice_or_a_net_without_chances_cannot_be_measured():
    with pytest.raises(MatchError, match="tic_tac_toe has no dice"):
        Forecaster(load("tic-tac-toe"), steady(3))
    with pytest.raises(WeightsError, match="mine has a 'tanh' head"):
        Forecaster(load("pig"), dataclasses.replace(steady(3), head="tanh"), where="mine")
