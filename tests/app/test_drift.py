"""Warnings about a run: told where the measurements say so surely, and not where they only scatter."""

import numpy as np
import pytest

from sparring.app.drift import drifted, levelled_off, together, warnings
from sparring.intervals import wilson


def measured(score, games=400):
    low, high = wilson(score * games, games)
    return {"score": score, "low": low, "high": high, "games": games}


def row(games, teacher=None, clone=None, alphabeta=None, **more):
    named = {"teacher_greedy": teacher, "clone_greedy": clone, "match_alphabeta": alphabeta}
    return {"games": games, **{n: measured(s) for n, s in named.items() if s is not None}, **more}


def test_a_learner_that_beats_itself_and_loses_to_the_teacher_drifts():
    (line,) = warnings([row(640, 0.70, 0.60), row(1280, 0.55, 0.80)])
    assert line == (
        "drift: 55.0 % against the teacher after 70.0 % at 640 games, "
        "but 80.0 % against the clone after 60.0 %: it learns to beat itself"
    )


def test_drift_is_seen_against_the_best_measurement_not_only_the_one_before():
    rows = [row(0, 0.50), row(640, 0.72), row(1280, 0.66), row(1920, 0.60)]
    assert warnings(rows)[0].startswith("drift: 60.0 % against the teacher after 72.0 % at 640 games")


def test_a_champion_promoted_over_itself_that_alphabeta_beats_more_often_drifts():
    rows = [row(640, alphabeta=0.5, promotions=1), row(1280, promotions=2), row(9000, alphabeta=0.3, promotions=4)]
    (line,) = warnings(rows)
    assert "30.0 % against alpha-beta after 50.0 % at 640 games, but promoted 3 times since" in line


def test_a_fall_within_the_intervals_is_no_drift():
    assert warnings([row(640, 0.70, 0.60), row(1280, 0.65, 0.80)]) == []


def test_the_best_of_many_measurements_is_no_measure_of_a_fall():
    """57 % after 66 % is sure with one measurement before it, and not with fifty, of which the luckiest is taken."""
    rows = [row(640, 0.66), row(1280, 0.57)]
    assert warnings(rows)[0].startswith("drift")
    assert drifted([row(64, 0.57)] * 49 + rows, "teacher_greedy") == ""


def test_false_alarms_are_as_rare_as_promised():
    random, alarms = np.random.default_rng(1), 0
    for _ in range(400):
        scores = random.binomial(400, 0.6, size=20) / 400
        alarms += drifted([row(640 * i, s) for i, s in enumerate(scores)], "teacher_greedy") != ""
    assert alarms <= 16, "of 400 runs in which nothing changes; one of 40 is what is promised"


def test_a_fall_alone_is_told_without_a_reason():
    assert warnings([row(640, 0.70, 0.60), row(1280, 0.55, 0.50)]) == [
        "drift: 55.0 % against the teacher after 70.0 % at 640 games"
    ]


def test_the_measurement_of_the_clone_itself_has_no_games_behind_it():
    clone = {"teacher_greedy": measured(0.5)}
    assert "after 50.0 % at 0 games" in warnings([clone, row(640, 0.3)])[0]


# --- lengths ---------------------------------------------------------------------------------------------------------


def lengths(first, last, teacher=(0.5, 0.52)):
    plies = [first] * 10 + [(first + last) / 2] * 5 + [last] * 10
    rows = [{"games": 64 * i, "plies": n} for i, n in enumerate(plies)]
    rows[0]["teacher_greedy"], rows[-1]["teacher_greedy"] = (measured(score) for score in teacher)
    return rows


@pytest.mark.parametrize("last", [160, 60])
def test_games_that_become_much_longer_or_shorter_run_away(last):
    assert warnings(lengths(100, last)) == [f"drift: games run away, {last} plies a game now and 100 at first"]


def test_games_that_change_a_little_or_serve_a_stronger_net_do_not():
    assert warnings(lengths(100, 140)) == []
    assert warnings(lengths(100, 160, teacher=(0.5, 0.7))) == []
    assert warnings(lengths(100, 160)[:15]) == [], "too few iterations to tell"


# --- levelling off ---------------------------------------------------------------------------------------------------


def test_scores_that_stay_within_their_interval_have_levelled_off():
    rows = [row(640 * i, score) for i, score in enumerate((0.5, 0.62, 0.70, 0.71, 0.69, 0.70, 0.72, 0.71))]
    (line,) = warnings(rows)
    low, high = wilson(0.70 * 1200, 1200)
    assert line.startswith("levelled off: 71.0 % against the teacher over 3 measurements, 70.0 % over the 3 before")
    assert f"({100 * low:.1f} to {100 * high:.1f})" in line


def test_scores_that_rise_have_not():
    assert levelled_off([row(640 * i, 0.5 + 0.02 * i) for i in range(8)]) == ""


def test_few_measurements_tell_nothing():
    assert levelled_off([row(640 * i, 0.7) for i in range(5)]) == ""
    assert levelled_off([row(640 * i, 0.7) for i in range(6)]) != ""


def test_without_a_teacher_the_clone_is_what_counts():
    rows = [row(640 * i, clone=0.7, plies=100) for i in range(6)]
    assert "against the clone" in levelled_off(rows)


def test_measurements_together_are_one_of_all_their_games():
    found = together([measured(0.5, 100), measured(0.75, 300)])
    assert found["score"] == pytest.approx(0.6875) and found["games"] == 400
    assert (found["low"], found["high"]) == pytest.approx(wilson(275, 400))


def test_a_run_without_measurements_has_no_warnings():
    assert warnings([]) == warnings([{"stage": "clone", "epoch": 1}]) == []
