"""NNUE nets look at chess: along whole games, with and without frames, in a search."""

import numpy as np
import pytest

from sparring.games.game import load
from sparring.nets import nnue_quantised, nnue_twin
from sparring.nets.nnue import inputs_seen
from sparring.nets.nnue_quantised import quantised
from sparring.search import judging

CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"


@pytest.fixture(scope="module")
def chess():
    return load("chess")


def slowly(net, game, states):
    return nnue_quantised.evaluate(quantised(net), *inputs_seen(game, net.shape, states))


def game_from(chess, fen, plies, seed):
    random, states = np.random.default_rng(seed), [chess.module.position(fen)]
    while len(states) <= plies and (moves := chess.legal_moves(states[-1])):
        states.append(chess.after(states[-1], int(random.choice(moves))))
    return np.array(states, chess.STATE)


@pytest.mark.parametrize("framing", ["", "kings8"])
def test_kings_may_go_and_castle_and_all_is_judged_as_slowly(chess, nnue_of, framing):
    more = dict(zip(("buckets", "flips"), chess.module.FRAMINGS[framing], strict=True)) if framing else {}
    net = nnue_of(chess, sets=8, **more)
    kernels, work = nnue_twin.join(net, chess), np.zeros(1, nnue_twin.record_dtype(net, chess))
    nnue_twin.fill(work[0], net)
    for seed in range(2):
        states = game_from(chess, CASTLING, 40, seed)
        wanted = slowly(net, chess, states)
        for ply in range(len(states)):
            kernels.run(work[0], states, ply)
            np.testing.assert_allclose(work[0]["logits"], wanted[ply], atol=1e-5)


def test_with_mirrored_frames_mirrored_boards_are_worth_the_same(chess, nnue_of):
    net = nnue_of(chess, buckets=chess.module.FRAMINGS["kings8"][0], flips=chess.module.FRAMINGS["kings8"][1])
    for fen in ("4k3/1p3n2/8/8/3P4/8/Q7/1K6 w - - 0 1", "r5k1/8/8/2b5/8/4P3/8/6K1 b - - 0 1"):
        board, rest = fen.split(" ", 1)
        mirrored = "/".join(row[::-1] for row in board.split("/")) + " " + rest
        states = np.array([chess.module.position(text) for text in (fen, mirrored)], chess.STATE)
        first, second = slowly(net, chess, states)
        assert np.array_equal(first, second) and first.std() > 0


def test_a_pass_changes_who_is_to_move_and_nothing_else(chess, nnue_of):
    net = nnue_of(chess)
    judge = judging.by_net(chess, net)
    states = game_from(chess, CASTLING.replace("2NPBN2", "2NP1N2"), 1, 0)
    states[1] = states[0]
    assert chess.null_move(states[1])
    work, out = np.zeros(1, judge.dtype), np.zeros((2, 3), np.float32)
    judge.fill(work[0])
    for ply in range(2):
        judge.distribution(work[0], states, ply, out[ply])
    powers = np.exp(slowly(net, chess, states))
    np.testing.assert_allclose(out, powers / powers.sum(1, keepdims=True), atol=1e-5)
    assert abs(out[0] - out[1]).max() > 0.01
    assert (work[0]["sums"][0] == work[0]["sums"][1]).all()


def test_centipawns_are_four_hundred_times_the_log_odds(chess, nnue_of):
    net = nnue_of(chess, outputs=1)
    judge, states = judging.by_net(chess, net), game_from(chess, CASTLING, 0, 0)
    work = np.zeros(1, judge.dtype)
    judge.fill(work[0])
    centipawns = 10_000 * judge.kernel(work[0], states, 0)
    assert centipawns == pytest.approx(400 * slowly(net, chess, states)[0, 0], abs=0.01)
    assert judge.distribution is None
