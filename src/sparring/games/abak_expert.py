"""An expert for Abak, written by hand: what a player looks at after a turn, before the other rolls.

Twenty-nine rules, each a number (`abak_signs.py`) with two weights; the judgement is their sum, in pips. The first
weight is for the player who has just played, the second for the other, who rolls next: what is at risk is risky for the
one who does not roll.

The weights were guessed first and then searched by matches (`python -m benchmarks.abak_expert search --games 2000
--steps 100 --seed 1`, run from the guesses): to_go was -1 for oneself, which makes one run when one should build.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.abak_signs import numbers

RULES = (  # in the order of `numbers`: name, weight for the player who has just played, weight for the other
    ("to_go", -0.2, 1.1),
    ("borne_off", 2.7, -1.8),
    ("stragglers", -1.5, 2.4),
    ("unsaved", -4.6, 5.0),
    ("losses", -0.59, 0.14),
    ("hits", -1.9, 1.1),
    ("traps", -6.2, 2.0),
    ("on_bar", -7.0, 6.1),
    ("shut_out", -21.0, 11.0),
    ("home_points", 1.9, -3.1),
    ("best_points", 1.7, -1.2),
    ("outer_points", 3.3, -0.89),
    ("prime", 0.4, -0.65),
    ("anchor", 3.4, -5.0),
    ("high_anchor", 2.1, -1.2),
    ("posts", 0.35, -0.96),
    ("back_men", -1.1, 0.72),
    ("caged", -0.33, 0.28),
    ("heaps", -0.8, 0.63),
    ("full_points", -0.9, 0.67),
    ("builders", 0.88, -0.63),
    ("buried", -0.53, 0.52),
    ("late_wounded", -0.3, 0.2),
    ("wrong_feet", -0.61, 0.61),
    ("held", -9.0, 7.8),
    ("hunting", 1.0, -0.53),
    ("general_back", 1.8, -0.75),
    ("freedom", 0.15, -0.12),
    ("dead_dice", -1.5, 1.5),
)
WEIGHTS = np.array([weights for _, *weights in RULES])


@compiled
def weighed(state, who, weights):
    """The sum of all rules by weights (rules, 2): for player `who`, who has just played, and for the other."""
    ours, theirs = numbers(state, who), numbers(state, 1 - who)
    total = 0.0
    for k in range(len(ours)):
        total += weights[k, 0] * ours[k] + weights[k, 1] * theirs[k]
    return total


@compiled
def expert(state, who):
    """What the position is worth to player `who`, who has just played: in pips, more is better."""
    return weighed(state, np.int64(who), WEIGHTS)
