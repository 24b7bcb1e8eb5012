"""The kernel of games that are played for their positions: random openings, early ends, which positions are kept.

A game stays in a lane and its buffers between calls, so that one call never lasts long. Scores are those of the
search, a million to a judgement of 1.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import (
    LIMIT,
    ONGOING,
    REPETITION,
    RESULTS,
    key,
    legal,
    mover,
    pack,
    play,
    prize,
    quiet,
    result,
    threatened,
)
from sparring.games.walk import DRAWN, occurrences
from sparring.learn.nnue_rows import MOST_SCORE
from sparring.rng import draw_below
from sparring.search.adjudication import RUN, WON, count_score, verdict
from sparring.search.scores import CENT

PATIENCE = 32  # openings that are thrown away before a game makes do with less
ZERO, ONE = np.int64(0), np.int64(1)
NEVER = np.int64(1) << np.int64(62)

LANE = np.dtype(
    [
        ("halt", "i8"),  # set from outside: come back after the move
        ("depth", "i8"),  # the deepest a search may go
        ("soft", "i8"),  # nodes after which a search begins no new iteration
        ("hard", "i8"),  # nodes that end one anywhere
        ("brief", "i8"),  # nodes for a position that is not kept; 0: as many as for others
        ("least", "i8"),  # random moves at the start, from least to most
        ("most", "i8"),
        ("fair", "i8"),  # an opening beyond this score is thrown away
        ("extreme", "i8"),  # positions with a score beyond this are not kept
        ("plies", "i8"),  # of the game: positions up to states[plies]
        ("opening", "i8"),  # the plies that were random
        ("thrown", "i8"),  # openings thrown away in this game
        ("nodes", "i8"),  # of all searches of the game
        *RUN,
    ],
    align=True,
)


def think(ctx, table, depth, lines, rng):  # set by who joins it: the search
    raise NotImplementedError


def begin_game(ctx, table):  # likewise
    raise NotImplementedError


@compiled
def new_game(ctx, table, lane, states, moves, rng):
    """Begin a game whose first position is states[0]: forget the one before, play random moves."""
    begin_game(ctx, table)
    lane["thrown"] = 0
    lane["nodes"] = 0
    open_game(ctx, lane, states, moves, rng)


@compiled
def open_game(ctx, lane, states, moves, rng):
    """Play random moves from states[0] to a position that is not over; with fewer moves where it comes to that."""
    while True:
        fewer = lane["thrown"] // PATIENCE
        most = max(lane["most"] - fewer, ZERO)
        least = min(lane["least"], most)
        plies = least + draw_below(rng, most - least + ONE)
        n = ZERO
        while n < plies and result(states[n]) == ONGOING:
            ctx["keys"][n] = key(states[n])
            step(states, n, np.int64(moves[draw_below(rng, np.int64(legal(states[n], moves)))]))
            n += ONE
        if result(states[n]) == ONGOING:
            break
        lane["thrown"] += 1
    lane["plies"], lane["opening"] = n, n
    lane["ahead"], lane["even"] = 0, 0


@compiled
def step(states, n, move):
    """states[n + 1] is what the move makes of states[n]."""
    states[n + 1] = states[n]
    play(states[n + 1], move)


@compiled
def over(ctx, states, n):
    """How the game ends at states[n]: an index into RESULTS, DRAWN, or ONGOING. Its key joins those of the game."""
    end = np.int64(result(states[n]))
    if end != ONGOING:
        return end
    ctx["keys"][n] = key(states[n])
    if REPETITION > 0 and occurrences(ctx["keys"], n, quiet(states[n])) >= REPETITION - 1:
        return np.int64(DRAWN)
    if n + 1 >= states.shape[0] or (LIMIT > 0 and n >= LIMIT):
        return np.int64(DRAWN)
    return np.int64(ONGOING)


@compiled
def adjudicated(lane, score, n):
    """How the game ends because its scores leave no doubt, or ONGOING. score: of position n, as player 0 sees it."""
    count_score(lane, score, n)
    end = verdict(lane)
    return np.int64(len(RESULTS) - 1) if end == WON else end


@compiled
def search(ctx, table, lane):
    """Search ctx["stack"][0] by the lane's limits; returns (score, nodes).

    A position that will not be kept needs no exact score: one in check is looked at briefly, and so is one whose best
    move after a brief look takes something. The table remembers that look, so that going on costs next to nothing.
    """
    still = np.zeros(1, np.uint64)  # no choice at random among equal moves
    depth, state, spent = np.int64(lane["depth"]), ctx["stack"][0], ZERO
    if lane["brief"] > 0:
        ctx["stop"], ctx["soft_nodes"], ctx["most_nodes"] = 0, lane["brief"], lane["brief"]
        score = np.int64(think(ctx, table, depth, ONE, still))
        spent = np.int64(ctx["nodes"])
        if unfit(state, np.int64(ctx["root_moves"][0])):
            return score, spent
    ctx["stop"] = 0  # the brief look may have set it
    ctx["soft_nodes"], ctx["most_nodes"] = max(lane["soft"] - spent, ONE), max(lane["hard"] - spent, ONE)
    score = np.int64(think(ctx, table, depth, ONE, still))
    return score, spent + np.int64(ctx["nodes"])


@compiled
def unfit(state, best):
    """Whether a judgement of the position is of no use, as its best move answers a threat or takes something."""
    return threatened(state) or prize(state, best) > 0


@compiled
def play_on(ctx, table, lane, states, scores, played, moves, rng, nodes):
    """Go on with the game for about so many nodes; returns how it ended, or ONGOING.

    states (STATE): longer than the longest game, states[:lane["plies"]] are there. scores (int32), played (int32): of
    each position from lane["opening"] on the search's score, as player 0 sees it, and its move, which was played.
    """
    spent = ZERO
    while spent < nodes and lane["halt"] == 0:
        n = np.int64(lane["plies"])
        end = over(ctx, states, n)
        if end != ONGOING:
            return end
        ctx["stack"][0] = states[n]
        ctx["past"], ctx["plies"] = n, n
        score, looked = search(ctx, table, lane)
        spent += looked
        lane["nodes"] += looked
        if n == lane["opening"] and abs(score) > lane["fair"] and lane["thrown"] < PATIENCE:
            lane["thrown"] += 1
            open_game(ctx, lane, states, moves, rng)
            continue
        scores[n] = score if mover(states[n]) == 0 else -score
        played[n] = ctx["root_moves"][0]
        step(states, n, np.int64(played[n]))
        lane["plies"] = n + ONE
        end = adjudicated(lane, np.int64(scores[n]), n)
        if end != ONGOING:
            return end
    return np.int64(ONGOING)


@compiled
def keep_rows(ctx, lane, states, scores, played, end, rows, hashes):
    """Write the positions to learn from of a finished game; returns how many.

    Left out: the random opening, positions in check, those whose best move takes something, extreme scores, and what
    had been on the board before. end: an index into RESULTS. hashes: uint64, the keys of the rows.
    """
    kept = ZERO
    for n in range(lane["opening"], lane["plies"]):
        state, score = states[n], np.int64(scores[n])
        if abs(score) > lane["extreme"] or unfit(state, np.int64(played[n])):
            continue
        if occurrences(ctx["keys"], n, quiet(state)) > 0:
            continue
        first = mover(state) == 0
        row = rows[kept]
        pack(state, row["packed"])
        row["score"] = to_cents(score if first else -score)
        row["result"] = end if first else len(RESULTS) - 1 - end
        row["flags"] = 0
        hashes[kept] = ctx["keys"][n]
        kept += ONE
    return kept


@compiled
def to_cents(score):
    """The search's score as a row has it; rounded, halves away from 0."""
    cents = min((abs(score) + CENT // 2) // CENT, MOST_SCORE)
    return cents if score >= 0 else -cents


@compiled
def keep_new(seen, rows, hashes, n):
    """Bring those of rows[:n] to the front that no earlier call had; returns how many.

    seen: uint64, a power of two that is larger than all keys in it, zeros before the first call.
    """
    mask = np.uint64(seen.shape[0] - 1)
    one = np.uint64(1)
    kept = ZERO
    for i in range(n):
        hashed = max(hashes[i], one)  # 0 marks an empty place
        place = hashed & mask
        while seen[np.int64(place)] != np.uint64(0) and seen[np.int64(place)] != hashed:
            place = (place + one) & mask
        if seen[np.int64(place)] == hashed:
            continue
        seen[np.int64(place)] = hashed
        rows[kept] = rows[i]
        kept += ONE
    return kept
