"""Alpha-beta in its plain form: fixed order, fixed depth, no table, no judgement but the result.

The measure of how fast a game's rules run inside a search, and a second opinion on the search that people use.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, legal, mover, play, result
from sparring.games.game import Game
from sparring.search.scores import INFINITE, result_scores

SCORES = (0, 0)  # set by `bind`: the score of each result for player 0
LOW = -INFINITE


@compiled
def leaf_score(state, end, ply):
    """The score of a finished position (or 0 at the horizon) for the player to move, later ends nearer to 0."""
    if end == ONGOING:
        return 0
    score = SCORES[end]
    score -= ply if score > 0 else -ply if score < 0 else 0
    return score if mover(state) == 0 else -score


@compiled
def solve(stack, moves, depth, count, at, alpha, beta, best):
    """Score of stack[0] by alpha-beta of exactly `depth` plies over an explicit stack. Returns (score, nodes).

    stack: STATE, depth + 1. moves: int32, (depth + 1, MOST_MOVES). The others: int64, depth + 1, one frame a ply.
    """
    nodes = 1
    end = result(stack[0])
    if end != ONGOING or depth == 0:
        return leaf_score(stack[0], end, 0), nodes
    ply = 0
    alpha[0], beta[0], best[0] = LOW, -LOW, LOW
    at[0] = 0
    count[0] = legal(stack[0], moves[0])
    while True:
        if at[ply] == count[ply] or best[ply] >= beta[ply]:
            if ply == 0:
                return best[0], nodes
            score = best[ply]
            ply -= 1
            if mover(stack[ply]) != mover(stack[ply + 1]):
                score = -score
        else:
            child = stack[ply + 1]
            stack[ply + 1] = stack[ply]
            play(child, moves[ply, at[ply]])
            at[ply] += 1
            nodes += 1
            end = result(child)
            other = mover(child) != mover(stack[ply])
            if end == ONGOING and ply + 1 < depth:
                low = max(alpha[ply], best[ply])
                ply += 1
                if other:
                    alpha[ply], beta[ply] = -beta[ply - 1], -low
                else:
                    alpha[ply], beta[ply] = low, beta[ply - 1]
                best[ply] = LOW
                at[ply] = 0
                count[ply] = legal(child, moves[ply])
                continue
            score = leaf_score(child, end, ply + 1)
            if other:
                score = -score
        if score > best[ply]:
            best[ply] = score


def solve_from(game: Game, state: np.void, depth: int) -> tuple[int, int]:
    """Score for the player to move and the positions visited, of `depth` plies from a position."""
    stack = np.zeros(depth + 1, game.STATE)
    stack[0] = state
    moves = np.zeros((depth + 1, game.MOST_MOVES), np.int32)
    frames = [np.zeros(depth + 1, np.int64) for _ in range(5)]
    score, nodes = game.bind("search.plain", SCORES=result_scores(game.RESULTS)).solve(stack, moves, depth, *frames)
    return int(score), int(nodes)
