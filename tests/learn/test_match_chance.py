"""Learning the chance of winning a match: on a game whose truth is known it comes near the truth."""

import pathlib

import numpy as np
import pytest

from sparring.arena.match_equity import compute_table
from sparring.errors import RunError
from sparring.games.game import load
from sparring.learn.match_chance import MatchLearner, MatchSettings
from sparring.learn.match_games import Courses
from sparring.nets.match_net import MatchNet, Spot, first_scores
from sparring.nets.mlp import new_net

SINGLE = np.array([0, 0, 1, 1, 0, 0])  # a game without gammons
STEP = 0.05
SMALL = MatchSettings(points=3, generations=12, games=60, views=4, sample=4000, hidden=(16,), rate=0.01, batch=128)


class Walk:
    """A game in which the chance of winning walks up and down by small steps, to 0 or 1: the cube is nearly live."""

    def play(self, games, seed):
        rng = np.random.default_rng(seed)
        chances, first, points = [], [0], []
        for _ in range(games):
            win = 0.5
            while 0.01 < win < 0.99:
                win += STEP * rng.choice([-1, 1])
                if 0.01 < win < 0.99:
                    chances.append([0, 0, 1 - win, win, 0, 0])
            first.append(len(chances))
            points.append(1 if win > 0.5 else -1)
        rolls = np.where(np.arange(len(chances)) % 2, 1, -1).astype(np.int8)
        return Courses(np.array(chances, np.float32), rolls, np.array(first), np.array(points))


def learner(settings=SMALL):
    sprint = load(str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py"))
    made = MatchLearner(sprint, new_net(sprint, (4,), "results", 3.0, 1), settings)
    made.play = Walk()
    return made


@pytest.fixture(scope="module")
def learned():
    made = learner()
    rows = [made.generation() for _ in range(SMALL.generations)]
    return made, rows


def test_the_scores_come_near_those_of_a_live_cube(learned):
    truth = compute_table(SINGLE, 3, efficiency=1).chances
    made, _ = learned

    def off(scores):
        return max(np.abs(scores - truth)[0, 1:, 1:].max(), np.abs(scores - truth)[1, 1:, 1].max())

    assert off(first_scores(3)) > 0.08
    assert off(made.net.scores) < 0.03  # not 0: steps are steps, and the first comes before anybody may double


def test_a_level_score_is_worth_one_half(learned):
    made, _ = learned
    assert [made.net.scores[0, i, i] for i in (2, 3)] == pytest.approx([0.5, 0.5], abs=1e-9)
    level = np.array([0, 0, 0.5, 0.5, 0, 0])
    mine, theirs = (float(made.net.chance(level, Spot(3, 3, False, 1, 0, rolls))) for rolls in (1, -1))
    assert mine + theirs == pytest.approx(1)


def test_an_own_cube_is_worth_more_than_a_dead_one_and_a_dead_one_more_than_the_other_s(learned):
    made, _ = learned
    half = np.array([0, 0, 0.5, 0.5, 0, 0])
    own, other = (float(made.net.chance(half, Spot(3, 3, False, 2, owner, 1))) for owner in (1, -1))
    assert own > 0.5 + 0.05 and other < 0.5 - 0.05


def test_its_rows_tell_how_far_it_is(learned):
    made, rows = learned
    assert [row["generation"] for row in rows] == list(range(1, 13))
    assert rows[-1]["games"] == 12 * 60 == made.games
    assert rows[-1]["moved"] < rows[0]["moved"]
    assert made.net.training["settings"]["points"] == 3


def test_the_same_seed_learns_the_same():
    nets = []
    for _ in range(2):
        made = learner()
        made.generation()
        nets.append(made.net)
    assert isinstance(nets[0], MatchNet) and nets[0].digest == nets[1].digest


@pytest.mark.parametrize(
    "given, message",
    [
        ({"points": 1}, "points is 1, but only in matches to 2 or more the cube matters"),
        ({"games": 0}, "games is 0, but it must be at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given, message):
    with pytest.raises(RunError, match=message):
        MatchSettings(**given)
