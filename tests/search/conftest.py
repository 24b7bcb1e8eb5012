"""Games for the tests of the searches, and their helpers beside this file made importable."""

import pathlib
import sys

import pytest

from sparring.games.game import Game, load

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # pytest's importlib mode leaves it out

import small_games


@pytest.fixture(scope="session")
def connect_four() -> Game:
    return load("connect-four")


@pytest.fixture(scope="session")
def tigers_and_sheep() -> Game:
    return load("tigers-and-sheep")


@pytest.fixture(scope="session")
def tic_tac_toe() -> Game:
    return load("tic-tac-toe")


@pytest.fixture(scope="session")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game in which a player moves twice in a row."""
    return written(tmp_path_factory, "twice", small_games.TWICE)


@pytest.fixture(scope="session")
def points(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The same game with ends that are worth one to three points."""
    results = "RESULTS = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)\n"
    return written(tmp_path_factory, "points", small_games.TWICE.replace("MOVES = 8\n", f"MOVES = 8\n{results}"))


@pytest.fixture(scope="session")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game that comes back to its positions all the time, with a limit of moves."""
    return written(tmp_path_factory, "circle", small_games.CIRCLE)


@pytest.fixture(scope="session")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The same game without draws by repetition, so that only its limit ends it."""
    rules = small_games.CIRCLE.replace("REPETITION = 3", "REPETITION = 0")
    return written(tmp_path_factory, "hurried", rules)


@pytest.fixture(scope="session")
def dare(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A dice game with points, two dice thrown one after the other, and turns of several moves."""
    return written(tmp_path_factory, "dare", small_games.DARE)


def written(folders: pytest.TempPathFactory, name: str, rules: str) -> Game:
    path = folders.mktemp("rules") / f"{name}.py"
    path.write_text(rules, encoding="utf-8")
    return load(str(path))
