"""The loss of PPO: the published minibatch to six digits, and masked moves that do no harm."""

import math

import pytest
import torch

from sparring.errors import RunError
from sparring.learn.ppo_loss import (
    PpoBatch,
    check_loss,
    entropies,
    log_chances,
    losses,
    normalised,
    result_loss,
    surrogate,
    whole,
)
from sparring.nets.tower_module import Outputs

NOW = ((0.40, 0.35, 0.25), (0.25, 0.50, 0.25), (0.50, 0.30, 0.20))
OLD = (0.30, 0.30, 0.40)
ADVANTAGES = (1.0, 1.0, -1.0)


def batch_of(legal, before=OLD, advantages=ADVANTAGES, move=0, target=0.0, result=0):
    m = len(legal)
    column = lambda value: torch.full((m,), value)  # noqa: E731
    played = (column(move), torch.tensor(before).log(), torch.tensor(advantages))
    return PpoBatch(torch.zeros(m, 1), legal, *played, column(target), column(result))


def said_by(logits, results=None, score=None):
    results = torch.zeros(len(logits), 2) if results is None else results
    return Outputs(logits, results, torch.zeros(len(logits)) if score is None else score)


@pytest.fixture
def logits():
    return torch.tensor(NOW).log().requires_grad_()


@pytest.mark.parametrize(("advantage", "objective", "slope"), [(1.0, 1.2, 0.0), (-1.0, -4 / 3, -1.0)])
def test_a_chance_risen_from_30_to_40_percent_is_clipped_only_where_that_gains(advantage, objective, slope):
    ratio = torch.tensor([0.40 / 0.30], requires_grad=True)
    found = surrogate(ratio, torch.tensor([advantage]), 0.2)
    found.sum().backward()
    assert (found.item(), ratio.grad.item()) == pytest.approx((objective, slope), abs=1e-6)


def test_the_minibatch_has_the_published_loss_and_gradients(logits):
    loss = losses(said_by(logits), batch_of(torch.ones(3, 3, dtype=torch.bool)), 0.2)["policy"]
    loss.backward()
    assert loss.item() == pytest.approx(-0.261111111, abs=1e-6)
    wanted = [(0, 0, 0), (-0.208333, 0.138889, 0.069444), (0.208333, -0.125, -0.083333)]
    for found, row in zip(logits.grad.tolist(), wanted, strict=True):
        assert found == pytest.approx(row, abs=1e-6)
    after = torch.softmax(logits.detach() - logits.grad, 1).tolist()
    wanted = [(0.40, 0.35, 0.25), (0.315382, 0.445728, 0.238891), (0.421438, 0.352898, 0.225664)]
    for found, row in zip(after, wanted, strict=True):
        assert found == pytest.approx(row, abs=1e-6)


def test_diagnostics_tell_how_far_the_policy_has_gone(logits):
    terms = losses(said_by(logits), batch_of(torch.ones(3, 3, dtype=torch.bool)), 0.2)
    ratios = [0.40 / 0.30, 0.25 / 0.30, 0.50 / 0.40]
    assert terms["kl"].item() == pytest.approx(sum(r - 1 - math.log(r) for r in ratios) / 3, abs=1e-6)
    assert terms["clipped"].item() == pytest.approx(2 / 3)
    assert not terms["kl"].requires_grad and not terms["clipped"].requires_grad


def test_the_policy_that_played_has_no_distance_from_itself(logits):
    own = [row[0] for row in NOW]
    terms = losses(said_by(logits), batch_of(torch.ones(3, 3, dtype=torch.bool), own), 0.2)
    assert terms["kl"].item() == pytest.approx(0, abs=1e-6) and terms["clipped"].item() == 0
    assert terms["policy"].item() == pytest.approx(-sum(ADVANTAGES) / 3, abs=1e-6)


def test_value_and_result_are_a_squared_error_and_a_cross_entropy():
    results = torch.tensor([[0.0, 1.0], [2.0, 0.0], [0.0, 0.0]])
    said = said_by(torch.zeros(3, 3), results, torch.tensor([0.5, -0.5, 0.0]))
    terms = losses(said, batch_of(torch.ones(3, 3, dtype=torch.bool), target=0.25, result=1), 0.2)
    assert terms["value"].item() == pytest.approx((0.25**2 + 0.75**2 + 0.25**2) / 3)
    happened = [math.e / (1 + math.e), 1 / (1 + math.e**2), 0.5]
    assert terms["result"].item() == pytest.approx(-sum(map(math.log, happened)) / 3, abs=1e-6)


def test_games_that_were_cut_off_teach_no_result():
    logits = torch.tensor([[0.0, 1.0], [2.0, 0.0]], requires_grad=True)
    alone = result_loss(logits[:1], torch.tensor([1]))
    assert result_loss(logits, torch.tensor([1, -1])).item() == pytest.approx(alone.item())
    none = result_loss(logits, torch.tensor([-1, -1]))
    none.backward()
    assert none.item() == 0 and not logits.grad.any()


def test_the_whole_loss_pays_for_entropy():
    terms = {name: torch.tensor(value) for name, value in (("policy", 1.0), ("value", 2.0), ("result", 4.0))}
    terms["entropy"] = torch.tensor(8.0)
    assert float(whole(terms, value=0.5, result=0.25, entropy=0.125)) == 1 + 1 + 1 - 1


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf, 10_001.0])
def test_a_loss_that_is_no_number_or_exploded_stops_with_its_step(loss):
    check_loss(9_999.0, 7)
    with pytest.raises(RunError, match=f"the loss became {loss:g} at step 7; then what"):
        check_loss(loss, 7, "; then what")


# --- masked moves ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("illegal", [0.0, 80.0, -80.0, float("inf"), float("nan")])
def test_illegal_moves_have_neither_entropy_nor_gradient_whatever_their_logits(illegal):
    logits = torch.tensor([[0.0, 0.0, illegal, 0.0], [1.0, illegal, illegal, illegal]], requires_grad=True)
    legal = torch.tensor([[True, True, False, True], [True, False, False, False]])
    terms = losses(said_by(logits), batch_of(legal, (0.3, 1.0), (1.0, -1.0)), 0.2)
    assert terms["entropy"].item() == pytest.approx(math.log(3) / 2, abs=1e-6)
    whole(terms, 0.5, 1.0, 0.005).backward()
    assert torch.isfinite(logits.grad).all()
    assert not logits.grad[~legal].any()


def test_the_naive_entropy_of_a_masked_move_is_what_must_not_happen():
    logs = torch.log_softmax(torch.tensor([[0.0, -math.inf]]), 1)
    assert torch.isnan((logs.exp() * logs).sum())


def test_entropy_is_that_of_the_legal_moves_alone():
    random = torch.Generator().manual_seed(1)
    logits = torch.randn(20, 4, generator=random)
    legal = torch.rand(20, 4, generator=random) < 0.6
    legal[:, 0] = True
    found = entropies(log_chances(logits, legal), legal)
    for row, allowed, entropy in zip(logits, legal, found, strict=True):
        chances = torch.softmax(row[allowed], 0)
        assert float(entropy) == pytest.approx(float(-(chances * chances.log()).sum()), abs=1e-6)


def test_normalised_advantages_have_mean_0_and_deviation_1():
    found = normalised(torch.tensor([1.0, 2.0, 6.0]))
    assert float(found.mean()) == pytest.approx(0, abs=1e-6)
    assert float(found.square().mean()) == pytest.approx(1, abs=1e-6)


def test_advantages_that_are_all_alike_say_nothing():
    for advantages in ([2.5], [2.5, 2.5]):
        assert normalised(torch.tensor(advantages)).tolist() == [0.0] * len(advantages)
