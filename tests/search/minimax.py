"""Plain minimax, slow and obvious: no bounds, no table, no ordering. The searches have to equal it."""

from collections.abc import Callable, Sequence

import numpy as np

from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.search.judging import Judge
from sparring.search.scores import UNIT, largest, result_scores


class Minimax:
    """Scores of positions by trying everything, for the player to move.

    past: keys of the game's earlier positions, oldest first. plies: moves played in the game so far.
    """

    def __init__(
        self, game: Game, judge: Judge, past: Sequence[int] = (), plies: int = 0, quiescence: bool = False
    ) -> None:
        self.game = game
        self.past = [int(k) for k in past]
        self.plies = plies
        self.quiescence = quiescence
        self.judge = as_function(judge)
        self.bound = round(largest(game.RESULTS) * UNIT)
        self.scores = result_scores(game.RESULTS)

    def best(self, state: np.void, depth: int) -> int:
        """Score of the best move."""
        return max(self.of_moves(state, depth).values())

    def of_moves(self, state: np.void, depth: int) -> dict[int, int]:
        """Score of every legal move."""
        path = [int(self.game.key(state))]
        return {move: self._of_move(state, move, depth, path) for move in self.game.legal_moves(state)}

    def _of_move(self, state: np.void, move: int, depth: int, path: list[int]) -> int:
        child = self.game.after(state, move)
        return self._seen_from(state, child, self._of(child, depth - 1, path))

    def _of(self, state: np.void, depth: int, path: list[int]) -> int:
        """path: the keys from the root on, up to the position before."""
        if self.game.result(state) != ONGOING:
            return self._of_end(state, len(path))
        path = [*path, int(self.game.key(state))]
        if self._drawn(state, path):
            return 0
        if depth == 0:
            return self._horizon(state, len(path) - 1)
        return max(self._of_move(state, move, depth, path) for move in self.game.legal_moves(state))

    def _of_end(self, state: np.void, ply: int) -> int:
        end = self.game.result(state)
        sooner = {len(self.scores) - 1: -ply, 0: ply}.get(end, 0)  # sooner wins, later losses
        score = self.scores[end] + sooner
        return score if self.game.mover(state) == 0 else -score

    def _drawn(self, state: np.void, path: list[int]) -> bool:
        """By the limit; where it occurred before in the search; or often enough in the game."""
        if self.game.LIMIT and self.plies + len(path) - 1 >= self.game.LIMIT:
            return True
        if not self.game.REPETITION:
            return False
        reach = int(self.game.quiet(state))
        before = [*((key, "game") for key in self.past), *((key, "search") for key in path[:-1])]
        met = [where for key, where in before[max(len(before) - reach, 0) :] if key == path[-1]]
        return "search" in met or len(met) >= self.game.REPETITION - 1

    def _horizon(self, state: np.void, ply: int) -> int:
        """The judgement, or where a noisy move is better, what comes of that."""
        if self.game.result(state) != ONGOING:
            return self._of_end(state, ply)
        best = max(min(int(np.floor(self.judge(state) * UNIT + 0.5)), self.bound), -self.bound)
        if self.quiescence:
            moves = np.zeros(self.game.MOST_MOVES, np.int32)
            for move in moves[: self.game.noisy(state, moves)]:
                child = self.game.after(state, int(move))
                best = max(best, self._seen_from(state, child, self._horizon(child, ply + 1)))
        return best

    def _seen_from(self, state: np.void, child: np.void, score: int) -> int:
        return score if self.game.mover(child) == self.game.mover(state) else -score


def as_function(judge: Judge) -> Callable[[np.void], float]:
    """The judgement of one position."""
    work = np.zeros(1, judge.dtype)
    judge.fill(work[0])
    return lambda state: float(judge.kernel(work[0], np.array([state]), 0))
