"""Turns are written as backgammon players write them, whatever the game."""

import pytest

from sparring.app.course import follow, turn_name
from sparring.app.turn_names import joined, parts
from sparring.errors import GameError
from sparring.games.game import load


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        (["8/5", "6/5"], "8/5 6/5"),
        (["13/8", "8/5"], "13/8/5"),
        (["13/8*", "8/5*"], "13/8*/5*"),
        (["13/8", "13/8"], "13/8(2)"),
        (["13/8", "13/8", "8/3", "6/1"], "13/8 13/8/3 6/1"),
        (["13/8", "8/3", "13/8", "8/3"], "13/8/3(2)"),
        (["bar/22", "22/20"], "bar/22/20"),
        (["bar(G)/22*", "bar(S)/22"], "bar(G)/22* bar(S)/22"),
        (["4/off(6)", "4/off"], "4/off(6) 4/off"),
        (["6/off", "6/off"], "6/off(2)"),
        (["13/8*", "8/3", "13/8"], "13/8*/3 13/8"),
        (["pass"], "pass"),
        (["roll"], "roll"),
        ([], ""),
    ],
)
def test_steps_of_one_checker_are_one_word_and_equal_words_are_counted(steps, name):
    assert joined(steps) == name


def test_a_turn_has_the_names_of_its_moves_on_their_way():
    game = load("backgammon")
    state = game.module.position("24:2X 13:5X 8:3X 6:5X 1:2O 12:5O 17:3O 19:5O; white plays 5-3")
    steps = []
    for name in ("13/8", "8/5"):
        here = game.after(state, *steps)
        steps.append(game.parse_move(here, name))
    assert turn_name(game, state, steps) == "13/8/5"


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("13/8", ["13/8"]),
        ("13/8/5", ["13/8", "8/5"]),
        ("bar/22*/20", ["bar/22*", "22/20"]),
        ("bar(G)/22*/20+", ["bar(G)/22*", "22/20+"]),
        ("13/8/3(2)", ["13/8", "8/3", "13/8", "8/3"]),
        ("6/off(2)", ["6/off", "6/off"]),
        ("6/4/off", ["6/4", "4/off"]),
        ("roll", ["roll"]),
        ("d4", ["d4"]),
    ],
)
def test_a_word_of_a_turn_is_taken_apart_again(word, names):
    assert parts(word) == names


def test_moves_may_be_given_as_turns_are_written():
    game = load("backgammon")
    short = follow(game, "3-1 8/5 6/5 4-4 8/4(2) 13/9/5")
    steps = follow(game, "3-1 8/5 6/5 4-4 8/4 8/4 13/9 9/5")
    assert short.moves == steps.moves
    with pytest.raises(GameError, match="move 2: '13/8' is not a legal move here"):
        follow(game, "3-1 13/8/5")
