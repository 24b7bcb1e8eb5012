"""Options and fixtures of all tests.

`python -m pytest --update-golden` writes the files of tests/golden anew instead of comparing with them; look at the
diff before keeping it. Compiled code is kept in the user's cache, so that a second run is quick.
"""

import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sparring.compiled import INTERPRETED
from sparring.games.game import Game, load
from sparring.nets.move_net import MoveNet, shape_for

TESTS = pathlib.Path(__file__).parent
sys.path.insert(0, str(TESTS / "games"))  # slow, obvious twins are imported from there


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if INTERPRETED:
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(pytest.mark.skip(reason="needs native code"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """`golden(name, value)`: the value (as JSON) is what tests/golden/<name>.json holds."""

    def compare(name: str, value: Any) -> None:
        path = TESTS / "golden" / f"{name}.json"
        if request.config.getoption("--update-golden"):
            path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        assert json.loads(path.read_text(encoding="utf-8")) == value, f"{path.name} holds something else"

    return compare


@pytest.fixture
def data() -> pathlib.Path:
    """The folder of files that tests read."""
    return TESTS / "data"


@pytest.fixture
def nim(data: pathlib.Path) -> Game:
    """A game that MoveNets can look at."""
    return load(str(data / "nim.py"))


@pytest.fixture
def move_net_of() -> Callable[..., MoveNet]:
    """Makes MoveNets of random weights for a game."""

    def made(game: Game, policy: tuple[int, ...] = (6, 4), value: tuple[int, ...] = (5, 4), seed: int = 4) -> MoveNet:
        shape, random = shape_for(game, policy, value), np.random.default_rng(seed)
        arrays = {name: random.normal(size=size) / np.sqrt(size[-1]) for name, size in shape.arrays.items()}
        whole = {name: array.astype(np.float32) for name, array in arrays.items()}
        return MoveNet(game.name, game.FEATURES_VERSION, shape, whole, {"seed": seed})

    return made
