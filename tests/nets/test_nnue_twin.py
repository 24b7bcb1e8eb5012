"""An NNUE net inside a search says what the slow net in whole numbers says, however the search comes to a position."""

import numpy as np
import pytest

from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.nets import nnue_quantised, nnue_twin
from sparring.nets.nnue import chances_of, inputs_seen, log_odds
from sparring.nets.nnue_quantised import quantised


def work_of(net, game):
    work = np.zeros(1, nnue_twin.record_dtype(net, game))
    nnue_twin.fill(work[0], net)
    return work[0]


def game_of(game, seed):
    """The positions of a random game, first to last but one."""
    random, states = np.random.default_rng(seed), [game.states(1)[0].copy()]
    while True:
        state = game.after(states[-1], int(random.choice(game.legal_moves(states[-1]))))
        if not game.legal_moves(state):
            return np.array(states, game.STATE)
        states.append(state)


def slowly(net, game, states):
    return nnue_quantised.evaluate(quantised(net), *inputs_seen(game, net.shape, states))


SHAPES = {
    "plain": {},
    "one output, phases": {"outputs": 1, "sets": 3},
    "frames": {"buckets": (0, 1, 1, 2), "flips": (0, 0, 1, 1), "sets": 2},
    "wide": {"hidden": 272},
    "two layers": {"layers": (18, 5), "outputs": 1, "sets": 2},
    "block-sparse": {"hidden": 32, "layers": (6,), "block_sparse": True},
}


@pytest.mark.parametrize("name", SHAPES)
def test_it_says_of_every_position_of_a_game_what_the_slow_net_says(framed, nnue_of, name):
    net = nnue_of(framed, **SHAPES[name])
    kernels, work = nnue_twin.join(net, framed), work_of(net, framed)
    for seed in range(3):
        states = game_of(framed, seed)
        wanted = slowly(net, framed, states)
        for ply in range(len(states)):
            kernels.run(work, states, ply)
            np.testing.assert_allclose(work["logits"], wanted[ply], atol=1e-6)
        assert np.std(wanted) > 0.01


def test_it_finds_out_by_itself_which_sums_it_can_build_on(framed, nnue_of):
    """Plies are overwritten, skipped, and asked about in any order, as in a search."""
    net = nnue_of(framed, **SHAPES["frames"])
    kernels, work = nnue_twin.join(net, framed), work_of(net, framed)
    stack, random = game_of(framed, 4)[:5].copy(), np.random.default_rng(1)
    wanted = {}
    for _ in range(60):
        ply = int(random.integers(len(stack)))
        if random.random() < 0.5:
            other = game_of(framed, int(random.integers(8)))
            stack[ply] = other[min(ply, len(other) - 1)]
        state = stack[ply]
        text = state.tobytes()
        if text not in wanted:
            wanted[text] = slowly(net, framed, stack[ply : ply + 1])[0]
        kernels.run(work, stack, ply)
        np.testing.assert_allclose(work["logits"], wanted[text], atol=1e-6)


def test_where_the_rules_tell_no_changes_it_is_reckoned_anew(nnue_of):
    game = load("connect-four")
    net = nnue_of(game, hidden=32)
    kernels, work = nnue_twin.join(net, game), work_of(net, game)
    states = random_positions(game, 6)
    said = [(kernels.run(work, states, ply), work["logits"].copy())[1] for ply in range(len(states))]
    np.testing.assert_allclose(said, slowly(net, game, states), atol=1e-6)


@pytest.mark.parametrize("outputs", [1, 3])
def test_its_judgement_is_the_expected_result(framed, nnue_of, outputs):
    net = nnue_of(framed, outputs=outputs)
    kernels, work, states = nnue_twin.join(net, framed), work_of(net, framed), game_of(framed, 2)
    logits = slowly(net, framed, states)
    wanted = np.tanh(logits[:, 0] / 2) if outputs == 1 else chances_of(logits) @ np.array(framed.RESULTS)
    said = [kernels.judge(work, states, ply) for ply in range(len(states))]
    np.testing.assert_allclose(said, wanted, atol=1e-6)


@pytest.mark.parametrize("outputs", [1, 3])
def test_with_odds_its_judgement_is_the_log_odds(odd, nnue_of, outputs):
    net = nnue_of(odd, outputs=outputs)
    kernels, work, states = nnue_twin.join(net, odd), work_of(net, odd), game_of(odd, 2)
    logits = slowly(net, odd, states)
    wanted = logits[:, 0] if outputs == 1 else log_odds(chances_of(logits), odd.RESULTS)
    said = [kernels.judge(work, states, ply) for ply in range(len(states))]
    np.testing.assert_allclose(said, wanted / (2 * odd.ODDS), atol=1e-6)


def test_its_chances_are_those_of_the_player_to_move(framed, nnue_of):
    net = nnue_of(framed)
    kernels, work, states = nnue_twin.join(net, framed), work_of(net, framed), game_of(framed, 3)
    wanted, out = chances_of(slowly(net, framed, states)), np.zeros(3, np.float32)
    for ply in range(len(states)):
        kernels.distribution(work, states, ply, out)
        np.testing.assert_allclose(out, wanted[ply], atol=1e-6)
        assert wanted[ply].std() > 0.01


def test_log_odds_of_a_certain_win_stay_finite(odd, nnue_of):
    net = nnue_of(odd)
    net.arrays["output.bias"][:] = (-200, 0, 200)
    kernels, work = nnue_twin.join(net, odd), work_of(net, odd)
    assert 1 < kernels.judge(work, odd.states(1), 0) < 100
