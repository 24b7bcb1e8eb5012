"""The torch module: its loss, its gradients, its start."""

import numpy as np
import pytest
import torch

from sparring.games.game import load
from sparring.nets.mlp import MLP, new_net

GAME = load("tigers_and_sheep")


def examples(n=16, seed=3):
    rng = np.random.default_rng(seed)
    inputs = (rng.random((n, GAME.FEATURES)) < 0.3).astype(np.float32)
    return (
        torch.tensor(inputs),
        torch.tensor(rng.uniform(-1, 1, n).astype(np.float32)),
        torch.tensor(rng.integers(0, 3, n)),
    )


@pytest.mark.parametrize("head", ["tanh", "results"])
def test_gradients_equal_finite_differences(head):
    model = MLP(new_net(GAME, (10, 6), head, 20, seed=5), GAME).double()
    inputs, wanted, happened = examples()
    inputs, wanted = inputs.double(), wanted.double()
    model.loss(model(inputs), wanted, happened, 0.1).backward()
    rng = np.random.default_rng(1)
    for parameter in model.parameters():
        for _ in range(6):
            place = tuple(int(rng.integers(s)) for s in parameter.shape)
            with torch.no_grad():
                sides = []
                for step in (1e-6, -2e-6):
                    parameter[place] += step
                    sides.append(float(model.loss(model(inputs), wanted, happened, 0.1)))
                parameter[place] += 1e-6
            assert float(parameter.grad[place]) == pytest.approx((sides[0] - sides[1]) / 2e-6, abs=1e-6)


def test_the_scalar_loss_is_half_the_squared_miss():
    model = MLP(new_net(GAME, (4,), "tanh", 20, seed=1), GAME)
    out, wanted = torch.tensor([[0.0], [1.0]]), torch.tensor([0.5, 0.0])
    expected = (0.25 + np.tanh(1.0) ** 2) / 2 / 2
    assert float(model.loss(out, wanted, torch.zeros(2, dtype=torch.long), 9.9)) == pytest.approx(expected, abs=1e-6)


def test_the_loss_of_a_distribution_adds_alpha_times_the_cross_entropy_of_what_happened():
    model = MLP(new_net(GAME, (4,), "results", 20, seed=1), GAME)
    p = torch.tensor([[0.2, 0.3, 0.5]])
    loss = model.loss(torch.log(p), torch.tensor([0.1]), torch.tensor([2]), 0.1)
    assert float(loss) == pytest.approx((0.3 - 0.1) ** 2 - 0.1 * np.log(0.5), abs=1e-6)


def test_layer_1_starts_with_the_fan_in_of_the_inputs_that_are_set():
    net = new_net(GAME, (512, 256), "tanh", 20, seed=1)
    assert net.layers[0][0].std() == pytest.approx(np.sqrt(2 / 20), rel=0.02)
    assert net.layers[1][0].std() == pytest.approx(np.sqrt(2 / 512), rel=0.02)
    assert all((bias == 0).all() for _, bias in net.layers)


def test_the_reference_net_has_5505_parameters():
    assert new_net(GAME, (64, 32), "tanh", 20, seed=1).parameters == 5505


def test_weights_go_into_the_module_and_back_unchanged():
    net = new_net(GAME, (12, 7), "results", 20, seed=2)
    for (a, b), (c, d) in zip(net.layers, MLP(net, GAME).layers(), strict=True):
        assert (a == c).all()
        assert (b == d).all()
