"""Players of whole turns with a cube and in a match: they choose, double and take by what results are worth there."""

import pathlib

import numpy as np
import pytest

from sparring.arena.batch import Batch
from sparring.arena.cube import accepts, advise, value
from sparring.arena.equity import mirrored, worths
from sparring.arena.match_equity import table_for
from sparring.arena.player import parse_player
from sparring.arena.stakes import Stakes
from sparring.errors import PlayerError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.nets import weights
from sparring.nets.weights import Net
from sparring.search.turns import Turns

MONEY, LATE = Stakes(), Stakes(5, (4, 2), crawford=True)
STAKES = [
    MONEY,
    Stakes(cube=2, owner=0),
    Stakes(cube=4, owner=1),
    Stakes(5),
    Stakes(5, (3, 1)),
    LATE,
    Stakes(3, (1, 2)),
]


@pytest.fixture(scope="module")
def game():
    """A race won by 1, 2 or 3 points (tests/data/sprint.py)."""
    return load(str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py"))


@pytest.fixture(scope="module")
def net(game):
    """Of random weights, with which all decisions come up."""
    rng = np.random.default_rng(8)
    layers = [
        (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in ((game.FEATURES, 12), (12, 6))
    ]
    return Net(game.name, game.FEATURES_VERSION, "results", tuple(layers), {}, "leaky")


@pytest.fixture(scope="module")
def spec(net, tmp_path_factory):
    path = tmp_path_factory.mktemp("nets") / "sprint.safetensors"
    weights.save(net, path)
    return f"turn:net={path}"


def seen(game, net, state, who):
    """What the net thinks of a position between turns, or the rules of the end of the game, with `who`'s eyes."""
    chances = np.zeros(6)
    if (end := game.result(state)) != ONGOING:
        chances[end if who == 0 else 5 - end] = 1
        return chances
    index, active = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, who, index, active)
    x = np.zeros(game.FEATURES)
    x[index[:n]] = active[:n]
    (a, b), (c, d) = net.layers
    hidden = x @ a + b
    logits = np.where(hidden > 0, hidden, 0.01 * hidden) @ c + d
    chances[:] = np.exp(logits - logits.max())
    return chances / chances.sum()


def table(stakes):
    return None if stakes.money else table_for("sprint", stakes.length)


def asked(states, stakes, players=()):
    n = len(states)
    seeds = np.ones(n, np.uint64)
    return Batch(np.array(states), [np.zeros(0, np.uint64)] * n, [0] * n, seeds, list(range(n)), stakes, list(players))


def between_turns(game, n):
    """Positions in which dice are to be rolled."""
    states = [state for state in random_positions(game, n, seed=8) if game.mover(state) != CHANCE]
    ends = [turn.state for state in states for turn in Turns(game).of(state)]
    return [state for state in ends if game.result(state) == ONGOING]


@pytest.mark.parametrize("x", [0.68, 0.2])
def test_it_doubles_takes_and_passes_as_is_right_by_the_chances_that_the_last_player_s_eyes_see(game, net, spec, x):
    player = parse_player(f"{spec},x={x}", game).make()
    decisions = set()
    for state in between_turns(game, 40):
        roller = int(state["turn"])
        chances = seen(game, net, state, 1 - roller)
        for stakes in STAKES:
            if stakes.may_double(roller):
                right = advise(mirrored(chances), stakes, roller, table(stakes), efficiency=x)
                takes = bool(accepts(chances, stakes, 1 - roller, table(stakes), efficiency=x))
                assert player.offer(asked([state], [stakes], [roller])) == [bool(right.doubles)]
                assert player.accept(asked([state], [stakes], [1 - roller])) == [takes]
                decisions.add((bool(right.doubles), takes))
    assert len(decisions) == 4 or x != 0.68, "doubles and none, takes and passes"


@pytest.mark.parametrize("cube", [True, False])
def test_it_chooses_the_turn_that_is_worth_most_with_cube_and_score(game, net, spec, cube):
    player = parse_player(spec if cube else f"{spec},cube=no", game).make()
    different = 0
    for state in random_positions(game, 60, seed=3):
        who = int(game.mover(state))
        if who == CHANCE or state["ran"] or state["rested"]:
            continue
        turns = Turns(game).of(state)
        chances = np.array([seen(game, net, turn.state, who) for turn in turns])
        points = chances @ [-3, -2, -1, 1, 2, 3]
        for stakes in STAKES:
            if cube:
                values = value(chances, stakes, who, table(stakes), roller=1 - who)
            else:
                values = chances @ worths(stakes, who, table(stakes))
            player.begin(0)
            first = player.choose(asked([state], [stakes]))[0]
            best = [turn.steps[0] for turn, v in zip(turns, values, strict=True) if v > values.max() - 1e-6]
            assert first in best
            different += turns[int(points.argmax())].steps[0] not in best
    assert different, "the score matters"


def test_where_one_point_wins_the_match_for_both_only_winning_counts(game, net, spec):
    player, stakes = parse_player(spec, game).make(), Stakes(5, (4, 4))
    for state in random_positions(game, 40, seed=5):
        who = int(game.mover(state))
        if who == CHANCE:
            continue
        turns = Turns(game).of(state)
        wins = [seen(game, net, turn.state, who)[3:].sum() for turn in turns]
        player.begin(0)
        first = player.choose(asked([state], [stakes]))[0]
        assert first in [turn.steps[0] for turn, win in zip(turns, wins, strict=True) if win > max(wins) - 1e-6]


def test_without_a_cube_it_plays_for_points(game, net, spec):
    player = parse_player(spec, game).make()
    for state in random_positions(game, 40, seed=6):
        who = int(game.mover(state))
        if who == CHANCE:
            continue
        turns = Turns(game).of(state)
        points = [seen(game, net, turn.state, who) @ [-3, -2, -1, 1, 2, 3] for turn in turns]
        player.begin(0)
        first = player.choose(asked([state], []))[0]
        assert first in [turn.steps[0] for turn, v in zip(turns, points, strict=True) if v > max(points) - 1e-6]


@pytest.mark.parametrize("options", [",cube=no", "judge"])
def test_without_the_cube_or_chances_of_results_it_never_doubles_and_always_takes(game, spec, options, tmp_path):
    if options == "judge":
        rules = (
            game.path.read_text() + '\n\ndef lead(state, who):\n    return state["at"][who] - state["at"][1 - who]\n'
        )
        (tmp_path / "sprint.py").write_text(rules)
        player = parse_player("turn:judge=lead", load(str(tmp_path / "sprint.py"))).make()
    else:
        player = parse_player(spec + options, game).make()
    states = between_turns(game, 10)
    stakes = [MONEY] * len(states)
    assert player.offer(asked(states, stakes, [int(state["turn"]) for state in states])) == [False] * len(states)
    assert player.accept(asked(states, stakes, [1 - int(state["turn"]) for state in states])) == [True] * len(states)


def test_the_efficiency_of_the_cube_is_a_share(game, spec):
    with pytest.raises(PlayerError, match=r"x is 1.5, but it must be 0 \(dead cube\) to 1 \(live cube\)"):
        parse_player(f"{spec},x=1.5", game)


def test_looking_ahead_it_doubles_by_what_it_sees_there(game, spec):
    player = parse_player(f"{spec},plies=1", game).make()
    for state in between_turns(game, 10):
        roller = int(state["turn"])
        chances = player.judge.outlook(state, roller)
        right = advise(chances, MONEY, roller)
        assert player.offer(asked([state], [MONEY], [roller])) == [bool(right.doubles)]
