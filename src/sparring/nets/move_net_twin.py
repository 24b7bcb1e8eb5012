"""A MoveNet inside alpha-beta: it judges leaves by their overview alone, and where it is asked rates the moves.

Prospects take far longer than an overview, so the policy is for positions with a tree below them.
"""

from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import mover, overview, prospects
from sparring.games.game import Game
from sparring.nets.move_net import MoveNet
from sparring.nets.move_net_kernels import policy, value
from sparring.nets.twin import expected
from sparring.nets.weights import check_fits

NOTHING = np.float32(0)
UNIT = np.float32(1 << 16)  # rating of a logit of 1
MOST = np.float32(1 << 27)


@compiled
def judge(work, stack, ply):
    """The expected result for the player to move in stack[ply]."""
    overview(stack[ply], work["overview"])
    value(work)
    return expected(work["ends"], mover(stack[ply]))


@compiled
def prefer(work, stack, ply, moves, n, ratings):
    """Rate the n moves in stack[ply]: ratings (int32), the higher the likelier to be chosen by the policy."""
    seen, logits = work["prospects"], work["logits"]
    for move in range(seen.shape[0]):
        for i in range(seen.shape[1]):
            seen[move, i] = NOTHING
    overview(stack[ply], work["overview"])
    prospects(stack[ply], seen)
    policy(work)
    for i in range(n):
        ratings[i] = np.int32(max(min(logits[moves[i]] * UNIT, MOST), -MOST))


def join(net: MoveNet, game: Game, where: str = "the net") -> ModuleType:
    """This module's kernels joined to the game; `work` is a record of `move_net_kernels.record_dtype`."""
    check_fits(net, game, where)
    return game.bind("nets.move_net_twin", expected=game.bind("nets.twin").expected)
