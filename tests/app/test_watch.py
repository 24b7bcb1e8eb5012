"""`sparring watch`: games between players as they are played, and recorded ones."""

import json
import re

import pytest
from rich.console import Console

from sparring.app import watching
from sparring.app.cli import main

GAME = {"game": "tic_tac_toe", "players": ["ann", "ben"], "moves": [0, 3, 1, 4, 2], "result": 1.0}


@pytest.fixture
def watch(capsys):
    """Watches; returns exit code, what was shown and the notes beside it."""

    def run(*arguments):
        return main(["watch", *map(str, arguments)]), *capsys.readouterr()

    return run


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    rows = [{**GAME, "moves": [4], "result": None}, GAME, {**GAME, "moves": [0, 0]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def boards(shown):
    return re.findall(r"^3 (.*)\n2 (.*)\n1 (.*)\n  a b c$", shown, re.MULTILINE)


def test_every_position_is_shown_with_the_move_before_it(watch):
    code, shown, _ = watch("tic-tac-toe", "random", "greedy", "--seed", "2")
    assert code == 0
    moves = re.findall(r"^\d+\. ([XO] \(\w+\)) played (\w+)$", shown, re.MULTILINE)
    assert [who for who, _ in moves][:3] == ["X (random)", "O (greedy)", "X (random)"]
    counts = [sum(row.count(stone) for row in board for stone in "XO") for board in boards(shown)]
    assert counts == list(range(len(moves) + 1))
    assert re.search(rf"^Game over after {len(moves)} moves: (a draw|[XO] \(\w+\) won)\.$", shown, re.MULTILINE)


def test_a_seed_makes_the_same_games_and_players_take_turns_at_the_first_move(watch):
    words = ("tic-tac-toe", "random", "greedy", "--games", "2", "--seed")
    shown = watch(*words, "5")[1]
    assert re.findall(r"^Game \d of 2: (.*)$", shown, re.MULTILINE) == [
        "X (random) and O (greedy)",
        "X (greedy) and O (random)",
    ]
    assert watch(*words, "5")[1] == shown != watch(*words, "6")[1]


def test_one_player_plays_both_sides_and_dice_are_told(watch):
    _, shown, _ = watch("pig", "random", "--seed", "1")
    assert shown.startswith("Game 1 of 1: first (random) and second (random)\n")
    assert re.search(r"^\d+\. Rolled: [1-6]$", shown, re.MULTILINE)


@pytest.mark.compiled
def test_games_that_begin_at_random_begin_otherwise_each_time(watch):
    _, shown, _ = watch("light-cycles", "random", "--games", "2", "--seed", "1")
    numbers = re.findall(r"first position number (\d+)$", shown, re.MULTILINE)
    assert len(set(numbers)) == 2


def test_a_recorded_game_is_shown_with_its_players(watch, file):
    _, shown, _ = watch("tic-tac-toe", "--replay", file, "--number", "2")
    assert shown.startswith(f"Game 2 of {file}: X (ann) and O (ben)\n")
    assert boards(shown)[-1] == ("X X X", "O O .", ". . .")
    assert shown.endswith("5. X (ann) played c3\n\nGame over after 5 moves: X (ann) won.\n")


def test_a_game_that_was_not_finished_stops_where_it_does(watch, file):
    _, shown, _ = watch("tic-tac-toe", "--replay", file, "--games", "2")
    assert f"The game stops here, after 1 move.\nGame 2 of {file}" in shown


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--number", "3"], "line 3: illegal move 0 at ply 2; legal are 1, 2, 3, 4, 5, 6, 7, 8"),
        (["--number", "4"], "holds 3 games, but --number is 4"),
        (["--number", "0"], "--number is 0, but it must be 1 or more"),
        (["--delay", "nan"], "--delay is nan, but it must be 0 or more"),
        (["random"], "give players or --replay, not both: random and "),
    ],
)
def test_a_fault_is_one_line(watch, file, words, says):
    code, shown, notes = watch("tic-tac-toe", *words, "--replay", file)
    assert (code, shown) == (1, "")
    assert says in notes.splitlines()[-1]


def test_in_a_terminal_one_board_is_drawn_again_in_its_place(watch, file, monkeypatch):
    monkeypatch.setattr(watching, "Console", lambda **more: Console(force_terminal=True, width=60, height=24, **more))
    monkeypatch.setattr(watching.time, "sleep", lambda seconds: slept.append(seconds))
    slept = []
    _, shown, _ = watch("tic-tac-toe", "--replay", file, "--number", "2", "--delay", "7")
    assert len(slept) == 5
    assert all(6 < seconds <= 7 for seconds in slept)
    up_a_line = "\x1b[1A"
    assert shown.count(up_a_line) >= 4 * 5, "the cursor goes back over four lines of the board"
