"""A file is there whole or not at all."""

import errno
import os
import pathlib
import stat

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.nets import storage

OLD, NEW = b"the old content", b"the new content, which is longer"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "net.safetensors"
    storage.write_whole(path, OLD)
    return path


def test_a_file_is_written_and_written_over(file):
    assert file.read_bytes() == OLD
    storage.write_whole(file, NEW)
    assert file.read_bytes() == NEW
    assert list(file.parent.iterdir()) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_folders_are_made_on_the_way(tmp_path):
    storage.write_whole(tmp_path / "a" / "b" / "c", NEW)
    assert (tmp_path / "a" / "b" / "c").read_bytes() == NEW


@pytest.mark.parametrize("step", ["write", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_when_writing_fails_the_old_file_stays_and_nothing_else(file, monkeypatch, step, fault):
    """Wherever on the way it fails, with a full disk or with Ctrl+C."""

    def fail(*arguments, **options):
        raise fault

    if step == "write":
        monkeypatch.setattr(os, "fdopen", half_written(fault))
    else:
        monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(fault)):
        storage.write_whole(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD
    assert list(file.parent.iterdir()) == [file]


def half_written(fault):
    """An os.fdopen whose files take half of what is written and then fail."""
    whole = os.fdopen

    def opened(handle, mode):
        file = whole(handle, mode)

        class Full:
            def __enter__(self):
                return self

            def __exit__(self, *why):
                file.close()

            def write(self, data):
                file.write(data[: len(data) // 2])
                raise fault

        return Full()

    return opened


def test_a_folder_that_takes_no_files_is_told_by_the_system(tmp_path):
    (tmp_path / "file").write_bytes(OLD)
    with pytest.raises(OSError):
        storage.write_whole(tmp_path / "file" / "net", NEW)
    assert (tmp_path / "file").read_bytes() == OLD


def test_arrays_of_every_kind_come_back(tmp_path):
    """Shapes, types and bytes; views and other orders of memory too."""
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    arrays = {
        "transposed": grid.T,
        "every other": grid[:, ::2],
        "integers": np.array([[1, -1]], np.int64),
        "bytes": np.arange(7, dtype=np.uint8),
        "empty": np.zeros((0, 3), np.float32),
    }
    found, metadata = storage.unpack(storage.pack(arrays, {"note": "λ"}), "it")
    assert metadata["note"] == "λ" and found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_equal_content_is_an_equal_file():
    one, two = np.ones(3, np.float32), np.zeros((2, 2), np.float32)
    first = storage.pack({"a": one, "b": two}, {"x": "1", "y": "2"})
    assert storage.pack({"b": two, "a": one}, {"y": "2", "x": "1"}) == first
    assert storage.pack({"a": one, "b": two}, {"x": "1", "y": "3"}) != first


def test_a_digest_of_the_arrays_alone_is_accepted():
    """Files of the first days have one."""
    arrays = {"a": np.ones(3, np.float32)}
    data = storage.pack(arrays, {"x": "1"})
    old = data.replace(storage.digest_of(arrays, {"x": "1"}).encode(), storage.digest_of(arrays).encode())
    assert old != data
    np.testing.assert_array_equal(storage.unpack(old, "it")[0]["a"], arrays["a"])
    with pytest.raises(WeightsError, match="^it: damaged"):
        storage.unpack(data.replace(b'"x":"1"', b'"x":"2"'), "it")


def test_reading_names_the_file(tmp_path):
    path = pathlib.Path(tmp_path / "missing")
    with pytest.raises(WeightsError, match=f"^cannot read {path}: No such file or directory$"):
        storage.read(path)
