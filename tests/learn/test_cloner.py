"""What a teacher's games teach: how they ended, and how far off that was."""

import numpy as np
import pytest
import torch

from sparring.learn.clone import Lessons
from sparring.learn.cloner import decisions_left, soften
from sparring.learn.ppo_loss import entropies, log_chances
from sparring.nets.move_net import MoveShape
from sparring.nets.move_net_module import MoveNetModule


def test_decisions_left_are_those_of_the_same_player_in_the_same_game():
    owners = np.array([0, 1, 0, 1, 0, 3, 2, 3])  # game 0: three and two decisions; game 1 begins with player 1
    assert decisions_left(owners).tolist() == [2, 1, 1, 0, 0, 1, 0, 0]


def test_a_softened_policy_is_as_undecided_as_asked_and_prefers_the_same_moves():
    random = np.random.default_rng(1)
    inputs = torch.from_numpy(random.normal(size=(500, 10)).astype(np.float32) * 20)
    legal = random.random((500, 3)) < 0.8
    legal[:, 0] = True
    states = np.arange(500)
    lessons = Lessons(states, np.zeros(500), np.zeros(500), lambda rows: inputs[rows].numpy(), lambda rows: legal[rows])
    module = MoveNetModule(MoveShape(1, 3, 3, 2, (8,), (8,)), 1)
    with torch.no_grad():
        module.policy[-1].weight.mul_(50)
    before = module(inputs).policy.argmax(1)
    sure = undecided(module, inputs, legal)
    soften(module, lessons, 0.3)
    assert sure < 0.2
    assert undecided(module, inputs, legal) == pytest.approx(0.3, abs=1e-3)
    assert (module(inputs).policy.argmax(1) == before).all()
    soften(module, lessons, 0.1)  # it is more than that already
    assert undecided(module, inputs, legal) == pytest.approx(0.3, abs=1e-3)


def undecided(module, inputs, legal):
    allowed = torch.from_numpy(legal)
    return float(entropies(log_chances(module(inputs).policy, allowed), allowed).detach().mean())
