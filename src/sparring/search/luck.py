"""The luck of the dice: how much better a roll is than the mean of all rolls, by a net's judgement.

What a game's result is without the luck of its rolls has the same mean as the result, and scatters far less.
"""

import numpy as np

from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.search.expectimax import Lookahead


class Luck:
    """Reckons luck by the best turns as a net judges them without lookahead; for one thread."""

    def __init__(self, game: Game, net: Net, where: str = "the net") -> None:
        self.game = game
        self.look = Lookahead(game, net, 1, where)

    def shift(self, state: np.void, outcome: int) -> np.ndarray:
        """(results,): how much likelier an outcome of chance in `state` makes RESULTS than could be expected."""
        after = self.look.outlook(self.game.after(state, outcome), 0)
        return after.astype(np.float64) - self.look.outlook(state, 0)

    def of(self, state: np.void, outcome: int) -> float:
        """Points that the outcome is worth to player 0, beyond what could be expected."""
        return float(self.shift(state, outcome) @ self.game.RESULTS)
