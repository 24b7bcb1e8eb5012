"""`sparring analyse`: best lines, opinions, and positions in which there is nothing to search."""

import itertools
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from sparring.app.advice import Adviser, chances_told, opinion, signed, standing
from sparring.app.cli import main
from sparring.arena.player import parse_player
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.weights import Net
from sparring.search import judging

THREAT = "1 7 2 7 3 6"  # Connect Four: X has 1 2 3 in the bottom row and is to move


@pytest.fixture
def analyse(capsys):
    """Runs the command; returns exit code, stdout and stderr."""

    def run(*arguments):
        code = main(["analyse", *arguments])
        return code, *capsys.readouterr()

    return run


def net_of(game, head, last_bias):
    """A net that sees nothing: its outputs are its last biases."""
    layers = (
        (np.zeros((game.FEATURES, 4), np.float32), np.zeros(4, np.float32)),
        (np.zeros((4, len(last_bias)), np.float32), np.array(last_bias, np.float32)),
    )
    return Net(game.name, game.FEATURES_VERSION, head, layers)


def thinking_net(game, head, outputs):
    """A net with random weights."""
    rng = np.random.default_rng(1)
    sizes = (game.FEATURES, 8, 8, outputs)
    shapes = [shape for pair in itertools.pairwise(sizes) for shape in (pair, pair[1:])]
    arrays = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
    layers = tuple(zip(arrays[::2], arrays[1::2], strict=True))
    return Net(game.name, game.FEATURES_VERSION, head, layers)


def adviser_with(game, net, tmp_path):
    weights.save(net, tmp_path / "net.safetensors")
    entry = parse_player(f"alphabeta:depth=1,net={tmp_path / 'net.safetensors'}", game)
    return Adviser(entry, None)


def test_a_forced_win_comes_first_with_its_length(analyse):
    code, shown, _ = analyse("connect-four", "--moves", THREAT, "--player", "alphabeta:depth=4", "--lines", "2")
    assert code == 0
    rows = [line.split() for line in shown.splitlines() if line.lstrip()[:2] in ("1.", "2.")]
    assert rows[0] == ["1.", "wins", "in", "1", "ply", "4"]
    assert len(rows) == 2


def test_a_position_that_is_lost_is_said_to_be_lost(analyse):
    moves = "3 1 4 1 5"  # O cannot stop both 2 and 6
    _, shown, _ = analyse("connect-four", "--moves", moves, "--player", "alphabeta:depth=6", "--json")
    line = json.loads(shown)["lines"][0]
    assert (line["value"], line["plies_to_end"], len(line["moves"])) == (-1.0, 2, 2)


def test_json_holds_what_was_asked_and_found(analyse):
    code, shown, _ = analyse("tigers-and-sheep", "--moves", "c3 a5-b5", "--player", "alphabeta:depth=3", "--json")
    found = json.loads(shown)
    assert code == 0
    assert (found["game"], found["moves"], found["to_move"]) == ("tigers_and_sheep", ["c3", "a5-b5"], "sheep")
    assert (found["depth"], len(found["lines"])) == (3, 3)
    assert found["nodes"] > 20
    values = [line["value"] for line in found["lines"]]
    assert values == sorted(values, reverse=True)
    game = load("tigers-and-sheep")
    state = game.states(1)[0]
    for name in [*found["moves"], *found["lines"][0]["moves"]]:
        state = game.after(state, game.parse_move(state, name))
    assert found["opinion"]["by"] == "the rules' evaluate()"


def test_a_move_that_cannot_be_played_is_named_by_its_number(analyse):
    code, shown, notes = analyse("tic-tac-toe", "--moves", "a1 b1 a1")
    assert (code, shown) == (1, "")
    assert notes.splitlines()[-1].startswith("sparring: move 3: 'a1' is not a legal move here.")
    assert "Legal: a3, b3" in notes


def test_moves_after_the_end_are_refused(analyse):
    code, _, notes = analyse("tic-tac-toe", "--moves", "a1 b1 a2 b2 a3 b3")
    assert code == 1
    assert "move 6, 'b3': the game is over after 5 moves: X won" in notes


def test_a_position_that_is_over_is_told_and_not_searched(analyse):
    moves = ["--moves", "a1 b1 a2 b2 a3"]
    _, shown, _ = analyse("tic-tac-toe", *moves)
    assert "The game is over: X won." in shown
    found = json.loads(analyse("tic-tac-toe", *moves, "--json")[1])
    assert (found["over"], found["to_move"], found["lines"]) == ({"result": "X won", "value_first": 1.0}, None, [])


def test_where_chance_is_to_move_its_outcomes_are_listed(analyse):
    _, shown, _ = analyse("pig", "--moves", "roll")
    assert [line.split()[0] for line in shown.splitlines() if line.endswith("16.7 %")] == list("123456")
    found = json.loads(analyse("pig", "--moves", "roll", "--json")[1])
    assert sum(outcome["chance"] for outcome in found["outcomes"]) == pytest.approx(1)


def test_a_decision_in_a_game_with_dice_is_judged_without_a_search(analyse):
    code, shown, _ = analyse("pig", "--moves", "roll 6")
    assert code == 0
    assert "first to move: roll, hold" in shown
    assert "the rules' evaluate() expects +0.03 for first" in shown
    found = json.loads(analyse("pig", "--moves", "roll 6", "--json")[1])
    assert (found["legal"], found["lines"], found["opinion"]["value"]) == (["roll", "hold"], [], pytest.approx(0.03))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tic-tac-toe", "--lines", "0"], "--lines is 0, but it must be at least 1"),
        (["tic-tac-toe", "--player", "random"], "shows no lines; give one such as alphabeta"),
    ],
)
def test_a_fault_is_one_line(analyse, arguments, says):
    code, _, notes = analyse(*arguments)
    assert code == 1
    assert says in notes.splitlines()[-1]


def test_the_image_is_whole_and_shows_the_stones(analyse, tmp_path):
    file = tmp_path / "new" / "position.svg"
    code, _, _ = analyse("tic-tac-toe", "--moves", "a1 b2 c3 a3 b3", "--svg", str(file))
    assert code == 0
    texts = [element.text for element in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(texts) == ["O", "O", "X", "X", "X"]


def test_chances_are_told_for_the_player_to_move(tmp_path):
    game = load("tigers-and-sheep")  # its nets look through the tigers' eyes: loss, draw, win of the tigers
    adviser = adviser_with(game, net_of(game, "results", np.log([0.2, 0.3, 0.5])), tmp_path)
    state = game.states(1)[0]
    sheep = opinion(game, adviser, state)
    assert sheep.value == pytest.approx(-0.3)
    assert dict(sheep.chances) == pytest.approx({1: 0.2, 0: 0.3, -1: 0.5})
    tigers = opinion(game, adviser, game.after(state, game.parse_move(state, "c3")))
    assert tigers.value == pytest.approx(0.3)
    assert dict(tigers.chances) == pytest.approx({1: 0.5, 0: 0.3, -1: 0.2})
    assert chances_told(tigers) == "win 50 %, draw 30 %, loss 20 %"


@pytest.mark.parametrize("name", ["tigers-and-sheep", "connect-four"])
@pytest.mark.parametrize(("head", "outputs"), [("tanh", 1), ("results", 3)])
def test_the_opinion_is_what_the_compiled_net_says_inside_a_search(tmp_path, name, head, outputs):
    game = load(name)
    net = thinking_net(game, head, outputs)
    adviser = adviser_with(game, net, tmp_path)
    judge = judging.by_net(game, net)
    work = np.zeros(1, judge.dtype)
    judge.fill(work[0])
    state = game.states(1)[0]
    for _ in range(5):
        expected = judge.kernel(work[0], np.array([state], game.STATE), 0)
        assert opinion(game, adviser, state).value == pytest.approx(expected, abs=1e-5)
        state = game.after(state, game.legal_moves(state)[-1])


def test_values_in_words_follow_the_size_of_the_game():
    game = load("tic-tac-toe")
    words = [standing(game, value) for value in (0.0, -0.2, 0.5, -0.8, 1.0)]
    assert words == ["about even", "a little worse", "clearly better", "much worse", "as good as won"]
    assert [signed(value) for value in (0.0, -0.001, 0.125, -1)] == ["+0.00", "+0.00", "+0.12", "-1.00"]
