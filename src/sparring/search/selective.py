"""What a selective search may leave out, in numbers: where it reduces, prunes and extends, and by how much.

Margins are multiples of LEAD, the score of a small lead (in chess a pawn). Every technique can be switched off by its
name, which is how its worth is measured (benchmarks/results.md).
"""

import math

import numpy as np

from sparring.compiled import compiled

SKILLS = {
    "extensions": "a player in check is looked at one ply deeper",
    "reverse": "a position that is far above what it needs is left (reverse futility)",
    "razoring": "a position that is far below what it needs is looked at by quiescence first",
    "null": "a position that is good enough even after a pass is left (null move)",
    "internal": "a position whose best move nobody knows is looked at less deeply (internal reduction)",
    "late": "quiet moves late in the order are left out near the horizon (late move pruning)",
    "futility": "quiet moves that cannot reach what is needed are left out near the horizon",
    "exchange": "moves that lose material in exchanges are left out near the horizon",
    "reductions": "moves late in the order are looked at less deeply first (late move reductions)",
    "continuation": "quiet moves are ordered by what they did after the moves before them",
    "delta": "in quiescence, captures that cannot reach what is needed, or lose material, are left out",
    "aspiration": "the root begins with a window around the last score",
}
BITS = {name: 1 << i for i, name in enumerate(SKILLS)}
ALL_SKILLS = (1 << len(SKILLS)) - 1
EXTENSIONS, REVERSE, RAZORING, NULL, INTERNAL, LATE, FUTILITY, EXCHANGE = (1 << i for i in range(8))
REDUCTIONS, CONTINUATION, DELTA, ASPIRATION = (1 << i for i in range(8, 12))

REVERSE_DEPTH, RAZOR_DEPTH, LATE_DEPTH, FUTILE_DEPTH, EXCHANGE_DEPTH = 7, 2, 6, 6, 6
TABLE = 64  # depths and places in the order that LESS tells apart
LESS = np.zeros((TABLE, TABLE), np.int8)
for _depth in range(1, TABLE):
    for _place in range(1, TABLE):
        LESS[_depth, _place] = int(0.75 + math.log(_depth) * math.log(_place) / 2.25)


@compiled
def far_above(lead, depth, better, static, beta):
    """Whether a judgement is so far above beta that no reply is worth looking for."""
    return depth <= REVERSE_DEPTH and static - lead * 3 * (depth - better) // 4 >= beta


@compiled
def far_below(lead, depth, static, alpha):
    """Whether a judgement is so far below alpha that only captures can help."""
    return depth <= RAZOR_DEPTH and static + lead * (3 + 2 * depth * depth) < alpha


@compiled
def pass_depth(lead, depth, static, beta):
    """Plies that are left after a pass."""
    return depth - 1 - (3 + depth // 4 + min((static - beta) // (2 * lead), 3))


@compiled
def late_enough(depth, place, better):
    """Whether a quiet move at this place in the order comes too late."""
    return depth <= LATE_DEPTH and place > (3 + depth * depth) // (2 - better)


@compiled
def futile(lead, depth, static, alpha):
    """Whether a quiet move cannot be expected to reach alpha."""
    return depth <= FUTILE_DEPTH and static + lead * (3 + 4 * depth) // 4 <= alpha


@compiled
def hopeless(skills, lead, largest, depth, place, static, better, alpha):
    """Whether quiet moves need not be looked at from this place in their order on (0: the first), near the horizon.

    largest: the score above which a score is proven.
    """
    if skills & LATE != 0 and late_enough(depth, place, better):
        return True
    return skills & FUTILITY != 0 and alpha < largest and futile(lead, depth, static, alpha)


@compiled
def fair(depth, calm):
    """The least that the exchange a move begins must gain, in hundredths of a lead."""
    return -60 * depth if calm else -90 * depth


@compiled
def plies_less(depth, place, calm, better, pv, check, history):
    """By how many plies a move at this place in the order is reduced first. history: of a quiet move, its rating."""
    if depth < 3 or place < 2:
        return np.int64(0)
    less = np.int64(LESS[min(depth, TABLE - 1), min(place, TABLE - 1)])
    if not calm:
        less -= 1 + pv
        history = 0
    less += 1 - better - 2 * pv - check - min(max(history // 12000, -2), 2)
    return min(max(less, 0), depth - 2)
