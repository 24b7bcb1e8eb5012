"""Principal-variation search at the root: iterative deepening, the order of the moves, the best lines."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import SLOTS, key, legal, mover, play, prize, slot, threatened
from sparring.rng import draw_below
from sparring.search.alphabeta import tree
from sparring.search.context import MOST_PLIES
from sparring.search.ordering import extend_line, order_by_policy, pick
from sparring.search.scores import INFINITE, PROVEN, UNIT
from sparring.search.selective import ASPIRATION, REDUCTIONS, plies_less
from sparring.search.table import AGES, NO_MOVE

LARGEST = UNIT  # set by the searcher, as in alphabeta.py; so are the functions from there
LEAD = 0
CHECKS, PRIZES = False, False
ZERO, ONE = np.int64(0), np.int64(1)
WINDOWS_FROM = 5  # plies from which the root's window is narrow at first


@compiled
def begin_game(ctx, table):
    """Forget what was learned in another game, so that a game's moves depend on that game alone."""
    table["key"][:] = 0
    table["data"][:] = 0
    forget(ctx)


@compiled
def forget(ctx):
    """The same for one thread's own memory, where several share a table."""
    ctx["history"][:] = 0
    ctx["killers"][:] = NO_MOVE
    ctx["follow"][:] = 0
    ctx["age"] = 0


@compiled
def rank_root(ctx, place, to, score):
    """Move the root move at `place` forward to `to`, with its score and the line found last."""
    move = ctx["root_moves"][place]
    for j in range(place, to, -1):
        ctx["root_moves"][j] = ctx["root_moves"][j - 1]
        ctx["root_scores"][j] = ctx["root_scores"][j - 1]
        ctx["root_line_length"][j] = ctx["root_line_length"][j - 1]
        for i in range(ctx["root_line_length"][j]):
            ctx["root_line"][j, i] = ctx["root_line"][j - 1, i]
    ctx["root_moves"][to] = move
    ctx["root_scores"][to] = score
    ctx["root_line_length"][to] = ctx["line_length"][0]
    for i in range(ctx["line_length"][0]):
        ctx["root_line"][to, i] = ctx["line"][0, i]


@compiled
def root(ctx, table, depth, skip, alpha, beta):
    """Search the root moves from place `skip` on to `depth`; the best goes to that place with its score and line.

    Returns its score (outside of alpha..beta a bound), or INFINITE where the iteration was cut short.
    """
    state = ctx["stack"][0]
    who = mover(state)
    selective = LEAD > 0 and ctx["exact"] == 0
    checked = CHECKS and selective and threatened(state)
    best, low = -INFINITE, alpha
    for i in range(skip, ctx["root_count"]):
        move = np.int64(ctx["root_moves"][i])
        child = ctx["stack"][1]
        ctx["stack"][1] = state
        play(child, move)
        same = mover(child) == who
        less = ZERO
        if selective:
            ctx["slots"][0] = slot(state, move) if SLOTS > 0 else ZERO
            gives = CHECKS and threatened(child)
            ctx["checked"][1] = gives
            if ctx["skills"] & REDUCTIONS != 0 and not checked:
                calm = not PRIZES or prize(state, move) == 0
                less = plies_less(depth, i - skip, calm, True, True, gives, ZERO)
        high = beta if i == skip else low + 1
        while True:
            if same:
                score = tree(ctx, table, ONE, depth - 1 - less, low, high)
            else:
                score = -tree(ctx, table, ONE, depth - 1 - less, -high, -low)
            if score <= low or ctx["stop"] != 0:
                break
            if less > 0:
                less = ZERO
            elif high == beta:
                break
            else:
                high = beta
        if ctx["stop"] != 0:
            return INFINITE
        best = max(best, score)
        if score > low:
            low = score
            extend_line(ctx, ZERO, move)
            rank_root(ctx, i, skip, score)
            if score >= beta:
                return score
    return best


@compiled
def root_line(ctx, table, depth, skip):
    """The best root move from place `skip` on, with its exact score; returns whether the iteration came to its end.

    A narrow window around the score of the iteration before it is tried first, and widened where the score is outside.
    """
    alpha, beta = -INFINITE, INFINITE
    before = np.int64(ctx["root_scores"][skip])
    width = np.int64(LEAD // 5)
    narrow = LEAD > 0 and ctx["exact"] == 0 and ctx["skills"] & ASPIRATION != 0
    if narrow and depth >= WINDOWS_FROM and abs(before) < LARGEST and ctx["root_line_length"][skip] > 0:
        alpha, beta = before - width, before + width
    while True:
        score = root(ctx, table, depth, skip, alpha, beta)
        if score == INFINITE:
            return False
        if alpha < score < beta:
            break
        width = 4 * width if width < 4 * LEAD else INFINITE
        if score <= alpha:
            alpha = max(score - width, -INFINITE)
        else:
            beta = min(score + width, INFINITE)
    to = skip
    while to > 0 and ctx["root_scores"][to - 1] < score:
        to -= 1
    rank_root(ctx, skip, to, score)
    return True


@compiled
def order_root(ctx, n):
    """Bring the root's moves into the policy's order; of equals the earlier stays so."""
    for i in range(n):
        ctx["moves"][0, i] = ctx["root_moves"][i]
    order_by_policy(ctx, ZERO, n)
    for i in range(n):
        pick(ctx, ZERO, i, n)
        ctx["root_moves"][i] = ctx["tried"][0, i]


@compiled
def settled(ctx, lines, depth):
    """Whether the best lines are all forced, to an end within `depth` plies: no deeper search betters them.

    A selective search that looks at some lines more deeply than at others may yet find a sooner end.
    """
    forced = 0
    if LEAD > 0 and ctx["exact"] == 0:
        depth = (depth - 8) // 2
    for i in range(lines):
        forced += abs(ctx["root_scores"][i]) - LARGEST >= PROVEN - depth
    return forced == lines


@compiled
def prepare(ctx, entries, depth, rng):
    """Begin a search of stack[0]: the root's moves, in order. entries: of the table. The other arguments as in `think`.

    Returns how many moves are looked at.
    """
    ctx["entries"] = entries
    ctx["nodes"] = 0
    ctx["judged"] = 0
    ctx["depth"] = 0
    ctx["deepest"] = 0
    ctx["age"] = (ctx["age"] + 1) % AGES
    for i in range(2 * MOST_PLIES):
        ctx["killers"][i // 2, i % 2] = NO_MOVE
    ctx["keys"][ctx["past"]] = key(ctx["stack"][0])
    ctx["static"][0] = -INFINITE
    n = legal(ctx["stack"][0], ctx["root_moves"][:])  # a view, as elsewhere: rules are compiled for one type
    if ctx["only"] > 0:
        n = keep_only(ctx, n)
    ctx["root_count"] = n
    if rng[0] != np.uint64(0):
        for i in range(n - 1, 0, -1):
            j = draw_below(rng, i + 1)
            ctx["root_moves"][i], ctx["root_moves"][j] = ctx["root_moves"][j], ctx["root_moves"][i]
    if 0 < ctx["order"] <= depth:
        order_root(ctx, n)
    for i in range(n):
        ctx["root_scores"][i] = 0
        ctx["root_line_length"][i] = 0
    return n


@compiled
def keep_only(ctx, n):
    """Of the n root moves keep those that were asked for; returns how many."""
    kept = ZERO
    for i in range(n):
        for j in range(ctx["only"]):
            if ctx["root_moves"][i] == ctx["only_moves"][j]:
                ctx["root_moves"][kept] = ctx["root_moves"][i]
                kept += 1
                break
    return kept


@compiled
def goes_on(ctx, lines, depth):
    """Whether a deeper iteration than this one, which has just ended, is allowed and may find something better."""
    if ctx["stop"] != 0:
        return False
    ctx["depth"] = depth
    if 0 < ctx["soft_nodes"] <= ctx["nodes"]:
        return False
    return not settled(ctx, lines, depth)


@compiled
def think(ctx, table, depth, lines, rng):
    """Search stack[0], which is not over, to `depth` plies by iterative deepening; find the `lines` best moves.

    ctx holds the limits and the game's earlier positions. rng: where rng[0] is not 0, equal moves are chosen among at
    random. Afterwards root_moves[:lines], root_scores and root_line hold the best moves in order, and ctx["depth"] the
    depth that was completed. Returns the score of the best.
    """
    lines = min(lines, prepare(ctx, table.shape[0], depth, rng))
    for d in range(1, depth + 1):
        for line in range(lines):
            if not root_line(ctx, table[0], d, line):
                break
        if not goes_on(ctx, lines, d):
            break
    return np.int64(ctx["root_scores"][0])
