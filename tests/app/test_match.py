"""Matches at the command line, of games that are won by points."""

import json

import pytest

from sparring.app.cli import main
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.mlp import new_net


@pytest.fixture
def ask(tmp_path, monkeypatch, capsys):
    """Runs one command with a ladder of its own; returns (exit code, stdout, stderr)."""
    monkeypatch.setenv("SPARRING_LADDER", str(tmp_path / "ladder.sqlite"))
    monkeypatch.chdir(tmp_path)

    def run(line):
        code = main(line.split())
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def match(data, tmp_path):
    """A match of sprint, by a net of random weights against a random mover."""
    game = load(str(data / "sprint.py"))
    weights.save(new_net(game, (8,), "results", 3.0, 6, "leaky"), tmp_path / "net.safetensors")
    return f"match {data / 'sprint.py'} turn:net=net.safetensors random"


def test_a_game_for_points_tells_points_with_their_error_beside_the_share_of_wins(ask, match):
    row = json.loads(ask(f"{match} --games 60 --json")[1])
    assert row["games"] == 60 and 0 < row["score"] < 1
    sizes = {float(size): n for size, n in row["results"].items()}
    assert sum(sizes.values()) == 60
    assert row["points"] == pytest.approx(sum(size * n for size, n in sizes.items()) / 60)
    assert row["points_low"] < row["points"] < row["points_high"]
    assert 0.05 < row["points_error"] < 0.5
    assert sum(n for size, n in sizes.items() if size > 0) == row["wins"]


def test_people_read_how_much_was_won_and_lost_and_how_often(ask, match):
    out = ask(f"{match} --games 60")[1].splitlines()
    assert out[0].endswith(" against random: 60 games")
    assert " by 1, " in out[1] and " by 2, " in out[1] and "drawn" not in out[1]
    assert " points a game [" in out[2] and "standard error" in out[2]
    assert out[3].startswith("Score 0.")


def test_points_are_kept_for_a_match_that_goes_on(ask, match):
    ask(f"{match} --games 20 --json")
    row = json.loads(ask(f"{match} --games 60 --json")[1])
    fresh = json.loads(ask(f"{match} --games 60 --json --ladder other.sqlite")[1])
    assert [row[name] for name in ("points", "points_error", "pairs")] == [
        pytest.approx(fresh[name]) for name in ("points", "points_error", "pairs")
    ]
    assert "results" not in row, "only of games played now it is known how each ended"


def test_where_there_are_dice_no_random_moves_come_first_unless_asked_for(ask, match):
    assert json.loads(ask(f"{match} --games 2 --json")[1])["opening"] == 0
    assert json.loads(ask(f"{match} --games 2 --opening 3 --json")[1])["opening"] == 3
    assert json.loads(ask("match tic-tac-toe greedy random --games 2 --json")[1])["opening"] == 4


def test_a_game_that_is_only_won_or_lost_has_no_points(ask):
    row = json.loads(ask("match tic-tac-toe greedy random --games 2 --json")[1])
    assert "points" not in row and "results" not in row


def test_matches_to_n_points_are_won_or_lost_and_have_no_points(ask, match):
    row = json.loads(ask(f"{match} --games 30 --points 3 --json")[1])
    assert (row["games"], row["match_length"], row["wins"] + row["losses"]) == (30, 3, 30)
    assert "points" not in row
    assert row["cube"]["games"] >= 60 and row["cube"]["doubles"] > 0
    assert row["cube"]["passes"] == 0, "random always takes"


def test_games_with_the_cube_count_what_it_shows(ask, match):
    row = json.loads(ask(f"{match} --games 60 --cube --json")[1])
    assert row["cube"]["games"] == 60
    assert max(abs(float(size)) for size in row["results"]) > 3
    assert row["points"] == pytest.approx(sum(float(size) * n for size, n in row["results"].items()) / 60)


def test_people_read_how_often_the_cube_was_turned(ask, match):
    _, out, err = ask(f"{match} --games 20 --points 3")
    lines = out.splitlines()
    assert lines[0].endswith(" against random: 20 matches")
    assert " games, " in lines[2] and " doubles, of which 0 were passed" in lines[2]
    assert "20 matches to 3 points in pairs" in err
    assert err.count("No match equity table for sprint comes with the package; one is computed") == 1


def test_matches_and_games_with_the_cube_have_ladders_of_their_own(ask, match):
    game = match.split()[1]
    ask(f"{match} --games 4")
    ask(f"{match} --games 6 --points 3")
    ask(f"{match} --games 8 --cube")
    played = [json.loads(ask(f"ladder {game} --json{more}")[1])[0]["games"] for more in ("", " --points 3", " --cube")]
    assert played == [4, 6, 8]
    code, _, err = ask(f"ladder {game} --points 5")
    assert code == 1 and "no match of sprint to 5 has been played yet" in err and "A B --points 5" in err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("match tic-tac-toe greedy random --points 3", "tic_tac_toe ends with -1, 0, 1, but the cube and matches need"),
        ("match backgammon random turn:judge=pips --points -1", "points is -1, but a match is to 1 point or more"),
        (
            "match backgammon random turn:judge=pips --points 99",
            "the match is to 99 points, but the table of backgammon",
        ),
    ],
)
def test_matches_that_cannot_be_are_refused_in_one_line(ask, line, says):
    code, _, err = ask(line)
    assert code == 1
    assert says in err


def test_results_without_luck_are_told_beside_the_others(ask, match):
    row = json.loads(ask(f"{match} --games 40 --luck --json")[1])
    fair = row["without_luck"]
    assert fair["with_luck"] == pytest.approx(row["points"])
    assert fair["low"] < fair["value"] < fair["high"]
    assert fair["judge"] == row["a"]
    _, out, _ = ask(f"{match} --games 60 --luck")
    (line,) = (line for line in out.splitlines() if line.startswith("Without luck"))
    assert (
        line.startswith("Without luck in the 20 games played now: ") and "times as many games (judged by turn:" in line
    )
    _, out, _ = ask(f"{match} --games 20 --points 3 --luck")
    assert "Without luck: score 0." in out and "times as many matches" in out
