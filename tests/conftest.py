"""Options and fixtures of all tests.

`python -m pytest --update-golden` writes the files of tests/golden anew instead of comparing with them; look at the
diff before keeping it. Compiled code is kept in the user's cache, so that a second run is quick.
"""

import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

from sparring.compiled import INTERPRETED

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
