"""Abak's expert: each of its rules counts what a player sees, and together they win."""

import numpy as np
import pytest

from sparring.games import abak_signs
from sparring.games.abak_expert import RULES
from sparring.games.game import Game, load
from sparring.games.walk import random_positions


@pytest.fixture(scope="module")
def game() -> Game:
    return load("abak")


def counted(game: Game, line: str, side: int = 0) -> dict[str, float]:
    """The rules' numbers for a side in a position told by text."""
    state = game.module.position(line)
    return dict(zip([name for name, *_ in RULES], map(float, abak_signs.numbers(state, side)), strict=True))


@pytest.mark.parametrize(
    ("line", "rule", "wanted"),
    [
        ("24:SD 6:2S 20:2s; black rolls", "to_go", 60),
        ("24:SD 6:2S 20:2s; black rolls", "borne_off", 11),
        ("12:S 6:2S 22:2s; black rolls", "stragglers", 1),
        ("24:S 6:2S 20:2s; black rolls", "stragglers", 0),
        ("8:4S 6:4S 5:SGGN 4:DEO 22:5s 21:4s; black rolls", "unsaved", 0),
        ("24:4S 23:ED 13:2GS 12:O 8:2S 6:2SN 22:s; black rolls", "unsaved", 4),
        ("bar:2SG 6:2S 20:2s; black rolls", "on_bar", 3),
        ("bar:S 6:2S 19:2s 20:2s 21:2s 1:s; black rolls", "shut_out", 0.25),
        ("6:2S 5:2S 4:G 1:S 3:s; black rolls", "home_points", 3),
        ("6:2S 5:2S 4:G 1:S 3:s; black rolls", "best_points", 2),
        ("9:2S 8:2S 7:S 3:s; black rolls", "outer_points", 2),
        ("9:2S 8:2S 7:G 6:S 5:2S 3:s; black rolls", "prime", 9),
        ("24:2S 6:2S 8:s; black rolls", "anchor", 1),
        ("24:2S 6:2S 8:s; black rolls", "high_anchor", 0),
        ("21:2S 6:2S 8:s; black rolls", "high_anchor", 1),
        ("12:G 6:GS 8:s; black rolls", "posts", 1),
        ("24:S 22:3S 6:2S 8:s; black rolls", "back_men", 4),
        ("24:2S 23:2s 22:g 20:s 18:2s 16:2s; black rolls", "caged", 9),
        ("6:5S 8:4S 20:2s; black rolls", "heaps", 3),
        ("6:5S 8:4S 20:2s; black rolls", "full_points", 1),
        ("12:S 10:2S 7:S 6:S 1:s; black rolls", "builders", 3),
        ("24:ED 13:GS 1:s; black rolls", "buried", 2),
        ("24:E 13:OS 6:S 1:s; black rolls", "late_wounded", 25),
        ("5:E 4:O 20:s; black rolls", "wrong_feet", 2),
        ("12:Gd 6:S; black rolls", "held", 1.6),
        ("12:sD 6:S; white rolls", "held", 0),
        ("18:D 14:s 8:s 3:s; black rolls", "hunting", 2),
        ("13:SN 1:s; black rolls", "general_back", 1),
        ("13:NS 1:s; black rolls", "general_back", 0),
        ("12:S 24:s; black rolls", "freedom", 6),
        ("12:E 24:s; black rolls", "dead_dice", 3),
    ],
)
def test_a_rule_counts_what_it_says(game, line, rule, wanted):
    assert counted(game, line)[rule] == pytest.approx(wanted)


def test_dangers_are_exact_over_the_next_roll(game):
    seen = counted(game, "12:S 6:2S 9:s; black rolls")
    shots = 14 / 36  # a three, two and one, three ones
    assert seen["hits"] == pytest.approx(shots)
    assert seen["losses"] == pytest.approx(shots * 13)
    assert counted(game, "12:S 6:2S 9:d; black rolls")["traps"] == pytest.approx(shots)


def test_every_rule_is_for_the_one_side_what_it_is_for_the_other(game):
    for state in random_positions(game, 20, seed=3):
        text = game.module.describe(state)
        assert abak_signs.numbers(turned(game, text), 1) == pytest.approx(abak_signs.numbers(state, 0)), text


def turned(game: Game, line: str) -> np.void:
    """The position with the sides changed."""
    board, _, turn = line.partition(";")
    words = [word.split(":") for word in board.split()]
    turned = [f"{place if place == 'bar' else 25 - int(place)}:{stack.swapcase()}" for place, stack in words]
    other = turn.replace("white", "WHITE").replace("black", "white").replace("WHITE", "black")
    return game.module.position(f"{' '.join(turned)};{other}")


def test_the_judgement_is_the_weighted_sum_of_the_rules_of_both_sides(game):
    for state in random_positions(game, 5, seed=1):
        for who in (0, 1):
            sides = [abak_signs.numbers(state, side) for side in (who, 1 - who)]
            wanted = sum(ours * a + theirs * b for (_, ours, theirs), a, b in zip(RULES, *sides, strict=True))
            assert game.module.expert(state, who) == pytest.approx(wanted)


def test_there_are_twenty_nine_rules_of_different_names():
    assert len({name for name, *_ in RULES}) == len(RULES) == 29
