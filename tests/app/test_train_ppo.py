"""`sparring train` by cloning and PPO, from a rules file that names a bot to a match against it."""

import json
import pathlib

import pytest

from sparring.app.cli import main

NIM = pathlib.Path(__file__).parents[1] / "data" / "nim.py"
TEACHER = """
BOTS = ("teacher",)


def teacher(state):
    return state["heap"] % 4 - 1 if state["heap"] % 4 > 0 else 0
"""
SMALL = "--recorded 60 --held-out 20 --clone-epochs 2 --clone-batch 64 --policy-hidden 8 --value-hidden 8 --games 16"
PPO = "--minutes 0 --iterations 2 --most-games 16 --gate-every 1 --screen-games 8 --confirm-games 8 --measure-games 8"
QUICK = [*SMALL.split(), *PPO.split(), "--match-every", "0", "--threads", "1"]


@pytest.fixture
def taught(tmp_path, monkeypatch):
    """The name of a rules file with a teacher, in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPARRING_LADDER", str(tmp_path / "ladder.sqlite"))
    (tmp_path / "taught.py").write_text(NIM.read_text(encoding="utf-8") + TEACHER, encoding="utf-8")
    return "taught.py"


def test_a_rules_file_with_bots_is_learned_by_ppo_and_its_table_has_both_stages(taught, capsys):
    assert main(["train", taught, *QUICK, "--out", "L"]) == 0
    said = capsys.readouterr()
    assert "by cloning of its first bot and PPO self-play" in said.err
    assert "the clone: " in said.out and "against teacher, greedy" in said.out
    assert "entropy" in said.out and "champion" in said.out
    assert "sparring play taught.py policy:net=L/nets/latest.safetensors" in said.err
    assert main(["match", taught, "policy:net=L", "teacher", "--games", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 20


def test_the_same_command_goes_on_where_a_run_stood(taught, capsys):
    assert main(["train", taught, *QUICK, "--iterations", "1", "--out", "L"]) == 0
    assert main(["train", taught, *QUICK, "--iterations", "3", "--out", "L", "--json"]) == 0
    said = capsys.readouterr()
    assert "Going on after generation 3." in said.err
    rows = [json.loads(line) for line in said.out.splitlines() if line.startswith("{")]
    assert [row["iteration"] for row in rows[-2:]] == [2, 3]


def test_cloning_alone_ends_with_the_passes(taught, capsys):
    assert main(["train", taught, "--learner", "clone", *SMALL.replace("--games 16", "").split(), "--out", "C"]) == 0
    said = capsys.readouterr()
    assert "Cloning taught.py from 60 games of its first bot" in said.err
    assert [line.split()[1] for line in said.out.splitlines()[2:]] == ["1", "2"]


def test_games_of_a_file_are_cloned_and_an_empty_one_is_told(taught, capsys):
    assert main(["record", taught, "teacher", "random", "--games", "40", "--out", "games.jsonl"]) == 0
    learn = ["train", taught, "--learner", "clone", *SMALL.replace("--games 16", "").split()]
    assert main([*learn, "--recording", "games.jsonl", "--held-out", "10", "--out", "C"]) == 0
    assert "from the games in games.jsonl" in capsys.readouterr().err
    pathlib.Path("empty.jsonl").write_text("", encoding="utf-8")
    assert main([*learn, "--recording", "empty.jsonl", "--out", "E"]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("sparring: empty.jsonl")


def test_ranges_that_overlap_are_told_in_a_line(taught, capsys):
    assert main(["train", taught, *QUICK, "--evaluating-seeds", "0-5", "--out", "L"]) == 1
    assert "overlap in 0-5" in capsys.readouterr().err.splitlines()[-1]
    assert not pathlib.Path("L").exists()
