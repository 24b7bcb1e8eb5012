"""`sparring solve`: the seven scores below the board, what they mean, and one line for every fault."""

import json

import pytest

from sparring.app.cli import main

ENDING = "2252576253462244111563365343671351441"  # of Test_L3_R1: columns 6 and 7 are free


@pytest.fixture
def solve(capsys):
    """Runs the command; returns exit code, stdout and stderr."""

    def run(*arguments):
        code = main(["solve", *arguments])
        return code, *capsys.readouterr()

    return run


@pytest.mark.compiled
def test_the_empty_board_has_its_known_scores(solve):
    code, shown, _ = solve("connect-four", "--moves", "", "--json")
    found = json.loads(shown)
    assert code == 0
    assert found["scores"] == [-2, -1, 0, 1, 0, -1, -2]
    assert (found["moves"], found["to_move"], found["score"], found["best"]) == ("", "X", 1, [4])


@pytest.mark.parametrize("moves", [ENDING, " ".join(ENDING)])
def test_moves_are_read_with_and_without_spaces(solve, moves):
    code, shown, _ = solve("connect-four", "--moves", moves, "--json")
    found = json.loads(shown)
    assert code == 0
    assert found["scores"] == [None] * 5 + [-1, -2]
    assert (found["moves"], found["to_move"], found["best"]) == (ENDING, "O", [6])


def test_scores_stand_below_their_columns_and_are_told_best_first(solve):
    code, shown, _ = solve("connect-four", "--moves", ENDING)
    lines = shown.splitlines()
    assert code == 0
    at = next(i for i, line in enumerate(lines) if line.split() == list("1234567"))
    assert lines[at + 1].split() == ["-1", "-2"]
    assert lines[at + 1].index("1") == lines[at].index("6")
    told = [" ".join(line.split()) for line in lines[at + 2 :] if line]
    assert told == ["O to move. Best first:", "6 X wins with its 21st stone", "7 X wins with its 20th stone"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["connect-four", "--moves", "1212121"], "nothing to solve: X won after 7 moves"),
        (["connect-four", "--moves", "12121212"], "move 8, '2': the game is over after 7 moves: X won"),
        (["connect-four", "--moves", "448"], "move 3: '8' is not a legal move here."),
        (["tic-tac-toe"], "no perfect player of tic-tac-toe is known; there is one of: connect-four"),
        (["connect-four", "--threads", "-1"], "--threads is -1, but it must be 0 (one for each core) or more"),
    ],
)
def test_a_fault_is_one_line(solve, arguments, says):
    code, shown, notes = solve(*arguments)
    assert (code, shown) == (1, "")
    assert says in notes.splitlines()[-1]
