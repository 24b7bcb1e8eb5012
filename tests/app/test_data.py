"""`sparring data`: what a file holds, one format from another, files made by games that can be gone on with."""

import errno
import json
import os
import threading

import numpy as np
import pytest

from sparring.app import data_making
from sparring.app.cli import main
from sparring.app.data_making import Making, Recipe, progress_of
from sparring.app.data_report import EDGES, Repeats, bar_of
from sparring.errors import RecordError, RunError
from sparring.games.chess_data import Reading
from sparring.games.game import load
from sparring.search import judging

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
LINES = f"{START} | 30 | 1.0\n{START} | 20 | 0.5\n{AFTER} | -700 | 0.0\n{AFTER} | 2000 | 1.0\n"


@pytest.fixture
def sparring(capsys):
    """Runs a command; returns exit code, output and notes."""

    def run(*words):
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "four.txt"
    path.write_text(LINES)
    return path


# --- info ------------------------------------------------------------------------------------------------------------


def test_info_counts_what_is_there(sparring, lines):
    code, said, _ = sparring("data", "info", lines, "--json")
    found = json.loads(said)
    assert code == 0
    assert (found["format"], found["positions"], found["seen_by"]) == ("text", 4, "White")
    assert found["results"] == {"lost": 1, "drawn": 1, "won": 2}
    assert found["score"]["mean"] == pytest.approx(1350 / 4)
    assert found["black_to_move"] == 0.5 and found["pieces"] == 32
    assert found["repeated"] == 0.5
    rows = {(row["from"], row["to"]): (row["positions"], row["points"]) for row in found["histogram"]}
    assert rows[-50, 50] == (2, 0.75)
    assert rows[-1000, -600] == (1, 0.0)
    assert rows[1000, None] == (1, 1.0)
    assert sum(positions for positions, _ in rows.values()) == 4
    assert found["faults"] == []


def test_info_tells_people_the_same(sparring, lines):
    code, said, _ = sparring("data", "info", lines)
    assert code == 0
    assert "four.txt: text, 4 positions, " in said
    assert "results as White sees them: lost 25 %, drawn 25 %, won 50 %" in said
    assert "2 positions are repeated" in said and "no faults" in said
    (row,) = [line for line in said.splitlines() if line.startswith("-50 to +49")]
    assert row.split()[3:] == ["2", "50", "%", "75", "%", "█" * 40]


def test_info_of_the_public_file_sees_through_the_eyes_of_the_player_to_move(sparring, data):
    _, said, _ = sparring("data", "info", data / "chess" / "batch.bf", "--json")
    found = json.loads(said)
    assert (found["format"], found["records"], found["positions"]) == ("bulletformat", 1024, 1024)
    assert found["seen_by"] == "the player to move"
    assert sum(found["results"].values()) == 1024


def test_info_tells_what_was_read_of_a_file_that_is_too_faulty(sparring, lines):
    lines.write_text(LINES + "nonsense\n")
    code, said, notes = sparring("data", "info", lines)
    assert code == 1
    assert "1 × not of this format, first at line 5" in said
    assert "is no sound text: of 5 records more than 1 %" in notes
    assert notes.count("sparring: ") == 1


def test_info_names_a_file_that_is_not_there_or_of_another_kind(sparring, tmp_path):
    code, said, notes = sparring("data", "info", tmp_path / "nothing")
    assert (code, said) == (1, "")
    assert "cannot read" in notes
    (tmp_path / "x.pgn").write_text('[Event "?"]\n')
    assert "is PGN, games without scores" in sparring("data", "info", tmp_path / "x.pgn")[2]


def test_the_histogram_has_a_row_of_equals_in_its_middle():
    assert [-edge for edge in reversed(EDGES)] == list(EDGES)


def test_bars_are_as_long_as_their_share_to_an_eighth():
    assert bar_of(1.0) == "█" * 40
    assert bar_of(0.5) == "█" * 20
    assert bar_of(0.0) == ""
    assert bar_of(1 / 320) == "▏"
    assert bar_of(0.5 + 4 / 320) == "█" * 20 + "▌"


def test_repeated_positions_are_counted_exactly_or_by_a_sample_of_their_keys():
    random = np.random.default_rng(5)
    keys = random.integers(0, 1 << 64, 30_000, np.uint64)
    keys = np.concatenate([keys, keys[:10_000]])
    exact, sampled = Repeats(), Repeats(most=3_000)
    for part in np.array_split(keys, 7):
        exact.add(part)
        sampled.add(part)
    assert exact.share == 0.25 and exact.bits == 0
    assert sampled.bits >= 3 and len(sampled.keys) <= 3_000
    assert abs(sampled.share - 0.25) < 0.05


# --- convert ---------------------------------------------------------------------------------------------------------


def test_convert_there_and_back_is_the_same_file(sparring, data, tmp_path):
    source = data / "chess" / "batch.bf"
    code, said, _ = sparring("data", "convert", source, tmp_path / "a.txt")
    assert code == 0 and "a.txt: text, 1,024 positions from 1,024 records of bulletformat" in said
    assert sparring("data", "convert", tmp_path / "a.txt", tmp_path / "b.bf")[0] == 0
    assert (tmp_path / "b.bf").read_bytes() == source.read_bytes()


def test_convert_leaves_out_what_cannot_be_and_says_so(sparring, data, tmp_path):
    raw = (data / "chess" / "batch.bf").read_bytes()
    (tmp_path / "a.bf").write_bytes(raw + bytes(32) + raw[:9])
    code, said, _ = sparring("data", "convert", tmp_path / "a.bf", tmp_path / "b.bf")
    assert code == 0
    assert "left out: 1 × a side without exactly one king, first at byte 32,768" in said
    assert "left out: 1 × cut off in the middle of a record, first at byte 32,800" in said
    assert (tmp_path / "b.bf").read_bytes() == raw


@pytest.mark.parametrize(
    "target, fault",
    [
        ("x.png", "'x.png' does not say its format"),
        ("x.vf", "positions alone are no viriformat"),
        ("four.txt", "is there already"),
    ],
)
def test_convert_writes_nothing_where_it_cannot(target, fault, sparring, lines):
    before = set(lines.parent.iterdir())
    code, _, notes = sparring("data", "convert", lines, lines.parent / target)
    assert code == 1 and fault in notes
    assert set(lines.parent.iterdir()) == before
    assert lines.read_text() == LINES


# --- make ------------------------------------------------------------------------------------------------------------


def making(path, kind="bulletformat", nodes=60, threads=1, seed=1, hard=0, brief=0):
    game = load("chess")
    judge = judging.by_rules(game, "material")
    return Making(game, judge, Recipe("chess", judge.name, nodes, hard, brief, seed, kind), path, threads)


@pytest.mark.compiled
def test_a_file_is_made_and_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.setattr(data_making, "BLOCK", 100)
    path, told = tmp_path / "a.bf", []
    first = making(path).run(250, told.append)
    assert first.positions >= 250 and path.stat().st_size == 32 * first.positions
    assert [one.positions for one in told] == sorted({one.positions for one in told})
    assert sum(first.ends) == first.games == first.next
    more = making(path).run(400)
    whole = making(tmp_path / "b.bf", threads=2).run(400)
    assert more.positions >= 400
    again = making(path).run(400)
    assert again == more, "nothing is left to make"
    begins = (tmp_path / "b.bf").read_bytes()[: 32 * 100]
    assert path.read_bytes().startswith(begins) and whole.positions >= 400
    reading = Reading(path)
    assert sum(len(block) for block in reading.blocks()) == more.positions
    assert reading.faults.total == 0


@pytest.mark.compiled
def test_what_was_never_finished_is_cut_off(tmp_path):
    path = tmp_path / "a.bf"
    first = making(path).run(60)
    with path.open("ab") as file:
        file.write(b"half a rec")
    more = making(path).run(first.positions + 30)
    assert path.stat().st_size == 32 * more.positions
    assert Reading(path).faults.total == 0


@pytest.mark.compiled
def test_a_full_disk_leaves_what_was_written_before(tmp_path, monkeypatch):
    path = tmp_path / "a.bf"
    first = making(path).run(60)
    before = path.read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordError, match=f"No space left on device; it holds {first.positions:,} positions"):
        making(path).run(first.positions + 60)
    assert path.read_bytes() == before
    monkeypatch.undo()
    assert making(path).run(first.positions + 60).positions >= first.positions + 60


@pytest.mark.compiled
def test_stopping_writes_the_games_that_are_finished(tmp_path):
    one = making(tmp_path / "a.bf", nodes=400, threads=2)
    one.warm()
    timer = threading.Timer(1.0, one.stop)
    timer.start()
    progress = one.run(10**7)
    timer.join()
    assert 0 < progress.positions < 10**7
    assert (tmp_path / "a.bf").stat().st_size == 32 * progress.positions


@pytest.mark.compiled
def test_whole_games_are_made_as_viriformat(tmp_path):
    progress = making(tmp_path / "a.vf", "viriformat").run(80)
    reading = Reading(tmp_path / "a.vf")
    positions = sum(len(block) for block in reading.blocks())
    assert (positions, reading.records) == (progress.positions, progress.games)
    assert reading.faults.total == 0


@pytest.mark.compiled
def test_text_holds_the_same_positions_as_records(tmp_path):
    for kind in ("text", "bulletformat"):
        making(tmp_path / kind, kind).run(60)
    blocks = [[*Reading(tmp_path / kind).blocks()] for kind in ("text", "bulletformat")]
    for name in ("states", "scores", "results"):
        assert (getattr(blocks[0][0], name) == getattr(blocks[1][0], name)).all()


@pytest.mark.compiled
def test_a_file_made_otherwise_is_not_gone_on_with(tmp_path):
    path = tmp_path / "a.bf"
    making(path).run(30)
    with pytest.raises(RecordError, match=r"a\.bf was made with nodes 60, not 70"):
        making(path, nodes=70)
    with pytest.raises(RecordError, match=r"a\.bf was made with hard 0, not 80"):
        making(tmp_path / "a.bf", hard=80)
    with pytest.raises(RecordError, match=r"a\.bf was made with seed 1, not 2"):
        making(path, seed=2)
    path.write_bytes(b"")
    with pytest.raises(RecordError, match="has fewer bytes than the"):
        making(path)


@pytest.mark.parametrize(
    ("limits", "fault"),
    [({"hard": 50}, "a search has 60 nodes, 50 at most"), ({"brief": 61}, "a brief search has 61 nodes, .* 0 to 60")],
)
def test_limits_that_make_no_sense_are_refused_before_anything_is_played(limits, fault, tmp_path):
    with pytest.raises(RunError, match=fault):
        making(tmp_path / "a.bf", **limits)
    assert not list(tmp_path.iterdir())


def test_a_file_of_others_is_not_written_over(tmp_path):
    path, recipe = tmp_path / "a.bf", Recipe("chess", "evaluate", 5000, 0, 0, 1, "bulletformat")
    assert progress_of(path, recipe).positions == 0
    path.write_bytes(b"precious")
    with pytest.raises(RecordError, match="is there already, without a.bf.progress"):
        progress_of(path, recipe)
    (tmp_path / "a.bf.progress").write_text("{}")
    with pytest.raises(RecordError, match="cannot be read"):
        progress_of(path, recipe)


@pytest.mark.compiled
def test_make_says_what_the_file_holds(sparring, tmp_path):
    words = ("--nodes", 50, "--threads", 1, "--seed", 3)
    code, said, notes = sparring("data", "make", "chess", "--out", tmp_path / "a.bf", "--positions", 40, *words)
    assert code == 0 and "bulletformat" in said and "games (White won" in said
    assert "positions on 1 threads" in notes
    code, said, _ = sparring("data", "make", "chess", "--out", tmp_path / "a.bf", "--positions", 1, *words, "--json")
    found = json.loads(said)
    assert code == 0 and found["new"] == 0 and not found["interrupted"]
    assert found["positions"] * 32 == (tmp_path / "a.bf").stat().st_size
    assert sum(found["ends"].values()) == found["games"]


@pytest.mark.parametrize(
    "words, fault",
    [
        (("chess", "--out", "x.bf", "--positions", 0), "--positions is 0, but it must be 1 or more"),
        (("chess", "--out", "x.bf", "--nodes", 0), "--nodes is 0, but it must be 1 or more"),
        (("chess", "--out", "x.bf", "--seed", -1), "--seed is -1, but it must be 0 or more"),
        (("chess", "--out", "x"), "'x' does not say its format"),
        (("chess", "--out", "x.bg"), "Did you mean '.bf'?"),
        (("tic-tac-toe", "--out", "x.bf"), "positions of tic_tac_toe have no format for files"),
        (("chess", "--out", "x.bf", "--net", "none.safetensors"), "cannot read none.safetensors"),
    ],
)
def test_make_refuses_what_makes_no_sense(words, fault, sparring, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, notes = sparring("data", "make", *words)
    assert code == 1 and fault in notes
    assert list(tmp_path.iterdir()) == []
