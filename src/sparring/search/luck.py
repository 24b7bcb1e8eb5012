"""The luck of the dice: how much better a roll is than the mean of all rolls, by a net's judgement.

What a game's result is without the luck of its rolls has the same mean as the result, and scatters far less.
"""

import numpy as np

from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.search import turns
from sparring.search.turns import points_for


class Luck:
    """Reckons luck by the best turns as a net judges them without lookahead; for one thread."""

    def __init__(self, game: Game, net: Net, where: str = "the net") -> None:
        self.game = game
        self.judge = turns.judge_by(game, net, where)
        self.room, self.work = self.judge.room()

    def of(self, state: np.void, outcome: int) -> float:
        """Points that an outcome of chance in `state` is worth to player 0, beyond what could be expected."""
        numbers, odds = np.zeros(self.game.MOST_MOVES, np.int32), np.zeros(self.game.MOST_MOVES)
        n = self.game.chance(state, numbers, odds)
        values = [self.value(self.game.after(state, int(number))) for number in numbers[:n]]
        return values[numbers[:n].tolist().index(outcome)] - float(odds[:n] @ values)

    def value(self, state: np.void) -> float:
        """Points that player 0 can expect: after a roll with the best turn, before one on average."""
        if self.game.result(state) != ONGOING:
            return float(self.game.RESULTS[self.game.result(state)])
        who = int(self.game.mover(state))
        if who == CHANCE:
            numbers, odds = np.zeros(self.game.MOST_MOVES, np.int32), np.zeros(self.game.MOST_MOVES)
            n = self.game.chance(state, numbers, odds)
            return float(odds[:n] @ [self.value(self.game.after(state, int(number))) for number in numbers[:n]])
        best, _ = self.judge.kernels["best_turn"](state, self.room, self.work)
        value = float(self.room["outcomes"][best] @ points_for(self.game, who))
        return value if who == 0 else -value
