"""`sparring analyse` in games with dice: best plays with equities, rollouts, every roll's answer, a game's review."""

import json
import re

import numpy as np
import pytest

from sparring.app.cli import main
from sparring.app.course import Course, follow
from sparring.app.review import review, told, totals
from sparring.games.contract import CHANCE
from sparring.games.game import Game, load
from sparring.nets import weights
from sparring.nets.weights import Net
from sparring.search.expectimax import Lookahead
from sparring.search.luck import Luck


@pytest.fixture(scope="module")
def pig() -> Game:
    return load("pig")


@pytest.fixture(scope="module")
def net(pig, tmp_path_factory) -> str:
    """A file of a net that knows Pig: who has more is ahead, and what is held counts more."""
    matrix = np.array([[-9, 9], [9, -9], [-8, 8], [8, -8]], np.float32)
    path = tmp_path_factory.mktemp("nets") / "pig.safetensors"
    weights.save(Net("pig", pig.FEATURES_VERSION, "results", ((matrix, np.zeros(2, np.float32)),)), path)
    return str(path)


@pytest.fixture
def analyse(capsys):
    """Runs the command on Pig; returns exit code, stdout and stderr."""

    def run(*arguments):
        code = main(["analyse", "pig", *arguments])
        return code, *capsys.readouterr()

    return run


GAME = "roll 6 roll 5 hold roll 1 roll 4"


def test_the_best_plays_stand_with_equity_distance_and_chances(analyse, net):
    code, out, _ = analyse("--moves", "roll 6 roll 5", "--player", f"turn:net={net},plies=1")
    assert code == 0
    assert re.search(r"1 ply ahead: \d+ turns judged", out)
    head, best, other = out.split("result in %" if "result in %" in out else "results in %")[1].splitlines()[1:4]
    assert head.split() == ["move", "equity", "behind", "+1", "-1"]
    assert {best.split()[0], other.split()[0]} == {"roll", "hold"}
    _, equity, win, loss = best.split()
    assert float(equity) == pytest.approx((float(win) - float(loss)) / 100, abs=0.002)
    assert float(other.split()[2]) == pytest.approx(float(other.split()[1]) - float(equity), abs=0.0015)


def test_a_program_gets_the_same_with_the_moves_of_each_turn(analyse, net):
    _, out, _ = analyse("--moves", "roll 6 roll 5", "--player", f"turn:net={net}", "--json", "--lines", "2")
    found = json.loads(out)
    values = [turn["value"] for turn in found["turns"]]
    assert values == sorted(values, reverse=True)
    assert found["turns"][0]["moves"] == found["lines"][0]["moves"] == [found["turns"][0]["turn"]]
    chances = {row["result"]: row["chance"] for row in found["turns"][0]["outcome"]}
    assert chances[1.0] - chances[-1.0] == pytest.approx(values[0], abs=1e-6)
    assert found["opinion"]["value"] == pytest.approx(values[0], abs=1e-6)


def test_rollouts_come_with_their_errors_and_decide_the_order(analyse, net):
    asked = ("--moves", "roll 6 roll 5", "--player", f"turn:net={net}", "--lines", "2", "--rollout", "12")
    code, out, _ = analyse(*asked, "--threads", "1")
    assert code == 0
    assert "Rollouts of 12 games each" in out
    _, text, _ = analyse(*asked, "--json", "--threads", "1")
    rolled = [turn["rollout"] for turn in json.loads(text)["turns"]]
    assert rolled[0]["value"] >= rolled[1]["value"]
    assert all(0 < r["error"] < 1 and r["games"] == 12 for r in rolled)
    assert json.loads(text)["turns"][1]["behind"] == pytest.approx(rolled[0]["value"] - rolled[1]["value"])


def test_before_a_roll_every_outcome_has_its_best_answer(analyse, net):
    code, out, _ = analyse("--moves", "roll 6 roll", "--player", f"turn:net={net}")
    assert code == 0
    assert len(re.findall(r"^  \d +16\.7 %  [+-]\d\.\d{3}  (?:roll|hold)$", out, re.MULTILINE)) == 6
    _, text, _ = analyse("--moves", "roll 6 roll", "--player", f"turn:net={net}", "--json")
    values = [outcome["value"] for outcome in json.loads(text)["outcomes"]]
    assert f"On average {np.mean(values):+.3f} for first." in out
    assert values[0] == min(values), "a 1 loses what was gathered"


def test_a_review_tells_error_and_luck_of_each_turn(pig, net):
    loaded = weights.load_perceptron(net)
    course, look, luck = follow(pig, GAME), Lookahead(pig, loaded, 1), Luck(pig, loaded)
    turns = list(review(course, look, luck))
    assert [(t.who, t.roll, t.turn) for t in turns] == [
        (0, "", "roll"),
        (0, "6", "roll"),
        (0, "5", "hold"),
        (1, "", "roll"),
        (0, "1", "roll"),
    ]
    at = 0
    for turn, start in zip(turns[:4], (0, 2, 4, 5), strict=True):
        state = course.states[start]
        ranked = {t.steps: t.value for t in look.rank(state, most=9)}
        assert turn.error == pytest.approx(max(ranked.values()) - ranked[(course.moves[start],)], abs=1e-6)
        assert turn.choice == (len(ranked) > 1)
        rolled = [i for i in range(at, start) if pig.mover(course.states[i]) == CHANCE]
        points = sum(luck.of(course.states[i], course.moves[i]) for i in rolled)
        assert turn.luck == pytest.approx(points if turn.who == 0 else -points)
        at = start
    first, second = totals(turns)
    assert (first.turns, second.turns) == (4, 1)
    assert first.luck == pytest.approx(sum(t.luck for t in turns if t.who == 0))
    assert not any("result" in line for line in told(course, turns)), "the game is not over"


def test_of_a_finished_game_the_result_is_told_without_its_luck(pig, net, analyse):
    moves = "roll 6 " * 17 + "hold"
    code, out, _ = analyse("--moves", moves, "--player", f"turn:net={net}", "--review")
    assert code == 0
    fair = float(re.search(r"The result is \+1 for first, without the luck of the dice ([+-]\d\.\d{3})\.", out)[1])
    assert fair < 0.5, "seventeen sixes are luck"
    _, text, _ = analyse("--moves", moves, "--player", f"turn:net={net}", "--review", "--json")
    found = json.loads(text)
    assert found["over"]["without_luck"] == pytest.approx(fair, abs=0.0006)
    assert sum(row["luck"] for row in found["review"]) == pytest.approx(1 - fair, abs=0.0006)


def test_a_turn_that_is_not_over_is_not_reviewed(pig, net):
    loaded = weights.load_perceptron(net)
    look, luck = Lookahead(pig, loaded, 0), Luck(pig, loaded)
    assert list(review(Course(pig), look, luck)) == []
    assert len(list(review(follow(pig, "roll"), look, luck))) == 1


@pytest.mark.compiled
def test_a_position_can_be_given_instead_of_moves(capsys):
    line = "24:2X 13:5X 8:3X 6:5X 1:2O 12:5O 17:3O 19:5O; white plays 3-1"
    code = main(["analyse", "backgammon", "--position", line, "--player", "turn:judge=pips"])
    out = capsys.readouterr().out
    assert code == 0
    assert "white to play 3-1" in out
    assert re.search(r"^  8/5 6/5 ", out, re.MULTILINE) or re.search(r"^  \S+ \S+ +\+4\.000", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--position", "x"), "pig.py has no position(), which reads positions; give moves from the start"),
        (("--rollout-turns", "-1"), "--rollout-turns is -1, but it must be 0 (to the end) or more"),
        (("--rollout", "1"), "--rollout is 1, but it must be 0 (none) or at least 2 games"),
        (
            ("--moves", "roll 6", "--player", "mcts:sims=9", "--rollout", "9"),
            "--rollout plays turns by a net, but mcts",
        ),
        (
            ("--moves", "roll 6", "--player", "mcts:sims=9", "--review"),
            "--player is 'mcts:sims=9', but this wants a net",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(analyse, arguments, says):
    code, _, told = analyse(*arguments)
    assert code == 1
    assert says in told.splitlines()[-1]


def test_games_without_dice_have_no_review(capsys):
    assert main(["analyse", "tic-tac-toe", "--review"]) == 1
    assert "--review tells errors and luck of games with dice; tic_tac_toe has none" in capsys.readouterr().err
