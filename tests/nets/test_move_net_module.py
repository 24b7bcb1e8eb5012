"""The torch module of a MoveNet computes what the net does, and folds into it."""

import numpy as np
import pytest

from sparring.nets.move_net import evaluate, shape_for

torch = pytest.importorskip("torch")


@pytest.fixture
def module(nim):
    from sparring.nets.move_net_module import MoveNetModule

    return MoveNetModule(shape_for(nim, (6, 4), (5, 4)), 1)


@pytest.fixture
def inputs(module):
    return np.random.default_rng(3).normal(size=(9, module.shape.inputs)).astype(np.float32)


def said(module, inputs):
    with torch.no_grad():
        out = module(torch.from_numpy(inputs))
    return np.concatenate([out.policy.numpy(), out.results.numpy(), out.score.numpy()[:, None]], 1)


def test_the_module_says_what_the_net_says_that_it_folds_into(module, nim, inputs):
    net = module.fold(nim, {"games": 3})
    assert (net.game, net.features, net.training) == ("nim", nim.FEATURES_VERSION, {"games": 3})
    np.testing.assert_allclose(said(module, inputs), evaluate(net, inputs), atol=1e-6)


def test_a_module_of_a_net_says_what_the_net_says(module, move_net_of, nim, inputs):
    net = move_net_of(nim)
    again = type(module).of(net)
    np.testing.assert_allclose(said(again, inputs), evaluate(net, inputs), atol=1e-6)
    assert again.fold(nim).digest == net.digest


def test_an_untrained_one_favours_nothing_much_and_depends_on_the_seed(module, inputs):
    same, other = (type(module)(module.shape, seed) for seed in (1, 2))
    assert np.array_equal(said(module, inputs), said(same, inputs))
    assert not np.array_equal(said(module, inputs), said(other, inputs))
    assert 0 < np.abs(said(module, inputs)).mean() < 0.3


def test_every_weight_is_trained(module, inputs):
    out = module(torch.from_numpy(inputs))
    (out.policy.square().sum() + out.results.square().sum() + out.score.sum()).backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in module.parameters())
    assert out.reply is None and out.left is None
