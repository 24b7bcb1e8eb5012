"""What is measured on positions held out: calibration in bins, the loss, as the net's arrays have it."""

import numpy as np
import pytest

from sparring.games.game import load
from sparring.learn.nnue_loader import Loader
from sparring.learn.nnue_loss import Objective
from sparring.learn.nnue_measure import Bin, calibration, gap, measured
from sparring.learn.nnue_rows import empty_rows
from sparring.nets.nnue import chances_of, evaluate, inputs_seen, shape_for
from sparring.nets.nnue_module import NnueModule


def test_bins_hold_as_many_positions_each_with_their_mean_forecast_and_how_often_it_came():
    predicted = np.array([0.9, 0.1, 0.2, 0.8, 0.3, 0.7])
    came = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    assert calibration(predicted, came, 3) == [
        Bin(2, pytest.approx(0.15), 0.5),
        Bin(2, pytest.approx(0.5), 0.0),
        Bin(2, pytest.approx(0.85), 1.0),
    ]


def test_equal_forecasts_stand_in_one_bin():
    bins = calibration(np.array([0.5] * 8 + [0.6] * 2), np.array([1.0] * 6 + [0.0] * 4), 10)
    assert [(b.count, b.observed) for b in bins] == [(8, 0.75), (2, 0.0)]
    assert [b.count for b in calibration(np.array([0.5]), np.array([1.0]))] == [1]


def test_the_gap_is_the_mean_over_positions_of_how_far_their_bin_is_off():
    assert gap([Bin(30, 0.5, 0.6), Bin(10, 0.9, 0.5)]) == pytest.approx(0.25 * (3 * 0.1 + 0.4))


def test_chances_that_come_as_often_as_they_say_leave_a_small_gap():
    random = np.random.default_rng(1)
    predicted = random.random(20_000)
    honest = calibration(predicted, (random.random(20_000) < predicted).astype(float))
    assert gap(honest) < 0.02
    assert gap(calibration(predicted, (random.random(20_000) < predicted**2).astype(float))) > 0.1


@pytest.mark.parametrize("outputs", [1, 3])
def test_the_measures_are_those_of_the_nets_arrays_reckoned_slowly(outputs):
    game = load("tic_tac_toe")
    module = NnueModule(shape_for(game, 32, outputs=outputs), seed=4)
    random, rows, states = np.random.default_rng(5), empty_rows(game, 30), game.states(30)
    for i in range(30):
        for move in random.permutation(9)[: random.integers(0, 5)]:
            game.play(states[i], int(move))
        game.pack(states[i], rows[i]["packed"])
    rows["score"], rows["result"] = random.integers(-9000, 9000, 30), random.integers(0, 3, 30)
    with Loader(game, module.shape) as loader:
        found = measured(module, loader, rows, Objective(0.1, 0.5))
    out = evaluate(module.net(game), *inputs_seen(game, module.shape, states))
    worth, z = np.array([0, 0.5, 1])[rows["result"]], rows["result"]
    share = 1 / (1 + np.exp(-out[:, 0])) if outputs == 1 else chances_of(out) @ [0, 0.5, 1]
    square = ((share - 0.5 * worth - 0.5 * (1 + rows["score"] / 10_000) / 2) ** 2).mean()
    surprise = 0.0 if outputs == 1 else -np.log(chances_of(out)[np.arange(30), z]).mean()
    assert found["held"] == 30
    assert found["held_square"] == pytest.approx(square, rel=1e-4)
    assert found["held_surprise"] == pytest.approx(surprise, rel=1e-4)
    assert found["held_loss"] == pytest.approx(square + 0.1 * surprise, rel=1e-4)
    assert found["held_result"] == pytest.approx(((share - worth) ** 2).mean(), rel=1e-4)
    assert list(found["calibration"]) == (["expected"] if outputs == 1 else ["-1", "0", "1"])
    assert all(sum(n for n, _, _ in bins) == 30 for bins in found["calibration"].values())
