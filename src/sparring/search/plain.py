"""Alpha-beta in its plain form: fixed order, fixed depth, no table, no judgement but the result.

The measure of how fast a game's rules run inside a search, and a second opinion on the search that people use.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, legal, mover, play, result
from sparring.games.game import Game
from sparring.records import beside, copy_record, spare
from sparring.search.scores import INFINITE, result_scores

SCORES = (0, 0)  # set by `solve_from`: the score of each result for player 0
LOW = -INFINITE
ZERO, ONE = np.int64(0), np.int64(1)


@compiled
def end_score(end, who, ply):
    """The score of a finished game for player `who`, later ends nearer to 0."""
    score = np.int64(SCORES[end])
    score -= ply if score > 0 else -ply if score < 0 else 0
    return score if who == 0 else -score


@compiled
def last_ply(frame, ply, beta):
    """Score of a position whose moves, number `ply` from the root, are the last to be looked at.

    Four of five positions are visited here. They need no frame, so they are made in a record of their own.
    """
    state, moves, child = frame["state"], frame["moves"], spare(frame["state"])
    n = legal(state, moves)
    who = mover(state)
    best = LOW
    for i in range(n):
        copy_record(state, child)
        play(child, moves[i])
        end = result(child)
        score = ZERO if end == ONGOING else end_score(end, who, ply)
        if score > best:
            best = score
            if best >= beta:
                n = i + 1
                break
    frame["nodes"] += n
    return best


@compiled
def tree(frame, ply, depth, alpha, beta):
    """Score of the position of a frame by alpha-beta of exactly `depth` plies, at least 2, for the player to move.

    Its moves are number `ply` from the root. The frames behind it are written over.
    """
    state, moves, below = frame["state"], frame["moves"], beside(frame, ONE)
    child = below["state"]
    n = legal(state, moves)
    who = mover(state)
    best = LOW
    i = 0
    while i < n and best < beta:
        copy_record(state, child)
        play(child, moves[i])
        i += 1
        end = result(child)
        if end != ONGOING:
            score = end_score(end, who, ply)
        else:
            same = mover(child) == who
            low = max(alpha, best)
            bottom, top = (low, beta) if same else (-beta, -low)
            score = last_ply(below, ply + 1, top) if depth == 2 else tree(below, ply + 1, depth - 1, bottom, top)
            score = score if same else -score
        best = max(best, score)
    frame["nodes"] += i
    return best


@compiled
def solve(frame, depth):
    """Score of the position in the first of depth + 1 frames; adds the positions visited to their `nodes`."""
    frame["nodes"] += 1
    end = result(frame["state"])
    if end != ONGOING:
        return end_score(end, mover(frame["state"]), ZERO)
    if depth < 2:
        return last_ply(frame, ONE, -LOW) if depth == 1 else ZERO
    return tree(frame, ONE, depth, LOW, -LOW)


def frame_dtype(game: Game) -> np.dtype:
    """dtype of a frame, of which a search of some plies needs one more than plies."""
    return np.dtype([("state", game.STATE), ("nodes", "i8"), ("moves", "i4", (game.MOST_MOVES,))], align=True)


def solve_from(game: Game, state: np.void, depth: int) -> tuple[int, int]:
    """Score for the player to move and the positions visited, of `depth` plies from a position."""
    frames = np.zeros(depth + 1, frame_dtype(game))
    frames[0]["state"] = state
    score = game.bind("search.plain", SCORES=result_scores(game.RESULTS)).solve(frames[0], depth)
    return int(score), int(frames["nodes"].sum())
