"""`sparring play`: a dialogue in a terminal, driven as a person would drive it, by lines on stdin."""

import contextlib
import re
import signal
import subprocess
import sys
import time

import pytest

from sparring.app import terminal, truth, waiting

SHALLOW = "alphabeta:depth=2"
# a counter and a switch: turning the switch repeats positions, counting never ends but by the limit
SWITCH = """
import numpy as np

STATE = np.dtype([("count", "i8"), ("on", "i1"), ("turn", "i1")], align=True)
MOVES = 2
REPETITION, LIMIT = 3, 5


def start(state):
    state["turn"] = 0


def mover(state):
    return state["turn"]


def legal(state, moves):
    moves[0] = 0
    moves[1] = 1
    return 2


def play(state, move):
    if move == 0:
        state["count"] += 1
    else:
        state["on"] = 1 - state["on"]
    state["turn"] = 1 - state["turn"]


def result(state):
    return -1


def move_name(state, move):
    return ("count", "switch")[move]
"""


def boards(shown):
    """The tic-tac-toe boards that were drawn."""
    return re.findall(r"^3 (.*)\n2 (.*)\n1 (.*)\n  a b c$", shown, re.MULTILINE)


def test_two_people_play_to_the_end_and_the_winner_is_named(play):
    code, shown, notes = play("tic-tac-toe", "human", lines=["a1", "b1", "A2", "b2", "a3"])
    assert code == 0
    assert "Game over: X won." in shown
    assert boards(shown)[-1] == ("X . .", "X O .", "X O .")
    assert len(boards(shown)) == 6, "the board is drawn at the start and after every move"
    assert "sparring analyse tic-tac-toe --moves 'a1 b1 a2 b2 a3'" in notes


def test_an_illegal_move_is_refused_in_one_line_that_names_the_nearest(play):
    _, shown, _ = play("tic-tac-toe", "human", lines=["b2", "b2", "hnit"])
    refusals = [line for line in shown.splitlines() if "not a legal move" in line]
    assert len(refusals) == 2
    assert re.match(r"'b2' is not a legal move here\. Did you mean '([a-c][13]|[ac]2)'\?", refusals[0])
    assert "Did you mean 'hint'?" in refusals[1]
    assert boards(shown)[-1] == (". . .", ". X .", ". . ."), "a refused move changes nothing"


def test_undo_takes_back_one_move_of_two_people(play):
    _, shown, notes = play("tic-tac-toe", "human", lines=["undo", "a1", "b1", "undo", "c1", "quit"])
    assert "Nothing to take back" in shown
    assert boards(shown)[-2:] == [(". . .", ". . .", "X . ."), (". . .", ". . .", "X . O")]
    assert "--moves 'a1 c1'" in notes


def test_undo_against_a_player_goes_back_to_ones_own_move(play):
    _, shown, _ = play("tic-tac-toe", "random", "--seed", "3", lines=["a1", "undo", "quit"])
    assert [board.count("O") + board.count("X") for board in map("".join, boards(shown))] == [0, 1, 2, 0]


@pytest.mark.parametrize("words", [["quit"], []], ids=["quit", "end of input"])
def test_leaving_is_no_fault_and_says_how_to_go_on(play, words):
    code, shown, notes = play("tic-tac-toe", "human", "--side", "2", lines=["a1", *words])
    assert code == 0
    assert "Game over" not in shown
    assert "sparring play tic-tac-toe human --side 2 --moves a1" in notes


def test_a_game_that_was_left_is_taken_up_with_its_moves(play):
    _, shown, _ = play("tic-tac-toe", "human", "--moves", "a1 b1 a2 b2", lines=["a3"])
    assert "Game over: X won." in shown


def test_resigning_loses(play):
    code, shown, _ = play("tic-tac-toe", "random", "--side", "1", lines=["resign"])
    assert code == 0
    assert "Game over: X (you) resigned, O (random) won." in shown


def test_the_opponents_move_comes_with_its_name_value_and_depth(play):
    _, shown, _ = play("tigers-and-sheep", SHALLOW, lines=["c3", "quit"])
    pattern = r"^tigers \(alphabeta\) played \S+: expects [+-]\d\.\d\d for tigers \([a-z ]+\), 2 plies deep$"
    assert re.search(pattern, shown, re.MULTILINE)


def test_an_opponent_that_sees_its_win_says_so_and_wins(play):
    moves = "1 7 2 7 3 6"  # X wins on either side of 1 2 3, O cannot
    _, shown, _ = play("connect-four", SHALLOW, "--side", "2", "--moves", moves)
    assert re.search(r"^X \(alphabeta\) played 4$", shown, re.MULTILINE)
    assert "Game over: X (alphabeta) won." in shown


def test_a_hint_shows_the_winning_move_first(play):
    _, shown, _ = play("connect-four", SHALLOW, "--moves", "1 7 2 7 3 6", lines=["hint"])
    best = shown.split("for X:\n")[1].splitlines()[0]
    assert best.split() == ["4", "wins", "in", "1", "ply"]


def test_eval_tells_both_sides_and_the_words_fit_the_number(play):
    _, shown, _ = play("tigers-and-sheep", SHALLOW, "--moves", "b5 a5xc5", lines=["eval"])
    pattern = r"^sheep (\S+), tigers (\S+) by the rules' evaluate\(\): (.*)$"
    sheep, tigers, words = re.search(pattern, shown, re.MULTILINE).groups()
    assert float(sheep) == -float(tigers) < 0
    assert words in ("about even", "a little worse for sheep", "clearly worse for sheep")


def test_without_a_judgement_eval_points_to_hint(play):
    _, shown, _ = play("connect-four", SHALLOW, lines=["eval"])
    assert "no net is given" in shown


def test_moves_that_take_more_than_two_lines_are_counted_and_listed_on_demand(play, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    _, shown, _ = play("tigers-and-sheep", "human", lines=["moves", "quit"])
    before, after = shown.split("sheep> moves\n")
    assert before.splitlines()[-1].startswith("21 legal moves, such as b5")
    corners = {"a1", "a5", "e1", "e5"}
    assert set(after.split("sheep> ")[0].split()) == {c + r for c in "abcde" for r in "12345"} - corners


def test_help_shows_the_rules_and_every_word(play):
    _, shown, _ = play("pig", "random", lines=["help"])
    assert "a 1 loses the turn's points" in shown
    for word in ("hint", "eval", "undo", "moves", "resign", "help", "quit"):
        assert re.search(rf"^  {word} ", shown, re.MULTILINE)
    assert "scores" not in shown, "nobody has solved Pig here"


def test_dice_are_shown_and_follow_the_seed(play):
    def rolls(seed):
        _, shown, _ = play("pig", "human", "--seed", seed, lines=["roll"] * 12)
        return re.findall(r"^Rolled: ([1-6])$", shown, re.MULTILINE)

    first = rolls("1")
    assert (len(first), len(set(first)) > 1) == (12, True)
    assert rolls("1") == first
    assert rolls("2") != first


def test_dice_of_a_game_that_is_taken_up_are_those_it_would_have_had(play):
    _, shown, _ = play("pig", "human", "--seed", "1", lines=["roll"] * 5)
    rolled = re.findall(r"^Rolled: ([1-6])$", shown, re.MULTILINE)
    moves = " ".join(f"roll {face}" for face in rolled[:4])
    _, shown, _ = play("pig", "human", "--seed", "1", "--moves", moves, lines=["roll"])
    assert re.findall(r"^Rolled: ([1-6])$", shown, re.MULTILINE) == rolled[4:]


def test_a_game_that_begins_at_random_tells_its_number_and_is_taken_up_with_it(play, data):
    nim = str(data / "nim.py")
    _, shown, notes = play(nim, "human", "--seed", "1", lines=["0", "quit"])
    number = re.search(r"First position: number (\d+)\.", shown)[1]
    assert f"--seed 1 --deal {number} --moves 0" in notes
    heaps = re.findall(r"^heap: (\d+)$", shown, re.MULTILINE)
    _, again, _ = play(nim, "human", "--deal", number, "--moves", "0", lines=["quit"])
    assert re.findall(r"^heap: (\d+)$", again, re.MULTILINE) == heaps[1:]
    dealt = {re.search(r"^heap: (\d+)$", play(nim, "human", "--seed", str(s))[1], re.MULTILINE)[1] for s in range(1, 9)}
    assert len(dealt) > 3


@pytest.mark.parametrize(
    ("move", "why"),
    [("switch", "since the position occurred for the third time"), ("count", "since 5 moves were made")],
)
def test_draws_by_repetition_and_by_the_limit_end_the_game_with_their_reason(play, tmp_path, move, why):
    rules = tmp_path / "switch.py"
    limit = "REPETITION, LIMIT = 3, 5"
    rules.write_text(SWITCH.replace(limit, "REPETITION, LIMIT = 3, 50") if move == "switch" else SWITCH)
    code, shown, _ = play(str(rules), "human", lines=[move] * 20)
    assert code == 0
    assert f"Game over: a draw, {why}." in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tic-tac-toe", "--side", "3"], "--side is 3"),
        (["tic-tac-toe", "--seed", "-1"], "--seed is -1"),
        (["tic-tac-toe", "--deal", "1"], "--deal is 1, but tic_tac_toe has one first position"),
        (["tic-tac-toe", "alphabet"], "Did you mean 'alphabeta'?"),
        (["tick-tac-toe"], "Did you mean 'tic-tac-toe'?"),
        (["tic-tac-toe", "--moves", "a1 a1"], "move 2: 'a1' is not a legal move"),
    ],
)
def test_a_fault_is_one_line(play, arguments, says):
    code, shown, notes = play(*arguments)
    assert (code, shown) == (1, "")
    assert says in notes.splitlines()[-1]


def test_the_first_line_needs_nothing_heavy():
    code = "import sys; import sparring.app.commands.play; assert not {'numba', 'torch', 'numpy'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_stops_a_long_thought_without_a_traceback():
    code = "from sparring.app.cli import main; import sys; sys.exit(main())"
    command = [sys.executable, "-c", code, "play", "connect-four", "alphabeta:depth=60", "--side", "2"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes, text=True) as process:
        try:
            while "1 2 3 4 5 6 7" not in process.stdout.readline():
                pass  # the board is drawn; now the opponent thinks, for hours
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, notes = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in notes
    assert "interrupted" in notes


# --- tree search -----------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_a_tree_searchs_move_comes_with_its_chances_and_visits(play, mcts):
    _, shown, _ = play("connect-four", mcts("connect-four", sims=40), "--moves", "4 4", "--side", "2", lines=["quit"])
    pattern = (
        r"^X \(mcts\) played [1-7]: chances X \d+ %, draw \d+ %, O \d+ %\n +1 +2 +3 +4 +5 +6 +7\n  visits +([\d ]+)$"
    )
    assert sum(map(int, re.search(pattern, shown, re.MULTILINE)[1].split())) == 40


@pytest.mark.compiled
def test_where_moves_have_no_columns_the_best_are_named(play, mcts):
    _, shown, _ = play("tic-tac-toe", mcts("tic-tac-toe", sims=40), lines=["b2", "quit"])
    pattern = r"^O \(mcts\) played \S+: chances X .*\n  visits: [a-c][1-3] \d+, .*, of 40$"
    assert re.search(pattern, shown, re.MULTILINE)


@pytest.mark.compiled
def test_a_tree_search_tells_what_it_has_proven_and_wins(play, mcts):
    moves = "4 1 3 1"  # X can make three in a row that is open at both ends
    player = "mcts:sims=2000,haste=0.4"
    _, shown, _ = play("connect-four", player, "--side", "2", "--moves", moves, lines=["7", "7"])
    assert re.search(r"^X \(mcts\) played [25]: proven: a win for X in 3 plies$", shown, re.MULTILINE)
    assert re.search(r"^X \(mcts\) played [2-6]$", shown, re.MULTILINE), "a move that wins needs no more words"
    assert "Game over: X (mcts) won." in shown


@pytest.mark.compiled
def test_hint_and_eval_ask_the_opponents_net(play, mcts):
    player = mcts("connect-four", sims=40)
    _, shown, _ = play("connect-four", player, "--moves", "1 7 2 7 3 6", lines=["hint", "eval"])
    hint, glance = shown.split("X> hint\n")[1].split("X> eval\n")
    assert re.search(r"^visits( +\d+){7}\nvalue .*\nprior( +\d+ %){7}$", hint, re.MULTILINE)
    assert f"{player}, 0 simulations, for X:\n  4\n  proven: a win for X in 1 ply" in hint
    assert re.search(r"^X [+-]\d\.\d\d, O [+-]\d\.\d\d by the net: .*\n  chances X ", glance, re.MULTILINE)


@pytest.mark.compiled
def test_in_games_with_dice_random_games_give_hints(play):
    _, shown, _ = play("pig", "human", "--moves", "roll 6", lines=["hint"])
    assert re.search(r"^mcts:sims=1000, 1,000 simulations, for first:$", shown, re.MULTILINE)


def test_scores_are_those_of_perfect_play_and_only_where_the_game_is_solved(play, monkeypatch):
    class Perfect:
        class Solver:
            def columns(self, state):
                return [-2, -1, 0, 1, 0, -1, -2]

    _, shown, _ = play("tic-tac-toe", "human", lines=["scores"])
    assert "'scores' is not a legal move here" in shown
    monkeypatch.setattr(truth.yardsticks, "truth_for", lambda game: Perfect)
    _, shown, _ = play("connect-four", "human", lines=["scores"])
    assert "hint, eval, scores, undo" in shown
    assert re.search(r"^score +-2 +-1 +0 +\+1 +0 +-1 +-2$", shown, re.MULTILINE)
    assert "Perfect play for X: 4 is best; 4 wins; 3 5 draw; 1 2 6 7 lose." in shown


def test_ctrl_c_ends_a_hint_and_the_game_goes_on(play, monkeypatch):
    def pressed(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal, "heard", pressed)
    code, shown, _ = play("tic-tac-toe", "human", lines=["hint", "a1", "quit"])
    assert code == 0
    assert "Stopped." in shown
    assert boards(shown)[-1] == (". . .", ". . .", "X . .")


def test_a_person_who_watches_is_told_how_far_a_search_is(monkeypatch):
    words, shares = [], iter([None, 0.25, 1.0, 1.0, 1.0])

    class Watched:
        is_terminal = True

        def __init__(self, **options):
            pass

        @contextlib.contextmanager
        def status(self, text):
            words.append(text)
            yield self

        def update(self, text):
            words.append(text)

    monkeypatch.setattr(waiting, "Console", Watched)
    assert waiting.heard(lambda: time.sleep(0.25) or 7, lambda: None, "X is thinking", lambda: next(shares)) == 7
    assert words[:3] == ["X is thinking …", "X is thinking … ", "X is thinking … 25 %"]


@pytest.mark.compiled
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_stops_a_tree_search_of_a_million_simulations(tower_of):
    code = "from sparring.app.cli import main; import sys; sys.exit(main())"
    player = f"mcts:sims=1000000,engine=numpy,net={tower_of('connect-four')}"
    command = [sys.executable, "-c", code, "play", "connect-four", player, "--side", "2"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes, text=True) as process:
        try:
            while "1 2 3 4 5 6 7" not in process.stdout.readline():
                pass
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, notes = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in notes
    assert "To go on" not in notes, "nothing was played yet"
