"""Fixtures of several files of tests of rules."""

import pytest


@pytest.fixture
def fixture(data):
    return data / "chess" / "batch.bf"


@pytest.fixture
def file(tmp_path):
    """Writes bytes or text into a file of that name and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
