"""`sparring export --codingame`: a net of light cycles as one source file."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
from random_move_nets import random_net

from sparring.app import codingame
from sparring.app.cli import main
from sparring.games.game import load
from sparring.nets import weights


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.safetensors"
    weights.save(random_net(load("light-cycles")), path)
    return path


def told(capsys, *words):
    """What a command that fails says."""
    assert main(["export", *map(str, words)]) == 1
    return capsys.readouterr().err.splitlines()[-1].removeprefix("sparring: ")


@pytest.mark.compiled
@pytest.mark.parametrize("options", [(), ("--no-numpy",)])
def test_the_file_plays(net, tmp_path, capsys, options):
    out = tmp_path / "bots" / "tron.py"
    assert main(["export", str(net), "--codingame", str(out), *options]) == 0
    shown, notes = capsys.readouterr()
    assert shown.splitlines()[0] == str(out)
    assert "Checked on 200 positions: the bot plays the net's move in " in notes
    assert ("import numpy" in out.read_text(encoding="utf-8")) == (not options)
    lines = "2 0\n0 0 0 0\n1 0 1 0\n"
    said = subprocess.run([sys.executable, str(out)], input=lines, capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == ("DOWN\n", "")


def test_a_bot_that_plays_otherwise_is_not_written(net, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(codingame, "agreement", lambda net, text: (0.5, 200))
    out = tmp_path / "tron.py"
    says = "the bot would play the net's move in 50.0% of positions only; nothing was written"
    assert told(capsys, net, "--codingame", out) == says
    assert not out.exists()


def test_what_cannot_be_exported_is_told_in_a_line(net, tmp_path, tower_of, capsys):
    out = tmp_path / "tron.py"
    tower = tower_of("tic-tac-toe")
    assert told(capsys, tower, "--codingame", out).startswith(f"{tower} is a tower, ")
    assert ", but --onnx takes a tower or a perceptron" in told(capsys, net, "--onnx")
    other = tmp_path / "other.safetensors"
    weights.save(dataclasses.replace(random_net(load("light-cycles")), game="nim"), other)
    assert told(capsys, other, "--codingame", out) == f"{other} was trained for nim, not for light_cycles"
    assert told(capsys, net, "--codingame", tmp_path) == (
        f"--codingame is {tmp_path}, a folder, but it must be the file to write"
    )
    assert told(capsys, tmp_path / "no", "--codingame", out).startswith(f"cannot read {tmp_path / 'no'}")
    assert not out.exists()


def test_a_net_whose_moves_the_bot_does_not_find_is_seen(net):
    one, other = (random_net(load("light-cycles"), seed) for seed in (1, 2))
    same, positions = codingame.agreement(one, codingame.source_of(other))
    assert positions == codingame.CHECKED
    assert same < codingame.ENOUGH
    assert np.isclose(codingame.agreement(one, codingame.source_of(one))[0], 1, atol=0.01)
