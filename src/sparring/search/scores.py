"""Scores of the searches: whole numbers for the player to move, a million to a value of 1.

A forced win is worth more than any judgement, and more the sooner it comes: the best result of the game is its value
plus PROVEN minus the plies to it; the worst is the mirror of that.
"""

import math

import numpy as np

UNIT = 1_000_000
SCALE = 10_000  # steps to a value of 1 where scores are kept and told: in chess centipawns
CENT = UNIT // SCALE
PROVEN = 10_000  # more than the plies of any search
INFINITE = np.int64(2_000_000_000)


def result_scores(results: tuple[float, ...]) -> tuple[int, ...]:
    """The score of each result for player 0, at the ply where it happens."""
    low, high = results[0], results[-1]
    bonus = {low: -PROVEN, high: PROVEN}
    return tuple(round(v * UNIT) + bonus.get(v, 0) for v in results)


def cents(score: int) -> int:
    """A score in steps of CENT."""
    return round(score / CENT)


def largest(results: tuple[float, ...]) -> float:
    """The largest value either player can win."""
    return max(abs(results[0]), abs(results[-1]))


def value_of(score: int, results: tuple[float, ...], odds: float = 0.0) -> float:
    """The expected result a score stands for, without the bonus for sooner wins. odds: the game's ODDS."""
    top = largest(results)
    if odds and abs(score) < top * UNIT:
        return math.tanh(odds * score / UNIT)
    return min(max(score / UNIT, -top), top)


def plies_to_end(score: int, results: tuple[float, ...]) -> int | None:
    """Plies to the forced best or worst result that the score tells of, or None."""
    over = abs(score) - round((results[-1] if score > 0 else -results[0]) * UNIT)
    return PROVEN - over if over > 0 else None
