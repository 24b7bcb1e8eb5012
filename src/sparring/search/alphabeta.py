"""Principal-variation search below the root: alpha-beta with a transposition table, killers, history, quiescence.

These are kernels; `searcher.py` joins them to a game and a judgement. Everything one thread needs lies in one context
record (`context.py`) and in the table, of which the first entry is handed on: so a call passes two pointers and counts
no references. One self-recursive function for the tree and one for quiescence, called one way.

Where the rules name a small lead (PAWN) the search is selective: it reduces, prunes and extends (`selective.py`), each
as far as the rules tell it what it must know. Where they name none, every move is looked at as deeply as every other.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import (
    LIMIT,
    ONGOING,
    REPETITION,
    SLOTS,
    ended,
    exchange,
    key,
    legal,
    mover,
    noisy,
    null_move,
    play,
    prize,
    quiet,
    result,
    slot,
    threatened,
)
from sparring.records import fetch
from sparring.search.context import MOST_PLIES
from sparring.search.ordering import (
    CAPTURE,
    FIRST,
    LOSING,
    NOTHING_LEFT,
    PASSED,
    UNRATED,
    best_left,
    extend_line,
    gives_check,
    leave_quiet,
    order,
    order_by_policy,
    order_quiet,
    passed_over,
    pick,
    place_of,
    rank,
    rating_of,
    remember_cut,
    strike,
    take,
)
from sparring.search.scores import INFINITE, PROVEN, UNIT
from sparring.search.selective import (
    DELTA,
    EXCHANGE,
    EXCHANGE_DEPTH,
    EXTENSIONS,
    INTERNAL,
    NULL,
    RAZORING,
    REDUCTIONS,
    REVERSE,
    fair,
    far_above,
    far_below,
    hopeless,
    pass_depth,
    plies_less,
)
from sparring.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    SPREAD,
    bound_in,
    data_of,
    depth_in,
    entry_of,
    move_in,
    score_in,
    write_entry,
)

SCORES = (0, 0)  # set by the searcher: the score of each result for player 0
LARGEST = UNIT  # score of the largest result, above which a score is proven
HAS_NOISY = False  # whether the game names noisy moves
LEAD = 0  # score of a small lead; 0: the search is not selective
CHECKS, PASSES, PRIZES = False, False, False  # whether the game defines threatened, null_move, prize

ZERO = np.int64(0)
SPARE = np.int64(10_000)  # nodes beyond the limit that the first iteration may spend before it is content with less
UNKNOWN = np.int64(-INFINITE)  # in ctx["static"]: no judgement
NOT_YET = np.int64(1 << 20)  # moves have not been generated


def judge(work, stack, ply):  # set by the searcher: the judgement for the player to move in stack[ply]
    raise NotImplementedError


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
def known(ctx, data, state, ply, depth, alpha, beta):
    """Whether what the table holds about `state` spares its search, and the score.

    A proven win or loss holds at any depth, so it is not forgotten by a search that is less deep; but not when the
    game's limit comes before it. Where results must be exact, the depths must be equal, and no position on the way here
    may be one that the game can come back to.
    """
    score = from_table(score_in(data), ply)
    bound = bound_in(data)
    usable = depth == 0 or beta - alpha == 1  # else the best line would end here
    if ctx["exact"]:
        usable &= depth_in(data) == depth and (depth == 0 or REPETITION == 0 or quiet(state) == 0)
    else:
        usable &= depth_in(data) >= depth
        if abs(score) > LARGEST:
            if LIMIT > 0 and ctx["plies"] + PROVEN + LARGEST - abs(score) > LIMIT:
                return False, score
            if LEAD > 0:  # a selective search may not have seen the soonest end yet
                if (bound == AT_LEAST and score >= beta > 0) or (bound == AT_MOST and score <= alpha < 0):
                    return True, score
            elif bound == EXACT or (bound == AT_LEAST) == (score > 0):
                return True, score
    if usable and (bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)):
        return True, score
    return False, score


@compiled
def quiesce(ctx, ply, alpha, beta, static):
    """Score of stack[ply] when only noisy moves are followed and every player may stop where it stands.

    A player in check may not: all of his moves are followed, and a mate is seen. A first iteration that has spent far
    more than the limit follows nothing: judgements of a net that has learned nothing yet bound no exchange.
    """
    state = ctx["stack"][ply]
    end = ended(state)
    if end != ONGOING:
        return end_score(state, end, ply)
    selective = LEAD > 0 and ctx["exact"] == 0
    picky = selective and ctx["skills"] & DELTA != 0
    weary = ctx["depth"] == 0 and ctx["nodes"] - SPARE >= ctx["most_nodes"]
    checked = CHECKS and selective and not weary and ctx["checked"][ply] != 0
    best = -INFINITE
    if not checked or ply >= MOST_PLIES - 1:
        best = judged(ctx, ply) if static == UNKNOWN else static
        if best >= beta or ply >= MOST_PLIES - 1:
            return best
    if stopped(ctx) or weary:
        return max(best, -LARGEST)
    stand = best
    if checked:
        n = legal(state, ctx["moves"][ply])
        if n == 0:
            return end_score(state, result(state), ply)
    else:
        n = noisy(state, ctx["moves"][ply])
    order(ctx, ply, n, NO_MOVE)
    for i in range(n):
        found = pick(ctx, ply, i, n)
        move = np.int64(ctx["tried"][ply, i])
        low = max(alpha, best)
        if picky and not checked:
            if PRIZES and stand + (2 + (rating_of(found) - CAPTURE) // 100) * LEAD <= low:
                break  # those after it take less
            if not exchange(state, move, ZERO):
                continue
        child = ctx["stack"][ply + 1]
        ctx["stack"][ply + 1] = state
        play(child, move)
        if selective:
            ctx["checked"][ply + 1] = CHECKS and threatened(child)
            ctx["slots"][ply] = PASSED  # the order of the replies depends on no move of another line
        ctx["nodes"] += 1
        if mover(child) == mover(state):
            score = quiesce(ctx, ply + 1, low, beta, UNKNOWN)
        else:
            score = -quiesce(ctx, ply + 1, -beta, -low, UNKNOWN)
        if score > best:
            best = score
            if best >= beta:
                break
    return best


@compiled
def refined(data, static, ply):
    """The judgement of a position, bettered by what the table knows of it."""
    if data == 0:
        return static
    score, bound = from_table(score_in(data), ply), bound_in(data)
    if bound == EXACT or (bound == AT_LEAST and score > static) or (bound == AT_MOST and score < static):
        return max(min(score, LARGEST), -LARGEST)
    return static


@compiled
def ordered(ctx, ply, depth, first):
    """Generate and rate the moves of stack[ply]; returns how many. first: the table's move, or NO_MOVE."""
    n = np.int64(legal(ctx["stack"][ply], ctx["moves"][ply]))
    if 0 < ctx["order"] <= depth and first == NO_MOVE:
        order_by_policy(ctx, ply, n)
    else:
        order(ctx, ply, n, first)
    return n


@compiled
def tree(ctx, table, ply, depth, alpha, beta):
    """Score of stack[ply] for its mover, to `depth` more plies; outside of alpha..beta a bound (fail-soft)."""
    if stopped(ctx):
        return ZERO
    state = ctx["stack"][ply]
    ctx["nodes"] += 1
    ctx["line_length"][ply] = 0
    ctx["deepest"] = max(ctx["deepest"], ply)
    end = ended(state)
    if end != ONGOING:
        return end_score(state, end, ply)
    hashed = key(state)
    ctx["keys"][ctx["past"] + ply] = hashed
    if drawn(ctx, ply):
        return ZERO
    selective = LEAD > 0 and ctx["exact"] == 0
    skills = ctx["skills"]
    if selective:  # no line from here ends sooner than at the next ply
        beta = min(beta, LARGEST + PROVEN - ply - 1)
        alpha = max(alpha, ply - LARGEST - PROVEN)
        if alpha >= beta:
            return alpha
    checked = CHECKS and selective and ctx["checked"][ply] != 0
    if checked and skills & EXTENSIONS != 0 and ply < 2 * ctx["depth"] + 2:
        depth += 1
    depth = max(depth, ZERO) if ply < MOST_PLIES - 1 else ZERO
    static = UNKNOWN
    if selective and not checked:  # before the table is looked at, whose memory takes as long to come
        static = judged(ctx, ply)
    hashed = table_key(ctx, hashed, ply, depth)
    entry = entry_of(table, ctx["entries"], hashed)
    data = data_of(entry, hashed)
    first = move_in(data) if data != 0 else NO_MOVE
    if data != 0:
        enough, score = known(ctx, data, state, ply, depth, alpha, beta)
        if enough:
            return score
    if depth == 0:
        score = quiesce(ctx, ply, alpha, beta, static) if HAS_NOISY and ctx["quiescence"] else judged(ctx, ply)
        if ctx["stop"] != 0:
            return score
        bound = AT_LEAST if score >= beta else EXACT if score > alpha else AT_MOST
        write_entry(entry, hashed, ctx["age"], depth, to_table(score, ply), bound, NO_MOVE)
        return score

    # what the judgement alone decides, and a pass
    pv = beta - alpha > 1
    better = selective and not checked and ply >= 2 and static > ctx["static"][ply - 2]
    ctx["static"][ply] = static
    if selective and not checked and not pv:
        guess = refined(data, static, ply)
        if skills & REVERSE != 0 and abs(beta) < LARGEST and far_above(LEAD, depth, better, guess, beta):
            return guess
        if skills & RAZORING != 0 and HAS_NOISY and alpha < LARGEST and far_below(LEAD, depth, guess, alpha):
            score = quiesce(ctx, ply, alpha, beta, static)
            if score <= alpha or ctx["stop"] != 0:
                return score
        if PASSES and skills & NULL != 0 and depth >= 3 and guess >= beta and ctx["slots"][ply - 1] != PASSED:
            ctx["stack"][ply + 1] = state
            if null_move(ctx["stack"][ply + 1]):
                ctx["slots"][ply] = PASSED
                ctx["checked"][ply + 1] = 0
                score = -tree(ctx, table, ply + 1, pass_depth(LEAD, depth, guess, beta), -beta, 1 - beta)
                if ctx["stop"] != 0:
                    return ZERO
                if score >= beta:
                    return min(score, LARGEST)
    if selective and skills & INTERNAL != 0 and first == NO_MOVE and depth >= 4:
        depth -= 1

    n = NOT_YET  # the table's move alone often spares the others
    if not selective or first == NO_MOVE:
        n = ordered(ctx, ply, depth, first)
        if n == 0:
            return end_score(state, result(state), ply)
    else:
        ctx["tried"][ply, 0] = first
    best, best_move, low = -INFINITE, NO_MOVE, alpha
    who, left_out = mover(state), False  # left_out: all quiet moves that are left
    i = ZERO  # no literal, which would be compiled once more
    while i < n:
        found = rank(FIRST, ZERO)
        if n == NOT_YET and i > 0:
            n = ordered(ctx, ply, depth, first)
            strike(ctx, ply, n, first)
            if i >= n:
                break
        loud = not selective or i == 0 or best <= -LARGEST or pv or checked  # all moves must be looked at
        if n != NOT_YET:
            found = best_left(ctx, ply, n)
            if rating_of(found) == UNRATED:
                if not loud and hopeless(skills, LEAD, LARGEST, depth, i, static, better, low):
                    leave_quiet(ctx, ply, n)
                    left_out = True
                else:
                    order_quiet(ctx, ply, n)
                found = best_left(ctx, ply, n)
            if left_out:
                if found < NOTHING_LEFT:
                    break
                i = passed_over(ctx, ply, i, n, found)
            take(ctx, ply, i, found)
        move, rating = np.int64(ctx["tried"][ply, i]), rating_of(found)
        if PRIZES and selective and CAPTURE <= rating < FIRST and not exchange(state, move, ZERO):
            place = place_of(found)  # its turn comes after the quiet moves
            ctx["ranks"][ply, place] = rank(LOSING + rating - CAPTURE, place)
            continue
        less = ZERO
        if selective:
            ctx["slots"][ply] = slot(state, move) if SLOTS > 0 else ZERO
            gives = gives_check(ctx, ply, move)
            calm = not PRIZES or prize(state, move) == 0
            if not loud and not gives:
                if calm and not left_out and hopeless(skills, LEAD, LARGEST, depth, i, static, better, low):
                    leave_quiet(ctx, ply, n)
                    left_out = True
                    i += 1
                    continue
                if skills & EXCHANGE != 0 and depth <= EXCHANGE_DEPTH and not exchange(state, move, fair(depth, calm)):
                    i += 1
                    continue
            ctx["checked"][ply + 1] = gives
            if skills & REDUCTIONS != 0 and not checked:
                less = plies_less(depth, i, calm, better, pv, gives, rating)
        child = ctx["stack"][ply + 1]
        ctx["stack"][ply + 1] = state
        play(child, move)
        if selective:
            fetch(entry_of(table, ctx["entries"], key(child)))
        same = mover(child) == who
        high = beta if i == 0 else low + 1
        while True:  # a null window first, perhaps less deep; the full depth and window where the move turns out better
            if same:
                score = tree(ctx, table, ply + 1, depth - 1 - less, low, high)
            else:
                score = -tree(ctx, table, ply + 1, depth - 1 - less, -high, -low)
            if score <= low or ctx["stop"] != 0:
                break
            if less > 0:
                less = ZERO
            elif score >= beta or high == beta:
                break
            else:
                high = beta
        if ctx["stop"] != 0:
            return ZERO
        if score > best:
            best = score
            if score > low:
                low, best_move = score, move
                extend_line(ctx, ply, move)
                if score >= beta:
                    remember_cut(ctx, ply, depth, move, i)
                    break
        i += 1
    bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
    write_entry(entry, hashed, ctx["age"], depth, to_table(best, ply), bound, best_move)
    return best
