"""Towers, and what they are trained on, for the tests of nets."""

import numpy as np
import pytest

from sparring.games.game import load
from sparring.nets.nnue import Nnue
from sparring.nets.nnue import shape_for as nnue_shape_for
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


FRAMED = """

FRAMES, PHASES = 4, 10


def key(state):
    hashed = np.uint64(1469598103934665603)
    for i in range(9):
        hashed = (hashed ^ np.uint64(state["board"][i])) * np.uint64(1099511628211)
    return hashed


def changes(before, after, viewer, gone, come):
    less, more = 0, 0
    for i in range(9):
        was, now = before["board"][i], after["board"][i]
        if was != now:
            if was != 0:
                gone[less] = i if was == viewer + 1 else 9 + i
                less += 1
            if now != 0:
                come[more] = i if now == viewer + 1 else 9 + i
                more += 1
    return less, more


def frame(state, viewer):
    own = 0
    for i in range(9):
        own += state["board"][i] == viewer + 1
    return own // 2 % FRAMES


def phase(state):
    return state["placed"]
"""


@pytest.fixture(scope="session")
def framed(tmp_path_factory):
    """Tic-tac-toe with all that an NNUE net may ask of a game: what changes, frames, phases."""
    path = tmp_path_factory.mktemp("rules") / "framed.py"
    path.write_text(load("tic-tac-toe").path.read_text(encoding="utf-8") + FRAMED, encoding="utf-8")
    return load(str(path))


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


# --- NNUE nets -------------------------------------------------------------------------------------------------------


def random_nnue(game, seed=5, hidden=16, **shape):
    """An NNUE net of random weights, such that units are off, on and between, and quantised ones do not overflow."""
    shape = nnue_shape_for(game, hidden, **shape)
    random = np.random.default_rng(seed)
    arrays = {}
    for name, size in shape.arrays.items():
        spread = 0.25 if name == "features.weight" else 1.5 / np.sqrt(size[-1]) if name.endswith("weight") else 0.5
        arrays[name] = np.clip(random.normal(size=size) * spread, -1.98, 1.98).astype(np.float32)
    return Nnue(game.name, game.FEATURES_VERSION, shape, arrays, {"seed": seed})


@pytest.fixture
def nnue_of():
    return random_nnue


@pytest.fixture(scope="session")
def odd(tmp_path_factory, framed):
    """The same game, whose judgements are log odds."""
    path = tmp_path_factory.mktemp("rules") / "odd.py"
    path.write_text(framed.path.read_text(encoding="utf-8") + "\n\nODDS = 12.5\n", encoding="utf-8")
    return load(str(path))
