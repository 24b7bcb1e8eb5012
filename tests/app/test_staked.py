"""A game with the cube on its way: stakes, words, ends, and choices by what results are worth there."""

import pathlib

import numpy as np
import pytest

from sparring.app.advice import Adviser
from sparring.app.course import go_on
from sparring.app.staked import Staked
from sparring.arena.batch import Batch
from sparring.arena.player import parse_player
from sparring.arena.stakes import Stakes
from sparring.errors import GameError
from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.nets import weights
from sparring.nets.weights import Net


@pytest.fixture(scope="module")
def game():
    """A race won by 1, 2 or 3 points (tests/data/sprint.py)."""
    return load(str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "double",
        "double take",
        "double pass",
        "1 0 1 double take 1 0 1 1 0 1",
        "0 0 1 double take 0 1 0 double take",
    ],
)
def test_words_tell_all_that_happened_and_are_read_again(game, text):
    course = Staked(game)
    go_on(course, text)
    assert " ".join(course.words) == text
    again = Staked(game)
    go_on(again, " ".join(course.words))
    assert (again.stakes, again.doubles, again.moves) == (course.stakes, course.doubles, course.moves)


def test_the_cube_changes_hands_with_each_take(game):
    course = Staked(game)
    go_on(course, "double take 0 0 1")
    assert (course.stakes, course.doubler) == (Stakes(cube=2, owner=1), 1)
    go_on(course, "double take 0 0 1")
    assert (course.stakes, course.doubler) == (Stakes(cube=4, owner=0), 0)
    go_on(course, "0 0 1")
    assert course.doubler is None, "player 1 rolls, player 0 has the cube"
    with pytest.raises(GameError, match="move 1: nobody may double here"):
        go_on(course, "double")


def test_taking_back_moves_takes_back_the_doubles_among_them(game):
    course = Staked(game)
    go_on(course, "2 0 1 double take 1 0")
    course.take_back(1)
    assert course.words == ["2", "0", "1", "double", "take", "1"]
    course.take_back(2)
    assert (course.words, course.stakes) == (["2", "0"], Stakes())


@pytest.mark.parametrize(
    ("begun", "text", "resigned", "value", "scores"),
    [
        (Stakes(), "double pass", None, 1, (1, 0)),
        (Stakes(3), "0 0 1 double pass", None, -1, (0, 1)),
        (Stakes(5), "double take", (0, 2), -4, (0, 4)),
        (Stakes(5), "double take", (1, 3), 6, (5, 0)),
        (Stakes(5), "double take 2 0 1 0 0 1 2 0", None, 4, (4, 0)),
    ],
)
def test_the_end_counts_the_cube_in(game, begun, text, resigned, value, scores):
    course = Staked(game, begun=begun)
    go_on(course, text)
    course.resigned = resigned
    assert course.ending.value == value
    assert course.next.scores == scores


@pytest.mark.compiled
def test_a_player_s_advice_is_the_move_it_plays_at_the_score(game, tmp_path):
    random = np.random.default_rng(8)
    sizes = (game.FEATURES, 12), (12, 6)
    layers = [(random.normal(size=s).astype(np.float32), random.normal(size=s[1]).astype(np.float32)) for s in sizes]
    net = Net(game.name, game.FEATURES_VERSION, "results", tuple(layers), {}, "leaky")
    weights.save(net, tmp_path / "net.safetensors")
    entry = parse_player(f"turn:net={tmp_path / 'net.safetensors'}", game)
    player = entry.make()
    different = 0
    for state in random_positions(game, 60, seed=3):
        if game.mover(state) == CHANCE:
            continue
        found = {}
        for stakes in (None, Stakes(5, (4, 4)), Stakes(5, (4, 2), crawford=True), Stakes(cube=2, owner=0)):
            player.begin(0)
            asked = Batch(np.array([state]), [], [0], np.ones(1, np.uint64), [0], [stakes] if stakes else [])
            course = Staked(game, [state], begun=stakes) if stakes else Staked.__base__(game, [state])
            found[stakes] = Adviser(entry, player).consider(course, 1).move
            assert [found[stakes]] == player.choose(asked)
        different += len(set(found.values())) > 1
    assert different, "the score matters"
