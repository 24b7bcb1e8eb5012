"""The command line: what it prints, and one clear line with exit code 1 for every fault of its user."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from sparring.app import cli
from sparring.app.cli import main
from sparring.games import tic_tac_toe


@pytest.fixture
def ask(tmp_path, monkeypatch, capsys):
    """Runs one command with a ladder of its own; returns (exit code, stdout, stderr)."""
    monkeypatch.setenv("SPARRING_LADDER", str(tmp_path / "ladder.sqlite"))
    monkeypatch.chdir(tmp_path)

    def run(line):
        code = main(line if isinstance(line, list) else line.split())
        return code, *capsys.readouterr()

    return run


def test_games_lists_what_comes_with_the_package(ask):
    code, out, _ = ask("games --json")
    assert code == 0
    assert {row["name"] for row in json.loads(out)} >= {"connect-four", "pig", "tic-tac-toe", "tigers-and-sheep"}


def test_perft_prints_one_number_and_its_parts_add_up(ask):
    assert ask("perft connect-four 5")[1] == "16807\n"
    assert ask("perft tic-tac-toe 0")[1] == "1\n"
    split = json.loads(ask("perft tigers-and-sheep 3 --split --json")[1])
    assert split["lines"] == sum(split["split"].values()) == 5052
    assert ask(["perft", "connect-four", "2", "--moves", "4 4 4 4 4 4"])[1] == "36\n"


def test_perft_begins_where_a_position_says(ask):
    fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
    assert ask(["perft", "chess", "2", "--fen", fen])[1] == "191\n"
    assert ask(["perft", "chess", "1", "--position", fen, "--moves", "b4f4"])[1] == "2\n"
    code, _, said = ask(["perft", "connect-four", "2", "--position", "x"])
    assert code == 1 and "connect_four.py has no position(), which reads positions" in said
    code, _, said = ask(["perft", "chess", "2", "--fen", fen.replace("k", "q")])
    assert code == 1 and "Black has 0 kings, but must have one" in said


def test_a_match_prints_score_elo_and_interval(ask):
    code, out, _ = ask("match tic-tac-toe alphabeta:depth=9 random --games 20 --opening 1")
    assert code == 0
    assert "20 games" in out
    assert "Score" in out
    assert "Elo" in out
    row = json.loads(ask("match tic-tac-toe alphabeta:depth=9 random --games 20 --opening 1 --seed 2 --json")[1])
    assert row["games"] == 20
    assert row["score"] > 0.7
    assert row["score_low"] < row["score"] <= row["score_high"]
    assert row["wins"] + row["draws"] + row["losses"] == 20


def test_a_match_does_not_depend_on_the_number_of_threads(ask):
    line = "match tigers-and-sheep alphabeta:depth=1 random --games 12 --json --threads"
    one, two = (json.loads(ask(f"{line} {n} --ladder {n}.sqlite")[1]) for n in (1, 2))
    assert one == two


def test_a_match_that_was_played_goes_on_where_it_ended(ask):
    short = json.loads(ask("match tic-tac-toe greedy random --games 10 --json")[1])
    _code, out, err = ask("match tic-tac-toe greedy random --games 30 --json")
    assert "5 pairs of this match were played before; 10 to go" in err
    row = json.loads(out)
    assert row["games"] == 30
    fresh = json.loads(ask("match tic-tac-toe greedy random --games 30 --json --ladder other.sqlite")[1])
    assert row["pairs"] == fresh["pairs"]
    assert short["games"] == 10


def test_sprt_stops_early_and_says_what_it_accepts(ask):
    code, out, _ = ask("match tic-tac-toe alphabeta:depth=9 random --games 4000 --sprt 0 50 --opening 1")
    assert code == 0
    assert "at least 50 is accepted" in out
    games = int(out.split(" games")[0].split()[-1])
    assert games < 1000


def test_the_ladder_ranks_everybody_who_played(ask):
    ask("match tic-tac-toe greedy random --games 40")
    ask("match tic-tac-toe alphabeta:depth=9 random --games 40")
    rows = json.loads(ask("ladder tic-tac-toe --json")[1])
    assert [row["name"] for row in rows][-1] == "random"
    assert rows[-1]["elo"] == 0
    assert ask("ladder tic-tac-toe")[1].splitlines()[0].split()[:2] == ["player", "Elo"]


@pytest.mark.compiled
def test_bench_counts_the_same_nodes_everywhere(ask, golden):
    row = json.loads(ask("bench --json --repeat 1")[1])
    golden("bench", {"nodes": row["nodes"]})
    assert [f["name"] for f in row["figures"] if f["median"] <= 0] == []


FAULTS = [
    ("chess-boxing", "no command 'chess-boxing'. There are: games, check"),
    ("mach", "no command 'mach'. Did you mean 'match'?"),
    ("perft conect-four 3", "no game 'conect-four'. Did you mean 'connect-four'? There are: abak, backgammon"),
    ("perft nowhere.py 3", "no rules file 'nowhere.py'; give the path of a Python file that defines a game"),
    ("perft connect-four -1", "the depth is -1, but it must be 0 or more"),
    ("perft connect-four three", "invalid literal for int() with base 10: 'three'"),
    (
        "match tic-tac-toe randm greedy",
        "no player 'randm'. Did you mean 'random'? There are: random, greedy, alphabeta",
    ),
    (
        "match tic-tac-toe alphabeta:dept=3 random",
        "no option 'dept'. Did you mean 'depth'? It has: depth, nodes, ms, tc, net",
    ),
    ("match tic-tac-toe alphabeta:depth=x random", "depth is 'x', but it must be a whole number"),
    ("match tic-tac-toe alphabeta:depth=-3 random", "depth is -3, but it must be 1 to 99 plies"),
    ("match tic-tac-toe alphabeta:ms=0 random", "ms is 0, but it must be above 0"),
    ("match tic-tac-toe alphabeta:nodes=0 random", "nodes is 0, but it must be at least 1"),
    ("match tic-tac-toe alphabeta:depth random", "depth needs a value, as in depth=…"),
    ("match tic-tac-toe alphabeta:quiescence=maybe random", "quiescence is 'maybe', but it must be yes or no"),
    ("match tic-tac-toe random:depth=1 greedy", "no option 'depth'. It has none"),
    ("match tic-tac-toe alphabeta:judge=evalute random", "tic_tac_toe.py has no evalute() to judge positions by."),
    (
        "match tic-tac-toe alphabeta:net=none.safetensors random",
        "cannot read none.safetensors: No such file or directory",
    ),
    ("match tic-tac-toe random random", "both players are random; a match of a player against itself measures nothing"),
    (
        "match tic-tac-toe greedy random --games 0",
        "--games is 0, but matches are played in pairs: an even number, at least 2",
    ),
    ("match tic-tac-toe greedy random --games 7", "--games is 7, but matches are played in pairs"),
    ("match tic-tac-toe greedy random --seed -1", "--seed is -1, but it must be 0 or more"),
    ("match tic-tac-toe greedy random --opening -1", "the opening has -1 random moves, but it must be 0 or more"),
    ("match tic-tac-toe greedy random --opening 99", "an opening of 99 random moves nearly always ends tic_tac_toe"),
    ("match tic-tac-toe greedy random --threads -2", "--threads is -2, but it must be 0 (one for each core) or more"),
    ("match tic-tac-toe greedy random --sprt 5 0", "5"),
    ("match tic-tac-toe greedy random --gamse 8", "Unrecognized options: --gamse"),
    ("ladder tic-tac-toe", "no match of tic_tac_toe has been played yet; play one: sparring match tic-tac-toe A B"),
    ("train pig --learner td", "pig has dice"),
    ("train tic-tac-toe --learner td --games -5", "--games is -5, but it must be 1 to 1000000"),
    ("train tic-tac-toe --learner td --minutes 0", "--minutes is 0, but it must be above 0"),
    ("train tic-tac-toe --learner td --head sigmoid", "invalid choice 'sigmoid' for argument '--head'"),
    ("train tic-tac-toe --learner td --start none.tsnn", "cannot read none.tsnn: No such file or directory"),
    ("bench --repeat 0", "--repeat is 0, but it must be at least 1"),
]


@pytest.mark.parametrize(("line", "message"), FAULTS, ids=[line for line, _ in FAULTS])
def test_a_fault_is_one_line_on_stderr_and_exit_code_1(ask, line, message):
    code, out, err = ask(line)
    assert code == 1
    assert message in err
    last = err.strip().splitlines()[-1]
    assert message in last, "the message is the last line, whole"
    assert last.startswith("sparring: ")
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.compiled
def test_a_closed_terminal_ends_quietly(tmp_path):
    script = f"{sys.executable} -m sparring perft tic-tac-toe 2 --split | head -0; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_one_line(tmp_path):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "sparring", "games"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == "sparring: No space left on device"


def test_a_damaged_ladder_is_named_and_left_alone(ask, tmp_path):
    (tmp_path / "ladder.sqlite").write_bytes(b"not a database, but long enough to be looked at " * 40)
    before = (tmp_path / "ladder.sqlite").read_bytes()
    code, _, err = ask("match tic-tac-toe greedy random --games 2")
    assert code == 1
    assert "ladder.sqlite" in err.strip().splitlines()[-1]
    assert (tmp_path / "ladder.sqlite").read_bytes() == before


def test_help_and_version_answer(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "analyse" in capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("sparring 0.")


def test_ctrl_c_that_comes_out_as_another_fault_is_still_an_interrupt(monkeypatch, capsys):
    def inside_the_compiler(words):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(cli, "answer", inside_the_compiler)
    assert main(["games"]) == 130
    assert capsys.readouterr().err == "sparring: interrupted\n"
    assert signal.getsignal(signal.SIGINT) == before


def test_check_goes_on_after_a_file_that_cannot_be_loaded(ask, tmp_path):
    (tmp_path / "broken.py").write_text("STATE = 1\n")
    code, out, err = ask("check broken.py tic-tac-toe --count 10")
    assert code == 1
    assert "sparring: broken.py: MOVES is missing." in err
    assert out.startswith("tic_tac_toe: sound in 10 random games")


def test_check_says_what_alphazero_would_choose_for_the_game(ask):
    out = ask("check tic-tac-toe --count 100")[1]
    chosen = "2×32 net, 64 simulations a move, window up to 500,000 positions"
    assert f"\n  training  AlphaZero: sparring train tic-tac-toe; {chosen}\n" in out
    (row,) = json.loads(ask("check tic-tac-toe --count 100 --json")[1])
    assert row["alphazero"] == {"blocks": 2, "width": 32, "simulations": 64, "window": 500_000}


def test_check_names_the_usual_way_to_learn_a_game_with_dice_first(ask):
    training = ask("check pig --count 100")[1].partition("  training  ")[2].splitlines()
    assert training[0] == "TD(λ) over whole turns: sparring train pig"
    assert training[1].strip().startswith("AlphaZero: sparring train pig --learner alphazero; ")


def test_check_names_cloning_and_ppo_first_where_a_bot_can_teach(ask, tmp_path):
    rules = pathlib.Path(tic_tac_toe.__file__).read_text(encoding="utf-8")
    bot = '\n\nBOTS = ("first",)\n\n\ndef first(state):\n    for i in range(9):\n        if state["board"][i] == 0:\n'
    (tmp_path / "taught.py").write_text(f"{rules}{bot}            return i\n    return 0\n", encoding="utf-8")
    training = ask(f"check {tmp_path / 'taught.py'} --count 20")[1].partition("  training  ")[2].splitlines()
    assert training[0].startswith("cloning and PPO: sparring train ")
    assert "--learner alphazero; " in training[1]


def test_check_says_why_a_game_cannot_be_learned(ask, tmp_path):
    rules = pathlib.Path(tic_tac_toe.__file__).read_text(encoding="utf-8")
    (tmp_path / "uneven.py").write_text(rules.replace("(-1.0, 0.0, 1.0)", "(-1.0, 0.0, 2.0)"))
    (row,) = json.loads(ask("check uneven.py --count 100 --json")[1])
    assert row["alphazero"] is None
    why = "uneven.py: RESULTS (-1.0, 0.0, 2.0) are not alike for both players, so a net needs VIEWER"
    assert f"\n  training  AlphaZero: {why}\n" in ask("check uneven.py --count 100")[1]
