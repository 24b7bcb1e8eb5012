"""Towers, and what they are trained on, for the tests of nets."""

import numpy as np
import pytest

from sparring.games.game import load
from sparring.nets.tower import Shape, Tower, shape_for

SMALL = {"blocks": 2, "width": 8, "policy": 3, "value": 2, "hidden": 6}


def random_tower(game, seed=4, **sizes):
    """A tower of random weights whose activations neither vanish nor explode."""
    shape = shape_for(game, **{**SMALL, **sizes})
    return Tower(game.name, game.FEATURES_VERSION, shape, random_arrays(shape, seed), {"seed": seed})


def random_arrays(shape: Shape, seed):
    random = np.random.default_rng(seed)
    spread = {name: np.sqrt(2 / np.prod(size[1:])) if len(size) > 1 else 0.1 for name, size in shape.arrays.items()}
    return {name: (random.normal(size=size) * spread[name]).astype(np.float32) for name, size in shape.arrays.items()}


def random_inputs(shape: Shape, n, seed=5):
    """Planes of a few stones each."""
    chosen = np.random.default_rng(seed).random((n, shape.planes, shape.rows, shape.columns)) < 0.3
    return chosen.astype(np.float32)


@pytest.fixture
def tower_of():
    return random_tower


@pytest.fixture
def inputs_of():
    return random_inputs


# --- training; torch is imported only where it is asked for ----------------------------------------------------------


@pytest.fixture
def game():
    return load("connect-four")


@pytest.fixture
def shape(game):
    return shape_for(game, **SMALL)


@pytest.fixture
def rows(shape):
    """Inputs of 48 positions, and targets for every head."""
    import torch

    from sparring.nets.tower_module import Targets

    random = np.random.default_rng(6)
    legal = random.random((48, 7)) < 0.8
    legal[:, 3] = True
    policy = random.random((48, 7)) * legal
    made = (
        policy / policy.sum(1, keepdims=True),
        random.dirichlet((1, 1, 1), 48),
        random.uniform(-1, 1, 48),
        random.uniform(0.5, 2, 48),
        random.dirichlet(np.ones(7), 48),
        random.random(48),
    )
    targets = Targets(torch.from_numpy(legal), *(torch.from_numpy(a.astype(np.float32)) for a in made))
    return torch.from_numpy(random_inputs(shape, 48)), targets


@pytest.fixture
def trained(shape, rows):
    """Makes a trainer that has trained for some steps, so that batch norm has seen something."""
    from sparring.nets.tower_module import TowerModule
    from sparring.nets.tower_training import Trainer

    def train(steps=12):
        trainer = Trainer(TowerModule(shape, 3, reply=True, left=True), rate=0.02, averaging=0.6)
        for _ in range(steps):
            trainer.step(*rows)
        return trainer

    return train
