"""Finding, validating and asking games: what a person types, and what is told about a slip."""

import sys

import numpy as np
import pytest

from sparring.errors import GameError
from sparring.games import game as games
from sparring.games.contract import RULES
from sparring.games.game import load, sources

RULES_TEXT = """
import numpy as np

{imports}
STATE = np.dtype([("left", "i1"), ("turn", "i1")])
MOVES = 1


def start(state):
    state["left"] = {left}


def mover(state):
    return state["turn"]


def legal(state, moves):
    moves[0] = 0
    return 1


def play(state, move):
    state["left"] -= 1
    state["turn"] = 1 - state["turn"]


def result(state):
    return -1 if state["left"] > 0 else 0
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files into a folder of the test's own; compiled code goes there too."""
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path / "cache"))

    def file(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return file


def rules(imports="", left="3"):
    return RULES_TEXT.format(imports=imports, left=left)


# --- by name ---------------------------------------------------------------------------------------------------------


def test_every_file_of_the_folder_that_defines_a_state_is_a_game():
    assert {"connect_four", "pig", "tic_tac_toe", "tigers_and_sheep"} <= set(games.names())
    assert not {"contract", "check", "game", "walk", "faults", "drawing"} & set(games.names())


@pytest.mark.parametrize("name", ["tic-tac-toe", "tic_tac_toe", "Tic-Tac-Toe"])
def test_a_game_is_found_with_hyphens_underscores_and_capitals(name):
    assert load(name) is load("tic-tac-toe")


def test_a_misspelt_game_gets_the_nearest_name():
    with pytest.raises(GameError, match=r"^no game 'tictactoe'\. Did you mean 'tic-tac-toe'\? There are: .*pig"):
        load("tictactoe")


def test_a_missing_file_is_told():
    with pytest.raises(GameError, match=r"^no rules file 'nowhere\.py'; give the path of a Python file"):
        load("nowhere.py")


@pytest.mark.parametrize("name", games.names())
def test_a_game_holds_every_rule_of_the_contract(name):
    game = load(name)
    assert set(game.rules) == set(RULES)
    assert all(callable(rule) for rule in game.rules.values())
    assert 0 < game.MOST_MOVES <= game.MOVES or game.MOST_MOVES == game.MOVES
    with pytest.raises(AttributeError, match="a game has no 'colour'"):
        _ = game.colour


# --- by path ---------------------------------------------------------------------------------------------------------


def test_a_file_is_a_game_and_plays(write):
    game = load(str(write("three.py", rules())))
    state = game.states()[0]
    assert game.legal_moves(state) == [0]
    assert game.result(game.after(state, 0, 0, 0)) == 0
    assert game.legal_moves(game.after(state, 0, 0, 0)) == []


def test_rules_left_out_have_defaults(write):
    game = load(str(write("plain.py", rules())))
    state = game.states()[0]
    assert (game.RESULTS, game.SYMMETRIES, game.FEATURES, game.MOST_MOVES) == ((-1.0, 0.0, 1.0), 1, 0, 1)
    assert game.draw(state) == "left: 3\nturn: 0"
    assert game.svg(state) is None
    assert game.move_name(state, 0) == "0"
    assert game.key(state) != game.key(game.after(state, 0))


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        ("from helper import stones", "stones()"),
        ("import helper", "helper.stones()"),
        ("import parts.helper", "parts.helper.stones()"),
        ("from parts.outer import many", "many()"),
    ],
)
def test_helper_files_beside_the_rules_are_compiled_and_belong_to_the_sources(write, imports, left):
    helper = write("helper.py", "def stones():\n    return 5\n")
    write("parts/__init__.py", "")
    inner = write("parts/helper.py", "def stones():\n    return 5\n")
    outer = write("parts/outer.py", "from .helper import stones\n\n\ndef many():\n    return stones()\n")
    path = write(f"helped{len(imports)}.py", rules(imports, left))
    assert load(str(path)).states()[0]["left"] == 5
    used = {"parts.helper": {inner}, "parts.outer": {inner, outer}}.get(imports.split()[1], {helper})
    assert used <= set(sources(path))
    assert helper in used or helper not in sources(path)
    for name in ("helper", "parts", "parts.helper", "parts.outer"):
        sys.modules.pop(name, None)


def test_two_games_with_helpers_of_the_same_name_keep_their_own(write):
    for folder, stones in (("one", 5), ("two", 6)):
        write(f"{folder}/helper.py", f"def stones():\n    return {stones}\n")
        write(f"{folder}/mine.py", rules("from helper import stones", "stones()"))
    folder = write("one/mine.py", rules("from helper import stones", "stones()")).parent.parent
    assert load(str(folder / "one" / "mine.py")).states()[0]["left"] == 5
    assert load(str(folder / "two" / "mine.py")).states()[0]["left"] == 6


def test_a_rule_may_hash_the_record_itself(write):
    text = rules("from sparring.records import hash_record") + "\n\ndef key(state):\n    return hash_record(state)\n"
    game = load(str(write("hashes.py", text)))
    assert game.key(game.states()[0]) == load(str(write("default.py", rules()))).key(game.states()[0])


def test_rules_on_sets_of_bits_run_before_they_are_compiled(write):
    text = rules("from sparring.bits import bit, count", "count(~bit(63) & ~bit(0)) - 59")
    assert load(str(write("bitty.py", text))).states()[0]["left"] == 3


# --- slips -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("MOVES = 0", "bad.py: MOVES is 0, but a game has at least one move"),
        ("MOVES = 1.5", "bad.py: MOVES is 1.5, but it must be a whole number"),
        ("RESULTS = (1.0, -1.0)", "bad.py: RESULTS is (1.0, -1.0), but it must be two or more values, ascending"),
        ("RESULTS = (-1, 1)\nREPETITION = 3", "bad.py: REPETITION makes draws, but RESULTS (-1.0, 1.0) has no 0.0"),
        ("REPETITION = 1", "bad.py: REPETITION is 1, but it must be 0 (never) or at least 2"),
        ("SYMMETRIES = 2", "bad.py: SYMMETRIES is 2, but transform() is missing"),
        (
            "def features(state, viewer, index, value):\n    return 0",
            "bad.py: features() writes inputs, but FEATURES (how many there are) is missing",
        ),
        ("STATE = np.dtype([('x', 'O')])", "bad.py: STATE holds Python objects, but its fields must"),
        (
            "PLANES = 7",
            "bad.py: PLANES is 7, but it must be (planes, rows, columns), three whole numbers from 1, or ()",
        ),
        ("PLANES = (2, 0, 3)", "bad.py: PLANES is (2, 0, 3), but it must be (planes, rows, columns), three whole"),
        ("PLANES = (2, 3)", "bad.py: PLANES is (2, 3), but it must be (planes, rows, columns), three whole numbers"),
        ("FEATURES = 17\nPLANES = (2, 3, 3)", "bad.py: PLANES (2, 3, 3) are 18 inputs, but FEATURES is 17"),
        ("def legal(state, moves):\n    return 2", "bad.py, legal(): returned 2, but it must be a whole number, 1"),
        ("def mover(state):\n    return 'X'", "bad.py, mover(): returned 'X', but it must be a whole number, 0 to 2"),
        ("1 +", "bad.py, line 31: invalid syntax"),
        ("1 / 0", "bad.py, line 31: ZeroDivisionError: division by zero"),
    ],
    ids=lambda text: text[:24],
)
def test_a_slip_is_told_in_one_line(write, line, message):
    path = write("bad.py", rules() + f"\n\n{line}\n")
    with pytest.raises(GameError) as told:
        load(str(path))
    assert str(told.value).startswith(message)
    assert "\n" not in str(told.value)


def test_constants_may_be_numpy_integers(write):
    game = load(str(write("counted.py", rules() + "\n\nMOVES = np.int64(1)\n")))
    assert game.MOVES == 1 and type(game.MOVES) is int


# --- moves by name ---------------------------------------------------------------------------------------------------


def test_moves_are_read_in_capitals_and_with_blanks_around():
    game = load("tic-tac-toe")
    assert game.parse_move(game.states()[0], " B2 ") == 4


def test_an_illegal_move_gets_the_nearest_and_the_legal_ones():
    game = load("tic-tac-toe")
    state = game.after(game.states()[0], 4)
    with pytest.raises(GameError, match=r"^'b2' is not a legal move here\. Did you mean '.2'\? Legal: a3, b3, c3"):
        game.parse_move(state, "b2")


def test_a_position_is_copied_before_moves_are_played_on_it():
    game = load("tic-tac-toe")
    state = game.states()[0]
    game.after(state, 4)
    assert state == np.zeros(1, game.STATE)[0]
