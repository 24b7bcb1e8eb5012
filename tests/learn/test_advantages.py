"""Generalised advantages: the published examples, and the definition. Shaping changes no best policy."""

import itertools

import numpy as np
import pytest

from sparring.errors import RunError
from sparring.learn.advantages import gae, shaped

CRITIC = [0.2, 0.6, 0.1]
LONG = [0.00, 0.05, 0.02, 0.10, 0.45, 0.50, 0.48, 0.55, 0.10, 0.15, 0.25, 0.30]


def one_game(values, result, discount, trace):
    rewards = np.zeros(len(values))
    rewards[-1] = result
    return gae(rewards, np.array(values), np.array([len(values)]), discount, trace)


@pytest.mark.parametrize(
    ("result", "trace", "wanted"),
    [
        (-1, 0.0, [0.4, -0.5, -1.1]),
        (-1, 1.0, [-1.2, -1.6, -1.1]),
        (-1, 0.5, [-0.125, -1.05, -1.1]),
        (1, 0.5, [0.375, -0.05, 0.9]),
    ],
)
def test_three_decisions_get_the_credit_reckoned_by_hand(result, trace, wanted):
    assert one_game(CRITIC, result, 1.0, trace)[0] == pytest.approx(wanted, abs=1e-6)


def test_the_targets_are_what_the_critic_should_have_said():
    assert one_game(CRITIC, -1, 1.0, 0.5)[1] == pytest.approx([0.075, -0.45, -1.0], abs=1e-6)


@pytest.mark.parametrize(("result", "credit"), [(1, 0.284085), (-1, -1.312591)], ids=["won", "lost"])
def test_the_eighth_of_twelve_decisions_gets_the_published_credit(result, credit):
    assert one_game(LONG, result, 0.995, 0.95)[0][7] == pytest.approx(credit, abs=1e-6)


def slow_gae(rewards, values, discount, trace):
    """Of one trajectory, by the definition: the sum of all later surprises, each less by γ·λ a decision."""
    values = [*values, 0.0]
    surprises = [r + discount * values[t + 1] - values[t] for t, r in enumerate(rewards)]
    return [
        sum((discount * trace) ** (later - t) * surprises[later] for later in range(t, len(surprises)))
        for t in range(len(surprises))
    ]


def test_trajectories_side_by_side_do_not_touch_each_other():
    random = np.random.default_rng(1)
    lengths = np.array([5, 1, 0, 7, 2])
    rewards, values = random.normal(size=15), random.normal(size=15)
    wanted, at = [], 0
    for n in lengths:
        wanted += slow_gae(rewards[at : at + n], values[at : at + n], 0.9, 0.8)
        at += n
    advantages, targets = gae(rewards, values, lengths, 0.9, 0.8)
    assert advantages == pytest.approx(wanted, abs=1e-6)
    assert targets == pytest.approx(np.array(wanted) + values, abs=1e-6)
    assert advantages.dtype == targets.dtype == np.float32


def test_nothing_played_gives_nothing():
    none = np.zeros(0)
    assert [len(a) for a in gae(none, none, np.zeros(0, np.int64), 1.0, 1.0)] == [0, 0]


def test_columns_that_do_not_fit_the_lengths_are_refused():
    with pytest.raises(RunError, match=r"values has shape \(2,\), but the trajectories have 3 decisions"):
        gae(np.zeros(3), np.zeros(2), np.array([3]), 1.0, 1.0)


# --- shaping ---------------------------------------------------------------------------------------------------------


def test_shaping_pays_for_a_rising_potential_and_takes_all_of_it_back_at_the_end():
    rewards = shaped(np.array([0.0, 0, 1, 0, -1]), np.array([0.5, 0.25, 1.0, 0.75, 0.5]), np.array([3, 2]), 0.8)
    assert rewards == pytest.approx([0.2 - 0.5, 0.8 - 0.25, 1 - 1.0, 0.4 - 0.75, -1 - 0.5], abs=1e-6)


STEPS = {0: (1, 2), 1: (3, 4), 2: (4, 5), 3: (6, 7), 4: (7, 8), 5: (8, 9)}  # a position to those that two moves lead to
PAYS = {6: 0.3, 7: -0.5, 8: 0.6, 9: 0.4}  # the ends


def values_of_policies(reward_of_walk):
    """Of each of the 64 policies of a small game, what it earns from position 0 on, later rewards counting less."""
    found = []
    for policy in itertools.product((0, 1), repeat=len(STEPS)):
        walk = [0]
        while walk[-1] in STEPS:
            walk.append(STEPS[walk[-1]][policy[walk[-1]]])
        rewards = np.zeros(len(walk) - 1)
        rewards[-1] = PAYS[walk[-1]]
        found.append(sum(0.9**t * r for t, r in enumerate(reward_of_walk(rewards, walk[:-1]))))
    return np.array(found)


def test_shaping_cannot_change_the_best_policy():
    plain = values_of_policies(lambda rewards, walk: rewards)
    assert len(np.unique(plain.round(9))) > 2
    for seed in range(20):
        potential = np.random.default_rng(seed).normal(size=len(STEPS)) * 3

        def shape(rewards, walk, potential=potential):
            return shaped(rewards, potential[walk], np.array([len(walk)]), 0.9)

        changed = values_of_policies(shape)
        assert changed == pytest.approx(plain - potential[0], abs=1e-5), "every policy earns less by the same"
        assert set(np.flatnonzero(changed > changed.max() - 1e-5)) == set(np.flatnonzero(plain == plain.max()))


def test_a_bonus_that_is_no_difference_of_potentials_would_change_it():
    plain = values_of_policies(lambda rewards, walk: rewards)
    bonus = np.array([0, 0, 0, 5.0, 0, 0])
    changed = values_of_policies(lambda rewards, walk: rewards + bonus[walk])
    assert plain[np.argmax(changed)] < plain.max()
