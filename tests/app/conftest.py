"""For the tests of what people see: a person who types, and small towers. Helpers beside this file can be imported."""

import io
import pathlib
import sys

import numpy as np
import pytest

from sparring.app.cli import main
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.tower import Tower, shape_for

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # pytest's importlib mode leaves it out

SMALL = {"blocks": 1, "width": 4, "policy": 2, "value": 2, "hidden": 4}


@pytest.fixture
def play(monkeypatch, capsys):
    """Plays with the given lines typed; returns exit code, what was shown, and the notes beside it."""

    def typed(*arguments, lines=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(["play", *arguments])
        return code, *capsys.readouterr()

    return typed


@pytest.fixture(scope="session")
def tower_of(tmp_path_factory):
    """Writes a tower of random weights for the game of that name; returns its file."""
    folder = tmp_path_factory.mktemp("towers")

    def write(name):
        game, path = load(name), folder / f"{name}.safetensors"
        if not path.exists():
            shape, random = shape_for(game, **SMALL), np.random.default_rng(2)
            arrays = {n: random.normal(0, 0.4, size).astype(np.float32) for n, size in shape.arrays.items()}
            weights.save(Tower(game.name, game.FEATURES_VERSION, shape, arrays), path)
        return path

    return write


@pytest.fixture
def mcts(tower_of):
    """Spec of a tree search with such a tower: `mcts("connect-four", sims=30)`."""

    def spec(name, kind="mcts", **options):
        given = {"net": tower_of(name), "engine": "numpy", **options}
        return f"{kind}:{','.join(f'{option}={value}' for option, value in given.items())}"

    return spec
