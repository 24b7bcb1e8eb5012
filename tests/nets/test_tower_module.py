"""The module that is trained, the tower it folds into, its losses and its steps."""

import dataclasses

import numpy as np
import pytest
import torch

from sparring.nets import engines
from sparring.nets.tower import calibrated, evaluate, shape_for
from sparring.nets.tower_module import Outputs, Targets, TowerModule, losses


def said(module, inputs):
    """Outputs as an engine gives them."""
    with torch.no_grad():
        out = module.eval()(inputs)
    return torch.cat([out.policy, out.results, out.score[:, None]], 1).numpy()


# --- to and from towers ----------------------------------------------------------------------------------------------


def test_the_folded_tower_judges_as_the_module_does(game, trained, rows):
    module = trained().module
    norm = module.stem.norm
    assert norm.running_mean.abs().max() > 0.05 and (norm.running_var - 1).abs().max() > 0.05
    np.testing.assert_allclose(evaluate(module.fold(game), rows[0].numpy()), said(module, rows[0]), atol=1e-5)


def test_a_module_of_a_tower_judges_as_the_tower_does_in_training_too(game, trained, rows):
    """On the positions that batch norm's statistics were taken from; and it folds into the same tower."""
    tower = trained().average.fold(game, {"seed": 3})
    module = TowerModule.of(tower, rows[0].numpy(), seed=8, reply=True)
    assert module.training and module.reply is not None and module.left is None
    out = module(rows[0])
    np.testing.assert_allclose(out.policy.detach(), evaluate(tower, rows[0].numpy())[:, :7], atol=1e-4)
    np.testing.assert_allclose(
        said(TowerModule.of(tower, rows[0].numpy(), 8), rows[0]), evaluate(tower, rows[0].numpy()), atol=1e-5
    )
    again = TowerModule.of(tower, rows[0].numpy(), 8).fold(game)
    for name, array in tower.arrays.items():
        np.testing.assert_allclose(again.arrays[name], array, atol=1e-5)
    assert (tower.game, tower.features, tower.training) == ("connect_four", 1, {"seed": 3})


@pytest.mark.parametrize(
    ("kind", "most"), [("openvino-f32", 1e-3), ("openvino", 0.06), ("openvino-int8", 0.3), ("torch", 1e-3)]
)
def test_engines_agree_on_a_trained_tower_too(kind, most, game, inputs_of):
    """Its folded weights differ in size from channel to channel, as those of random towers do not."""
    if kind.startswith("openvino"):
        pytest.importorskip("openvino")
    shape = shape_for(game, blocks=2, width=16)
    module = TowerModule(shape, 3)
    random = np.random.default_rng(2)
    with torch.no_grad():
        for part in module.normed().values():
            for tensor, low, high in (
                (part.norm.weight, 0.2, 2),
                (part.norm.bias, -1, 0.5),
                (part.norm.running_var, 0.1, 5),
            ):
                tensor.copy_(torch.from_numpy(random.uniform(low, high, 16).astype(np.float32)))
            part.norm.running_mean.copy_(torch.from_numpy(random.normal(size=16).astype(np.float32)))
        for part in (module.policy, module.result):
            part.weight *= 10
    inputs = torch.from_numpy(inputs_of(shape, 64))
    tower = calibrated(module.fold(game), inputs_of(shape, 128, seed=9))
    wanted = said(module, inputs)
    engine = engines.make(kind, tower, 64)
    engine.inputs[:] = inputs.numpy()
    engine.run()
    assert wanted.std() > 0.3
    assert np.abs(engine.outputs - wanted).max() < most * wanted.std()


def test_a_seed_fixes_the_weights_and_outputs_begin_near_zero(shape, rows):
    a, b, c = (TowerModule(shape, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(a[name], b[name]) for name in a)
    assert not torch.equal(a["stem.convolution.weight"], c["stem.convolution.weight"])
    module = TowerModule(shape, 1)
    module(rows[0])
    assert np.abs(said(module, rows[0])).max() < 1


# --- losses ----------------------------------------------------------------------------------------------------------


def outputs_for(rows, seed=7):
    random = torch.Generator().manual_seed(seed)
    draw = lambda *size: torch.randn(*size, generator=random)  # noqa: E731
    return Outputs(draw(48, 7), draw(48, 3), draw(48).tanh(), draw(48, 7), draw(48).sigmoid())


def test_the_terms_are_what_their_names_say(rows):
    """Row by row, in plain numbers."""
    out, wanted = outputs_for(rows), rows[1]
    sums = dict.fromkeys(("policy", "result", "score", "reply", "left"), 0.0)
    for i in range(48):
        weight, legal = float(wanted.weight[i]), [m for m in range(7) if wanted.legal[i, m]]
        chances = np.exp([float(out.policy[i, m]) for m in legal])
        chances /= chances.sum()
        sums["policy"] -= weight * sum(
            float(wanted.policy[i, m]) * np.log(p) for m, p in zip(legal, chances, strict=True)
        )
        for name, logits, target in (("result", out.results, wanted.results), ("reply", out.reply, wanted.reply)):
            p = np.exp(logits[i].double().numpy())
            sums[name] -= weight * float((target[i].numpy() * np.log(p / p.sum())).sum())
        sums["score"] += weight * float(out.score[i] - wanted.score[i]) ** 2
        sums["left"] += weight * float(out.left[i] - wanted.left[i]) ** 2
    terms = losses(out, wanted)
    assert terms.keys() == sums.keys()
    for name, term in terms.items():
        assert float(term) == pytest.approx(sums[name] / float(wanted.weight.sum()), rel=1e-4)


def test_illegal_moves_have_no_part_in_the_loss(rows):
    out, wanted = outputs_for(rows), rows[1]
    louder = out._replace(policy=out.policy + 50 * ~wanted.legal)
    assert torch.equal(losses(out, wanted)["policy"], losses(louder, wanted)["policy"])
    logits = out.policy.clone().requires_grad_()
    losses(out._replace(policy=logits), wanted)["policy"].backward()
    assert (logits.grad[~wanted.legal] == 0).all() and logits.grad.abs().max() > 0


def test_a_row_without_policy_teaches_values_only(rows):
    out, wanted = outputs_for(rows), rows[1]
    policy = wanted.policy.clone()
    policy[5] = 0
    logits, results = out.policy.clone().requires_grad_(), out.results.clone().requires_grad_()
    terms = losses(out._replace(policy=logits, results=results), wanted._replace(policy=policy))
    (terms["policy"] + terms["result"]).backward()
    assert (logits.grad[5] == 0).all() and (logits.grad[6] != 0).any() and (results.grad[5] != 0).any()


def test_heads_that_are_only_trained_may_be_missing(shape, rows):
    plain = TowerModule(shape, 1)(rows[0])
    assert plain.reply is None and plain.left is None
    assert losses(plain, rows[1]).keys() == {"policy", "result", "score"}
    both = TowerModule(shape, 1, reply=True, left=True)(rows[0])
    assert losses(both, rows[1]._replace(reply=None)).keys() == {"policy", "result", "score", "left"}


def test_rows_of_no_weight_change_nothing(shape, rows):
    """But for batch norm, which sees them: so the loss alone is compared."""
    out, wanted = outputs_for(rows), rows[1]
    some = Targets(*(t[:20] for t in wanted))
    weight = torch.where(torch.arange(48) < 20, wanted.weight, 0.0)
    few = losses(Outputs(*(t[:20] for t in out)), some)
    for name, term in losses(out, wanted._replace(weight=weight)).items():
        assert float(term) == pytest.approx(float(few[name]), rel=1e-5)


def test_the_shape_is_that_of_the_tower(game, shape, rows):
    net = TowerModule(shape, 3, reply=True, left=True).fold(game)
    assert net.shape == shape and {n: a.shape for n, a in net.arrays.items()} == shape.arrays
    assert dataclasses.replace(net, shape=shape).parameters == sum(a.size for a in net.arrays.values())
