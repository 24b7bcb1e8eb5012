"""Games of self-play: legal, seeded, labelled, and the same on any number of threads."""

import dataclasses
import itertools

import numpy as np
import pytest

from sparring.arena.under_way import outcome
from sparring.games.game import load
from sparring.learn.selfplay import SelfPlay, Style
from sparring.nets.weights import Net
from sparring.rng import seeded


def small_net(game, seed=1):
    rng = np.random.default_rng(seed)
    sizes = (game.FEATURES, 8, 1)
    layers = tuple(
        (rng.normal(size=(a, b)).astype(np.float32), np.zeros(b, np.float32)) for a, b in itertools.pairwise(sizes)
    )
    return Net(game.name, game.FEATURES_VERSION, "tanh", layers)


def play(game, games=12, threads=1, **changes):
    game = load(game) if isinstance(game, str) else game
    net = small_net(game)
    how = {"depth": 2, "opening": 2, "explore": 0.1, "seed": (7, 1), "longest": 200} | changes
    fleet = SelfPlay(game, net, threads, how.pop("longest"))
    return game, fleet.play(net, games, how.pop("seed"), Style(**how))


@pytest.mark.parametrize("name", ["tic_tac_toe", "tigers_and_sheep"])
def test_every_game_is_a_legal_one_that_ends_as_the_rules_say(name):
    game, played = play(name)
    for one in played:
        past = []
        for before, after in zip(one.states, one.states[1:], strict=False):
            assert outcome(game, before, past) is None
            past.append(int(game.key(before)))
            assert any(game.after(before, m) == after for m in game.legal_moves(before))
        assert game.RESULTS[one.end] == one.value
        last = [game.after(one.states[-1], m) for m in game.legal_moves(one.states[-1])]
        past.append(int(game.key(one.states[-1])))
        assert one.value in {outcome(game, state, past) for state in last}


def same(a, b):
    return all(
        len(x.states) == len(y.states)
        and (x.states == y.states).all()
        and (x.scores == y.scores).all()
        and (x.loose == y.loose).all()
        and x.end == y.end
        for x, y in zip(a, b, strict=True)
    )


@pytest.mark.compiled
def test_a_game_depends_on_its_number_and_not_on_the_thread_that_plays_it():
    one = play("tigers_and_sheep", games=10)[1]
    assert same(one, play("tigers_and_sheep", games=10, threads=2)[1])
    assert same(one[:4], play("tigers_and_sheep", games=4, threads=2)[1])
    assert not same(one, play("tigers_and_sheep", games=10, seed=(7, 2))[1])


@pytest.mark.compiled
def test_the_opening_is_random_and_later_moves_only_now_and_then():
    played = play("tigers_and_sheep", games=30, opening=6, explore=0.1)[1]
    assert all(one.loose[:6].all() for one in played)
    later = np.concatenate([one.loose[6:] for one in played])
    assert 0.05 < later.mean() < 0.16
    assert len({one.states[3].tobytes() for one in played}) > 20
    never = play("tigers_and_sheep", games=5, opening=0, explore=0.0)[1]
    assert not any(one.loose.any() for one in never)


def test_the_score_is_the_search_of_the_position_as_player_0_sees_it():
    _game, played = play("tic_tac_toe", games=6, depth=9)
    for one in played:  # nine plies solve it, so every score is the true value
        assert set(np.unique(one.scores)) <= {-1.0, 0.0, 1.0}
        assert one.scores[0] == 0.0, "the empty board is a draw"
        if not one.loose[-1]:
            assert one.scores[-1] == one.value


def test_games_that_go_on_too_long_are_drawn():
    _game, played = play("tigers_and_sheep", games=4, longest=9, opening=0)
    assert [len(one.states) for one in played] == [9] * 4
    assert all(one.value == 0.0 for one in played)


def test_every_seed_gives_a_generator_of_its_own():
    assert len({int(seeded(1, a, b)[0]) for a in range(30) for b in range(30)}) == 900


def test_every_game_begins_with_a_first_position_of_its_own_where_they_are_dealt():
    game = load("tic-tac-toe")

    def deal(state, seed):
        game.play(state, int(seed % np.uint64(9)))

    dealt = dataclasses.replace(game, rules=game.rules | {"deal": deal})
    _, played = play(dealt, games=20)
    firsts = {int(game.key(one.states[0])) for one in played}
    assert firsts <= {int(game.key(dealt.dealt(number)[0])) for number in range(9)}
    assert len(firsts) > 4
    assert [one.states[0] for one in played] == [one.states[0] for one in play(dealt, games=20)[1]]
