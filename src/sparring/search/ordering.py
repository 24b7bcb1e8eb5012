"""In which order a position's moves are looked at, and what is remembered of moves that were good."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import SLOTS, mover, prize, slot
from sparring.search.context import MOST_PLIES
from sparring.search.selective import CONTINUATION

LEAD = 0  # set by the searcher, as in alphabeta.py
PRIZES = False

FIRST, CAPTURE, KILLER, SECOND_KILLER, LOSING = 1 << 30, (1 << 29) + (1 << 28), 1 << 29, 1 << 28, -(1 << 28)
MOST_HISTORY = 1 << 26
SWING = 16384  # history of a selective search lies between -SWING and SWING
PASSED = -1  # in ctx["slots"]: no move


@compiled
def prefer(work, stack, ply, moves, n, ratings):  # set by the searcher where the judgement has a policy
    """Rate the n moves in stack[ply]."""
    return


@compiled
def order(ctx, ply, n, first):
    """Rate the n moves of `ply`: the table's move, captures by their prize, killers, then by history."""
    moves, ratings = ctx["moves"][ply], ctx["ratings"][ply]
    state = ctx["stack"][ply]
    history = ctx["history"][mover(state)]
    killer, second = ctx["killers"][ply, 0], ctx["killers"][ply, 1]
    for i in range(n):
        move = np.int64(moves[i])
        taken = prize(state, move) if PRIZES and LEAD > 0 else 0
        if move == first:
            ratings[i] = FIRST
        elif taken > 0:
            ratings[i] = CAPTURE + taken
        elif move == killer:
            ratings[i] = KILLER
        elif move == second:
            ratings[i] = SECOND_KILLER
        else:
            ratings[i] = history[move]
            if SLOTS > 0 and ctx["skills"] & CONTINUATION:
                ratings[i] += continued(ctx, ply, slot(state, move))


@compiled
def continued(ctx, ply, kind):
    """What a move of this kind did before, after the last move and after the one before that."""
    total = np.int64(0)
    for back in range(min(ply, 2)):
        before = ctx["slots"][ply - 1 - back]
        if before != PASSED:
            total += ctx["follow"][back, before, kind]
    return total


@compiled
def order_by_policy(ctx, ply, n):
    """Rate the n moves of `ply` by the policy."""
    prefer(ctx["judge"][0], ctx["stack"], ply, ctx["moves"][ply], n, ctx["ratings"][ply])


@compiled
def pick(ctx, ply, i, n):
    """Bring the best-rated of the moves from i on to place i and return it; of equals the earlier.

    The others keep their order, but in a selective search, where ratings hardly ever are equal.
    """
    moves, ratings = ctx["moves"][ply], ctx["ratings"][ply]
    best = i
    for j in range(i + 1, n):
        if ratings[j] > ratings[best]:
            best = j
    move, rating = moves[best], ratings[best]
    if LEAD > 0:
        moves[best], ratings[best] = moves[i], ratings[i]
    else:
        for j in range(best, i, -1):
            moves[j], ratings[j] = moves[j - 1], ratings[j - 1]
    moves[i], ratings[i] = move, rating
    return np.int64(move)


@compiled
def remember_cut(ctx, ply, depth, move, place):
    """A move that refuted its position is tried early elsewhere. place: of it, among the moves that were tried."""
    state = ctx["stack"][ply]
    side = mover(state)
    if LEAD == 0:
        remember_killer(ctx, ply, move)
        ctx["history"][side, move] = min(ctx["history"][side, move] + depth * depth, MOST_HISTORY)
        return
    if PRIZES and prize(state, move) > 0:
        return
    remember_killer(ctx, ply, move)
    much = min(depth * depth * 16 + 64 * depth, 2048)
    learn(ctx, ply, side, move, much)
    for i in range(place):
        other = np.int64(ctx["moves"][ply, i])
        if not PRIZES or prize(state, other) == 0:
            learn(ctx, ply, side, other, -much)


@compiled
def remember_killer(ctx, ply, move):
    """The last two different moves that refuted a position at this ply."""
    if ctx["killers"][ply, 0] != move:
        ctx["killers"][ply, 1] = ctx["killers"][ply, 0]
        ctx["killers"][ply, 0] = move


@compiled
def learn(ctx, ply, side, move, much):
    """Shift a quiet move's history by `much`, the less the nearer it is to its end."""
    was = np.int64(ctx["history"][side, move])
    ctx["history"][side, move] = was + much - was * abs(much) // SWING
    if SLOTS > 0:
        kind = slot(ctx["stack"][ply], move)
        for back in range(min(ply, 2)):
            before = ctx["slots"][ply - 1 - back]
            if before != PASSED:
                was = np.int64(ctx["follow"][back, before, kind])
                ctx["follow"][back, before, kind] = was + much - was * abs(much) // SWING


@compiled
def extend_line(ctx, ply, move):
    """The best line from `ply` is `move` and then the best line from the next ply."""
    n = ctx["line_length"][ply + 1] if ply + 1 < MOST_PLIES else 0
    ctx["line"][ply, 0] = move
    for i in range(n):
        ctx["line"][ply, i + 1] = ctx["line"][ply + 1, i]
    ctx["line_length"][ply] = n + 1
