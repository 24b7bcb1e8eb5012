"""TD(λ) targets: the recursion, by hand."""

import numpy as np
import pytest

from sparring.learn.selfplay import Played
from sparring.learn.targets import td_targets


def game(scores, loose, value):
    n = len(scores)
    return Played(np.zeros(n), np.array(scores, np.float32), np.array(loose, np.uint8), value, 0)


def test_the_last_position_gets_the_result_and_earlier_ones_a_blend():
    targets = td_targets(game([0.1, 0.2, 0.4], [0, 0, 0], 1.0), 0.7)
    second = 0.3 * 0.4 + 0.7 * 1.0
    first = 0.3 * 0.2 + 0.7 * second
    assert targets == pytest.approx([first, second, 1.0], abs=1e-6)


def test_without_trace_a_position_learns_the_next_search_score():
    assert td_targets(game([0.1, 0.2, 0.4], [0, 0, 0], -1.0), 0.0) == pytest.approx([0.2, 0.4, -1.0], abs=1e-6)


def test_with_full_trace_every_position_learns_the_result():
    assert td_targets(game([0.1, 0.2, 0.4], [0, 0, 0], -1.0), 1.0) == pytest.approx([-1, -1, -1], abs=1e-6)


def test_a_random_move_labels_its_position_with_its_own_score_and_cuts_the_chain():
    targets = td_targets(game([0.1, 0.2, 0.4, 0.5], [0, 1, 0, 0], 1.0), 0.7)
    assert targets[1] == pytest.approx(0.2, abs=1e-6)
    assert targets[0] == pytest.approx(0.2, abs=1e-6), "nothing behind the random move reaches the position before it"
    assert targets[2] == pytest.approx(0.3 * 0.5 + 0.7, abs=1e-6)


def test_the_result_of_a_last_move_that_was_random_is_not_learned():
    assert td_targets(game([0.1, 0.3], [0, 1], -1.0), 0.7) == pytest.approx([0.3, 0.3], abs=1e-6)


def test_a_discount_makes_a_near_end_worth_more_than_a_far_one():
    targets = td_targets(game([0.0] * 4, [0] * 4, 1.0), 1.0, 0.5)
    assert targets == pytest.approx([0.125, 0.25, 0.5, 1.0], abs=1e-6)
