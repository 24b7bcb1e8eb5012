"""Principal-variation search at the root: iterative deepening, the order of the moves, the best lines."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import key, legal, mover, play
from sparring.rng import draw_below
from sparring.search.alphabeta import NO_MOVE, extend_line, order_by_policy, pick, tree
from sparring.search.context import AGES, MOST_PLIES
from sparring.search.scores import INFINITE, PROVEN, UNIT

LARGEST = UNIT  # set by the searcher, as in alphabeta.py; so are the functions from there
ZERO, ONE = np.int64(0), np.int64(1)


@compiled
def begin_game(ctx, table):
    """Forget what was learned in another game, so that a game's moves depend on that game alone."""
    table["key"][:] = 0
    table["depth"][:] = -1
    ctx["history"][:] = 0
    ctx["killers"][:] = NO_MOVE
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
def root(ctx, table, depth, skip):
    """Search the root moves from place `skip` on to `depth`; the best goes to that place with its score and line.

    Returns whether the iteration came to its end.
    """
    state = ctx["stack"][0]
    who = mover(state)
    low = -INFINITE
    for i in range(skip, ctx["root_count"]):
        move = np.int64(ctx["root_moves"][i])
        child = ctx["stack"][1]
        ctx["stack"][1] = state
        play(child, move)
        same = mover(child) == who
        high = INFINITE if i == skip else low + 1
        while True:
            if same:
                score = tree(ctx, table, ONE, depth - 1, low, high)
            else:
                score = -tree(ctx, table, ONE, depth - 1, -high, -low)
            if score <= low or high == INFINITE or ctx["stop"] != 0:
                break
            high = INFINITE
        if ctx["stop"] != 0:
            return False
        if score > low:
            low = score
            extend_line(ctx, ZERO, move)
            rank_root(ctx, i, skip, score)
    to = skip
    while to > 0 and ctx["root_scores"][to - 1] < low:
        to -= 1
    rank_root(ctx, skip, to, low)
    return True


@compiled
def order_root(ctx, n):
    """Bring the root's moves into the policy's order; of equals the earlier stays so."""
    for i in range(n):
        ctx["moves"][0, i] = ctx["root_moves"][i]
    order_by_policy(ctx, ZERO, n)
    for i in range(n):
        ctx["root_moves"][i] = pick(ctx, ZERO, i, n)


@compiled
def settled(ctx, lines, depth):
    """Whether the best lines are all forced, to an end within `depth` plies: no deeper search betters them."""
    forced = 0
    for i in range(lines):
        forced += abs(ctx["root_scores"][i]) - LARGEST >= PROVEN - depth
    return forced == lines


@compiled
def think(ctx, table, depth, lines, rng):
    """Search stack[0], which is not over, to `depth` plies by iterative deepening; find the `lines` best moves.

    ctx holds the limits and the game's earlier positions. rng: where rng[0] is not 0, equal moves are chosen among at
    random. Afterwards root_moves[:lines], root_scores and root_line hold the best moves in order, and ctx["depth"] the
    depth that was completed. Returns the score of the best.
    """
    ctx["entries"] = table.shape[0]
    ctx["nodes"] = 0
    ctx["judged"] = 0
    ctx["depth"] = 0
    ctx["age"] = (ctx["age"] + 1) % AGES
    for i in range(2 * MOST_PLIES):
        ctx["killers"][i // 2, i % 2] = NO_MOVE
    ctx["keys"][ctx["past"]] = key(ctx["stack"][0])
    n = legal(ctx["stack"][0], ctx["root_moves"])
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
    lines = min(lines, n)
    for d in range(1, depth + 1):
        for line in range(lines):
            if not root(ctx, table[0], d, line):
                break
        if ctx["stop"] != 0:
            break
        ctx["depth"] = d
        if settled(ctx, lines, d):
            break
    return np.int64(ctx["root_scores"][0])
