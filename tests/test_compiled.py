"""Compiling and its cache: never another game's code, never old code, nothing compiled twice."""

import gc
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

from sparring import compiled
from sparring.games.game import load
from sparring.records import HASH_MULTIPLIER, HASH_START, hash_record

COUNTDOWN = """
import numpy as np

{imports}
STATE = np.dtype([("left", "i1"), ("turn", "i1")])
MOVES = {most}
RESULTS = (-1.0, 1.0)


def start(state):
    state["left"] = 9


def mover(state):
    return state["turn"]


def legal(state, moves):
    n = 0
    while n < {limit} and n < state["left"]:
        moves[n] = n
        n += 1
    return n


def play(state, move):
    state["left"] -= move + 1
    state["turn"] = 1 - state["turn"]


def result(state):
    return -1 if state["left"] > 0 else 1 - state["turn"]
"""

COUNT = """
import json, sys
from sparring.games.game import load
from sparring.games.walk import count_lines
from sparring import compiled
found = {}
for path in sys.argv[1:]:
    game = load(path)
    found[game.name] = {"lines": [int(count_lines(game, game.states()[0], depth)) for depth in (1, 2, 3, 4)]}
    perft = game.bind("games.walk").perft
    if not compiled.INTERPRETED:
        kernels = [perft, *(rule for rule in game.rules.values() if rule.signatures)]
        found[game.name]["compiled"] = sum(sum(k.stats.cache_misses.values()) for k in kernels)
        found[game.name]["loaded"] = sum(sum(k.stats.cache_hits.values()) for k in kernels)
print(json.dumps(found))
"""


def lines_of_countdown(most, left=9, depth=4):
    """Lines of 1 to `depth` moves that take 1 to `most` of `left`."""

    def count(left, depth):
        return 1 if depth == 0 else sum(count(left - take, depth - 1) for take in range(1, min(most, left) + 1))

    return [count(left, d) for d in range(1, depth + 1)]


def write_countdown(folder, name, most, imports="", limit=None):
    path = folder / f"{name}.py"
    path.write_text(COUNTDOWN.format(most=most, imports=imports, limit=limit or most))
    return path


def run(folder, *arguments, code=COUNT, **settings):
    """What a fresh process prints, as JSON. Its compiled code is kept in `folder`/cache."""
    paths = os.pathsep.join([str(compiled.PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    environment |= {"PYTHONPATH": paths, "SPARRING_CACHE": str(folder / "cache"), **settings}
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment, capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def lines(found):
    return {name: entry["lines"] for name, entry in found.items()}


# --- the cache, from process to process ------------------------------------------------------------------------------


@pytest.mark.compiled
def test_two_games_joined_to_one_kernel_keep_their_own_answers_in_either_order_and_compile_once(tmp_path):
    two, three = write_countdown(tmp_path, "two", 2), write_countdown(tmp_path, "three", 3)
    expected = {"two": lines_of_countdown(2), "three": lines_of_countdown(3)}
    first = run(tmp_path, two, three)
    assert lines(first) == expected
    assert all(entry["compiled"] > 0 for entry in first.values())
    second = run(tmp_path, three, two)
    assert lines(second) == expected
    assert all(entry["compiled"] == 0 and entry["loaded"] > 0 for entry in second.values()), second


@pytest.mark.compiled
def test_an_edit_in_a_helper_file_is_seen_and_so_is_taking_it_back(tmp_path):
    game = write_countdown(tmp_path, "helped", 3, imports="from helper import most", limit="most()")
    helper = tmp_path / "helper.py"
    for most in (3, 2, 3):
        helper.write_text(f"def most():\n    return {most}\n")
        assert lines(run(tmp_path, game)) == {"helped": lines_of_countdown(most)}, most


def test_the_interpreter_gives_the_same_and_keeps_nothing(tmp_path):
    game = write_countdown(tmp_path, "two", 2)
    assert lines(run(tmp_path, game, NUMBA_DISABLE_JIT="1")) == {"two": lines_of_countdown(2)}
    assert not list(tmp_path.rglob("*.nbi"))


@pytest.mark.compiled
def test_with_indices_checked_an_overrun_is_an_error_and_a_sound_game_plays_on(tmp_path):
    game = write_countdown(tmp_path, "two", 2)
    code = """
import json, sys
import numpy as np
from sparring.games.game import load
from sparring.games.walk import count_lines
game = load(sys.argv[1])
found = {"two": {"lines": [int(count_lines(game, game.states()[0], depth)) for depth in (1, 2, 3, 4)]}}
try:
    game.legal(game.states()[0], np.zeros(1, np.int32))
except IndexError as fault:
    found["told"] = str(fault)
print(json.dumps(found))
"""
    found = run(tmp_path, game, code=code, NUMBA_BOUNDSCHECK="1")
    assert "out of bounds" in found.pop("told")
    assert lines(found) == {"two": lines_of_countdown(2)}


@pytest.mark.compiled
def test_where_the_cache_cannot_be_written_all_works_and_no_other_folder_is_used(tmp_path):
    game = write_countdown(tmp_path, "two", 2)
    (tmp_path / "cache").write_text("a file where a folder should be")
    before = set(compiled.PACKAGE.rglob("*.nbi"))
    found = run(tmp_path, game)
    assert lines(found) == {"two": lines_of_countdown(2)}
    assert not list(tmp_path.rglob("*.nbi"))
    assert set(compiled.PACKAGE.rglob("*.nbi")) == before


# --- what decides whether code is compiled anew ----------------------------------------------------------------------


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two files; returns its folder."""
    for name in ("games/rules.py", "app/cli.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("A = 1\n")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    return tmp_path


def test_an_edit_in_a_kernel_source_changes_the_digest_and_one_in_app_does_not(package):
    before = compiled.digest()
    (package / "app" / "cli.py").write_text("A = 2\n")
    assert compiled.digest() == before
    (package / "games" / "rules.py").write_text("A = 2\n")
    assert compiled.digest() != before
    (package / "games" / "rules.py").write_text("A = 1\n")
    assert compiled.digest() == before


def test_versions_and_settings_of_numba_change_the_digest(package, monkeypatch):
    before = compiled.digest()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert compiled.digest() != before
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    assert compiled.digest() == before, "where code is kept does not change it"
    monkeypatch.setattr(compiled.np, "__version__", "0")
    assert compiled.digest() != before


def test_files_of_the_game_change_the_digest(package):
    before = compiled.digest(package / "app" / "cli.py")
    (package / "app" / "cli.py").write_text("A = 2\n")
    assert compiled.digest(package / "app" / "cli.py") != before


def test_app_holds_no_kernels_as_its_files_are_not_part_of_the_digest():
    files = list((compiled.PACKAGE / "app").rglob("*.py"))
    assert files
    for file in files:
        assert not re.search(r"@(compiled|njit|jit|intrinsic)\b", file.read_text(encoding="utf-8")), file.name


def test_folders_that_nothing_has_used_for_long_are_dropped(tmp_path):
    old, new, used = (tmp_path / name for name in ("old", "new", "used"))
    for folder in (old, new):
        folder.mkdir()
    os.utime(old, (0, 0))
    compiled._use(used)
    assert not old.exists()
    assert new.exists() and used.exists()


# --- in one process --------------------------------------------------------------------------------------------------


def test_a_bound_module_is_loaded_once_and_another_joining_is_another_module():
    game, other = load("tic-tac-toe"), load("connect-four")
    walk = game.bind("games.walk")
    assert game.bind("games.walk") is walk
    assert other.bind("games.walk") is not walk
    assert game.bind("games.walk", LIMIT=5) is not walk
    assert (walk.LIMIT, game.bind("games.walk", LIMIT=5).LIMIT) == (0, 5)


@pytest.mark.parametrize("size", [1, 3, 7, 8, 9, 13, 16, 24])
def test_a_record_has_one_hash_compiled_and_in_plain_python(size):
    records = np.zeros(3, np.dtype([("bytes", "u1", (size,))]))
    records["bytes"][1:] = np.random.default_rng(size).integers(0, 256, (2, size))
    expected = []
    for record in records:
        data = record.tobytes() + bytes(-size % 8)
        h = HASH_START
        for i in range(0, len(data), 8):
            h = ((h ^ int.from_bytes(data[i : i + 8], "little")) * HASH_MULTIPLIER) % 2**64
            h ^= h >> 32
        expected.append(h)
    assert [int(hash_record(record)) for record in records] == expected
    assert [int(hashed(records, i)) for i in range(3)] == expected
    assert len(set(expected)) == 3


@compiled.compiled
def hashed(records, i):
    return hash_record(records[i])


def test_each_byte_of_a_record_changes_its_hash():
    records = np.zeros(14, np.dtype([("bytes", "u1", (13,))]))
    for i in range(13):
        records["bytes"][i, i] = 1
    assert len({int(hash_record(record)) for record in records}) == 14


@compiled.compiled
def half(x):
    return x >> np.uint64(1)


def whole(x):
    return ~half(x)


@pytest.mark.compiled
def test_interpreted_copies_run_in_plain_python_throughout():
    assert isinstance(half(np.uint64(2)), int), "from a kernel a uint64 comes back as Python's integer"
    copy = compiled.interpreted({"whole": whole})["whole"]
    assert copy(np.uint64(2)) == np.uint64(2**64 - 2)
    assert not compiled.is_compiled(copy.__globals__["half"])
    assert compiled.is_compiled(half), "the original stays compiled"


def by_name_alone(x):
    return x if gc is not None else -x


@pytest.mark.compiled
def test_modules_of_the_interpreter_itself_have_no_file_and_are_left_alone():
    assert not hasattr(gc, "__file__")
    assert compiled.interpreted({"f": by_name_alone})["f"](3) == 3
    assert compiled.is_compiled(compiled.compile_reachable(by_name_alone, pathlib.Path(__file__).parent))


@pytest.mark.compiled
def test_kernels_stay_as_they_are_when_asked_to_be_compiled_again():
    assert compiled.compiled(half) is half
    assert compiled.plain(half)(np.uint64(4)) == np.uint64(2)


def test_the_cache_is_where_the_user_says(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path / "own"))
    assert compiled.cache_root() == tmp_path / "own"
    monkeypatch.delenv("SPARRING_CACHE")
    assert compiled.cache_root() == tmp_path / "numba"
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert compiled.cache_root().is_relative_to(pathlib.Path.home()) or compiled.cache_root().is_absolute()
