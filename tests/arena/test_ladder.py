"""A ladder loses nothing that was recorded, counts nothing twice, and says in one line what is wrong with its file."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from sparring.arena.ladder import APPLICATION_ID, SCHEMA_VERSION, Entrant, Ladder, LadderError
from sparring.arena.points import Points
from sparring.arena.ratings import rate
from sparring.arena.stats import GameCounts, PairCounts
from sparring.errors import MatchError, SparringError

# Records single pairs of one match, one batch each, and prints each number once the pair is on the disk.
WRITER = """
import sys
from sparring.arena.ladder import Ladder
from sparring.arena.stats import PairCounts
path, seed, pairs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ladder = Ladder(path)
for pair in range(pairs):
    ladder.record("othello", "new", "old", PairCounts(ww=1), seed, first=pair)
    print(pair, flush=True)
"""


def start_writer(path, seed, pairs):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", WRITER, str(path), str(seed), str(pairs)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ladder.sqlite"


@pytest.fixture
def ladder(path):
    return Ladder(path)


def test_recorded_match_comes_back_as_it_was(ladder):
    net = Entrant("alphabeta:net=runs/x/latest.safetensors", "3fa9c2")
    seed = 2**64 - 1
    assert ladder.record("othello", net, "random", PairCounts(1, 2, 3, 4, 5), seed, "nodes=800")
    assert ladder.record("othello", "greedy", "random", GameCounts(7, 2, 1), 3)
    first, second = ladder.matches("othello")
    assert (first.a, first.b, first.counts, first.seed, first.settings) == (
        net, Entrant("random"), PairCounts(1, 2, 3, 4, 5), seed, "nodes=800",
    )  # fmt: skip
    assert (second.a.spec, second.counts, second.seed) == ("greedy", GameCounts(7, 2, 1), 3)
    assert second.recorded_at.endswith("+00:00")


def test_batches_of_a_match_add_up_and_survive_reopening(path):
    Ladder(path).record("othello", "new", "old", PairCounts(ww=10), 1, first=0)
    Ladder(path).record("othello", "new", "old", PairCounts(ld=3, even=2), 1, first=10)
    (match,) = Ladder(path).matches("othello")
    assert match.counts == PairCounts(ld=3, even=2, ww=10)


def test_batch_recorded_twice_counts_once(ladder):
    assert ladder.record("othello", "new", "old", PairCounts(wd=10), 1, first=10)
    assert not ladder.record("othello", "new", "old", PairCounts(wd=10), 1, first=10)
    # A resumed match may cut its batches elsewhere.
    assert ladder.record("othello", "new", "old", PairCounts(ll=5), 1, first=20)
    assert not ladder.record("othello", "new", "old", PairCounts(wd=4, ll=3), 1, first=16)
    (match,) = ladder.matches("othello")
    assert match.counts == PairCounts(ll=5, wd=10)


def test_batch_that_overlaps_in_part_is_refused_and_changes_nothing(ladder, path):
    ladder.record("othello", "new", "old", PairCounts(wd=10), 1, first=10)
    with pytest.raises(LadderError) as caught:
        ladder.record("othello", "new", "old", PairCounts(wd=10), 1, first=5)
    assert "5 of the pairs 5 to 14 of new against old" in str(caught.value) and str(path) in str(caught.value)
    assert ladder.recorded("othello", "new", "old", 1) == [range(10, 20)]


@pytest.mark.parametrize(
    "other",
    [
        {"game": "chess"},
        {"a": "newer"},
        {"b": "older"},
        {"a": Entrant("new", "3fa9c2")},
        {"seed": 2},
        {"settings": "nodes=1"},
        {"counts": GameCounts(wins=10)},
        {"first": 10},
    ],
)
def test_batch_is_another_one_when_any_part_of_its_identity_differs(ladder, other):
    batch = {"game": "othello", "a": "new", "b": "old", "counts": PairCounts(ww=10), "seed": 1}
    assert ladder.record(**batch)
    assert ladder.record(**(batch | other))
    assert not ladder.record(**(batch | other))


def test_recorded_ranges_leave_out_what_is_still_to_play(ladder):
    assert ladder.recorded("othello", "new", "old", 1) == []
    for first in (20, 0, 40, 10):
        ladder.record("othello", "new", "old", PairCounts(even=10), 1, "nodes=8", first=first)
    assert ladder.recorded("othello", "new", "old", 1, "nodes=8") == [range(0, 30), range(40, 50)]
    assert ladder.recorded("othello", "new", "old", 1) == []
    assert ladder.recorded("othello", "new", "old", 1, "nodes=8", paired=False) == []


def test_standings_are_the_ratings_over_all_matches_of_the_game(ladder):
    ladder.record("othello", "a", "b", PairCounts(1, 2, 3, 4, 5), 1)
    ladder.record("othello", "a", "b", PairCounts(0, 2, 3, 4, 1), 2)
    ladder.record("othello", "c", "a", GameCounts(5, 3, 12), 3)
    ladder.record("othello", Entrant("c", "77"), "a", GameCounts(9, 1, 2), 3)
    ladder.record("chess", "a", "b", PairCounts(ll=50), 1)
    expected = rate([("a", "b", 32.0, 50), ("c", "a", 6.5, 20), ("c#77", "a", 9.5, 12)], anchor="b")
    assert ladder.standings("othello", anchor="b") == expected
    assert ladder.standings("othello", anchor=Entrant("c", "77"))[0].elo == 0
    assert ladder.standings("go") == []
    with pytest.raises(MatchError, match="'nobody'"):
        ladder.standings("othello", anchor="nobody")


def test_games_with_results_are_listed(ladder):
    assert ladder.games() == []
    ladder.record("othello", "a", "b", PairCounts(ww=1), 1)
    ladder.record("chess", "a", "b", PairCounts(ww=1), 1)
    assert ladder.games() == ["chess", "othello"]


def test_two_processes_writing_at_once_lose_nothing(path):
    writers = [start_writer(path, seed, 40) for seed in (1, 2)]
    for writer in writers:
        assert len(writer.communicate()[0].split()) == 40
        assert writer.returncode == 0
    assert [match.counts.ww for match in Ladder(path).matches("othello")] == [40, 40]


def test_threads_share_one_ladder(ladder):
    def write(seed):
        for first in range(10):
            ladder.record("othello", "a", "b", PairCounts(ww=1), seed, first=first)

    threads = [threading.Thread(target=write, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [match.counts.pairs for match in ladder.matches("othello")] == [10] * 4


def test_killed_writer_loses_nothing_finished_and_resumes_exactly(path):
    writer = start_writer(path, 1, 10**6)
    for _ in range(15):
        writer.stdout.readline()
    writer.kill()
    finished = 15 + len(writer.communicate()[0].split())
    ladder = Ladder(path)
    (done,) = ladder.recorded("othello", "new", "old", 1)
    # The pair being written when the process died may be on the disk without having been announced.
    assert done.start == 0 and finished <= done.stop <= finished + 1
    resumed = start_writer(path, 1, finished + 20)
    resumed.communicate()
    assert resumed.returncode == 0
    assert ladder.matches("othello")[0].counts == PairCounts(ww=finished + 20)


def test_failure_inside_a_batch_records_none_of_it(ladder, path, monkeypatch):
    monkeypatch.setattr("sparring.arena.ladder._overlap", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ladder.record("othello", "a", "b", PairCounts(ww=1), 1)
    monkeypatch.undo()
    with closing(sqlite3.connect(path)) as connection:
        for table in ("players", "matches", "batches"):
            assert connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)


def test_ladder_makes_its_folder_and_leaves_one_file(tmp_path):
    path = tmp_path / "some" / "where" / "ladder.sqlite"
    Ladder(path).record("othello", "a", "b", PairCounts(ww=1), 1)
    assert [file.name for file in path.parent.iterdir()] == ["ladder.sqlite"]


@contextmanager
def refused(path, *words) -> Iterator[None]:
    with pytest.raises(LadderError) as caught:
        yield
    text = str(caught.value)
    assert isinstance(caught.value, SparringError)
    assert text.startswith(str(path)) and "\n" not in text
    for word in words:
        assert word in text


def test_newer_ladder_is_refused_with_both_versions(ladder, path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with refused(path, f"version {SCHEMA_VERSION + 1}", f"reads version {SCHEMA_VERSION}", "newer Sparring"):
        Ladder(path)
    with refused(path, "newer Sparring"):
        ladder.record("othello", "a", "b", PairCounts(ww=1), 1)


@pytest.mark.parametrize("content", [b"no", b"name,elo\nrandom,0\n", b"not a ladder " * 1000])
def test_file_that_is_no_database_is_refused_and_kept(path, content):
    path.write_bytes(content)
    with refused(path, "not a ladder"):
        Ladder(path)
    assert path.read_bytes() == content


def test_database_of_another_program_is_refused_and_kept(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cookies (id INTEGER)")
    before = path.read_bytes()
    with refused(path, "not a ladder"):
        Ladder(path)
    assert path.read_bytes() == before


def test_damaged_ladder_is_named(path):
    Ladder(path).record("othello", "a", "b", PairCounts(ww=1), 1)
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with refused(path, "damaged"):
        Ladder(path).standings("othello")


def test_path_that_cannot_be_opened_is_named(tmp_path):
    with refused(tmp_path, "cannot be opened"):
        Ladder(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with refused(tmp_path / "file", "folder cannot be made"):
        Ladder(tmp_path / "file" / "ladder.sqlite")


@contextmanager
def every_connection_has(monkeypatch, pragma):
    connect = sqlite3.connect

    def connect_with_pragma(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.execute(f"PRAGMA {pragma}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_with_pragma)
        yield


def test_full_disk_is_one_line_and_keeps_what_was_recorded(ladder, path, monkeypatch):
    ladder.record("othello", "a", "b", PairCounts(ww=1), 1)
    # SQLite reports its own limit on pages as it reports a disk without room.
    with every_connection_has(monkeypatch, "max_page_count = 1"), refused(path, "disk is full"):
        ladder.record("othello", "a" * 100_000, "b", PairCounts(ww=1), 1)
    assert len(ladder.matches("othello")) == 1


def test_read_only_ladder_can_be_read_and_not_written(ladder, path, monkeypatch):
    ladder.record("othello", "a", "b", PairCounts(ww=1), 1)
    with every_connection_has(monkeypatch, "query_only = 1"):
        assert len(Ladder(path).standings("othello")) == 2
        with refused(path, "read-only"):
            ladder.record("othello", "a", "b", PairCounts(ww=1), 2)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes to read-only files")
def test_file_without_write_permission_can_be_read_and_not_written(ladder, path):
    ladder.record("othello", "a", "b", PairCounts(ww=1), 1)
    path.chmod(0o444)
    assert len(Ladder(path).standings("othello")) == 2
    with refused(path, "read-only"):
        ladder.record("othello", "a", "b", PairCounts(ww=1), 2)


def test_writer_waits_for_another_one_but_not_for_ever(ladder, path):
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        with refused(path, "another process"):
            Ladder(path, patience_s=0.01).record("othello", "a", "b", PairCounts(ww=1), 1)
        release = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
        release.start()
        assert ladder.record("othello", "a", "b", PairCounts(ww=1), 1)
        release.join()


@pytest.mark.parametrize(("counts", "first"), [(PairCounts(), 0), (PairCounts(ww=1), -1)])
def test_empty_batches_and_negative_numbers_are_refused(ladder, path, counts, first):
    with refused(path, str(first)):
        ladder.record("othello", "a", "b", counts, 1, first=first)


def test_file_says_that_it_is_a_ladder(ladder, path):
    content = path.read_bytes()
    # Bytes 60 to 63 and 68 to 71 of an SQLite file are its user version and its application id.
    assert int.from_bytes(content[60:64], "big") == SCHEMA_VERSION
    assert int.from_bytes(content[68:72], "big") == APPLICATION_ID


def test_points_of_batches_add_up_where_games_were_played_for_them(ladder, path):
    ladder.record("backgammon", "new", "old", PairCounts(ww=2), 1, points=Points.of([1.0, 2.5]))
    ladder.record("backgammon", "new", "old", PairCounts(ll=1), 1, first=2, points=Points.of([-3.0]))
    ladder.record("backgammon", "new", "old", PairCounts(ll=1), 1, first=2, points=Points.of([-3.0]))  # twice
    ladder.record("backgammon", "newer", "old", PairCounts(ll=1), 1)
    first, second = Ladder(path).matches("backgammon")
    assert (first.points, second.points) == (Points.of([1.0, 2.5, -3.0]), Points())


def test_a_ladder_from_before_there_were_points_goes_on(ladder, path):
    ladder.record("othello", "new", "old", PairCounts(ww=2), 1)
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert "points" not in names
    assert ladder.matches("othello")[0].points == Points()
