"""A MoveNet inside alpha-beta judges positions and rates moves as the net does."""

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.nets import move_net_twin
from sparring.nets.move_net import evaluate, inputs_seen
from sparring.nets.move_net_kernels import fill, record_dtype


def work_of(net):
    work = np.zeros(1, record_dtype(net.shape))
    fill(work[0], net)
    return work[0]


def positions(game):
    """Every heap with either player to move."""
    states = np.zeros(2 * game.module.SIZE, game.STATE)
    states["heap"] = 1 + np.arange(len(states)) // 2
    states["turn"] = np.arange(len(states)) % 2
    return states


@pytest.mark.parametrize("hidden", [((6, 4), (5, 4)), ((3,), (20,)), ((4, 5, 6), (3, 2, 7))])
def test_it_expects_of_a_position_what_the_net_does(nim, move_net_of, hidden):
    net, states = move_net_of(nim, *hidden), positions(nim)
    kernels, work = move_net_twin.join(net, nim), work_of(net)
    said = [kernels.judge(work, states, ply) for ply in range(len(states))]
    logits = evaluate(net, inputs_seen(nim, states))[:, 3:5].astype(np.float64)
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    np.testing.assert_allclose(said, chances[:, 1] - chances[:, 0], atol=1e-5)  # of winning and of losing for the mover
    assert np.std(said) > 0.01


def test_it_rates_the_moves_by_the_policys_logits(nim, move_net_of):
    net, states = move_net_of(nim), positions(nim)
    kernels, work = move_net_twin.join(net, nim), work_of(net)
    logits = evaluate(net, inputs_seen(nim, states))[:, :3]
    for ply, state in enumerate(states):
        moves, ratings = np.zeros(3, np.int32), np.zeros(3, np.int32)
        n = nim.legal(state, moves)
        moves[:n] = moves[:n][::-1]  # in any order
        kernels.prefer(work, states, ply, moves, n, ratings)
        np.testing.assert_allclose(ratings[:n] / 65536, logits[ply, moves[:n]], atol=1e-4)
        assert not ratings[n:].any()


def test_results_of_several_worths_are_seen_from_the_movers_side(tmp_path, nim, move_net_of):
    """RESULTS mirrored for player 1: what is his best is the first player's worst."""
    path = tmp_path / "pricey.py"
    text = nim.path.read_text(encoding="utf-8").replace("RESULTS = (-1.0, 1.0)", "RESULTS = (-3.0, 1.0)")
    path.write_text(text.replace("def start", "VIEWER = 1\n\n\ndef start"), encoding="utf-8")
    game = load_game(str(path))
    net, states = move_net_of(game), positions(game)
    kernels, work = move_net_twin.join(net, game), work_of(net)
    logits = evaluate(net, inputs_seen(game, states))[:, 3:5].astype(np.float64)
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    for ply, (lost, won) in enumerate(chances):
        wanted = won - 3 * lost if ply % 2 == 0 else 3 * won - lost
        assert kernels.judge(work, states, ply) == pytest.approx(wanted, abs=1e-5)


def test_a_net_for_another_game_is_refused(nim, move_net_of):
    with pytest.raises(WeightsError, match=r"^here\.safetensors was trained for nim, not for tic_tac_toe$"):
        move_net_twin.join(move_net_of(nim), load_game("tic-tac-toe"), "here.safetensors")
