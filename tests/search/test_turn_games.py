"""Whole games by a net: what is noted of each turn is what the net says there, and games are their seed's."""

import numpy as np
import pytest

from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.nets.mlp import new_net
from sparring.rng import seeded
from sparring.search import turns
from sparring.search.turn_games import TurnGames

pytestmark = pytest.mark.compiled  # a thousand turns
SEEDS = range(1, 5)


@pytest.fixture(scope="module")
def judge():
    game = load("pig")
    return turns.judge_by(game, new_net(game, (8,), "results", 3.0, 1, "leaky"))


def test_a_verdict_is_what_the_net_says_of_the_position_after_the_turn(judge):
    game, games, said = judge.game, TurnGames(judge, 3000), np.zeros(2, np.float32)
    for seed in SEEDS:
        end, n = games.play(seeded(seed))
        assert end != ONGOING
        assert n == 1 + np.flatnonzero([game.result(state) != ONGOING for state in games.states[:n]])[0]
        for state, player, verdict in zip(games.states[:n], games.players, games.verdicts, strict=False):
            judge.kernels["outlook"](state, int(player), False, games.weights, said)
            assert np.array_equal(said, verdict)


def other_turn(game, before, after, player):
    """The position after Pig's other turn in the place where `player` took the one that led to `after`; None: none."""
    other = game.after(after)
    if after["rolling"]:
        other["rolling"] = 0
        return game.after(other, 1) if other["gathered"] > 0 else None
    other["gathered"] = after["score"][player] - before["score"][player]
    other["score"][player] = before["score"][player]
    other["turn"], other["rolling"] = player, 1
    return other


def test_no_other_turn_would_have_been_worth_more(judge):
    game, games, said, compared = judge.game, TurnGames(judge, 3000), np.zeros(2, np.float32), 0
    for seed in SEEDS:
        _, n = games.play(seeded(seed))
        for at in range(1, n):
            player = int(games.players[at])
            other = other_turn(game, games.states[at - 1], games.states[at], player)
            if other is not None and game.result(other) == ONGOING:
                judge.kernels["outlook"](other, player, False, games.weights, said)
                assert said[1] <= games.verdicts[at, 1]
                compared += 1
    assert compared > 20


def test_a_game_is_its_seeds_alone(judge):
    one, two = TurnGames(judge, 3000), TurnGames(judge, 3000)
    two.play(seeded(99))
    end, n = one.play(seeded(5), 0.2)
    assert two.play(seeded(5), 0.2) == (end, n)
    assert np.array_equal(one.states[:n], two.states[:n])
    assert np.array_equal(one.loose[:n], two.loose[:n])
    assert one.play(seeded(5), 0.2) != one.play(seeded(6), 0.2)


def test_random_turns_are_marked(judge):
    games = TurnGames(judge, 3000)
    _, n = games.play(seeded(2), 0.5)
    assert 0.3 < games.loose[:n].mean() < 0.7


def test_a_game_longer_than_its_room_is_cut_off(judge):
    assert TurnGames(judge, 20).play(seeded(1)) == (ONGOING, 20)
