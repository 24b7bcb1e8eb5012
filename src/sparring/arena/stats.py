"""Statistics of matches: what a score says about strength, and how surely.

The unit of a fair match is the pair: one opening played twice with sides swapped. The two games of a pair share
their opening, so they are not independent; the five possible scores of pairs are, and every interval and test here
is taken over them. Games that were not played in pairs are counted one by one in `GameCounts`.

Sources: the generalised likelihood ratio test is the one of fishtest and OpenBench (Michel Van den Bergh, "The
Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" and "Normalized Elo").
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from statistics import NormalDist
from typing import ClassVar, Self

from sparring.errors import MatchError
from sparring.intervals import two_sided, wilson

Distribution = list[tuple[float, float]]
"""(score, probability) of each cell, worst score first."""

NELO_PER_T = 800 / math.log(10)
"""Normalised Elo of a player whose mean score over games lies one standard deviation above one half."""

WIDEST_NELO = 200
"""Largest bound of a sequential test; the fixed point behind the ratio is lost somewhat above it."""

EMPTY_CELL = 1e-3
"""What a cell that never happened counts in a likelihood ratio, as in fishtest."""


@dataclass(frozen=True)
class Counts:
    """How often each score happened, worst first, as the first player sees it; see `PairCounts`, `GameCounts`."""

    scores: ClassVar[tuple[float, ...]]
    labels: ClassVar[tuple[str, ...]]
    games_a_unit: ClassVar[int]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            try:
                count = operator.index(value)
            except TypeError:
                count = -1
            if count < 0:
                raise MatchError(
                    f"{type(self).__name__}: {field.name} is {value!r}; counts are whole numbers, 0 or more."
                )
            # NumPy integers become plain ones here: databases and JSON know only those.
            object.__setattr__(self, field.name, count)

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def cells(self) -> tuple[int, ...]:
        """How often each of `scores` happened, in the same order."""
        raise NotImplementedError

    @property
    def units(self) -> int:
        """Independent observations: pairs for `PairCounts`, games for `GameCounts`."""
        return sum(self.cells)

    @property
    def games(self) -> int:
        """Games played."""
        return self.units * self.games_a_unit

    @property
    def points(self) -> float:
        """Points of the first player: 1 a win, one half a draw."""
        return self.games_a_unit * sum(n * score for n, score in zip(self.cells, self.scores, strict=True))

    @property
    def mean(self) -> float:
        """Points a game, 0 to 1. Raises `MatchError` when no game was played."""
        return self.points / _played(self).games

    @property
    def deviation(self) -> float:
        """Standard deviation of one unit's score as it was seen (divisor n, as in the numbers engines publish)."""
        mean = self.mean
        squares = sum(n * (score - mean) ** 2 for n, score in zip(self.cells, self.scores, strict=True))
        return math.sqrt(squares / self.units)


@dataclass(frozen=True)
class PairCounts(Counts):
    """Pentanomial counts: how many pairs of games ended in each score, as the first player sees it."""

    scores: ClassVar[tuple[float, ...]] = (0.0, 0.25, 0.5, 0.75, 1.0)
    labels: ClassVar[tuple[str, ...]] = ("LL", "LD", "DD/WL", "WD", "WW")
    games_a_unit: ClassVar[int] = 2

    ll: int = 0
    """Pairs with both games lost: score 0."""
    ld: int = 0
    """Pairs with a loss and a draw: score 1/4."""
    even: int = 0
    """Pairs with two draws, or a win and a loss: score 1/2."""
    wd: int = 0
    """Pairs with a win and a draw: score 3/4."""
    ww: int = 0
    """Pairs with both games won: score 1."""

    @classmethod
    def of(cls, pair_scores: Iterable[float]) -> PairCounts:
        """Count pair scores, each 0, 1/4, 1/2, 3/4 or 1. Any other number raises `MatchError`."""
        cells = [0] * len(cls.scores)
        for score in pair_scores:
            if score not in cls.scores:
                raise MatchError(f"PairCounts: a pair scored {score}; a pair scores 0, 0.25, 0.5, 0.75 or 1.")
            cells[cls.scores.index(score)] += 1
        return cls(*cells)

    @property
    def cells(self) -> tuple[int, ...]:
        return self.ll, self.ld, self.even, self.wd, self.ww

    @property
    def pairs(self) -> int:
        """Pairs played."""
        return self.units


@dataclass(frozen=True)
class GameCounts(Counts):
    """Trinomial counts of games that were not played in pairs, as the first player sees them."""

    scores: ClassVar[tuple[float, ...]] = (0.0, 0.5, 1.0)
    labels: ClassVar[tuple[str, ...]] = ("L", "D", "W")
    games_a_unit: ClassVar[int] = 1

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def cells(self) -> tuple[int, ...]:
        return self.losses, self.draws, self.wins


@dataclass(frozen=True)
class Elo:
    """A difference in strength in Elo, with the ends of its interval; an end may be infinite."""

    elo: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval: the number behind a plus-minus sign."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.elo:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"


class Decision(StrEnum):
    """What a sequential test says so far. H1: the first player is at least elo1; H0: at most elo0."""

    ACCEPT_H1 = "accept H1"
    ACCEPT_H0 = "accept H0"
    CONTINUE = "continue"


@dataclass(frozen=True)
class Sprt:
    """State of a sequential probability ratio test: stop once `llr` leaves (`lower`, `upper`)."""

    llr: float
    lower: float
    upper: float
    decision: Decision


def elo_of(score: float) -> float:
    """Elo difference at which `score` (0..1) is the expected score; minus or plus infinity at 0 and 1."""
    if not 0 <= score <= 1:
        raise MatchError(f"elo_of: score is {score}; a score is 0 to 1.")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def score_interval(counts: Counts, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of the mean score, as (low, high) cut to 0..1, by Student's t over pairs (or unpaired games).

    Where the scores show no spread (a single unit, or all alike), t would give no width at all to a match won 3-0;
    there it is Wilson's interval over the units instead, which takes a unit to be won or lost and so is on the
    wide side.
    """
    units, deviation = _played(counts).units, counts.deviation
    if deviation == 0:
        return wilson(counts.mean * units, units, confidence)
    reach = student_t(two_sided(confidence), units - 1) * deviation / math.sqrt(units)
    return max(0.0, counts.mean - reach), min(1.0, counts.mean + reach)


def estimate_elo(counts: Counts, confidence: float = 0.95) -> Elo:
    """Elo of the first player over the second, from the mean score, with the ends of `score_interval` as Elo.

    An end is infinite where the interval of the score reaches 0 or 1.
    """
    low, high = score_interval(counts, confidence)
    return Elo(elo_of(counts.mean), elo_of(low), elo_of(high))


def superiority(counts: Counts) -> float:
    """Likelihood of superiority (LOS), 0..1: the chance that the first player is the stronger one.

    Normal approximation over units. Where the scores show no spread, the deviation is taken as the largest
    possible, one half, as Wilson's interval does there.
    """
    error = (counts.deviation or 0.5) / math.sqrt(counts.units)
    return NormalDist().cdf((counts.mean - 0.5) / error)


def describe(counts: Counts) -> str:
    """One line on a match: score, counts, Elo with its 95 % interval, likelihood of superiority."""
    cells = " ".join(f"{label} {n}" for label, n in zip(counts.labels[::-1], counts.cells[::-1], strict=True))
    return f"Score {counts.mean:.3f} ({cells}), Elo {estimate_elo(counts)}, LOS {superiority(counts):.1%}"


def sprt(counts: Counts, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Test whether the first player is elo1 rather than elo0 stronger, both in normalised Elo.

    `alpha` bounds the chance of accepting H1 when H0 holds, `beta` that of accepting H0 when H1 holds. The ratio
    is of the two likeliest distributions of scores whose (mean - 1/2) / deviation is the one of each hypothesis:
    pentanomial over pairs, trinomial over unpaired games.
    """
    if not -WIDEST_NELO <= elo0 < elo1 <= WIDEST_NELO:
        raise MatchError(
            f"sprt: elo0 is {elo0} and elo1 is {elo1}; elo0 must be the smaller, both within ±{WIDEST_NELO}."
        )
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise MatchError(f"sprt: alpha is {alpha} and beta is {beta}; both are above 0, and their sum below 1.")
    cells = [n or EMPTY_CELL for n in _played(counts).cells]
    total = sum(cells)
    seen = [(score, n / total) for score, n in zip(counts.scores, cells, strict=True)]
    # The deviation of a mean over pairs is smaller than over games by the root of two, so t is larger by it.
    scale = math.sqrt(counts.games_a_unit) / NELO_PER_T
    likely0, likely1 = likeliest(seen, elo0 * scale), likeliest(seen, elo1 * scale)
    llr = sum(n * math.log(p1 / p0) for n, (_, p0), (_, p1) in zip(cells, likely0, likely1, strict=True))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    decision = Decision.CONTINUE
    if llr >= upper:
        decision = Decision.ACCEPT_H1
    elif llr <= lower:
        decision = Decision.ACCEPT_H0
    return Sprt(llr, lower, upper, decision)


def likeliest(seen: Distribution, t: float) -> Distribution:
    """The distribution over the same scores that makes `seen` likeliest among those with (mean - 1/2)/sigma = t.

    Lagrange's condition is p_i = seen_i / (1 + x a_i), where a_i depends on the mean and sigma of p itself; hence a
    fixed point. Raises `MatchError` where it is not found: from a t of about 0.9 on.
    """
    current = [(score, 1 / len(seen)) for score, _ in seen]
    for _ in range(200):
        mean = sum(score * p for score, p in current)
        sigma = math.sqrt(sum((score - mean) ** 2 * p for score, p in current))
        slopes = [score - 0.5 - t * sigma * (1 + ((mean - score) / sigma) ** 2) / 2 for score, _ in seen]
        if not min(slopes) < 0 < max(slopes):
            break
        divisors = _divisors(slopes, [p for _, p in seen])
        last, current = current, [(score, p / d) for (score, p), d in zip(seen, divisors, strict=True)]
        if max(abs(p - q) for (_, p), (_, q) in zip(current, last, strict=True)) < 1e-10:
            return current
    raise MatchError(f"likeliest: t is {t:.3g}; no distribution was found that far from an even score.")


def _divisors(slopes: Sequence[float], weights: Sequence[float]) -> list[float]:
    """1 + x slopes_i, all positive, for the x at which the sum of weights_i slopes_i / (1 + x slopes_i) is 0."""
    # Seen from the pole on the root's side: for a cell that hardly ever happened the divisor is tiny, and 1 + x a
    # would round it away. `share` is the divisor of the slope at that pole, 1 where x is 0.
    drift = sum(w * a for w, a in zip(weights, slopes, strict=True))
    pole = min(slopes) if drift > 0 else max(slopes)
    ratios = [a / pole for a in slopes]
    low, high = 0.0, 1.0
    while low < (share := (low + high) / 2) < high:
        if sum(w * r / (1 - r + share * r) for w, r in zip(weights, ratios, strict=True)) > 0:
            low = share
        else:
            high = share
    return [1 - r + share * r for r in ratios]


def student_t(probability: float, freedom: int) -> float:
    """Quantile of Student's t with `freedom` degrees of freedom, right to 1e-6 (relative, beyond 1).

    Up to 200 degrees by halving the exact finite sum, above by the expansion around the normal quantile
    (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3, 26.7.4 and 26.7.5).
    """
    if not 0 < probability < 1 or freedom < 1:
        raise MatchError(f"student_t: no quantile at probability {probability} with {freedom} degrees of freedom.")
    if probability < 0.5:
        return -student_t(1 - probability, freedom)
    if freedom > 200:
        z = NormalDist().inv_cdf(probability)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        return z + math.fsum(term / math.pow(freedom, power) for power, term in enumerate(terms, start=1))
    low, high = 0.0, math.pi / 2
    while low < (angle := (low + high) / 2) < high:
        if _within_angle(angle, freedom) < 2 * probability - 1:
            low = angle
        else:
            high = angle
    return math.sqrt(freedom) * math.tan(angle)


def _within_angle(angle: float, freedom: int) -> float:
    """Probability that |t| is at most sqrt(freedom) tan(angle)."""
    cosine, odd = math.cos(angle), freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total


def _played(counts: Counts) -> Counts:
    if counts.units == 0:
        raise MatchError(f"{type(counts).__name__}: games is 0; there is nothing to measure yet.")
    return counts
