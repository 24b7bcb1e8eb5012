"""`sparring accuracy`: a row for each set, their mean, a row for the player's own games."""

import json

import pytest

from sparring.app.cli import main


@pytest.fixture
def ask(capsys):
    """Runs the command; returns exit code, stdout and stderr."""

    def run(line):
        code = main(["accuracy", *line.split()])
        return code, *capsys.readouterr()

    return run


def test_json_holds_counts_shares_and_intervals_of_each_set(ask):
    code, shown, _ = ask("connect-four random --sets L3_R1 L2_R1 --limit 60 --games 0 --seed 2 --json")
    found = json.loads(shown)
    assert code == 0
    assert (found["game"], found["player"], found["seed"]) == ("connect_four", "random", 2)
    assert [row["name"] for row in found["sets"]] == ["L3_R1", "L2_R1"]
    assert found["own_games"] is None
    for row in found["sets"]:
        ideal, sound, blunder = row["ideal"], row["sound"], row["blunder"]
        assert (row["positions"], row["value_class_error"]) == (60, None)
        assert 0 < ideal["count"] < sound["count"] < sound["of"] <= 60
        assert ideal["low"] < ideal["share"] == ideal["count"] / ideal["of"] < ideal["high"]
        assert blunder["count"] == sound["of"] - sound["count"]
    shares = [row["ideal"]["share"] for row in found["sets"]]
    assert found["mean"]["ideal"] == pytest.approx(sum(shares) / 2)


def test_without_names_the_public_sets_are_meant(ask):
    _, shown, _ = ask("connect-four random --limit 5 --games 0 --json")
    assert [row["name"] for row in json.loads(shown)["sets"]] == ["L1_R1", "L1_R2", "L2_R1", "L3_R1"]


@pytest.mark.compiled
def test_people_see_a_row_a_set_the_mean_and_own_games(ask):
    code, shown, notes = ask("connect-four alphabeta:depth=2 --sets L3_R1 selection --limit 50 --games 2")
    rows = [line.split()[0] for line in shown.splitlines()]
    assert code == 0
    assert rows == ["alphabeta:depth=2,", "positions", "L3_R1", "selection", "mean", "own"]
    assert "positions before ply 8 are left out" in notes


@pytest.mark.compiled
def test_a_player_that_tells_chances_has_its_value_class_measured(ask):
    _, shown, _ = ask("connect-four mcts:sims=20 --sets L3_R1 --limit 30 --games 0 --json")
    wrong = json.loads(shown)["sets"][0]["value_class_error"]
    assert wrong["of"] == 30
    assert wrong["low"] <= wrong["share"] <= wrong["high"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("connect-four random --sets L9", "no set 'L9' of positions."),
        ("connect-four random --games -1", "--games is -1"),
        ("connect-four random --limit 0", "--limit 0; the first two must be 0 or more, the limit at least 1"),
        ("connect-four randm", "no player 'randm'. Did you mean 'random'?"),
        ("tic-tac-toe random", "no perfect player of tic-tac-toe is known; there is one of: connect-four"),
    ],
)
def test_a_fault_is_one_line(ask, line, says):
    code, shown, notes = ask(line)
    assert (code, shown) == (1, "")
    assert says in notes.splitlines()[-1]
