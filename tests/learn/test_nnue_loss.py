"""The loss, against the formula written out number by number, and its special cases."""

import math

import numpy as np
import pytest
import torch

from sparring.learn.nnue_loss import Objective, along, losses

WORTH = (0.0, 0.5, 1.0)


def slow_loss(logits, wanted, result, alpha, blend):
    """The mean over positions, one by one: (loss, square, surprise)."""
    terms = []
    for line, score, z in zip(logits, wanted, result, strict=True):
        target = blend * WORTH[z] + (1 - blend) * score
        if len(line) == 1:
            square, surprise = (1 / (1 + math.exp(-line[0])) - target) ** 2, 0.0
        else:
            total = sum(math.exp(x) for x in line)
            chances = [math.exp(x) / total for x in line]
            square, surprise = (chances[2] + chances[1] / 2 - target) ** 2, -math.log(chances[z])
        loss = surprise if math.isinf(alpha) else square + alpha * surprise
        terms.append((loss, square, surprise))
    return np.mean(terms, axis=0)


def some(outputs, n=40):
    random = np.random.default_rng(outputs)
    return random.normal(size=(n, outputs)) * 2, random.random(n), random.integers(0, 3, n)


def fast_loss(logits, wanted, result, alpha, blend):
    return losses(
        logits if torch.is_tensor(logits) else torch.tensor(logits, dtype=torch.float64),
        torch.tensor(wanted, dtype=torch.float64),
        torch.tensor(result),
        torch.tensor(WORTH, dtype=torch.float64),
        Objective(alpha, blend),
    )


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize(("alpha", "blend"), [(0.1, 0.75), (0.0, 0.3), (2.0, 1.0), (0.1, 0.0), (math.inf, 0.5)])
def test_the_loss_is_the_formula_written_out(outputs, alpha, blend):
    if outputs == 1:
        alpha = 0.0
    given = some(outputs)
    found = fast_loss(*given, alpha, blend)
    expected = slow_loss(*given, alpha, blend)
    np.testing.assert_allclose([float(x) for x in (found.loss, found.square, found.surprise)], expected, rtol=1e-9)


@pytest.mark.parametrize(("outputs", "alpha"), [(1, 0.0), (3, 0.0), (3, 0.1), (3, math.inf)])
def test_the_gradient_is_the_slope_of_the_formula(outputs, alpha):
    logits, wanted, result = some(outputs, 5)
    given = torch.tensor(logits, dtype=torch.float64, requires_grad=True)
    fast_loss(given, wanted, result, alpha, 0.4).loss.backward()
    step = 1e-6
    for i in range(5):
        for k in range(outputs):
            up, down = logits.copy(), logits.copy()
            up[i, k] += step
            down[i, k] -= step
            slope = slow_loss(up, wanted, result, alpha, 0.4)[0] - slow_loss(down, wanted, result, alpha, 0.4)[0]
            assert float(given.grad[i, k]) == pytest.approx(slope / (2 * step), rel=1e-4, abs=1e-9)


def test_alone_the_chance_of_what_happened_asks_nothing_of_scores():
    logits, wanted, result = some(3)
    one, other = (fast_loss(logits, w, result, math.inf, 0.5).loss for w in (wanted, 1 - wanted))
    assert float(one) == float(other)


@pytest.mark.parametrize("alpha", [0.0, 0.1, math.inf])
def test_a_scalar_head_learns_by_the_squared_error_whatever_alpha_is(alpha):
    given = some(1)
    found = fast_loss(*given, alpha, 0.5)
    assert float(found.loss) == float(found.square)


def test_a_number_that_changes_goes_evenly_through_its_values_over_the_run():
    assert [along((0.3,), done) for done in (0, 0.5, 1)] == [0.3] * 3
    assert [along((1.0, 0.5), done) for done in (-1, 0, 0.5, 1, 2)] == [1, 1, 0.75, 0.5, 0.5]
    assert [along((1.0, 0.0, 4.0), done) for done in (0, 0.25, 0.5, 0.75, 1)] == [1, 0.5, 0, 2, 4]
