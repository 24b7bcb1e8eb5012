"""`sparring train`: rows, matches, resumption, Ctrl+C."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

from sparring.app.cli import main
from sparring.app.contest import Played
from sparring.arena.stats import GameCounts, PairCounts
from sparring.learn.run import RunFolder
from sparring.nets import weights

TRAIN = "train tic-tac-toe --learner td --games 20 --depth 2 --opening 2 --hidden 8 4 --seed 7"
QUICK = f"{TRAIN} --match-every 2 --match-games 10"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARRING_LADDER", str(tmp_path / "ladder.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_run_prints_a_row_a_generation_with_matches_in_their_turn(here, capsys):
    assert main([*QUICK.split(), "--generations", "4", "--json", "--out", "A"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["generation"] for row in printed] == [1, 2, 3, 4]
    assert ["match_yardstick" in row for row in printed] == [False, True, False, True]
    assert printed[3]["match_earlier"]["opponent"].endswith("gen-000002.safetensors")
    assert printed[1]["match_earlier"]["opponent"].endswith("gen-000000.safetensors")
    assert all(row["wins_first"] + row["wins_second"] + row["draws"] == 20 for row in printed)
    assert printed == RunFolder(here / "A").rows()


def test_the_table_names_the_players_and_ends_with_how_to_play(here, capsys):
    assert main([*QUICK.split(), "--generations", "2"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[1].split()[:4] == ["gen", "positions", "X", "O"]
    assert len(said.out.splitlines()) == 4
    assert "sparring play tic-tac-toe alphabeta:ms=300,net=runs/tic_tac_toe/nets/latest.safetensors" in said.err


def test_threads_and_resumption_leave_the_net_as_it_is(here, capsys):
    for out, threads, parts in (("A", "1", ["4"]), ("B", "2", ["1", "3", "4"])):
        for generations in parts:
            assert main([*QUICK.split(), "--generations", generations, "--threads", threads, "--out", out]) == 0
    a, b = (weights.load(here / out / "nets" / "latest.safetensors") for out in "AB")
    assert a.digest == b.digest
    assert (here / "A/nets/latest.safetensors").read_bytes() == (here / "B/nets/latest.safetensors").read_bytes()
    assert "Going on after generation 3." in capsys.readouterr().err


def test_other_settings_in_the_same_folder_are_refused_in_one_line(here, capsys):
    assert main([*QUICK.split(), "--generations", "1"]) == 0
    capsys.readouterr()
    assert main([*QUICK.split(), "--generations", "1", "--trace", "0.5"]) == 1
    assert "holds a run with --trace 0.7, not 0.5" in capsys.readouterr().err.splitlines()[-1]


def test_ctrl_c_within_a_match_stops_the_training_and_keeps_the_generation(here, monkeypatch, capsys):
    from sparring.app.commands import train

    def interrupted(contest, threads, ladder, show=True):
        return Played(PairCounts(even=1), GameCounts(), 0, None, False)

    monkeypatch.setattr(train, "play_contest", interrupted)
    assert main([*QUICK.split(), "--generations", "9", "--out", "A"]) == 130
    assert [row["generation"] for row in RunFolder(here / "A").rows()] == [1, 2]
    assert "Stopped after generation 2" in capsys.readouterr().err
    assert status_of(here / "A")["state"] == "stopped"


def status_of(run):
    return json.loads((run / "status.json").read_text(encoding="utf-8"))


def test_the_status_file_says_where_the_run_stands(here):
    assert main([*QUICK.split(), "--generations", "3", "--out", "A"]) == 0
    status = status_of(here / "A")
    assert (status["state"], status["generation"], status["done"]) == ("finished", 3, 1.0)
    assert status["row"] == RunFolder(here / "A").rows()[-1]


@pytest.mark.compiled
def test_ctrl_c_stops_soon_says_how_to_go_on_and_loses_nothing_finished(here):
    command = [sys.executable, "-m", "sparring", *QUICK.split(), "--generations", "100000", "--out", "A"]
    metrics = pathlib.Path(here / "A" / "metrics.jsonl")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env=dict(os.environ)) as child:
        try:
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline and not (metrics.exists() and len(metrics.read_text().splitlines()) > 3):
                time.sleep(0.05)
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=60)
        finally:
            child.kill()
    assert child.returncode == 130
    assert "Traceback" not in err
    said = re.search(r"Stopped after generation (\d+), which is safe in A; the same command goes on\.", err)
    kept = int(said[1])
    assert len(RunFolder(here / "A").rows()) - kept in (0, 1), "a row may be there whose checkpoint is not"
    assert main([*QUICK.split(), "--generations", str(kept + 1), "--out", "A"]) == 0
    assert [row["generation"] for row in RunFolder(here / "A").rows()] == list(range(1, kept + 2))
