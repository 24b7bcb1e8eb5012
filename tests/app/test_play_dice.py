"""`sparring play` in games with dice: whole turns may be typed, and a hint ranks them."""

import io
import re
import sys

import pytest

from sparring.app.cli import main

pytestmark = pytest.mark.compiled
OPENED = "3-1 8/5 6/5 6-4"  # white has opened, black is to play


@pytest.fixture
def shown(monkeypatch, capsys):
    """What is shown when these lines are typed in a game of backgammon."""

    def run(*lines, player="human"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", "backgammon", player, "--side", "2", "--moves", OPENED, "--seed", "1"]) == 0
        return "".join(capsys.readouterr())

    return run


def test_a_whole_turn_may_be_typed_and_the_board_is_drawn_once_for_it(shown):
    by_steps, at_once = shown("24/15", "24/18", "18/14", "quit"), shown("24/18/14", "quit")
    moves = [re.search(r"--moves '(3-1 8/5 6/5 6-4 24/18 18/14 [1-6]-[1-6])'", text) for text in (by_steps, at_once)]
    assert moves[0] and moves[1] and moves[0][1] == moves[1][1]
    assert "'24/15' is not a legal move here" in by_steps
    assert at_once.count("black to play 6-4") == by_steps.count("black to play 6-4") - 1 == 1


def test_a_checker_that_plays_all_dice_may_be_typed_by_its_first_and_last_point(shown):
    assert f"--moves '{OPENED} 24/18 18/14 " in shown("24/14", "quit")


def test_words_after_the_end_of_the_turn_do_not_throw_the_dice(shown):
    text = shown("24/18/14 6-6", "quit")
    assert "'24/18/14 6-6' is not a legal move here" in text
    assert f"--moves '{OPENED}'" in text


def test_a_hint_ranks_whole_turns(shown):
    text = shown("hint", "quit", player="turn:judge=pips")
    assert re.search(r"^  move +worth +behind$", text, re.MULTILINE)
    assert re.search(r"^  \S+/\S+( \S+/\S+)? +[+-]\d+\.000$", text, re.MULTILINE)
