"""Games as a match sees them: their rows are what the net saw, their targets what both would do with the cube."""

import functools
import pathlib

import numpy as np
import pytest

from sparring.errors import RunError
from sparring.games.game import load
from sparring.learn.match_games import CoursePlay, Courses, Scores, cubes_for, draw_scores, returns, targets_of
from sparring.nets.match_net import INPUTS, MatchNet, first_scores, inputs_of
from sparring.nets.mlp import new_net

SPRINT = pathlib.Path(__file__).parents[1] / "data" / "sprint.py"


@pytest.fixture(scope="module")
def game():
    """A race won by 1, 2 or 3 points (tests/data/sprint.py)."""
    return load(str(SPRINT))


def played(game, threads=1, seed=3, games=12):
    net = new_net(game, (8,), "results", 3.0, 1, "leaky")
    return CoursePlay(game, net, threads).play(games, (seed,))


def random_courses(games=5, seed=6):
    """Chances that go anywhere."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 7, games)
    n = int(lengths.sum())
    chances = rng.dirichlet(np.ones(6), n).astype(np.float32)
    rolls = rng.choice([-1, 1], n).astype(np.int8)
    return Courses(chances, rolls, np.cumsum([0, *lengths]), rng.choice([-2, -1, 1, 3], games))


def random_net(points, seed=3):
    rng = np.random.default_rng(seed)
    layers = tuple(
        (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in ((INPUTS, 5), (5, 1))
    )
    return MatchNet("sprint", layers, first_scores(points))


@pytest.mark.compiled
def test_games_are_the_same_on_any_number_of_threads(game):
    one, two = played(game), played(game, threads=2)
    for name in ("chances", "rolls", "first", "points"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    assert not np.array_equal(one.points, played(game, seed=4).points)


@pytest.mark.compiled
def test_there_is_a_row_for_every_roll_but_the_first(game):
    courses = played(game)
    assert courses.games == 12 and courses.cut_off == 0
    assert courses.chances.shape == (courses.first[-1], 6)
    np.testing.assert_allclose(courses.chances.sum(1), 1, atol=1e-5)
    for i in range(courses.games):
        rolls = courses.rolls[courses.first[i] : courses.first[i + 1]]
        assert np.all(rolls[1:] == -rolls[:-1]), "in Sprint players take turns"
        assert (courses.points[i] > 0) == (rolls[-1] == 1), "who rolls last wins"
        assert np.all(courses.of_game[courses.first[i] : courses.first[i + 1]] == i)


def test_a_game_without_one_two_and_three_points_is_refused():
    pig = load("pig")
    with pytest.raises(RunError, match="pig ends with -1, 1, but matches need 1, 2 and 3 points each way"):
        CoursePlay(pig, new_net(pig, (4,), "results", 3.0, 1))


@pytest.mark.parametrize("points, most", [(2, 2), (3, 4), (4, 4), (5, 8), (7, 8)])
def test_every_cube_that_a_useful_double_leads_to_is_there(points, most):
    cubes = cubes_for(points)
    assert cubes.value.max() == most
    assert (cubes.value[0], cubes.owner[0]) == (1, 0)
    assert len({*zip(cubes.value, cubes.owner, strict=True)}) == len(cubes.value)
    for c in range(len(cubes.value)):
        for player, mark in ((0, 1), (1, -1)):
            if cubes.owner[c] in (0, mark) and cubes.value[c] < points:
                after = cubes.turned[c, player]
                assert (cubes.value[after], cubes.owner[after]) == (2 * cubes.value[c], -mark)


def test_scores_are_drawn_from_all_that_a_match_may_stand_at():
    at = draw_scores(3000, 4, np.random.default_rng(1))
    drawn = {*zip(at.mine, at.theirs, at.played, strict=True)}
    every = {(i, j, False) for i in range(1, 5) for j in range(1, 5)} - {(1, 1, False)}
    assert drawn == every | {(1, j, True) for j in range(1, 5)} | {(j, 1, True) for j in range(1, 5)}


class Slow:
    """Targets by following one game from one row and cube, straight from the definition."""

    def __init__(self, dead, values, may, turned, cashed, rolls, trace):
        self.all = dead, values, may, turned, cashed, rolls
        self.trace = trace
        self.gain = functools.cache(self.gain)

    def next(self, row, c):
        """(value, target) once the player on roll has decided at this row."""
        dead, values, may, turned, cashed, rolls = self.all
        who = 0 if rolls[row] == 1 else 1
        sign = 1 if who == 0 else -1
        choices = [(sign * values[row, c], values[row, c], dead[row, c] + self.gain(row, c))]
        if may[c, who]:
            after, cash = turned[c, who], cashed[c, who]
            take = (values[row, after], dead[row, after] + self.gain(row, after))
            answer = min(take, (cash, cash), key=lambda pair: sign * pair[0])
            choices.append((sign * answer[0], *answer))
        return max(choices, key=lambda choice: choice[0])[1:]

    def gain(self, row, c):
        """What turning the cube brings after the player on roll at `row` has rolled."""
        if row + 1 == len(self.all[5]):
            return 0.0
        value, target = self.next(row + 1, c)
        return (1 - self.trace) * value + self.trace * target - self.all[0][row + 1, c]


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_targets_are_those_of_the_definition(trace):
    rng, courses = np.random.default_rng(2), random_courses()
    cubes = cubes_for(4)
    n, many, games = len(courses.rolls), len(cubes.value), courses.games
    dead, values = rng.random((n, many)), rng.random((n, many))
    may, cashed = rng.random((games, many, 2)) < 0.6, rng.random((games, many, 2))
    targets, opening = np.zeros((n, many)), np.zeros(games)
    returns(courses.first, courses.rolls, dead, values, may, cubes.turned, cashed, trace, targets, opening)
    for g in range(games):
        rows = slice(courses.first[g], courses.first[g + 1])
        slow = Slow(dead[rows], values[rows], may[g], cubes.turned, cashed[g], courses.rolls[rows], trace)
        wanted = [[dead[rows][i, c] + slow.gain(i, c) for c in range(many)] for i in range(len(dead[rows]))]
        np.testing.assert_allclose(targets[rows], wanted, atol=1e-12)
        value, target = slow.next(0, 0)
        assert opening[g] == pytest.approx((1 - trace) * value + trace * target)


def test_the_targets_of_both_players_add_up_to_one():
    courses, net, cubes = random_courses(20), random_net(4), cubes_for(4)
    at = draw_scores(20, 4, np.random.default_rng(5))
    other = Courses(courses.chances[:, ::-1], -courses.rolls, courses.first, -courses.points)
    turned = Scores(at.theirs, at.mine, at.played)
    found = []
    for seen, score in ((courses, at), (other, turned)):
        x = inputs_of(net.scores, seen.chances[:, None], score.spots(seen, cubes))
        found.append(targets_of(seen, score, cubes, net, x, 0.8))
    swapped = [0, *(k + 1 if k % 2 else k - 1 for k in range(1, len(cubes.value)))]  # mine ↔ theirs
    np.testing.assert_allclose(found[0][0] + found[1][0][:, swapped], 1, atol=1e-5)
    np.testing.assert_allclose(found[0][1] + found[1][1], 1, atol=1e-5)
