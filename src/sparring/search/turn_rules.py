"""Whole turns judged without a net: by a function of the rules file, `NAME(state, who)`.

It says what the position after a turn is worth to player `who`, who has just played it: in any unit, more is better.
"""

from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, RESULTS, key, mover, result
from sparring.games.game import Game
from sparring.search import judging, turns

OVER = 1e9  # what a result counts more than any judgement, for each point that it is worth


def all_turns(state, room):  # set by `RulesJudge`
    raise NotImplementedError


def opinion(state, who):  # set by `RulesJudge`: the function of the rules file
    raise NotImplementedError


@compiled
def best_turn(state, room):
    """The turn of most worth to the player to move: (its place, how many turns there are). All are judged.

    Among equals any, by the keys of where they end: the first would always be of the same kind.
    """
    n = all_turns(state, room)
    who = mover(state)
    states, values = room["states"], room["values"]
    best = 0
    for i in range(n):
        end = result(states[i])
        if end != ONGOING:
            values[i] = OVER * (RESULTS[end] if who == 0 else -RESULTS[end])
        else:
            values[i] = opinion(states[i], who)
        if values[i] > values[best] or (values[i] == values[best] and key(states[i]) < key(states[best])):
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
        best, self.looked = self.best_turn(state, self.room)
        order = np.argsort(-self.room["values"][: self.looked], kind="stable")
        order = np.append(best, order[order != best])[:most]
        return [turns.ranked(self.game, self.room, i, float(self.room["values"][i]), 0) for i in order.tolist()]

    def choose(self, state: np.void, worths: turns.Worths = None) -> tuple[int, ...]:
        """The moves of the best turn."""
        best, _ = self.best_turn(state, self.room)
        return tuple(map(int, self.room["steps"][best, : self.room["length"][best]]))

    def stop(self) -> None:
        """It is never long."""
