"""Principal-variation search below the root: alpha-beta with a transposition table, killers, history, quiescence.

These are kernels; `searcher.py` joins them to a game and a judgement. Everything one thread needs lies in one context
record (`context.py`) and in the table, of which the first entry is handed on: so a call passes two pointers and counts
no references. One self-recursive function for the tree and one for quiescence, called one way.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import (
    LIMIT,
    ONGOING,
    REPETITION,
    key,
    legal,
    mover,
    noisy,
    play,
    quiet,
    result,
)
from sparring.records import beside
from sparring.search.context import MOST_PLIES
from sparring.search.scores import INFINITE, PROVEN, UNIT

SCORES = (0, 0)  # set by the searcher: the score of each result for player 0
LARGEST = UNIT  # score of the largest result, above which a score is proven
HAS_NOISY = False  # whether the game names noisy moves


def judge(work, stack, ply):  # set by the searcher: the expected result for the player to move in stack[ply]
    raise NotImplementedError


@compiled
def prefer(work, stack, ply, moves, n, ratings):  # set by the searcher where the judgement has a policy
    """Rate the n moves in stack[ply]."""
    return


EXACT, AT_LEAST, AT_MOST = 0, 1, 2
NO_MOVE = np.int64(65535)
FIRST, KILLER, SECOND_KILLER = 1 << 30, 1 << 29, 1 << 28
MOST_HISTORY = 1 << 26
SPREAD = np.uint64(0x9E3779B97F4A7C15)
S40 = np.uint64(40)
ZERO = np.int64(0)


@compiled
def end_score(state, end, ply):
    """Score of a finished position for `mover(state)`: wins the sooner the better, losses the later."""
    score = SCORES[end]
    if end == len(SCORES) - 1:
        score -= ply
    elif end == 0:
        score += ply
    return score if mover(state) == 0 else -score


@compiled
def judged(ctx, ply):
    """Score of the judgement, kept below every proven score."""
    ctx["judged"] += 1
    score = np.int64(np.floor(judge(ctx["judge"][0], ctx["stack"], ply) * UNIT + 0.5))
    if ctx["grain"] > 1:
        score = (score + ctx["grain"] // 2) // ctx["grain"] * ctx["grain"]
    return max(min(score, LARGEST), -LARGEST)


@compiled
def stopped(ctx):
    """Whether to end the search: told so from outside, or its nodes are spent.

    The first iteration may spend what it needs, so that every move has been looked at.
    """
    if ctx["nodes"] >= ctx["most_nodes"] and ctx["depth"] > 0:
        ctx["stop"] = 1
    return ctx["stop"] != 0


@compiled
def at_limit(ctx, ply):
    """Whether the game's limit ends it at `ply`."""
    return LIMIT > 0 and ctx["plies"] + ply >= LIMIT


@compiled
def drawn(ctx, ply):
    """Whether the position at `ply` is a draw by the game's limit or by repetition.

    A position that occurred before inside the search counts as a draw at once (whoever wants to can repeat it again);
    one that occurred before the search must have occurred often enough.
    """
    if at_limit(ctx, ply):
        return True
    if REPETITION > 0:
        here = ctx["past"] + ply
        found = 0
        for i in range(here - 1, max(here - 1 - quiet(ctx["stack"][ply]), -1), -1):
            if ctx["keys"][i] == ctx["keys"][here]:
                found += 1
                if i >= ctx["past"] or found >= REPETITION - 1:
                    return True
    return False


@compiled
def from_table(score, ply):
    """A stored score counts proven plies from its own position; here they are counted from the root."""
    return score - ply if score > LARGEST else score + ply if score < -LARGEST else score


@compiled
def to_table(score, ply):
    """The inverse of from_table."""
    return score + ply if score > LARGEST else score - ply if score < -LARGEST else score


@compiled
def table_key(ctx, hashed, ply, depth):
    """The key of a position in the table. What reaches the game's limit holds only after so many moves of the game."""
    if at_limit(ctx, ply + depth):
        return hashed + np.uint64(ctx["plies"] + ply + 1) * SPREAD
    return hashed


@compiled
def known(ctx, entry, state, ply, depth, alpha, beta):
    """Whether a table entry about `state` spares its search, and the score.

    A proven win or loss holds at any depth, so it is not forgotten by a search that is less deep; but not when the
    game's limit comes before it. Where results must be exact, the depths must be equal, and no position on the way here
    may be one that the game can come back to.
    """
    score = from_table(np.int64(entry["score"]), ply)
    bound = entry["flags"] & 3
    usable = depth == 0 or beta - alpha == 1  # else the best line would end here
    if ctx["exact"]:
        usable &= entry["depth"] == depth and (depth == 0 or REPETITION == 0 or quiet(state) == 0)
    else:
        usable &= entry["depth"] >= depth
        if abs(score) > LARGEST:
            if LIMIT > 0 and ctx["plies"] + PROVEN + LARGEST - abs(score) > LIMIT:
                return False, score
            if bound == EXACT or (bound == AT_LEAST) == (score > 0):
                return True, score
    if usable and (bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)):
        return True, score
    return False, score


@compiled
def entry_of(ctx, table, hashed):
    """The entry of a key in the table, whose length is a power of two of at most 2**24; `table` is its first entry."""
    return beside(table, np.int64((hashed * SPREAD) >> S40) & (ctx["entries"] - 1))


@compiled
def store(ctx, table, hashed, ply, depth, score, bound, move):
    """Keep a result unless a deeper one of this search about another position stands there."""
    entry = entry_of(ctx, table, hashed)
    if entry["key"] != hashed and entry["flags"] >> 2 == ctx["age"] and entry["depth"] > depth + 2:
        return
    if move == NO_MOVE and entry["key"] == hashed:
        move = np.int64(entry["move"])
    entry["key"] = hashed
    entry["score"] = to_table(score, ply)
    entry["move"] = move
    entry["depth"] = depth
    entry["flags"] = bound | ctx["age"] << 2


@compiled
def order(ctx, ply, n, first):
    """Rate the n moves of `ply`: the table's move, killers, then by history."""
    moves, ratings = ctx["moves"][ply], ctx["ratings"][ply]
    history = ctx["history"][mover(ctx["stack"][ply])]
    killer, second = ctx["killers"][ply, 0], ctx["killers"][ply, 1]
    for i in range(n):
        move = moves[i]
        if move == first:
            ratings[i] = FIRST
        elif move == killer:
            ratings[i] = KILLER
        elif move == second:
            ratings[i] = SECOND_KILLER
        else:
            ratings[i] = history[move]


@compiled
def order_by_policy(ctx, ply, n):
    """Rate the n moves of `ply` by the policy."""
    prefer(ctx["judge"][0], ctx["stack"], ply, ctx["moves"][ply], n, ctx["ratings"][ply])


@compiled
def pick(ctx, ply, i, n):
    """Bring the best-rated of the moves from i on to place i and return it; of equals the earlier."""
    moves, ratings = ctx["moves"][ply], ctx["ratings"][ply]
    best = i
    for j in range(i + 1, n):
        if ratings[j] > ratings[best]:
            best = j
    move, rating = moves[best], ratings[best]
    for j in range(best, i, -1):
        moves[j], ratings[j] = moves[j - 1], ratings[j - 1]
    moves[i], ratings[i] = move, rating
    return np.int64(move)


@compiled
def remember_cut(ctx, ply, depth, move):
    """A move that refuted its position is tried early elsewhere."""
    if ctx["killers"][ply, 0] != move:
        ctx["killers"][ply, 1] = ctx["killers"][ply, 0]
        ctx["killers"][ply, 0] = move
    side = mover(ctx["stack"][ply])
    ctx["history"][side, move] = min(ctx["history"][side, move] + depth * depth, MOST_HISTORY)


@compiled
def extend_line(ctx, ply, move):
    """The best line from `ply` is `move` and then the best line from the next ply."""
    n = ctx["line_length"][ply + 1] if ply + 1 < MOST_PLIES else 0
    ctx["line"][ply, 0] = move
    for i in range(n):
        ctx["line"][ply, i + 1] = ctx["line"][ply + 1, i]
    ctx["line_length"][ply] = n + 1


@compiled
def quiesce(ctx, ply, alpha, beta):
    """Score of stack[ply] when only noisy moves are followed and every player may stop where it stands."""
    state = ctx["stack"][ply]
    end = result(state)
    if end != ONGOING:
        return end_score(state, end, ply)
    best = judged(ctx, ply)
    if best >= beta or ply >= MOST_PLIES - 1 or stopped(ctx):
        return best
    n = noisy(state, ctx["moves"][ply])
    order(ctx, ply, n, NO_MOVE)
    for i in range(n):
        move = pick(ctx, ply, i, n)
        child = ctx["stack"][ply + 1]
        ctx["stack"][ply + 1] = state
        play(child, move)
        ctx["nodes"] += 1
        low = max(alpha, best)
        if mover(child) == mover(state):
            score = quiesce(ctx, ply + 1, low, beta)
        else:
            score = -quiesce(ctx, ply + 1, -beta, -low)
        if score > best:
            best = score
            if best >= beta:
                break
    return best


@compiled
def leaf(ctx, ply, alpha, beta):
    """Score at the horizon."""
    if HAS_NOISY and ctx["quiescence"]:
        return quiesce(ctx, ply, alpha, beta)
    return judged(ctx, ply)


@compiled
def tree(ctx, table, ply, depth, alpha, beta):
    """Score of stack[ply] for its mover, to `depth` more plies; outside of alpha..beta a bound (fail-soft)."""
    if stopped(ctx):
        return ZERO
    state = ctx["stack"][ply]
    ctx["nodes"] += 1
    ctx["line_length"][ply] = 0
    end = result(state)
    if end != ONGOING:
        return end_score(state, end, ply)
    hashed = key(state)
    ctx["keys"][ctx["past"] + ply] = hashed
    if drawn(ctx, ply):
        return ZERO
    depth = max(depth, ZERO) if ply < MOST_PLIES - 1 else ZERO
    first = NO_MOVE
    hashed = table_key(ctx, hashed, ply, depth)
    entry = entry_of(ctx, table, hashed)
    if entry["key"] == hashed and entry["depth"] >= 0:
        first = np.int64(entry["move"])
        enough, score = known(ctx, entry, state, ply, depth, alpha, beta)
        if enough:
            return score
    if depth == 0:
        score = leaf(ctx, ply, alpha, beta)
        bound = AT_LEAST if score >= beta else EXACT if score > alpha else AT_MOST
        store(ctx, table, hashed, ply, depth, score, bound, NO_MOVE)
        return score
    n = legal(state, ctx["moves"][ply])
    if 0 < ctx["order"] <= depth and first == NO_MOVE:
        order_by_policy(ctx, ply, n)
    else:
        order(ctx, ply, n, first)
    who = mover(state)
    best, best_move, low = -INFINITE, NO_MOVE, alpha
    for i in range(n):
        move = pick(ctx, ply, i, n)
        child = ctx["stack"][ply + 1]
        ctx["stack"][ply + 1] = state
        play(child, move)
        same = mover(child) == who
        high = beta if i == 0 else low + 1
        while True:  # a null window first; the full one where the move turns out better
            if same:
                score = tree(ctx, table, ply + 1, depth - 1, low, high)
            else:
                score = -tree(ctx, table, ply + 1, depth - 1, -high, -low)
            if score <= low or score >= beta or high == beta or ctx["stop"] != 0:
                break
            high = beta
        if ctx["stop"] != 0:
            return ZERO
        if score > best:
            best = score
            if score > low:
                low, best_move = score, move
                extend_line(ctx, ply, move)
                if score >= beta:
                    remember_cut(ctx, ply, depth, move)
                    break
    bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
    store(ctx, table, hashed, ply, depth, best, bound, best_move)
    return best
