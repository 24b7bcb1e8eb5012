"""Lookahead over the dice equals an expectimax that plays everything; filters say which turns are looked at."""

import numpy as np
import pytest
from slow_turns import judged, looked, points_of, some_net

from sparring.errors import PlayerError
from sparring.games.game import Game, load
from sparring.games.walk import random_positions
from sparring.search.expectimax import ALL, Filter, Lookahead
from sparring.search.turns import Turns, points_for


def equals_the_slow_one(game: Game, state: np.void, plies: int, inner: Filter = ALL, seed: int = 1) -> int:
    """Compare every turn's chances and worth; returns how many there were."""
    net, who = some_net(game, (12,), seed=seed), int(game.mover(state))
    ranked = Lookahead(game, net, plies, root=ALL, inner=inner).rank(state)
    assert {r.state.tobytes() for r in ranked} == {turn.state.tobytes() for turn in Turns(game).of(state)}
    for turn in ranked:
        wanted = looked(game, net, turn.state, who, plies, inner)
        np.testing.assert_allclose(turn.outcome, wanted, atol=1e-5)
        assert turn.value == pytest.approx(points_of(game, wanted, who), abs=1e-5)
        assert turn.plies == plies
        assert game.after(state, *turn.steps).tobytes() == turn.state.tobytes()
    values = [turn.value for turn in ranked]
    assert values == sorted(values, reverse=True)
    return len(ranked)


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("name", ["pig", "dare"])
def test_every_turn_is_worth_what_playing_everything_says(name, plies, request):
    game = request.getfixturevalue(name) if name == "dare" else load(name)
    seen = sum(equals_the_slow_one(game, state, plies) for state in random_positions(game, 6, seed=4))
    assert seen > 6


@pytest.mark.parametrize("inner", [Filter(1, 0.0), Filter(3, 0.02)])
def test_replies_that_do_not_pass_the_inner_filter_are_not_looked_at(inner, dare):
    for state in random_positions(dare, 3, seed=5):
        equals_the_slow_one(dare, state, 2, inner)


@pytest.mark.compiled
@pytest.mark.parametrize("inner", [ALL, Filter(2, 0.05)])
def test_two_plies_of_backgammon_are_what_playing_everything_says(inner):
    game = load("backgammon")
    state = game.module.position("8:1X 3:1X 20:1O 22:1O; white plays 3-1")
    assert equals_the_slow_one(game, state, 2, inner) > 1


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("backgammon", "24:2X 8:3X 6:5X 5:5X 1:2O 17:3O 19:5O 20:5O; black plays 6-2"),
        ("abak", "24:E 13:sD 8:2SG 6:2SN 1:ed 12:2sg 17:2s 19:2sn; white plays 2-1"),
    ],
)
def test_one_ply_of_whole_boards_is_what_playing_everything_says(name, line):
    game = load(name)
    assert equals_the_slow_one(game, game.module.position(line), 1) > 5


def test_only_turns_that_pass_the_filter_are_looked_at(dare):
    net = some_net(dare, (12,))
    few = Lookahead(dare, net, 1, root=Filter(2, 10.0))
    close = Lookahead(dare, net, 1, root=Filter(9, 0.0))
    for state in random_positions(dare, 5, seed=2):
        values = sorted(
            (
                points_of(dare, judged(dare, net, turn.state, who := int(dare.mover(state))), who)
                for turn in Turns(dare).of(state)
            ),
            reverse=True,
        )
        assert len(few.rank(state)) == min(len(values), 2)
        assert len(close.rank(state)) == sum(value > values[0] - 1e-6 for value in values)
        assert len(close.rank(state, most=3)) == min(len(values), 3)
        assert close.choose(state) == close.rank(state)[0].steps


def test_what_results_are_worth_decides_which_turn_is_best(dare):
    look = Lookahead(dare, some_net(dare, (12,)), 1, root=ALL)
    state = random_positions(dare, 1, seed=3)[0]
    worths = points_for(dare, int(dare.mover(state)))
    best, worst = (look.rank(state, sign * worths)[0] for sign in (1, -1))
    assert best.value == pytest.approx(max(r.value for r in look.rank(state)))
    assert worst.value == pytest.approx(-min(r.value for r in look.rank(state)))


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_position_after_a_turn_has_the_chances_that_playing_everything_gives_it(dare, plies):
    net = some_net(dare, (12,))
    look = Lookahead(dare, net, plies, inner=ALL)
    for state in random_positions(dare, 3, seed=6):
        who, after = int(dare.mover(state)), Turns(dare).of(state)[-1].state
        np.testing.assert_allclose(look.outlook(after, who), looked(dare, net, after, who, plies), atol=1e-5)


def test_a_search_that_is_stopped_says_what_it_knows(dare, monkeypatch):
    look = Lookahead(dare, some_net(dare, (12,)), 2)
    state = random_positions(dare, 1, seed=3)[0]
    plain = Lookahead(dare, some_net(dare, (12,)), 0).rank(state)[0]
    monkeypatch.setattr(type(look), "stopping", property(lambda self: True, lambda self, value: None), raising=False)
    assert (look.rank(state)[0].steps, look.rank(state)[0].plies) == (plain.steps, 0)


@pytest.mark.parametrize("plies", [-1, 3])
def test_there_are_no_more_than_two_plies(dare, plies):
    with pytest.raises(PlayerError, match=f"plies is {plies}, but it must be 0 to 2"):
        Lookahead(dare, some_net(dare), plies)
