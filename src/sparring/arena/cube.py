"""Cube decisions: when to double, take and pass, by Janowski's model (`janowski`), for money and at any score."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from sparring.arena.equity import CASHED, PASSED, mirrored, worths
from sparring.arena.janowski import janowski, parts, steps_of
from sparring.arena.match_table import MatchTable
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

EFFICIENCY = 0.68  # of the cube in positions with contact, as GNU Backgammon has it
TIED = 1e-9  # values as near as this are equal
HALVINGS = 50  # of the interval in which a point is looked for


class Action(StrEnum):
    """What is right before the roll, for both players."""

    NO_DOUBLE = "no double"
    DOUBLE_TAKE = "double, take"
    DOUBLE_PASS = "double, pass"
    TOO_GOOD = "too good to double, pass"


@dataclass(frozen=True)
class CubeAdvice:
    """What doubling is worth to the player on roll, who may double: arrays of one shape, and where he should.

    no_double: he rolls without. double_take, double_pass: he doubles, and the other takes or passes.
    """

    no_double: np.ndarray
    double_take: np.ndarray
    double_pass: np.ndarray
    doubles: np.ndarray
    """bool: doubling is right."""

    @property
    def takes(self) -> np.ndarray:
        """bool: taking is right, once doubled."""
        return self.double_take <= self.double_pass

    @property
    def best(self) -> np.ndarray:
        """Value with the right decisions of both."""
        return np.maximum(self.no_double, np.minimum(self.double_take, self.double_pass))

    def action(self, *index: int) -> Action:
        """The right decisions at one place of the arrays."""
        if self.doubles[index]:
            return Action.DOUBLE_TAKE if self.takes[index] else Action.DOUBLE_PASS
        too_good = self.no_double[index] > self.double_pass[index] and not self.takes[index]
        return Action.TOO_GOOD if too_good else Action.NO_DOUBLE


def value(
    chances: np.ndarray,
    stakes: Stakes,
    viewer: int,
    table: MatchTable | None = None,
    *,
    efficiency: float | np.ndarray = EFFICIENCY,
    roller: int | None = None,
) -> np.ndarray:
    """(...) float64: what distributions (..., 6) are worth to the viewer with the cube in play.

    efficiency: 0 to 1, a number or one for each distribution. roller: whose roll it is, if he may double first; both
    then decide as is best for them. None: the roll comes before any double. Raises MatchError as `worths` does.
    """
    if roller is not None and stakes.may_double(roller):
        seen = chances if roller == viewer else mirrored(chances)
        best = advise(seen, stakes, roller, table, efficiency=efficiency).best
        return best if roller == viewer else -best if stakes.money else 1 - best
    win, wins, losses = parts(chances)
    return janowski(win, wins, losses, steps_of(stakes, viewer, table), _checked(efficiency))


def advise(
    chances: np.ndarray,
    stakes: Stakes,
    player: int,
    table: MatchTable | None = None,
    *,
    efficiency: float | np.ndarray = EFFICIENCY,
) -> CubeAdvice:
    """The cube decision before the player's roll; chances (..., 6) and values are his. MatchError if he may not double.

    Where he loses nothing by doubling, he doubles even if the model sees no gain: market lost later is not in it.
    """
    win, wins, losses = parts(chances)
    share = _checked(efficiency)
    steps = steps_of(stakes, player, table)
    stay = janowski(win, wins, losses, steps, share)
    take = janowski(win, wins, losses, steps_of(stakes.doubled(player), player, table), share)
    cash = np.full_like(stay, steps.worth[0, CASHED])
    gain = np.minimum(take, cash) - stay
    return CubeAdvice(stay, take, cash, gain > (-TIED if steps.idle[0] else TIED))


def accepts(
    chances: np.ndarray,
    stakes: Stakes,
    player: int,
    table: MatchTable | None = None,
    *,
    efficiency: float | np.ndarray = EFFICIENCY,
) -> np.ndarray:
    """(...) bool: whether the player, who has just been doubled, should take.

    chances (..., 6) are his, before the other's roll; stakes: before the double. MatchError if that was not allowed.
    """
    return advise(mirrored(chances), stakes, 1 - player, table, efficiency=efficiency).takes


def take_point(
    chances: np.ndarray,
    stakes: Stakes,
    player: int,
    table: MatchTable | None = None,
    *,
    efficiency: float | np.ndarray = EFFICIENCY,
) -> np.ndarray:
    """(...) float64: the chance of winning from which the player takes a double at these stakes.

    Of chances (..., 6), his, only the shares of one, two and three points among wins and losses count.
    """
    _, wins, losses = parts(chances)
    steps, share = steps_of(stakes.doubled(1 - player), player, table), _checked(efficiency)
    passed = worths(stakes, player, table)[PASSED]
    low, high = np.zeros(wins.shape[:-1]), np.ones(wins.shape[:-1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        takes = janowski(middle, wins, losses, steps, share) >= passed
        low, high = np.where(takes, low, middle), np.where(takes, middle, high)
    return high


def _checked(efficiency: float | np.ndarray) -> np.ndarray:
    share = np.asarray(efficiency, np.float64)
    if not np.all((share >= 0) & (share <= 1)):
        raise MatchError(f"efficiency of the cube is {efficiency}, but it must lie between 0 (dead) and 1 (live)")
    return share
