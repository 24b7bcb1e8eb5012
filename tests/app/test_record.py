"""`sparring record`: games between players in a file, gone on with after an interruption."""

import json

import pytest

from sparring.app import recording
from sparring.app.cli import main
from sparring.arena.under_way import MATCHES
from sparring.games.game import load
from sparring.games.gamefile import read, replay

ILLEGAL = """
from sparring.games.tic_tac_toe import *

BOTS = ("stubborn",)


def stubborn(state):
    return 4
"""


@pytest.fixture
def record(tmp_path, capsys):
    """Records; returns exit code, what was printed, the notes, and the file's rows."""

    def run(*arguments):
        out = tmp_path / "games.jsonl"
        code = main(["record", *arguments, "--out", str(out), "--threads", "1"])
        rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
        return code, *capsys.readouterr(), rows

    run.file = tmp_path / "games.jsonl"
    return run


def test_games_of_two_players_are_written_whole_and_in_both_seats(record):
    code, shown, _, rows = record("tic-tac-toe", "greedy", "random", "--games", "6", "--opening", "0")
    assert (code, len(rows)) == (0, 6)
    assert [row["players"] for row in rows] == [["greedy", "random"], ["random", "greedy"]] * 3
    found = replay(load("tic-tac-toe"), list(read(record.file, load("tic-tac-toe"))))
    assert sum(len(row["moves"]) for row in rows) == len(found.moves)
    assert shown.splitlines()[0] == f"6 games, {len(found.moves)} moves: {record.file}"
    won = sum(row["result"] == (1, -1)[row["players"].index("greedy")] for row in rows)
    assert f"won by greedy: {won}" in shown


def test_a_random_opening_is_no_decision_of_the_players(record):
    *_, rows = record("tic-tac-toe", "random", "--games", "2")
    assert [row["given"] for row in rows] == [4, 4]
    found = replay(load("tic-tac-toe"), list(read(record.file, load("tic-tac-toe"))))
    assert len(found.moves) == sum(len(row["moves"]) - 4 for row in rows)


def test_a_player_without_chance_plays_each_game_against_itself_once(record):
    *_, rows = record("tic-tac-toe", "alphabeta:depth=2,judge=nothing", "--games", "5", "--opening", "1")
    assert len(rows) == 5
    assert [row["pair"] for row in rows] == sorted(row["pair"] for row in rows)


@pytest.mark.compiled
def test_games_that_begin_at_random_are_dealt_as_for_training(record):
    *_, rows = record("light-cycles", "floodfill", "random", "--games", "4")
    deals = [row["deal"] for row in rows]
    assert deals[0] == deals[1] != deals[2] == deals[3], "both players get the same first position"
    assert max(deals) < MATCHES
    assert len({row["pair"] for row in record("light-cycles", "floodfill", "--games", "2")[-1][4:]}) == 2


def test_a_recording_that_was_stopped_is_gone_on_with(record, monkeypatch):
    words = ("tic-tac-toe", "greedy", "random", "--games", "8")
    *_, whole = record(*words)
    record.file.unlink()
    play_pairs = recording.play_pairs

    def stopped(*arguments, **more):
        pairs = play_pairs(*arguments, **more)
        yield next(pairs)
        yield next(pairs)
        pairs.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(recording, "play_pairs", stopped)
    code, shown, _, rows = record(*words)
    assert (code, rows) == (0, whole[:4])
    assert shown.splitlines()[-1] == "interrupted; the same command goes on from here"
    monkeypatch.undo()
    _, shown, notes, rows = record(*words)
    assert "4 games of these players and this seed are there; the others follow." in notes
    assert rows == whole
    _, shown, notes, rows = record(*words)
    assert (shown, rows) == (f"0 games, 0 moves: {record.file}\n", whole)
    assert notes.splitlines()[-1] == "8 games of these players and this seed are there; nothing is left to play."


def test_games_of_another_seed_or_of_other_players_do_not_count(record):
    words = ("tic-tac-toe", "greedy", "random", "--games", "2")
    record(*words)
    record(*words, "--seed", "2")
    *_, rows = record("tic-tac-toe", "random", "--games", "2")
    assert [row["seed"] for row in rows] == [1, 1, 2, 2, 1, 1]


def test_a_player_that_makes_illegal_moves_is_told_in_a_line(record, tmp_path):
    rules = tmp_path / "ttt.py"
    rules.write_text(ILLEGAL)
    code, shown, notes, rows = record(str(rules), "stubborn", "--games", "2", "--opening", "0")
    assert (code, shown, rows) == (1, "", [])
    assert notes.splitlines()[-1].startswith("sparring: stubborn() of ttt.py chose move 4, but legal are 0, 1, 2, 3, 5")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tic-tac-toe", "random", "--games", "0"], "--games is 0"),
        (["tic-tac-toe", "random", "--seed", "-1"], "--seed is -1"),
        (["tic-tac-toe", "randm"], "Did you mean 'random'?"),
    ],
)
def test_a_fault_is_one_line(record, arguments, says):
    code, shown, notes, _ = record(*arguments)
    assert (code, shown) == (1, "")
    assert says in notes.splitlines()[-1]


def test_a_file_of_other_games_is_left_alone(record):
    record.file.write_text('{"game": "pig"}\n')
    code, _, notes, rows = record("tic-tac-toe", "random", "--games", "2")
    assert (code, rows) == (1, [{"game": "pig"}])
    assert notes.splitlines()[-1] == f"sparring: {record.file}, line 1: players is missing"
