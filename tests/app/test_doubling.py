"""`sparring play --cube` and `--points`: doubles, answers and scores, typed as a person would type them."""

import pathlib
import re
import shlex

import numpy as np
import pytest

from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.weights import Net

SPRINT = str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py")  # a race won by 1, 2 or 3 points
TURN = ["0", "1"]  # a run, then a rest
ASKED = re.compile(r"^(\w+), roll or double> (.*)$", re.MULTILINE)


@pytest.fixture
def people(play):
    """What two people see who play sprint."""

    def shown(*options, lines):
        code, shown, notes = play(SPRINT, "human", "--seed", "2", *options, lines=lines)
        assert code == 0
        return shown, notes

    return shown


@pytest.fixture(scope="module")
def certain(tmp_path_factory):
    """Spec of a player to whom every position is alike: whoever rolls wins one point with that chance, or loses one."""
    game, folder = load(SPRINT), tmp_path_factory.mktemp("nets")

    def spec(win):
        last = np.log([1e-9, 1e-9, win, 1 - win, 1e-9, 1e-9]).astype(np.float32)  # as seen by who has just played
        path = folder / f"{win}.safetensors"
        layers = [(np.zeros((16, 4), np.float32), np.zeros(4, np.float32)), (np.zeros((4, 6), np.float32), last)]
        weights.save(Net(game.name, game.FEATURES_VERSION, "results", tuple(layers), {}, "leaky"), path)
        return f"turn:net={path}"

    return spec


def test_before_a_roll_who_may_double_is_asked_and_enter_rolls(people):
    shown, _ = people("--cube", lines=["", *TURN, "roll", "quit"])
    assert ASKED.findall(shown) == [("first", ""), ("second", "roll")]
    assert shown.count("Rolled: ") == 2


def test_after_a_take_only_the_owner_of_the_cube_is_asked(people):
    shown, _ = people("--cube", lines=["double", "take", *TURN, "", *TURN, "quit"])
    assert ASKED.findall(shown) == [("first", "double"), ("second", "")]
    assert shown.count("Rolled: ") == 3, "first, who does not own it, rolls without being asked"
    assert "first doubles to 2." in shown
    assert "Cube 1, in the centre." in shown and "Cube 2, second's." in shown


def test_a_pass_ends_the_game_at_the_cube_as_it_stood(people):
    shown, notes = people("--cube", lines=["double", "take", *TURN, "double", "pass"])
    assert "first passes: second wins 2 points" in shown
    assert "Game over: second won 2 points, since first passed." in shown
    assert re.search(r"sparring analyse \S+ --moves '\d 0 1'", notes)


@pytest.mark.parametrize(("word", "points"), [("resign", 2), ("resign gammon", 4), ("Resign  Backgammon", 6)])
def test_who_resigns_says_how_much_and_the_cube_multiplies_it(people, word, points):
    shown, _ = people("--cube", lines=["double", "take", word])
    assert f"Game over: second won {points} points, since first resigned" in shown


def test_a_result_on_the_board_is_multiplied_by_the_cube(people):
    shown, _ = people("--cube", lines=["double", "take", *TURN, *["", *TURN, *TURN] * 8])
    ended = re.search(r"Game over: (first|second) won (2|4|6) points\.", shown)
    assert ended


def test_undo_takes_back_the_double_and_then_the_move_before_it(people):
    shown, notes = people("--cube", lines=["", *TURN, "double", "take", "undo", "undo", "quit"])
    assert re.search(r"--cube --moves '\d 0'$", notes.strip())
    shown, notes = people("--cube", lines=["double", "undo", "quit"])
    assert ASKED.findall(shown) == [("first", "double"), ("first", "quit")], "and one that was not answered"
    shown, notes = people("--cube", lines=["double", "take", "0", "undo", "quit"])
    assert re.search(r"--cube --moves 'double take \d'$", notes.strip()), "a move since then goes first"


def test_words_that_mean_nothing_there_are_told_and_change_nothing(people):
    shown, _ = people("--cube", lines=["moves", "doubel", "double", "roll", "take", "double", "quit"])
    assert "'moves' means nothing here. Say roll or double, or help." in shown
    assert "'doubel' means nothing here. Did you mean 'double'?" in shown
    assert "'roll' means nothing here. Say take or pass, or help." in shown
    assert "The dice are rolled." in shown


def test_help_says_what_the_cube_wants_to_hear(people):
    shown, _ = people("--cube", lines=["help", "double", "help", "take", "help", "quit"])
    assert "Type roll (or Enter) to throw the dice, or double." in shown
    assert "Type take or pass." in shown
    assert "Type a move by its name, such as 0." in shown
    assert "resign backgammon" in shown


# --- matches ---------------------------------------------------------------------------------------------------------


def test_games_of_a_match_follow_each_other_until_somebody_has_the_points(people):
    shown, _ = people("--points", "3", lines=["resign gammon", *TURN, "resign", "double", "take", "resign gammon"])
    scores = re.findall(r"^Match to 3 points: (.*)$", shown, re.MULTILINE)
    assert scores == [
        "first 0, second 0.",
        "first 0, second 2. Crawford game: nobody doubles.",
        "first 1, second 2.",
    ]
    assert ASKED.findall(shown) == [("first", "resign gammon"), ("first", "double")], "not in the Crawford game"
    assert shown.rstrip().endswith("Match over: second won 3 to 1.")


def test_a_match_to_one_point_is_played_without_the_cube(people):
    shown, _ = people("--points", "1", lines=["0", "resign gammon"])
    assert not ASKED.findall(shown)
    assert "Match over: second won 1 to 0." in shown


def test_each_game_of_a_match_has_dice_of_its_own_and_the_seed_decides(people):
    def rolls():
        shown, _ = people("--points", "9", lines=[*["", *TURN, "", *TURN, "", *TURN, "resign"] * 4, "quit"])
        return [re.findall(r"^Rolled: (\d)$", part, re.MULTILINE) for part in shown.split("Game over")[:-1]]

    first = rolls()
    assert len(first) == 4 and len(set(map(tuple, first))) > 1
    assert rolls() == first


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (["quit"], ""),
        (["resign", "quit"], "--points 3 --score 0-1"),
        (["resign gammon", "0", "quit"], r"--points 3 --score 0-2 --crawford --moves '\d 0'"),
        (
            ["resign gammon", *TURN, "resign", "double", "take", "quit"],
            r"--points 3 --score 1-2 --moves 'double take \d'",
        ),
        (["double", "quit"], "--points 3 --moves double"),
    ],
    ids=["nothing yet", "between games", "Crawford game", "doubled", "not answered"],
)
def test_a_match_that_was_left_goes_on_where_it_stood(play, people, lines, options):
    shown, notes = people("--points", "3", lines=lines)
    if not options:
        assert "To go on" not in notes
        return
    command = notes.partition("To go on: sparring play ")[2].strip()
    assert re.search(f"{options}$", command)
    code, later, notes = play(*shlex.split(command), lines=["quit"])
    assert code == 0
    assert later.split("\n\n")[-2] == shown.split("\n\n")[-2], "the same board"
    assert later.splitlines()[-1] == shown.splitlines()[-1], "the same question"
    assert ("first doubles to 2." in later) == command.endswith(" double")
    assert notes.partition("To go on: sparring play ")[2].strip() == command


def test_dice_of_a_match_that_is_taken_up_are_those_it_would_have_had(people):
    lines = ["resign", *["", *TURN] * 3, "quit"]
    shown, _ = people("--points", "3", lines=lines)
    rolled = re.findall(r"^Rolled: (\d)$", shown, re.MULTILINE)
    assert len(rolled) == 3 and len(set(rolled)) > 1
    begun = ["--points", "3", "--score", "0-1", "--moves", " ".join(f"{roll} 0 1" for roll in rolled[:1])]
    shown, _ = people(*begun, lines=lines[4:])
    assert re.findall(r"^Rolled: (\d)$", shown, re.MULTILINE) == rolled[1:]


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("tic-tac-toe", ["--cube"], "tic_tac_toe ends with -1, 0, 1, but the cube and matches need 1, 2 and 3 points"),
        ("tic-tac-toe", ["--points", "5"], "the cube and matches need 1, 2 and 3 points"),
        (SPRINT, ["--points", "-1"], "points is -1, but a match is to 1 point or more"),
        (SPRINT, ["--score", "1-0"], "give --points too"),
        (SPRINT, ["--points", "3", "--score", "two"], "--score is 'two', but it must be the points of both players"),
        (SPRINT, ["--points", "3", "--score", "3-0"], "--score is 3-0, but then the match to 3 is over"),
        (SPRINT, ["--points", "3", "--score", "4-0"], "score is 4, but it must be 0 to 3"),
        (SPRINT, ["--points", "3", "--score", "1-0", "--crawford"], "Crawford game at (1, 0)"),
        (
            SPRINT,
            ["--points", "3", "--moves", "double double"],
            "a double is answered by take or pass, not by 'double'",
        ),
        (SPRINT, ["--points", "3", "--moves", "0 double"], "move 2: nobody may double here"),
        (SPRINT, ["--points", "3", "--moves", "double pass 0"], "the game is over after 2 moves"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(play, game, options, said):
    code, _, notes = play(game, "human", *options)
    assert code == 1
    assert said in notes.strip().splitlines()[-1]


# --- against players -------------------------------------------------------------------------------------------------


def test_a_player_without_an_opinion_takes_and_never_doubles(play):
    _, shown, _ = play(SPRINT, "random", "--cube", "--side", "1", lines=["double", *TURN, *TURN, "quit"])
    assert "second (random) takes\n" in shown
    assert "second (random) doubles" not in shown
    _, shown, _ = play(SPRINT, "random", "--cube", "--side", "1", lines=["", *TURN, "", *TURN, "quit"])
    assert "second (random) doubles" not in shown


@pytest.mark.compiled
@pytest.mark.parametrize(("win", "right"), [(0.6, "no double"), (0.75, "double, take"), (0.95, "double, pass")])
def test_a_hint_tells_what_doubling_taking_and_passing_are_worth(play, certain, win, right):
    _, shown, _ = play(SPRINT, certain(win), "--cube", "--side", "1", lines=["hint", "quit"])
    rows = dict(re.findall(r"^  (no double|double, take|double, pass) +([+-]\d\.\d{3})$", shown, re.MULTILINE))
    assert rows["double, pass"] == "+1.000"
    values = {row: float(value) for row, value in rows.items()}
    after = min(values["double, take"], values["double, pass"])
    assert (after > values["no double"]) == (right != "no double")
    assert f"Right for first: {right}." in shown


@pytest.mark.compiled
def test_in_a_match_a_hint_tells_the_chances_of_winning_it(play, certain):
    _, shown, _ = play(SPRINT, certain(0.75), "--points", "3", "--side", "1", lines=["hint", "quit"])
    assert len(re.findall(r"^  \S.* +[+-]\d\.\d{3}   wins the match in \d\d\.\d %$", shown, re.MULTILINE)) == 3


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("win", "says"),
    [
        (0.75, r"second \(turn\) takes: expects -0\.\d{3}, and -1\.000 by passing"),
        (0.95, r"second \(turn\) passes, as taking expects -1\.\d{3}: first \(you\) wins 1 point"),
    ],
)
def test_a_player_who_is_doubled_tells_its_answer_with_the_reason(play, certain, win, says):
    _, shown, _ = play(SPRINT, certain(win), "--cube", "--side", "1", lines=["double", "quit"])
    assert re.search(f"^{says}$", shown, re.MULTILINE)
    assert ("Game over: first (you) won 1 point, since second passed." in shown) == (win > 0.9)


@pytest.mark.compiled
def test_a_player_who_doubles_shows_the_board_and_waits_for_the_answer(play, certain):
    _, shown, notes = play(SPRINT, certain(0.75), "--cube", "--side", "1", lines=["", *TURN, "hint", "take", "quit"])
    before, asked = shown.split("second (turn) doubles to 2.\n")
    assert before.count("Cube 1, in the centre.") == 3, "the board is not drawn for a roll that is no decision"
    assert re.match(r"\n(.*\n)+Cube 1, in the centre\.\n\nfirst, take or pass> hint\n", asked)
    assert "for second, who doubled:" in asked and "Right for first: take." in asked
    assert "first (you) takes\n" in asked
    assert "double take" in notes


@pytest.mark.compiled
def test_eval_before_a_roll_is_the_net_s_opinion_in_ones_own_name(play, certain):
    typed = ["eval", "", *TURN, "eval", "quit"]  # before one's own roll, and doubled before the other's
    _, shown, _ = play(SPRINT, certain(0.75), "--cube", "--side", "1", lines=typed)
    values = re.findall(r"^first (\S+), second (\S+) by turn:net=\S+, cube aside: ", shown, re.MULTILINE)
    assert values == [("+0.50", "-0.50"), ("-0.50", "+0.50")]
    assert "chances first by 3: 0 %, first by 2: 0 %, first by 1: 75 %, second by 1: 25 %" in shown


def test_without_a_net_nobody_can_be_asked_about_the_cube(people):
    shown, _ = people("--cube", lines=["hint", "eval", "quit"])
    assert shown.count("Nobody here knows about the cube: give a net, as in turn:net=PATH.") == 2
