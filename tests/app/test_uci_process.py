"""`sparring uci` as a program: through its pipes, and through python-chess as a GUI would use it."""

import subprocess
import sys

import numpy as np
import pytest

from sparring.app.cli import main
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.nnue import Nnue, shape_for

COMMAND = [sys.executable, "-m", "sparring", "uci"]
WAIT = 120  # seconds; the first start compiles

pytestmark = pytest.mark.compiled


def talk(text, *options):
    said = subprocess.run([*COMMAND, *options], input=text, capture_output=True, text=True, timeout=WAIT)
    assert said.returncode == 0, said.stderr
    return said.stdout.splitlines()


def test_all_commands_are_answered_though_quit_follows_at_once():
    lines = talk("uci\nisready\nposition startpos moves e2e4\ngo nodes 20000\nquit\n")
    assert lines.index("uciok") < lines.index("readyok") < len(lines) - 1
    assert lines[-1].startswith("bestmove ")
    info = [line for line in lines if line.startswith("info depth")]
    assert int(info[-1].split(" depth ")[1].split()[0]) >= 4


def test_the_end_of_input_ends_it_and_garbage_does_no_harm():
    lines = talk("\n\x01garbage e2e4\nposition fen what\ngo depth 2\nisready")
    assert "readyok" in lines
    assert sum(line.startswith("bestmove ") for line in lines) == 1
    assert any(line.startswith("info string 'what' has 1 fields") for line in lines)


def test_several_threads_and_lines_find_a_move():
    lines = talk(
        "setoption name Threads value 2\nsetoption name MultiPV value 2\nposition startpos\ngo depth 4\nquit\n"
    )
    assert lines[-1].startswith("bestmove ")
    assert any(" multipv 2 " in line for line in lines)


def test_a_net_with_chances_tells_them_if_it_is_asked_to(tmp_path):
    game, random = load("chess"), np.random.default_rng(3)
    shape = shape_for(game, 16, outputs=3)
    arrays = {name: random.normal(0, 0.2, size).astype(np.float32) for name, size in shape.arrays.items()}
    weights.save(Nnue(game.name, game.FEATURES_VERSION, shape, arrays, {}), tmp_path / "net.safetensors")
    commands = "setoption name UCI_ShowWDL value {}\nposition startpos moves e2e4\ngo depth 4\n"
    lines = talk(commands.format("true") + commands.format("false"), "--net", str(tmp_path / "net.safetensors"))
    searches = [line for line in lines if line.startswith(("info depth", "bestmove"))]
    first = searches[: [line.startswith("bestmove") for line in searches].index(True)]
    assert len(first) == 4
    for line in first:
        words = line.split()
        chances = [int(word) for word in words[words.index("wdl") + 1 :][:3]]
        assert sum(chances) == 1000 and min(chances) >= 0
    assert not any(" wdl " in line for line in searches[len(first) :])


def test_a_net_that_is_not_there_is_told_in_one_line(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", iter(["isready\n"]))
    assert main(["uci", "--net", str(tmp_path / "none.safetensors")]) == 1
    assert "none.safetensors" in capsys.readouterr().err


def test_a_game_without_such_text_is_refused(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", iter(["isready\n"]))
    assert main(["uci", "--game", "tic-tac-toe"]) == 1
    assert "tic_tac_toe.py has no position(), describe(), read_uci(), write_uci()" in capsys.readouterr().err


def test_python_chess_plays_analyses_and_mates_with_it():
    chess = pytest.importorskip("chess")
    engine = pytest.importorskip("chess.engine")
    with engine.SimpleEngine.popen_uci(COMMAND, timeout=WAIT) as ours:
        assert ours.id["name"].startswith("Sparring ")
        board = chess.Board()
        for _ in range(6):
            board.push(ours.play(board, engine.Limit(nodes=2000)).move)
        for limit in (engine.Limit(time=0.05), engine.Limit(white_clock=1, black_clock=1), engine.Limit(depth=3)):
            played = ours.play(board, limit, ponder=True)
            assert played.move in board.legal_moves
            board.push(played.move)
        lines = ours.analyse(board, engine.Limit(depth=3), multipv=3, root_moves=list(board.legal_moves)[:5])
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        assert {line["pv"][0] for line in lines} <= {*list(board.legal_moves)[:5]}
        mate = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        assert ours.play(mate, engine.Limit(depth=4)).move == chess.Move.from_uci("a1a8")
        assert ours.analyse(mate, engine.Limit(depth=4))["score"].white() == engine.Mate(1)
        with ours.analysis(chess.Board()) as endless:
            for info in endless:
                if info.get("depth", 0) >= 3:
                    break
        assert endless.wait().move in chess.Board().legal_moves
