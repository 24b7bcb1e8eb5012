"""`sparring export`: a run's or a file's net as a model for other programs, checked before it is written."""

import dataclasses
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from sparring.app.cli import main
from sparring.games.game import load as load_game
from sparring.nets import nnue_file, weights
from sparring.nets.nnue import Nnue
from sparring.nets.nnue import shape_for as nnue_shape_for
from sparring.nets.nnue_quantised import quantised
from sparring.nets.tower import Tower, shape_for

onnxruntime = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")


def some_tower(game):
    shape = shape_for(game, blocks=1, width=4, policy=2, value=2, hidden=5)
    random = np.random.default_rng(1)
    arrays = {name: (random.normal(size=size) / 3).astype(np.float32) for name, size in shape.arrays.items()}
    return Tower(game.name, game.FEATURES_VERSION, shape, arrays)


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.safetensors"
    weights.save(some_tower(load_game("connect-four")), path)
    return path


def told(capsys, *words):
    """What a command that fails says."""
    assert main(["export", *map(str, words)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.splitlines()[-1].removeprefix("sparring: ")


def test_a_file_is_exported_beside_itself_and_the_outputs_are_explained(net, capsys):
    assert main(["export", str(net), "--onnx"]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == str(net.with_suffix(".onnx"))
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "inputs",
        "policy",
        "results",
        "score",
        "value",
        "example",
    ]
    assert "Checked in onnxruntime on 16 positions of random games: its answers are the net's (within" in said.err


def test_the_example_is_what_plain_onnxruntime_says_of_the_first_position(net, capsys):
    main(["export", str(net), "--onnx"])
    example = capsys.readouterr().out.splitlines()[-1]
    session = onnxruntime.InferenceSession(str(net.with_suffix(".onnx")))
    empty_board = np.zeros((1, 3, 7, 6), np.float32)
    empty_board[0, 2, :, 0] = 1  # where a stone would fall
    policy, value = session.run(["policy", "value"], {"inputs": empty_board})
    chances = np.exp(policy[0]) / np.exp(policy[0]).sum()
    best = int(np.argmax(policy[0]))
    assert example.startswith(f"example: value {value[0]:+.3f}; results ")
    assert f"; policy {best + 1} {chances[best]:.3f}, " in example


def test_of_a_run_the_newest_net_is_exported_to_where_it_was_asked(net, tmp_path, capsys):
    run = tmp_path / "run"
    (run / "nets").mkdir(parents=True)
    (run / "config.json").write_text(json.dumps({"game": "connect_four"}))
    assert told(capsys, run, "--onnx") == f"{run} has no net yet: a run has one when its first generation is done"
    shutil.copy(net, run / "nets" / "latest.safetensors")
    assert main(["export", str(run), "--onnx", "--out", str(tmp_path / "deep" / "c4.onnx")]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'deep' / 'c4.onnx'}\n")
    assert (tmp_path / "deep" / "c4.onnx").is_file()


def test_what_cannot_be_exported_is_told_in_a_line(net, tmp_path, capsys):
    either = "say as what to export the net: --onnx, --nnue FILE, or --codingame FILE.py"
    assert told(capsys, net) == told(capsys, net, "--onnx", "--codingame", tmp_path / "bot.py") == either
    assert told(capsys, tmp_path / "no", "--onnx") == f"cannot read {tmp_path / 'no'}: No such file or directory"
    assert told(capsys, tmp_path, "--onnx") == f"{tmp_path} is no training run: it has no config.json"
    assert told(capsys, net, "--onnx", "--game", "pig") == f"{net} was trained for connect_four, not for pig"
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(net.read_bytes()[:-5])
    assert told(capsys, damaged, "--onnx").endswith("cut short or damaged")
    other = tmp_path / "other.safetensors"
    weights.save(dataclasses.replace(weights.load_tower(net), game="othello"), other)
    assert told(capsys, other, "--onnx") == (
        "the net is for othello, which does not come with the package; give --game its rules file"
    )
    assert not list(tmp_path.glob("*.onnx"))


def test_a_model_that_answers_otherwise_is_not_written(net, capsys, monkeypatch):
    from sparring.nets import onnx

    monkeypatch.setattr(onnx, "difference", lambda *_: float("nan"))
    assert told(capsys, net, "--onnx") == "the model's answers differ from the net's by nan; nothing was written"
    assert not net.with_suffix(".onnx").exists()


@pytest.mark.parametrize(
    ("missing", "code", "says"),
    [
        ("onnx", 1, "sparring: --onnx needs onnx, which is not installed: pip install 'sparring[onnx]'"),
        ("onnxruntime", 0, "Not checked: onnxruntime is not installed (pip install onnxruntime)."),
    ],
)
def test_a_missing_library_is_told(net, capsys, monkeypatch, missing, code, says):
    import importlib.util

    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == missing else there(name, *more)
    )
    assert main(["export", str(net), "--onnx"]) == code
    assert capsys.readouterr().err.splitlines()[-1] == says
    assert net.with_suffix(".onnx").exists() == (code == 0)


def test_torch_is_not_needed(net):
    code = (
        "import sys\nfrom sparring.app.cli import main\nmain(['export', sys.argv[1], '--onnx'])\n"
        "print('torch' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code, str(net)], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "False"


# --- NNUE nets in whole numbers --------------------------------------------------------------------------------------


@pytest.fixture
def nnue(tmp_path):
    """Of random weights, for Connect Four."""
    game = load_game("connect-four")
    random, shape = np.random.default_rng(1), nnue_shape_for(game, 16)
    arrays = {name: (random.normal(size=size) / 5).astype(np.float32) for name, size in shape.arrays.items()}
    path = tmp_path / "nnue.safetensors"
    weights.save(Nnue(game.name, game.FEATURES_VERSION, shape, arrays), path)
    return path


def test_an_nnue_net_is_exported_in_whole_numbers_and_what_that_costs_is_told(nnue, tmp_path, capsys):
    out = tmp_path / "net.nnue"
    assert main(["export", str(nnue), "--nnue", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == str(out)
    size = f"{out.stat().st_size:,}"
    assert said[1].startswith(f"(126→16)×2→3, {size} bytes; an output differs from the net's by 0.0")
    read = nnue_file.from_bytes(out.read_bytes(), "net")
    assert np.array_equal(read.arrays["output.weight"], quantised(weights.load(nnue)).arrays["output.weight"])


def test_what_cannot_be_exported_in_whole_numbers_is_told(net, nnue, tmp_path, capsys):
    out = tmp_path / "net.nnue"
    assert told(capsys, net, "--nnue", out) == f"{net} is a tower, 1×4, but --nnue takes an NNUE net"
    assert told(capsys, nnue, "--nnue", tmp_path) == f"--nnue is {tmp_path}, a folder, but it must be the file to write"
    assert told(capsys, nnue, "--onnx").startswith(f"{nnue} is an NNUE net, (126→16)×2→3, but --onnx takes a tower")
    assert not out.exists()
