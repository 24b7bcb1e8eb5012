"""Whole turns judged without a net: by a function of the rules file, `NAME(state, who)`.

It says what the position after a turn is worth to player `who`, who has just played it: in any unit, more is better.
"""

from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, RESULTS, mover, result
from sparring.games.game import Game
from sparring.search import judging, turns

OVER = 1e9  # what a result counts more than any judgement, for each point that it is worth


def all_turns(state, room):  # set by `RulesJudge`
    raise NotImplementedError


def opinion(state, who):  # set by `RulesJudge`: the function of the rules file
    raise NotImplementedError


@compiled
def best_turn(state, room):
    """The turn of most worth to the player to move: (its place, how many turns there are). All are judged."""
    n = all_turns(state, room)
    who = mover(state)
    best = 0
    for i in range(n):
        end = result(room["states"][i])
        if end != ONGOING:
            room["values"][i] = OVER * (RESULTS[end] if who == 0 else -RESULTS[end])
        else:
            room["values"][i] = opinion(room["states"][i], who)
        if room["values"][i] > room["values"][best]:
            best = i
    return best, n


class RulesJudge:
    """A judgement of the rules file that turns are chosen by, for one thread. It tells no chances of results.

    looked: how many turns `rank` judged.
    """

    plies = 0

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name
        joined = game.bind("search.turns").all_turns
        function = judging.rules_function(game, name)
        self.best_turn = game.bind("search.turn_rules", all_turns=joined, opinion=function).best_turn
        self.room: Any = np.zeros(1, turns.room_dtype(game))[0]
        self.looked = 0

    def rank(self, state: np.void, worths: turns.Worths = None, most: int = 1) -> list[turns.Ranked]:
        """The best turns, `most` at most. worths are passed over: whoever knows no chances cannot weigh results."""
        _, self.looked = self.best_turn(state, self.room)
        order = np.argsort(-self.room["values"][: self.looked], kind="stable")[:most]
        return [turns.ranked(self.game, self.room, i, float(self.room["values"][i]), 0) for i in order.tolist()]

    def choose(self, state: np.void, worths: turns.Worths = None) -> tuple[int, ...]:
        """The moves of the best turn."""
        best, _ = self.best_turn(state, self.room)
        return tuple(map(int, self.room["steps"][best, : self.room["length"][best]]))

    def stop(self) -> None:
        """It is never long."""
