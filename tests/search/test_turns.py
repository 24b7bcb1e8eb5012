"""All turns of a position are those that exhaustive play finds; the best one is the one a net values most."""

import numpy as np
import pytest
from slow_turns import ends_of, judged, points_of, some_net

from sparring.errors import WeightsError
from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.nets.weights import Net
from sparring.search import turns
from sparring.search.turns import Turns


@pytest.mark.parametrize("name", ["pig", "backgammon", "abak", "twice"])
def test_the_turns_are_those_of_exhaustive_play(name, request):
    game = request.getfixturevalue(name) if name == "twice" else load(name)
    seen = 0
    for state in random_positions(game, 12, seed=5):
        found = Turns(game).of(state)
        assert {turn.state.tobytes() for turn in found} == set(ends_of(game, state, int(game.mover(state))))
        assert len({turn.state.tobytes() for turn in found}) == len(found), "each end once"
        for turn in found:
            assert game.after(state, *turn.steps).tobytes() == turn.state.tobytes()
        seen += len(found)
    assert seen > 12


def test_without_room_for_all_turns_the_rest_is_counted_as_cut(twice):
    few = Turns(twice, most=5)
    state = twice.states()[0]
    assert len(few.of(state)) == 5
    assert few.room["cut"][0] == 1
    assert len(Turns(twice).of(state)) == 28


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("activation", ["relu", "leaky", "sigmoid"])
@pytest.mark.parametrize("name", ["pig", "twice"])
def test_the_best_turn_has_the_most_expected_points_by_the_net_or_by_the_rules(name, activation, near, request):
    game = request.getfixturevalue(name) if name == "twice" else load(name)
    net = some_net(game, activation=activation)
    judge = turns.judge_by(game, net, near=near)
    room, weights = judge.room()
    for state in random_positions(game, 10, seed=2):
        who = int(game.mover(state))
        best, n = judge.kernels["best_turn"](state, room, weights)
        expected = [points_of(game, judged(game, net, room["states"][i], who), who) for i in range(n)]
        np.testing.assert_allclose(room["values"][:n], expected, atol=1e-5)
        assert expected[best] == pytest.approx(max(expected), abs=1e-5)
        np.testing.assert_allclose(room["outcomes"][:n].sum(1), 1, atol=1e-5)


def test_a_net_with_one_output_cannot_judge_turns():
    game = load("pig")
    layer = (np.zeros((game.FEATURES, 1), np.float32), np.zeros(1, np.float32))
    with pytest.raises(WeightsError, match="the net has a 'tanh' head, but turns are judged by chances of results"):
        turns.judge_by(game, Net("pig", 1, "tanh", (layer,)))


def test_turns_end_where_dice_are_rolled():
    game = load("pig")
    state = game.states()[0]
    state["gathered"] = 7
    rolled, held = Turns(game).of(state)
    assert (game.mover(rolled.state), game.mover(held.state)) == (CHANCE, 1)
