"""Points a game, where games are won by more than one number of points: their mean over pairs, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sparring.arena.stats import student_t
from sparring.errors import MatchError
from sparring.games.game import Game
from sparring.intervals import two_sided


@dataclass(frozen=True)
class Points:
    """Sums over pairs (or other independent units), of points a game as the first player sees them.

    The two games of a pair share their opening and their dice, so a pair is one value: the mean of both.
    """

    units: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: Iterable[float]) -> Points:
        """The sums of these values, one a unit."""
        kept = [float(value) for value in values]
        return cls(len(kept), math.fsum(kept), math.fsum(value * value for value in kept))

    def __add__(self, other: Points) -> Points:
        return Points(self.units + other.units, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """Points a game. Raises MatchError when no game was played."""
        if self.units == 0:
            raise MatchError("points: there are 0 games; a mean needs at least one")
        return self.total / self.units

    @property
    def error(self) -> float:
        """Standard error of the mean; infinite for a single unit, which shows no spread."""
        mean = self.mean
        if self.units == 1:
            return math.inf
        return math.sqrt(max(self.squares / self.units - mean * mean, 0.0) / (self.units - 1))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """(low, high) of the mean, by Student's t over units."""
        mean, reach = self.mean, self.error
        if self.units > 1:
            reach *= student_t(two_sided(confidence), self.units - 1)
        return mean - reach, mean + reach

    def __str__(self) -> str:
        if self.units == 1:
            return f"{self.mean:+.3f} points a game; one pair does not show how sure that is"
        low, high = self.interval()
        return f"{self.mean:+.3f} points a game [{low:+.3f}, {high:+.3f}], standard error {self.error:.3f}"


def in_points(game: Game) -> bool:
    """Whether the game is won by more than one number of points, so that shares of wins do not say all."""
    return len({abs(value) for value in game.RESULTS} - {0.0}) > 1
