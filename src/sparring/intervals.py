"""How sure a share is: Wilson's interval. Of matches that are played in pairs `arena/stats.py` knows more."""

import math
from statistics import NormalDist

from sparring.errors import MatchError


def wilson(points: float, games: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for a score over independent games, as (low, high) in 0..1.

    `points` may hold halves; draws then make the interval wider than need be, never too narrow.
    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    if games <= 0:
        raise MatchError(f"wilson: games is {games}; an interval needs at least one game.")
    if not 0 <= points <= games:
        raise MatchError(f"wilson: points is {points}; {games} games give 0 to {games} points.")
    z = NormalDist().inv_cdf(two_sided(confidence))
    score, shrink = points / games, z * z / games
    centre = (score + shrink / 2) / (1 + shrink)
    reach = math.sqrt(score * (1 - score) * shrink + shrink * shrink / 4) / (1 + shrink)
    # At the edges the formula is exact but rounding is not, and an Elo of 1 - 1e-16 is far from infinite.
    return (0.0 if points == 0 else centre - reach), (1.0 if points == games else centre + reach)


def two_sided(confidence: float) -> float:
    """The quantile's probability at the upper end of a two-sided interval."""
    if not 0 < confidence < 1:
        raise MatchError(f"confidence is {confidence}; it lies between 0 and 1, 0.95 for 95 %.")
    return (1 + confidence) / 2
