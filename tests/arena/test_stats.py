"""Statistics of matches agree with published results and known tables, and say so when they cannot."""

import math
import random

import numpy as np
import pytest

from sparring.arena.stats import (
    Decision,
    GameCounts,
    PairCounts,
    describe,
    elo_of,
    estimate_elo,
    likeliest,
    score_interval,
    sprt,
    student_t,
    superiority,
)
from sparring.errors import MatchError
from sparring.intervals import wilson

# Pairs, win-win first, and what engine testers published for them with bounds 0 and 3 normalised Elo.
PUBLISHED = [
    ((538, 2981, 5186, 2822, 475), "2.95", "4.13", "2.82", Decision.ACCEPT_H1),
    ((42, 1031, 2401, 1159, 59), "-3.01", "-6.00", "3.69", Decision.ACCEPT_H0),
    ((9, 1271, 2791, 1388, 26), "-2.99", "-4.78", "3.28", Decision.ACCEPT_H0),
    ((2, 245, 545, 234, 0), None, "2.54", "7.33", Decision.CONTINUE),
]


@pytest.mark.parametrize(("pairs", "llr", "elo", "error", "decision"), PUBLISHED)
def test_published_results_are_reproduced_to_the_printed_digit(pairs, llr, elo, error, decision):
    counts = PairCounts(*reversed(pairs))
    test = sprt(counts, 0, 3)
    estimate = estimate_elo(counts)
    assert llr is None or f"{test.llr:.2f}" == llr
    assert (f"{estimate.elo:.2f}", f"{estimate.error:.2f}") == (elo, error)
    assert test.decision == decision


# Two-sided 95 % and one-sided 99.9 % columns of printed tables of Student's t, to more digits.
QUANTILES = [
    (0.975, 1, 12.7062047),
    (0.975, 2, 4.3026527),
    (0.975, 3, 3.1824463),
    (0.975, 10, 2.2281389),
    (0.975, 30, 2.0422725),
    (0.975, 120, 1.9799304),
    (0.999, 1, 318.3088390),
    (0.999, 5, 5.8934295),
    (0.75, 1, 1.0),
    (0.975, 10**9, 1.9599640),
]


@pytest.mark.parametrize(("probability", "freedom", "quantile"), QUANTILES)
def test_student_quantiles_match_printed_tables(probability, freedom, quantile):
    assert student_t(probability, freedom) == pytest.approx(quantile, rel=1e-6)
    assert student_t(1 - probability, freedom) == pytest.approx(-quantile, rel=1e-6)


def test_student_quantiles_of_two_degrees_follow_their_closed_form():
    for p in (0.5, 0.6, 0.9, 0.99, 0.99999):
        closed = (2 * p - 1) / math.sqrt(2 * p * (1 - p))
        assert student_t(p, 2) == pytest.approx(closed, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 7, 64, 199, 200, 201, 350])
def test_student_quantiles_cut_off_their_share_of_the_integrated_density(freedom):
    for p in (0.55, 0.8, 0.975, 0.999):
        t = np.linspace(0, student_t(p, freedom), 200_001)
        scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
        density = scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)
        share = (density.sum() - (density[0] + density[-1]) / 2) * t[1]
        # An error of 1e-6 in the quantile is one of 1e-6 times the density in its share.
        assert share == pytest.approx(p - 0.5, abs=1e-7 * density[-1] + 1e-10)


def test_pair_counts_hold_what_the_pairs_scored():
    counts = PairCounts.of([0, 0.25, 0.25, 0.5, 0.75, 1, 1, 1])
    assert counts == PairCounts(ll=1, ld=2, even=1, wd=1, ww=3)
    assert (counts.pairs, counts.games, counts.points) == (8, 16, 9.5)
    assert counts.mean == pytest.approx(np.mean([0, 0.25, 0.25, 0.5, 0.75, 1, 1, 1]))
    assert counts.deviation == pytest.approx(np.std([0, 0.25, 0.25, 0.5, 0.75, 1, 1, 1]))


def test_game_counts_hold_what_the_games_scored():
    counts = GameCounts(wins=5, draws=3, losses=2)
    assert (counts.games, counts.points, counts.mean) == (10, 6.5, 0.65)
    assert counts.deviation == pytest.approx(np.std([1] * 5 + [0.5] * 3 + [0] * 2))


def test_counts_of_a_kind_add_up_and_kinds_do_not_mix():
    assert PairCounts(1, 2, 3, 4, 5) + PairCounts(5, 4, 3, 2, 1) == PairCounts(6, 6, 6, 6, 6)
    with pytest.raises(TypeError):
        PairCounts(ww=1) + GameCounts(wins=1)


def test_counts_made_of_numpy_integers_become_plain_ones():
    counts = GameCounts(*np.array([1, 2, 3]))
    assert [type(n) for n in counts.cells] == [int, int, int]


def test_elo_of_a_score_has_its_known_values():
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.64) == pytest.approx(99.95, abs=0.01)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_elo_interval_is_the_one_of_students_t_over_pairs():
    counts = PairCounts(1, 1, 3, 2, 3)
    reach = 2.2621572 * counts.deviation / math.sqrt(10)
    estimate = estimate_elo(counts)
    assert estimate.low == pytest.approx(elo_of(counts.mean - reach), abs=1e-4)
    assert estimate.high == pytest.approx(elo_of(counts.mean + reach), abs=1e-4)
    assert estimate.error == pytest.approx((estimate.high - estimate.low) / 2)


def test_elo_interval_is_infinite_where_it_passes_one_or_zero():
    strong, weak = estimate_elo(PairCounts(wd=1, ww=2)), estimate_elo(PairCounts(ll=2, ld=1))
    assert strong.high == math.inf and math.isfinite(strong.low)
    assert weak.low == -math.inf and math.isfinite(weak.high)


@pytest.mark.parametrize(
    "counts", [PairCounts(ww=3), PairCounts(ll=1), PairCounts(even=40), PairCounts(wd=1), GameCounts(draws=2)]
)
def test_scores_without_spread_still_get_an_interval_of_some_width(counts):
    low, high = score_interval(counts)
    assert (low, high) == wilson(counts.mean * counts.units, counts.units)
    assert high - low > 0.1
    estimate = estimate_elo(counts)
    assert estimate.low < estimate.high and estimate.low <= estimate.elo <= estimate.high


def test_interval_covers_the_true_score_about_as_often_as_it_says():
    generator = np.random.default_rng(5)
    chances = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    true = float(chances @ [0, 0.25, 0.5, 0.75, 1])
    inside = 0
    for cells in generator.multinomial(60, chances, size=5000):
        low, high = score_interval(PairCounts(*cells))
        inside += low <= true <= high
    assert 0.94 <= inside / 5000 <= 0.96


def test_superiority_is_half_for_an_even_match_and_mirrors():
    assert superiority(PairCounts(1, 2, 3, 2, 1)) == pytest.approx(0.5)
    ahead, behind = superiority(PairCounts(1, 2, 3, 3, 2)), superiority(PairCounts(2, 3, 3, 2, 1))
    assert ahead > 0.5 and ahead + behind == pytest.approx(1)


def test_superiority_without_spread_is_neither_sure_nor_undefined():
    assert superiority(PairCounts(even=5)) == 0.5
    # One standard deviation above one half: the normal distribution's 84.1 %.
    assert superiority(GameCounts(wins=1)) == pytest.approx(0.8413447)


def test_likeliest_distribution_satisfies_its_constraint_and_no_other_one_is_likelier():
    seen = [(0.0, 0.1), (0.25, 0.15), (0.5, 0.3), (0.75, 0.25), (1.0, 0.2)]
    scores = np.array([score for score, _ in seen])
    weights = np.array([p for _, p in seen])

    def t_of(p):
        mean = p @ scores
        return (mean - 0.5) / math.sqrt(p @ (scores - mean) ** 2)

    best = np.array([p for _, p in likeliest(seen, 0.05)])
    assert best.sum() == pytest.approx(1)
    assert t_of(best) == pytest.approx(0.05, abs=1e-8)
    generator = np.random.default_rng(1)
    for _ in range(200):
        # A random direction bent back onto the constraint by a shift of weight from the worst to the best score.
        other = best * np.exp(generator.normal(0, 0.1, 5))
        other /= other.sum()
        low, high = -other[4], other[0]
        for _ in range(60):
            shift = (low + high) / 2
            moved = other + shift * np.array([-1, 0, 0, 0, 1])
            low, high = (shift, high) if t_of(moved) < 0.05 else (low, shift)
        assert weights @ np.log(moved) < weights @ np.log(best) + 1e-9


def test_sprt_mirrors_when_the_players_swap():
    cells = (10, 40, 90, 60, 20)
    here, there = sprt(PairCounts(*cells), -3, 8), sprt(PairCounts(*cells[::-1]), -8, 3)
    assert here.llr == pytest.approx(-there.llr)


def test_sprt_of_unpaired_games_is_near_the_normal_approximation():
    counts = GameCounts(wins=5200, draws=5000, losses=4800)
    t = (counts.mean - 0.5) / counts.deviation
    t0, t1 = (elo * math.log(10) / 800 for elo in (0, 5))
    assert sprt(counts, 0, 5).llr == pytest.approx(counts.games * (t1 - t0) * (t - (t0 + t1) / 2), rel=0.02)


def test_sprt_bounds_are_walds():
    test = sprt(PairCounts(1, 1, 1, 1, 1), 0, 3)
    assert (test.lower, test.upper) == pytest.approx((-2.944439, 2.944439))
    test = sprt(PairCounts(1, 1, 1, 1, 1), 0, 3, alpha=0.01, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))
    assert test.decision == "continue"


def test_sprt_answers_on_the_first_pair_and_on_lopsided_matches():
    for cells in [(0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (0, 0, 0, 0, 10**6), (0, 0, 10**6, 0, 0), (1, 0, 10**6, 0, 0)]:
        for bounds in [(0, 3), (-5, 0), (-200, 200), (100, 200)]:
            assert math.isfinite(sprt(PairCounts(*cells), *bounds).llr)
    assert sprt(PairCounts(ww=1), 0, 3).decision == Decision.CONTINUE
    assert sprt(PairCounts(ww=500), 0, 3).decision == Decision.ACCEPT_H1


def test_sprt_counts_an_empty_cell_as_a_thousandth():
    for bounds in [(0, 3), (-10, 40)]:
        with_empty = sprt(PairCounts(0, 2, 3, 1, 1), *bounds)
        thousandfold = sprt(PairCounts(1, 2000, 3000, 1000, 1000), *bounds)
        assert with_empty.llr == pytest.approx(thousandfold.llr / 1000, rel=1e-6)


def test_sprt_errs_no_more_often_than_alpha():
    generator = random.Random(3)
    false_alarms = 0
    for _ in range(60):
        counts = PairCounts()
        while True:
            counts += PairCounts.of(generator.choices((0, 0.25, 0.5, 0.75, 1), (1, 4, 6, 4, 1), k=50))
            decision = sprt(counts, 0, 60).decision
            if decision != Decision.CONTINUE:
                break
        false_alarms += decision == Decision.ACCEPT_H1
    # With an error of 5 %, more than 8 of 60 happens once in a thousand.
    assert false_alarms <= 8


def test_describe_puts_a_match_on_one_line():
    assert describe(GameCounts(52, 18, 30)) == ("Score 0.610 (W 52 D 18 L 30), Elo +77.7 [+15.9, +144.8], LOS 99.4%")
    assert describe(PairCounts(ww=3)) == (
        "Score 1.000 (WW 3 WD 0 DD/WL 0 LD 0 LL 0), Elo +inf [-42.9, +inf], LOS 95.8%"
    )


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: PairCounts(ll=-3), "ll is -3"),
        (lambda: GameCounts(wins=1.5), "wins is 1.5"),
        (lambda: PairCounts.of([0.5, 0.3]), "0.3"),
        (lambda: elo_of(1.2), "score is 1.2"),
        (lambda: estimate_elo(PairCounts()), "games is 0"),
        (lambda: GameCounts().mean, "games is 0"),
        (lambda: superiority(GameCounts()), "games is 0"),
        (lambda: sprt(PairCounts(), 0, 3), "games is 0"),
        (lambda: sprt(PairCounts(ww=1), 3, 3), "elo0 is 3"),
        (lambda: sprt(PairCounts(ww=1), 0, 300), "elo1 is 300"),
        (lambda: sprt(PairCounts(ww=1), 0, 3, alpha=0), "alpha is 0"),
        (lambda: sprt(PairCounts(ww=1), 0, 3, beta=0.96), "beta is 0.96"),
        (lambda: likeliest([(0.0, 0.5), (1.0, 0.5)], 5.0), "t is 5"),
        (lambda: student_t(0.975, 0), "0 degrees"),
        (lambda: student_t(1.0, 3), "probability 1.0"),
    ],
)
def test_numbers_that_make_no_sense_are_named(call, named):
    with pytest.raises(MatchError) as caught:
        call()
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
