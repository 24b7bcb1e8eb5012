"""`sparring analyse`: best lines, opinions, and positions in which there is nothing to search."""

import itertools
import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from sparring.app import truth
from sparring.app.advice import Adviser, adviser_of, glance
from sparring.app.cli import main
from sparring.app.course import Course
from sparring.app.sheet import columns_of, under_columns
from sparring.app.words import chances_told, percent, proof_cell, proof_told, scores_told, signed, standing
from sparring.arena.player import parse_player
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.weights import Net
from sparring.search import judging
from sparring.search.reading import Proof

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
    rows = [line.split() for line in shown.split("who is to move:\n")[1].splitlines()]
    assert rows[0] == ["4", "wins", "in", "1", "ply"]
    assert len(rows) == 2 + 1, "two moves, and a word about opinions"


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


@pytest.mark.compiled
def test_a_decision_in_a_game_with_dice_is_searched_and_judged(analyse):
    code, shown, _ = analyse("pig", "--moves", "roll 6")
    assert code == 0
    assert "the rules' evaluate() expects +0.03 for first" in shown
    found = json.loads(analyse("pig", "--moves", "roll 6", "--json")[1])
    assert {row["move"] for row in found["candidates"]} == {"roll", "hold"}
    assert found["lines"][0]["moves"] == ["roll"], "what the dice will bring nobody knows"
    assert found["opinion"]["value"] == pytest.approx(0.03)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tic-tac-toe", "--lines", "0"], "--lines is 0, but it must be at least 1"),
        (["tic-tac-toe", "--player", "random"], "tells no thoughts; give one such as alphabeta"),
        (["tigers-and-sheep", "--player", "greedy", "--truth"], "--truth: nothing here has solved tigers_and_sheep"),
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
    sheep = glance(game, adviser, state)
    assert sheep.value == pytest.approx(-0.3)
    assert dict(sheep.chances) == pytest.approx({1: 0.2, 0: 0.3, -1: 0.5})
    tigers = glance(game, adviser, game.after(state, game.parse_move(state, "c3")))
    assert tigers.value == pytest.approx(0.3)
    assert dict(tigers.chances) == pytest.approx({1: 0.5, 0: 0.3, -1: 0.2})
    told = "chances tigers 50 %, draw 30 %, sheep 20 %"
    assert chances_told(game, tigers.chances, 0) == chances_told(game, sheep.chances, 1) == told


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
        assert glance(game, adviser, state).value == pytest.approx(expected, abs=1e-5)
        state = game.after(state, game.legal_moves(state)[-1])


def test_values_in_words_follow_the_size_of_the_game():
    game = load("tic-tac-toe")
    words = [standing(game, value) for value in (0.0, -0.2, 0.5, -0.8, 1.0)]
    assert words == ["about even", "a little worse", "clearly better", "much worse", "as good as won"]
    assert [signed(value) for value in (0.0, -0.001, 0.125, -1)] == ["+0.00", "+0.00", "+0.12", "-1.00"]


def test_proofs_in_words_tell_the_player_and_the_time():
    win, bound, loss, drawn = Proof(1, 5, True), Proof(1, 5, False), Proof(-1, None, True), Proof(0, None, True)
    told = [proof_told(proof, "X") for proof in (win, bound, loss, drawn)]
    assert told == ["a win for X in 5 plies", "a win for X in at most 5 plies", "a loss for X", "a draw"]
    assert [proof_cell(proof) for proof in (win, bound, loss, drawn)] == ["win 5", "win ≤5", "loss", "draw"]


def test_perfect_scores_in_words_name_the_best_and_every_class():
    assert scores_told({"1": -2, "2": 0, "3": 4, "4": 4}) == "3 4 are best; 3 4 win; 2 draws; 1 loses"
    assert scores_told({"1": -2, "2": -2}) == "all are best; all lose"
    assert scores_told({"1": 3}) == "1 is best; 1 wins"


# --- tree search -----------------------------------------------------------------------------------------------------


def row_below(shown, label):
    """The numbers in a row below the board."""
    (line,) = [line for line in shown.splitlines() if line.startswith(f"{label} ")]
    return [text for text in re.split(" {2,}", line.removeprefix(label)) if text]


def test_rows_stand_right_below_the_columns_of_the_board():
    game = load("connect-four")
    cells = columns_of(game, game.states(1)[0])
    lines = under_columns(cells, {"visits": {"2": "31", "7": "1234567"}})
    assert len({len(line) for line in lines}) == 1, "each line ends below the last column"
    names, visits = lines[-2:]
    assert visits.index("31") + 1 == names.index("2")
    assert visits.index("1234567") + 6 == names.index("7")


@pytest.mark.parametrize("name", ["tic-tac-toe", "tigers-and-sheep", "pig"])
def test_a_board_whose_moves_are_not_its_columns_has_none(name):
    game = load(name)
    assert columns_of(game, game.states(1)[0]) is None


def test_a_full_column_is_still_a_column():
    game = load("connect-four")
    course = Course(game)
    for move in (3, 3, 3, 3, 3, 3):
        course.play(move)
    assert columns_of(game, course.state)[-1] == list("1234567")


@pytest.mark.compiled
def test_visits_values_and_priors_stand_below_the_board(analyse, mcts):
    code, shown, _ = analyse("connect-four", "--moves", "4 4", "--player", mcts("connect-four", sims=40))
    assert code == 0
    visits, priors = row_below(shown, "visits"), row_below(shown, "prior")
    assert sum(map(int, visits)) == 40
    assert sum(int(text.split()[0]) for text in priors) == pytest.approx(100, abs=4)
    assert "40 simulations" in shown
    assert shown.count("chances X ") == 2, "of the search and of the net"


@pytest.mark.compiled
def test_json_of_a_tree_search_has_all_of_it(analyse, mcts):
    found = json.loads(analyse("connect-four", "--player", mcts("connect-four", sims=40), "--json")[1])
    rows = found["candidates"]
    assert sorted(row["move"] for row in rows) == list("1234567")
    assert sum(row["visits"] for row in rows) == found["simulations"] == 40
    assert sum(row["prior"] for row in rows) == pytest.approx(1)
    assert sum(row["policy"] for row in rows) == pytest.approx(1, abs=1e-5)
    assert sum(part["chance"] for part in found["outcome"]) == pytest.approx(1, abs=1e-5)
    assert found["value"] == pytest.approx(sum(p["result"] * p["chance"] for p in found["outcome"]))
    assert all(-1 <= row["value"] <= 1 for row in rows if row["visits"])
    assert found["lines"][0]["moves"][0] == rows[0]["move"], "the best comes first"
    assert (found["proven"], found["opinion"]["by"]) == (None, "the net")


@pytest.mark.compiled
def test_what_is_proven_is_told_as_proven(analyse, mcts):
    for player in (mcts("connect-four", sims=40), "mcts:sims=400,haste=0.4"):
        _, shown, _ = analyse("connect-four", "--moves", THREAT, "--player", player)
        assert "proven: a win for X in 1 ply" in shown
        assert "win 1" in row_below(shown, "value")
    found = json.loads(analyse("connect-four", "--moves", "3 1 4 1 5", "--player", player, "--json")[1])
    assert found["proven"]["result"] == "loss", "O cannot stop both 2 and 6"
    assert found["candidates"][0]["proven"] == {"result": "loss", "plies": 2, "exact": True}


@pytest.mark.compiled
def test_a_policy_is_shown_without_visits(analyse, mcts):
    _, shown, _ = analyse("connect-four", "--moves", THREAT, "--player", mcts("connect-four", "policy"))
    assert "without a search" in shown
    assert "visits" not in shown and "proven" not in shown
    assert len(row_below(shown, "policy")) == 7


@pytest.mark.compiled
def test_of_many_moves_the_best_few_are_listed(analyse, mcts):
    _, shown, _ = analyse("tic-tac-toe", "--player", mcts("tic-tac-toe", sims=60), "--lines", "4")
    listed = shown.split("  move  visits  value  prior\n")[1].splitlines()[:4]
    visits = [int(line.split()[1]) for line in listed]
    assert visits == sorted(visits, reverse=True)
    assert "At a glance the net" in shown.splitlines()[-2]


@pytest.mark.compiled
def test_random_games_have_no_priors_and_the_rules_are_asked_for_an_opinion(analyse):
    _, shown, _ = analyse("pig", "--moves", "roll 6", "--player", "mcts:sims=20")
    assert "  move  visits  value\n" in shown
    assert "the rules' evaluate() expects" in shown


@pytest.mark.compiled
def test_the_net_of_a_tree_search_is_asked_at_a_glance_as_the_search_asks_it(mcts):
    game = load("connect-four")
    adviser = adviser_of(game, parse_player(mcts("connect-four", sims=20), game))
    course = Course(game)
    course.play(3)
    seen = glance(game, adviser, course.state)
    own = adviser.consider(course, 1).opinion.own
    assert [chance for _, chance in seen.chances] == pytest.approx(own[::-1])
    assert seen.value == pytest.approx(own[2] - own[0])


class Perfect:
    """A module of yardsticks whose solver rates columns by their number."""

    class Solver:
        def columns(self, state):
            return [None, -2, -1, 0, 1, 2, 3]


def test_perfect_scores_stand_below_the_board(analyse, monkeypatch):
    monkeypatch.setattr(truth.yardsticks, "truth_for", lambda game: Perfect if game.name == "connect_four" else None)
    words = ["connect-four", "--moves", "1 1 1 1 1 1", "--player", "alphabeta:depth=1", "--truth"]
    _, shown, _ = analyse(*words)
    assert row_below(shown, "score") == ["-2", "-1", "0", "+1", "+2", "+3"]
    assert "Perfect play for X: 7 is best; 5 6 7 win; 4 draws; 2 3 lose." in shown
    found = json.loads(analyse(*words, "--json")[1])
    assert found["scores"] == {"2": -2, "3": -1, "4": 0, "5": 1, "6": 2, "7": 3}
    assert "scores" not in json.loads(analyse(*words[:-1], "--json")[1])


def test_percent_is_rounded():
    assert [percent(share) for share in (0.0, 0.005, 0.616, 1.0)] == ["0 %", "0 %", "62 %", "100 %"]
