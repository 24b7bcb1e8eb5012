"""When scores leave no doubt: for each player of a match by itself."""

import numpy as np
import pytest

from sparring.compiled import plain
from sparring.games.contract import ONGOING
from sparring.games.walk import DRAWN
from sparring.search.adjudication import LOST, RULE, WON, count_score, new_runs, verdict


def verdicts(scores, first=0):
    """What one player's run says after each of these scores; the positions are every other one from `first` on."""
    run, said = new_runs()[0], []
    for n, score in enumerate(scores):
        plain(count_score)(run, score, first + 2 * n)
        said.append(int(plain(verdict)(run)))
    return said


def test_the_rule_of_matches_is_four_moves_of_a_thousand_or_six_of_ten_from_move_eighty_on():
    assert RULE == "1000/8,10/12/80"
    assert verdicts([1000] * 4) == [ONGOING] * 3 + [WON]
    assert verdicts([-1000] * 4) == [ONGOING] * 3 + [LOST]
    assert verdicts([10, -10, 0, 10, -10, 0], 80) == [ONGOING] * 5 + [DRAWN]


@pytest.mark.parametrize("broken", [999, -1000, 0])
def test_a_score_that_says_less_begins_the_count_anew(broken):
    assert verdicts([1000, 1000, 1000, broken, 1000, 1000, 1000, 1000])[-2:] == [ONGOING, WON]


@pytest.mark.parametrize(("scores", "first"), [([0] * 6, 78), ([0, 0, 11, 0, 0, 0, 0, 0], 80)])
def test_level_scores_before_move_eighty_or_on_both_sides_of_another_are_no_draw(scores, first):
    assert verdicts(scores, first) == [ONGOING] * len(scores)


def test_both_runs_are_counted_apart():
    runs = new_runs()
    for n in range(4):
        plain(count_score)(runs[1], 1000, n)
    assert [int(plain(verdict)(run)) for run in runs] == [ONGOING, WON]
    assert not np.shares_memory(runs, new_runs())
