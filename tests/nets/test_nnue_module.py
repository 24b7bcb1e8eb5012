"""The torch module of an NNUE net computes what the net's arrays say, learns, and comes back as arrays."""

import numpy as np
import pytest
import torch

from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.nets import nnue_sparse
from sparring.nets.nnue import evaluate, inputs_seen, shape_for
from sparring.nets.nnue_module import NnueModule, by_phase
from sparring.nets.nnue_quantised import quantised

SHAPES = {
    "plain": {},
    "one output": {"outputs": 1},
    "phases": {"sets": 3},
    "frames": {"buckets": (0, 1, 1, 2), "flips": (0, 0, 1, 1), "sets": 2},
    "layers": {"layers": (6, 5), "sets": 2},
    "block-sparse": {"hidden": 32, "layers": (4,), "block_sparse": True, "sets": 3},
}


def batch(game, shape, n=24):
    states = random_positions(game, n)
    return [torch.from_numpy(part) for part in inputs_seen(game, shape, states)]


@pytest.mark.parametrize("name", SHAPES)
def test_it_computes_what_the_net_does(framed, nnue_of, name):
    net = nnue_of(framed, **SHAPES[name])
    seen = batch(framed, net.shape)
    with torch.no_grad():
        said = NnueModule.of(net)(*seen)
    np.testing.assert_allclose(said, evaluate(net, *(part.numpy() for part in seen)), atol=1e-5)


@pytest.mark.parametrize("name", SHAPES)
def test_it_goes_to_arrays_and_back(framed, nnue_of, name):
    net = nnue_of(framed, **SHAPES[name])
    back = NnueModule.of(net).net(framed, {"steps": 3})
    assert back.digest == net.digest and back.training == {"steps": 3}


@pytest.mark.parametrize("threads", [1, 2])
def test_our_own_gradients_are_torchs(framed, nnue_of, threads):
    net = nnue_of(framed, hidden=48)
    own, other, _ = batch(framed, net.shape)
    weight, bias = (torch.from_numpy(net.arrays[f"features.{part}"].copy()) for part in ("weight", "bias"))
    slopes = torch.from_numpy(np.random.default_rng(3).normal(size=(len(own), 96)).astype(np.float32))
    torch.set_num_threads(threads)
    try:
        found = []
        for layer in (nnue_sparse.first_layer, by_torch):
            parts = weight.clone().requires_grad_(), bias.clone().requires_grad_()
            units = layer(*parts, own, other)
            (units * slopes).sum().backward()
            found.append((units.detach(), parts[0].grad, parts[1].grad))
    finally:
        torch.set_num_threads(1)
    for ours, torchs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, torchs, atol=2e-5)
    assert found[0][1].abs().max() > 0.1


def by_torch(weight, bias, own, other):
    sums = torch.cat([nnue_sparse.sums_of(weight, rows) + bias for rows in (own, other)], 1)
    return sums.clamp(0, 1).square()


def test_many_rows_are_summed_as_few_are(monkeypatch):
    weight, rows = torch.randn(9, 4), torch.tensor([[0, 3, -1], [8, -1, -1], [1, 2, 8]], dtype=torch.int32)
    few = nnue_sparse.sums_of(weight, rows)
    monkeypatch.setattr(nnue_sparse, "MOST_DENSE", 0)
    np.testing.assert_allclose(nnue_sparse.sums_of(weight, rows), few, atol=1e-6)


@pytest.mark.parametrize("after", [3, 40])
def test_each_phase_has_weights_of_its_own(after):
    weight, bias, x, phase = torch.randn(3, after, 5), torch.randn(3, after), torch.randn(7, 5), torch.arange(7) % 3
    wanted = [weight[p] @ v + bias[p] for v, p in zip(x, phase, strict=True)]
    np.testing.assert_allclose(by_phase(x, phase, weight, bias), torch.stack(wanted), atol=1e-5)


@pytest.mark.parametrize("name", SHAPES)
def test_it_learns_who_is_to_win(framed, nnue_of, name):
    """Cross-entropy on a rule that can be seen: the parity of the stones."""
    module = NnueModule(nnue_of(framed, **SHAPES[name]).shape, 1)
    seen = batch(framed, module.shape, 64)
    even = (seen[0] >= 0).sum(1) % 2
    optimiser, losses = torch.optim.AdamW(module.parameters(), lr=0.02), []
    for _ in range(60):
        logits = module(*seen)
        if module.shape.outputs == 1:
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], even.float())
        else:
            loss = torch.nn.functional.cross_entropy(logits, 2 * even)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        module.clip()
        losses.append(loss.item())
    assert losses[0] < 2 and losses[-1] < losses[0] / 3


@pytest.mark.parametrize("name", SHAPES)
def test_clipped_it_always_fits_into_whole_numbers(framed, nnue_of, name):
    module = NnueModule(nnue_of(framed, **SHAPES[name]).shape)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.mul_(100)
    module.clip()
    net = module.net(framed)
    quantised(net)
    assert np.abs(net.arrays["features.weight"]).max() == pytest.approx(1.98, abs=1e-4)


def test_sets_of_weights_share_what_they_learn(framed, nnue_of):
    """A set that no position of a batch uses changes with the others."""
    module = NnueModule(nnue_of(framed, buckets=(0, 1, 1, 2)).shape)
    before = module.net(framed).arrays["features.weight"].reshape(3, 18, 16).copy()
    np.testing.assert_array_equal(before[0], before[2])
    own, other, phase = (
        torch.tensor([[0, 1]], dtype=torch.int32),
        torch.tensor([[3, -1]], dtype=torch.int32),
        torch.zeros(1),
    )
    (module(own, other, phase.long())[0, 0] * 9).backward()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter -= 0.1 * parameter.grad
    moved = module.net(framed).arrays["features.weight"].reshape(3, 18, 16) - before
    assert np.abs(moved[2, 0]).max() > 0 and np.abs(moved[0, 0]).max() > np.abs(moved[2, 0]).max()
    assert not moved[:, 5].any()


def test_units_begin_where_they_can_learn():
    game = load("connect-four")
    shape = shape_for(game, 64)
    module = NnueModule(shape, 2)
    units = nnue_sparse.first_layer(module.features, module.features_bias, *batch(game, shape)[:2]).detach()
    assert ((units > 0) & (units < 1)).float().mean() > 0.6


def test_equal_seeds_are_equal_nets(framed, nnue_of):
    shape = nnue_of(framed).shape
    digests = [NnueModule(shape, seed).net(framed).digest for seed in (1, 1, 2)]
    assert digests[0] == digests[1] != digests[2]
