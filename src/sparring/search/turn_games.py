"""Whole games with dice inside compiled code: each side takes the turn after which its net sees the most points.

What is noted of a game are the positions after each turn, before the next roll, as the player sees them who has just
played: that is what choosing a turn asks about.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import CHANCE, ONGOING, chance, mover, play, result
from sparring.records import copy_record
from sparring.rng import draw_below, draw_index, draw_unit
from sparring.search.turns import Judge

ENDS = 3  # set by `TurnGames`, as are the kernels: how many RESULTS there are


def best_turn(state, room, work):  # set by `TurnGames`
    raise NotImplementedError


@compiled
def roll(state, outcomes, chances, rng):
    """Roll the dice until a player is to move or the game is over."""
    while result(state) == ONGOING and mover(state) == CHANCE:
        n = chance(state, outcomes, chances)
        play(state, np.int64(outcomes[draw_index(rng, chances, n)]))


@compiled
def play_game(here, room, work, outcomes, chances, rng, explore, states, players, verdicts, loose):
    """Play one game from here[0]; returns (the end, number of turns n): an index into RESULTS, or ONGOING if cut off.

    states (STATE), players (uint8), verdicts (float32, results), loose (uint8): buffers as long as the longest game.
    Filled at 0..n-1 with the position after each turn, who played it, the chances of the best turn there as that
    player sees RESULTS, and whether a random one was taken instead. explore: the chance of that.
    """
    state = here[0]
    n = 0
    while True:
        roll(state, outcomes, chances, rng)
        end = result(state)
        if end != ONGOING or n == states.shape[0]:
            return end, n
        players[n] = mover(state)
        best, count = best_turn(state, room, work)
        for k in range(ENDS):
            verdicts[n, k] = room["outcomes"][best, k]
        loose[n] = 0
        if explore > 0.0 and draw_unit(rng) < explore:
            best = draw_below(rng, np.int64(count))
            loose[n] = 1
        copy_record(room["states"][best], states[n])
        copy_record(states[n], state)
        n += 1


class TurnGames:
    """Plays one game after another with a net on both sides; for one thread.

    What `play` leaves of its n turns, at 0..n-1: states (STATE) after each; players (uint8), who played it; verdicts
    (results,) float32, chances of the best turn as that player sees RESULTS; loose (uint8), whether it was not taken.
    """

    def __init__(self, judge: Judge, longest: int) -> None:
        game, ends = judge.game, len(judge.game.RESULTS)
        self.judge = judge
        self.kernel = game.bind("search.turn_games", **judge.kernels, ENDS=ends).play_game
        self.room, self.weights = judge.room()
        self.states = np.zeros(longest, game.STATE)
        self.players, self.loose = np.zeros(longest, np.uint8), np.zeros(longest, np.uint8)
        self.verdicts = np.zeros((longest, ends), np.float32)
        self.outcomes, self.chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)

    def play(self, rng: np.ndarray, explore: float = 0.0) -> tuple[int, int]:
        """One game: (its end, an index into RESULTS, or ONGOING where it was cut off; how many turns it took).

        rng: a generator that is the game's own. explore: the chance of a random turn.
        """
        here, dice = self.judge.game.states(1), (self.outcomes, self.chances, rng)
        seen = (self.states, self.players, self.verdicts, self.loose)
        end, n = self.kernel(here, self.room, self.weights, *dice, float(explore), *seen)
        return int(end), int(n)
