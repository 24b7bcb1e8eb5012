"""In which order a position's moves are looked at, and what is remembered of moves that were good."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import SLOTS, mover, play, prize, slot, threatened, threatens
from sparring.search.context import MOST_PLIES
from sparring.search.selective import CONTINUATION

LEAD = 0  # set by the searcher, as in alphabeta.py
CHECKS, FORESEES, PRIZES = False, False, False

FIRST, CAPTURE, KILLER, SECOND_KILLER, LOSING = 1 << 30, (1 << 29) + (1 << 28), 1 << 29, 1 << 28, -(1 << 28)
UNRATED = 1 << 27  # a quiet move, until those before it have been tried
MOST_HISTORY = 1 << 26
SWING = 16384  # history of a selective search lies between -SWING and SWING
PASSED = -1  # in ctx["slots"]: no move
TAKEN = np.int64(-1) << np.int64(62)  # rank of a move that has been picked
LEFT_OUT = np.int64(-1) << np.int64(61)  # added to the rank of a move that is not looked at
NOTHING_LEFT = np.int64(-1) << np.int64(60)  # such ranks, and TAKEN, are below it
PLACE = 65535


@compiled
def prefer(work, stack, ply, moves, n, ratings):  # set by the searcher where the judgement has a policy
    """Rate the n moves in stack[ply]."""
    return


@compiled
def rank(rating, place):
    """A rating and the place of its move in one number, so that of equals the earlier is the larger."""
    return np.int64(rating) * (PLACE + 1) + (PLACE - place)


@compiled
def rating_of(rank):
    """The rating in a rank."""
    return rank >> 16


@compiled
def place_of(rank):
    """The place of its move."""
    return PLACE - (rank & PLACE)


@compiled
def order(ctx, ply, n, first):
    """Rank the n moves of `ply`: the table's move, captures by their prize, killers, then by history."""
    moves, ranks = ctx["moves"][ply], ctx["ranks"][ply]
    state = ctx["stack"][ply]
    history = ctx["history"][mover(state)]
    killer, second = ctx["killers"][ply, 0], ctx["killers"][ply, 1]
    for i in range(n):
        move = np.int64(moves[i])
        taken = prize(state, move) if PRIZES and LEAD > 0 else 0
        if move == first:
            rating = np.int64(FIRST)
        elif taken > 0:
            rating = np.int64(CAPTURE + taken)
        elif move == killer:
            rating = np.int64(KILLER)
        elif move == second:
            rating = np.int64(SECOND_KILLER)
        elif LEAD > 0:
            rating = np.int64(UNRATED)
        else:
            rating = np.int64(history[move])
        ranks[i] = rank(rating, i)


@compiled
def order_quiet(ctx, ply, n):
    """Rank the quiet moves of `ply` by their history, and by what they did after the moves before."""
    moves, ranks = ctx["moves"][ply], ctx["ranks"][ply]
    state = ctx["stack"][ply]
    history = ctx["history"][mover(state)]
    one = np.int64(ctx["slots"][ply - 1]) if ply > 0 else np.int64(PASSED)
    two = np.int64(ctx["slots"][ply - 2]) if ply > 1 else np.int64(PASSED)
    continues = SLOTS > 0 and ctx["skills"] & CONTINUATION != 0
    for i in range(n):
        if rating_of(ranks[i]) == UNRATED:
            move = np.int64(moves[i])
            rating = np.int64(history[move])
            if continues:
                kind = slot(state, move)
                if one != PASSED:
                    rating += ctx["follow"][0, one, kind]
                if two != PASSED:
                    rating += ctx["follow"][1, two, kind]
            ranks[i] = rank(rating, i)


@compiled
def order_by_policy(ctx, ply, n):
    """Rank the n moves of `ply` by the policy."""
    prefer(ctx["judge"][0], ctx["stack"], ply, ctx["moves"][ply], n, ctx["ratings"][ply])
    for i in range(n):
        ctx["ranks"][ply, i] = rank(np.int64(ctx["ratings"][ply, i]), i)


@compiled
def best_left(ctx, ply, n):
    """The rank of the best of the n moves that are left; below NOTHING_LEFT where none is."""
    ranks = ctx["ranks"][ply]
    best = TAKEN
    for j in range(n):
        best = max(best, ranks[j])
    return best


@compiled
def take(ctx, ply, i, found):
    """Take the move with the rank `found`, as the i-th to be tried."""
    place = place_of(found)
    ctx["ranks"][ply, place] = TAKEN
    ctx["tried"][ply, i] = ctx["moves"][ply, place]


@compiled
def pick(ctx, ply, i, n):
    """Take the best of the n moves that are left, as the i-th to be tried; returns its rank."""
    found = best_left(ctx, ply, n)
    if rating_of(found) == UNRATED:
        order_quiet(ctx, ply, n)
        found = best_left(ctx, ply, n)
    take(ctx, ply, i, found)
    return found


@compiled
def gives_check(ctx, ply, move):
    """Whether a move from stack[ply] puts the other player in check; stack[ply + 1] may be written over."""
    if not CHECKS:
        return False
    state = ctx["stack"][ply]
    if FORESEES:
        return threatens(state, move)
    child = ctx["stack"][ply + 1]
    ctx["stack"][ply + 1] = state
    play(child, move)
    return threatened(child)


@compiled
def leave_quiet(ctx, ply, n):
    """Leave out all quiet moves that are left and give no check."""
    moves, ranks, kept = ctx["moves"][ply], ctx["ranks"][ply], ctx["ratings"][ply]
    some, unrated = False, False
    for i in range(n):
        rating = rating_of(ranks[i])
        kept[i] = 1
        if LOSING // 2 < rating < CAPTURE:
            unrated |= rating == UNRATED
            gives = gives_check(ctx, ply, np.int64(moves[i]))
            some |= gives
            kept[i] = gives
    if some and unrated:  # those that are kept need their places
        order_quiet(ctx, ply, n)
    for i in range(n):
        if kept[i] == 0:
            ranks[i] += LEFT_OUT


@compiled
def passed_over(ctx, ply, i, n, found):
    """Count as tried, from the i-th on, the moves left out that rank before `found`; returns how many were tried."""
    moves, ranks = ctx["moves"][ply], ctx["ranks"][ply]
    for j in range(n):
        if ranks[j] < NOTHING_LEFT and ranks[j] - LEFT_OUT > found:
            ranks[j] = TAKEN
            ctx["tried"][ply, i] = moves[j]
            i += 1
    return i


@compiled
def strike(ctx, ply, n, move):
    """Leave out one of the n moves of `ply`, which has been tried."""
    for i in range(n):
        if ctx["moves"][ply, i] == move:
            ctx["ranks"][ply, i] = TAKEN


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
        other = np.int64(ctx["tried"][ply, i])
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
