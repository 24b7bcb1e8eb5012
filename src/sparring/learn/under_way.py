"""A game on its way inside a kernel of self-play: dice, the keys of its positions, its end by rules, repetition, limit.

A lane is any record with a position `root`, `moves` and `chances` as room, the number of moves made `plies`, and `row`
and `past`, which say where the keys of its earlier positions stand in `keys`, and how many.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import CHANCE, LIMIT, ONGOING, REPETITION, chance, key, mover, play, quiet, result
from sparring.games.walk import occurrences
from sparring.rng import draw_index

DRAW = 0  # set by who binds it: the result that stands for a draw
ZERO = np.int64(0)


@compiled
def roll(state, lane, rng):
    """Roll the dice until a player is to move or the game is over. Returns how often."""
    rolled = ZERO
    while result(state) == ONGOING and mover(state) == CHANCE:
        n = chance(state, lane["moves"], lane["chances"])
        play(state, np.int64(lane["moves"][draw_index(rng, lane["chances"], n)]))
        rolled += 1
    return rolled


@compiled
def remember_key(lane, keys):
    """The root's key joins those of the game's earlier positions."""
    if REPETITION > 0 and lane["past"] < keys.shape[1]:
        keys[lane["row"], lane["past"]] = key(lane["root"][0])
        lane["past"] += 1


@compiled
def outcome_of(lane, keys):
    """The result at the root, by the rules, by repetition or by the limit; or ONGOING."""
    end = result(lane["root"][0])
    if end != ONGOING:
        return end
    if LIMIT > 0 and lane["plies"] >= LIMIT:
        return np.int64(DRAW)
    if REPETITION > 0 and lane["past"] < keys.shape[1]:
        own = keys[lane["row"]]
        own[lane["past"]] = key(lane["root"][0])
        if occurrences(own, lane["past"], quiet(lane["root"][0])) >= REPETITION - 1:
            return np.int64(DRAW)
    return np.int64(ONGOING)
