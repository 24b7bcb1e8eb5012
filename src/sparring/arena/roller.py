"""Who is to roll: a position between turns does not say so, but every roll leads to a move of the same player."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import CHANCE, ONGOING, chance, mover, play, result
from sparring.games.game import Game
from sparring.records import copy_record

NOBODY = -1


@compiled
def roller(state, after, outcomes, chances):
    """The player who moves whatever chance brings, else NOBODY. after, outcomes, chances: room for the kernel."""
    if result(state) != ONGOING or mover(state) != CHANCE:
        return NOBODY
    who = NOBODY
    for i in range(chance(state, outcomes, chances)):
        copy_record(state, after)
        play(after, np.int64(outcomes[i]))
        if result(after) != ONGOING or mover(after) == CHANCE or (i > 0 and mover(after) != who):
            return NOBODY
        who = mover(after)
    return who


class Rollers:
    """Asks who is to roll. One a thread."""

    def __init__(self, game: Game) -> None:
        self.kernel = game.bind("arena.roller").roller
        self.room = game.states(1)[0], np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)

    def of(self, state: np.void) -> int:
        """The player, or NOBODY where that is not known yet."""
        return int(self.kernel(state, *self.room))
