"""Score and cube by a net of matches: it decides by its own chances as the rules allow, and money play by the model."""

import pathlib

import numpy as np
import pytest

from sparring.arena.batch import Batch
from sparring.arena.equity import mirrored
from sparring.arena.handling import ByModel, ByNet, spot_of
from sparring.arena.match_table import MatchTable
from sparring.arena.player import parse_player
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError, WeightsError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.nets import weights
from sparring.nets.match_net import INPUTS, POINTS, MatchNet, Spot, chance_after, first_scores
from sparring.nets.mlp import new_net
from sparring.search.turns import Turns

MONEY = Stakes()
LATE = Stakes(5, (4, 2), crawford=True)
STAKES = [
    Stakes(5),
    Stakes(5, (3, 1)),
    Stakes(5, (0, 0), 2, 0),
    Stakes(5, (1, 2), 2, 1),
    Stakes(5, (3, 1), 2, 0),
    Stakes(5, (4, 2)),
    Stakes(5, (2, 4)),
    Stakes(3, (1, 2)),
    Stakes(1),
    LATE,
]


def random_match_net(seed=5):
    rng = np.random.default_rng(seed)
    layers = tuple(
        ((rng.normal(size=(a, b)) / 2).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in ((INPUTS, 8), (8, 1))
    )
    return MatchNet("sprint", layers, first_scores(5))


NET = random_match_net()
HANDLING = ByNet(NET, "m", ByModel("sprint"))


def random_chances(n, seed=3):
    return np.random.default_rng(seed).dirichlet([0.1, 0.6, 2, 2, 0.6, 0.1], n)


def test_the_spot_is_the_stakes_as_each_player_sees_them():
    stakes = Stakes(5, (1, 2), 2, 1)
    assert spot_of(stakes, 0, 1) == Spot(4, 3, False, 2, -1, -1)
    assert spot_of(stakes, 1, 1) == Spot(3, 4, False, 2, 1, 1)
    assert spot_of(Stakes(5, (4, 2)), 0, 0) == Spot(1, 3, True, 1, 0, 1)
    assert spot_of(LATE, 0, 0).crawford and not spot_of(Stakes(5, (4, 2)), 0, 0).crawford


@pytest.mark.parametrize("stakes", STAKES, ids=str)
def test_a_spot_s_scores_are_those_that_the_stakes_come_to(stakes):
    table = MatchTable("m", NET.scores)
    for viewer in (0, 1):
        found = chance_after(NET.scores, spot_of(stakes, viewer, 0), POINTS * stakes.cube)
        assert np.array_equal(found, table.after_game(stakes, viewer, POINTS * stakes.cube))


@pytest.mark.parametrize("stakes", STAKES, ids=str)
def test_a_player_may_turn_the_cube_where_the_rules_let_him_and_he_still_needs_it(stakes):
    for player in (0, 1):
        wanted = stakes.may_double(player) and stakes.cube < stakes.away(player)
        assert spot_of(stakes, player, player).turns() == wanted
        assert spot_of(stakes, 1 - player, player).turns(-1) == wanted


@pytest.mark.parametrize("stakes", STAKES, ids=str)
def test_it_doubles_where_the_better_of_take_and_pass_for_the_other_leaves_more(stakes):
    chances = random_chances(100)
    for player in (0, 1):
        if not stakes.may_double(player):
            continue
        advice = HANDLING.advise(chances, stakes, player)
        stay = NET.chance(chances, spot_of(stakes, player, player))
        take = NET.chance(chances, spot_of(stakes.doubled(player), player, player))
        cash = chance_after(NET.scores, spot_of(stakes, player, player), stakes.cube)
        useful = stakes.cube < stakes.away(player)
        for i in range(100):
            answer = min(take[i], cash)
            assert advice.takes[i] == (take[i] <= cash)
            assert advice.doubles[i] == (useful and answer > stay[i] + 1e-9)


@pytest.mark.parametrize("stakes", STAKES, ids=str)
@pytest.mark.parametrize("roller", [0, 1])
def test_a_position_is_worth_what_the_decisions_of_the_player_on_roll_leave(stakes, roller):
    chances = random_chances(50)
    mine, theirs = HANDLING.value(chances, stakes, 0, roller), HANDLING.value(mirrored(chances), stakes, 1, roller)
    assert mine + theirs == pytest.approx(1)
    own = chances if roller == 0 else mirrored(chances)
    spot = spot_of(stakes, roller, roller)
    wanted = HANDLING.advise(own, stakes, roller).best if spot.turns() else NET.chance(own, spot)
    assert (mine if roller == 0 else theirs) == pytest.approx(wanted)


def test_in_the_crawford_game_nobody_doubles():
    with pytest.raises(MatchError, match="Crawford"):
        HANDLING.advise(random_chances(3), LATE, 0)


def test_at_double_match_point_only_winning_counts():
    chances = random_chances(20)
    assert HANDLING.value(chances, Stakes(5, (4, 4)), 0, 1) == pytest.approx(chances[:, 3:].sum(1))
    assert not HANDLING.advise(chances, Stakes(5, (4, 4)), 0).doubles.any()


def test_money_is_played_by_the_model():
    chances, model = random_chances(30), ByModel("sprint")
    assert np.array_equal(HANDLING.advise(chances, MONEY, 0).doubles, model.advise(chances, MONEY, 0).doubles)
    assert np.array_equal(HANDLING.value(chances, MONEY, 0, 1), model.value(chances, MONEY, 0, 1))
    assert HANDLING.table(MONEY) is None


def test_a_match_longer_than_the_net_knows_is_refused():
    with pytest.raises(MatchError, match="the match is to 6 points, but m knows 5 at most"):
        HANDLING.advise(random_chances(1), Stakes(6), 0)


@pytest.fixture(scope="module")
def sprint():
    """A race won by 1, 2 or 3 points (tests/data/sprint.py)."""
    return load(str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py"))


@pytest.fixture(scope="module")
def spec(sprint, tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    net = new_net(sprint, (12,), "results", 3.0, 8, "leaky")
    weights.save(net, folder / "sprint.safetensors")
    NET.save(folder / "match.safetensors")
    return f"turn:net={folder / 'sprint.safetensors'},match={folder / 'match.safetensors'}"


def test_a_player_with_a_net_of_matches_decides_and_plays_by_it(sprint, spec):
    player = parse_player(spec, sprint).make()
    decisions = set()
    for state in [state for state in random_positions(sprint, 60, seed=8) if sprint.mover(state) != CHANCE]:
        who, turns = int(sprint.mover(state)), Turns(sprint).of(state)
        chances = np.array([player.judge.outlook(turn.state, who) for turn in turns], np.float64)
        for stakes in (Stakes(5), Stakes(5, (2, 4)), Stakes(5, (1, 2), 2, 1)):
            values = HANDLING.value(chances, stakes, who, 1 - who)
            best = [turn.steps[0] for turn, value in zip(turns, values, strict=True) if value > values.max() - 1e-6]
            player.begin(0)
            assert player.choose(asked(state, stakes))[0] in best
            for turn, seen in zip(turns, chances, strict=True):
                if sprint.result(turn.state) != ONGOING or not stakes.may_double(1 - who):
                    continue
                right = HANDLING.advise(mirrored(seen), stakes, 1 - who)
                assert player.offer(asked(turn.state, stakes, 1 - who)) == [bool(right.doubles)]
                assert player.accept(asked(turn.state, stakes, who)) == [bool(right.takes)]
                decisions.add((bool(right.doubles), bool(right.takes)))
    assert len(decisions) >= 3


def asked(state, stakes, *players):
    return Batch(np.array([state]), [np.zeros(0, np.uint64)], [0], np.ones(1, np.uint64), [0], [stakes], list(players))


def test_the_file_of_matches_tells_players_apart_and_must_fit_the_game(sprint, spec, tmp_path):
    entry = parse_player(spec, sprint)
    assert entry.digest.endswith(f"-{NET.digest}")
    MatchNet("abak", NET.layers, NET.scores).save(tmp_path / "other.safetensors")
    with pytest.raises(WeightsError, match="was learned for matches of abak, not of sprint"):
        parse_player(f"{spec.partition(',')[0]},match={tmp_path / 'other.safetensors'}", sprint)
