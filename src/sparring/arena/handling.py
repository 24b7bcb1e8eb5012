"""How a player handles score and cube: by a match equity table and Janowski's model, or by a net of matches."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sparring.arena import cube
from sparring.arena.cube import EFFICIENCY, TIED, CubeAdvice
from sparring.arena.equity import CASHED, PASSED, chances_of, worths
from sparring.arena.match_equity import table_for
from sparring.arena.match_table import MatchTable
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError
from sparring.nets.match_net import MatchNet, Spot


@dataclass(frozen=True)
class ByModel:
    """By Janowski's model with this efficiency of the cube, and in a match by the game's table."""

    game: str
    efficiency: float = EFFICIENCY

    def table(self, stakes: Stakes) -> MatchTable | None:
        """What scores are worth; None in money play. MatchError for a match that is longer than the table."""
        return None if stakes.money else table_for(self.game, stakes.length)

    def advise(self, chances: np.ndarray, stakes: Stakes, player: int) -> CubeAdvice:
        """As `cube.advise`, of distributions (..., 6)."""
        return cube.advise(chances, stakes, player, self.table(stakes), efficiency=self.efficiency)

    def value(self, chances: np.ndarray, stakes: Stakes, viewer: int, roller: int) -> np.ndarray:
        """As `cube.value`, of distributions (..., 6): (...)."""
        table = self.table(stakes)
        return cube.value(chances, stakes, viewer, table, efficiency=self.efficiency, roller=roller)


@dataclass(frozen=True)
class ByNet:
    """By what a net knows of matches, and in money play, of which it knows nothing, by the model.

    where: the net's file, for messages. All raise MatchError for a match that is longer than those it knows.
    """

    net: MatchNet
    where: str
    money: ByModel

    def table(self, stakes: Stakes) -> MatchTable | None:
        """What the net has learned that scores are worth; None in money play."""
        if stakes.length > self.net.points:
            raise MatchError(
                f"the match is to {stakes.length} points, but {self.where} knows {self.net.points} at most"
            )
        return None if stakes.money else self.learned

    @cached_property
    def learned(self) -> MatchTable:
        """The net's scores."""
        return MatchTable(self.where, self.net.scores.astype(np.float64))

    def advise(self, chances: np.ndarray, stakes: Stakes, player: int) -> CubeAdvice:
        """As `cube.advise`. A player whom the cube as it stands carries to the end does not turn it."""
        if stakes.money:
            return self.money.advise(chances, stakes, player)
        cash = worths(stakes, player, self.table(stakes))[CASHED]
        stay = self._chance(chances, stakes, player, player)
        take = self._chance(chances, stakes.doubled(player), player, player)
        gain = np.minimum(take, cash) - stay
        return CubeAdvice(stay, take, np.full_like(stay, cash), (gain > TIED) & spot_of(stakes, player, player).turns())

    def value(self, chances: np.ndarray, stakes: Stakes, viewer: int, roller: int) -> np.ndarray:
        """As `cube.value`."""
        if stakes.money:
            return self.money.value(chances, stakes, viewer, roller)
        passed = worths(stakes, viewer, self.table(stakes))[CASHED if roller == viewer else PASSED]
        stay = self._chance(chances, stakes, viewer, roller)
        if not spot_of(stakes, roller, roller).turns():
            return stay
        turned = self._chance(chances, stakes.doubled(roller), viewer, roller)
        if roller == viewer:
            return np.maximum(stay, np.minimum(turned, passed))
        return np.minimum(stay, np.maximum(turned, passed))

    def _chance(self, chances: np.ndarray, stakes: Stakes, viewer: int, roller: int) -> np.ndarray:
        return self.net.chance(chances_of(chances), spot_of(stakes, viewer, roller))


def spot_of(stakes: Stakes, viewer: int, roller: int) -> Spot:
    """A game of a match as the viewer sees it before the roller's roll."""
    lacks = stakes.away(viewer), stakes.away(1 - viewer)
    owner = 0 if stakes.owner is None else 1 if stakes.owner == viewer else -1
    return Spot(*lacks, stakes.post_crawford, stakes.cube, owner, 1 if roller == viewer else -1)
