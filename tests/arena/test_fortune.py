"""Results without luck: what each roll was worth beyond the mean is taken off, at the stakes of that moment."""

import pathlib

import numpy as np
import pytest

from sparring.arena.equity import worths
from sparring.arena.fortune import Fortune
from sparring.arena.match import play_pairs
from sparring.arena.match_equity import table_for
from sparring.arena.player import parse_player
from sparring.arena.stakes import Stakes
from sparring.arena.under_way import Terms
from sparring.errors import MatchError
from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.weights import Net
from sparring.search.luck import Luck

POINTS = np.array([-3, -2, -1, 1, 2, 3])


@pytest.fixture(scope="module")
def game():
    """A race won by 1, 2 or 3 points (tests/data/sprint.py)."""
    return load(str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py"))


@pytest.fixture(scope="module")
def player(game, tmp_path_factory):
    """It likes to be ahead, and knows that much is won then."""
    first = np.zeros((game.FEATURES, 1), np.float32)
    first[:7, 0] = np.arange(7) / 4
    first[7:14, 0] = -np.arange(7) / 4
    second = (POINTS * 0.3).astype(np.float32)[None]
    layers = ((first, np.full(1, 8, np.float32)), (second, (-8 * POINTS * 0.3).astype(np.float32)))
    path = tmp_path_factory.mktemp("nets") / "sprint.safetensors"
    weights.save(Net(game.name, game.FEATURES_VERSION, "results", layers, {}, "leaky"), path)
    return parse_player(f"turn:net={path}", game)


def rolls(game, record):
    """(position, outcome, moves before it) of every roll of a game."""
    state = game.states(1)[0]
    for ply, move in enumerate(record.moves):
        if game.mover(state) == CHANCE:
            yield game.after(state), move, ply
        game.play(state, move)


def both(game, player, pairs, **terms):
    """Against itself, which does not take the cube."""
    other = parse_player(f"{player.text},cube=no", game)
    return list(play_pairs(game, player, other, range(pairs), opening=0, seed=2, threads=1, **terms))


def test_the_luck_of_a_game_is_that_of_its_rolls_with_the_cube_as_it_stood(game, player):
    fortune, luck = Fortune(game, Terms(cube=True), player), Luck(game, player.net)
    cubes = set()
    for pair in both(game, player, 12, cube=True):
        for record in pair.games:
            wanted = 0.0
            for state, outcome, ply in rolls(game, record):
                cube = 2 ** sum(taken for at, taken in record.doubles if at <= ply)
                wanted += cube * luck.of(state, outcome) * (1 if record.first else -1)
                cubes.add(cube)
            assert fortune.of(record) == pytest.approx(wanted, abs=1e-6)
        assert fortune.fair(pair) == pytest.approx(pair.value - np.mean([fortune.of(record) for record in pair.games]))
    assert cubes >= {1, 2}


def test_the_luck_of_a_match_is_the_chance_of_winning_it_that_its_rolls_brought(game, player):
    fortune, luck = Fortune(game, Terms(points=3), player), Luck(game, player.net)
    for pair in both(game, player, 5, points=3):
        for record in pair.games:
            scores, wanted, crawford = [0, 0], 0.0, "before"
            for single in record.games:  # the score as points of player 0 and 1
                cube, owner = 1, None
                if crawford == "before" and 2 in scores:
                    crawford = "now"
                for state, outcome, ply in rolls(game, single):
                    if dict(single.doubles).get(ply):
                        cube, owner = 2 * cube, 1 - int(state["turn"])
                    stakes = Stakes(3, tuple(scores), cube, owner, crawford == "now")
                    wanted += 2 * float(luck.shift(state, outcome) @ worths(stakes, 0, table_for("sprint", 3)))
                won = int(single.value) * (1 if record.first else -1)
                scores[0 if won > 0 else 1] = min(scores[0 if won > 0 else 1] + abs(won), 3)
                crawford = "played" if crawford == "now" else crawford
            assert fortune.of(record) == pytest.approx(wanted * (1 if record.first else -1), abs=1e-6)


@pytest.mark.parametrize("terms", [{}, {"cube": True}, {"points": 3}])
def test_results_without_luck_have_the_same_mean_and_scatter_less(game, player, terms):
    fortune = Fortune(game, Terms(**terms), player)
    games = [pair.games[0] for pair in both(game, player, 120, **terms)]
    raw, luck = np.array([one.value for one in games]), np.array([fortune.of(one) for one in games])
    assert abs(luck.mean()) < 3 * luck.std(ddof=1) / len(luck) ** 0.5
    assert (raw - luck).std() < 0.9 * raw.std()


def test_somebody_s_net_has_to_judge(game, player):
    random = parse_player("random", game)
    assert Fortune(game, Terms(), random, player).by == player.label
    with pytest.raises(MatchError, match="luck is judged by the net of a player such as turn:net=PATH"):
        Fortune(game, Terms(), random)
