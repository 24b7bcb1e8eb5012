"""Turns judged by a function of the rules file: the best one, of equals any, and results above all."""

import pytest
import small_games

from sparring.games.contract import ONGOING
from sparring.games.game import Game, load
from sparring.games.walk import random_positions
from sparring.search.turn_rules import RulesJudge
from sparring.search.turns import Turns

JUDGES = """

def flat(state, who):
    return 1.0


def full(state, who):
    return float(state["purse"][who, 0] * 2 - state["purse"][who, 1])
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("rules") / "judged.py"
    path.write_text(small_games.DARE + JUDGES, encoding="utf-8")
    return load(str(path))


def test_turns_are_ranked_by_the_judgement_and_results_stand_above_it(judged):
    judge = RulesJudge(judged, "full")
    ended = 0
    for state in random_positions(judged, 20, seed=7):
        who = int(judged.mover(state))
        state["purse"][who, 0] = 7
        ranked = judge.rank(state, most=99)
        wanted = {}
        for turn in Turns(judged).of(state):
            end = int(judged.result(turn.state))
            points = judged.RESULTS[end] * (1 if who == 0 else -1)
            wanted[turn.steps] = judged.module.full(turn.state, who) if end == ONGOING else 1e9 * points
            ended += end != ONGOING
        assert {turn.steps: turn.value for turn in ranked} == wanted
        values = [turn.value for turn in ranked]
        assert values == sorted(values, reverse=True)
        assert judge.choose(state) == ranked[0].steps == judge.rank(state)[0].steps
        assert judge.looked == len(wanted)
    assert ended > 0


def test_of_equal_turns_any_is_chosen_and_not_always_the_first(judged):
    judge, places = RulesJudge(judged, "flat"), set()
    for state in random_positions(judged, 12, seed=5):
        steps = [turn.steps for turn in Turns(judged).of(state)]
        if not any(judged.result(turn.state) != ONGOING for turn in Turns(judged).of(state)):
            places.add(steps.index(judge.choose(state)))
    assert len(places) > 1
