"""Steps of training: the loss falls, a run goes on exactly, the average follows."""

import numpy as np
import torch

from sparring.nets.tower_module import TowerModule
from sparring.nets.tower_training import Trainer


def test_training_brings_the_loss_down(shape, rows):
    trainer = Trainer(TowerModule(shape, 3), rate=0.01)
    terms = [trainer.step(*rows) for _ in range(60)]
    assert float(terms[-1]["loss"]) < 0.85 * float(terms[0]["loss"])
    assert float(terms[-1]["gradient"]) > 0


def test_a_run_goes_on_from_its_state_as_if_nothing_had_been(shape, trained, rows):
    one = trained(steps=4)
    kept = one.state()
    other = Trainer(TowerModule(shape, 99, reply=True, left=True), rate=0.02, averaging=0.6)
    other.restore(kept)
    for trainer in (one, other):
        trainer.step(*rows, rate=0.01)
    a, b = one.state(), other.state()
    assert a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)
    assert not np.array_equal(a["module.stem.convolution.weight"], kept["module.stem.convolution.weight"])


def test_the_average_follows_weights_and_statistics(trained, rows):
    trainer = trained(steps=1)
    before = trainer.state()
    trainer.step(*rows)
    after = trainer.state()
    share = min(0.6, 3 / 12)
    for name in ("policy.weight", "stem.norm.running_var"):
        wanted = share * before[f"average.{name}"] + (1 - share) * after[f"module.{name}"]
        np.testing.assert_allclose(after[f"average.{name}"], wanted, rtol=1e-4, atol=1e-6)
    assert not trainer.average.training


def test_a_factor_of_nothing_leaves_a_head_untrained(shape, rows):
    trainer = Trainer(TowerModule(shape, 3, left=True), factors={"left": 0.0}, decay=0.0)
    before = trainer.module.left.weight.detach().clone()
    trainer.step(*rows)
    assert torch.equal(trainer.module.left.weight, before)
