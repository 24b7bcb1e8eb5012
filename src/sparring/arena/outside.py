"""Backgammon players that nobody here wrote: GNU Backgammon and pubeval, through the package gnubg-nn.

The package is optional, and under the GPL: nothing of it is imported before such a player is made. pubeval is Gerald
Tesauro's public evaluation (1993), the yardstick of published results; GNU Backgammon's nets play by its own lookahead.
Both are asked for a whole turn and answer with its steps; where those end is looked up among the turns of our rules.

GNU Backgammon tells chances of results too. With a cube or in a match our own reckoning chooses by them among the turns
that it lists, and handles the cube (`TurnPlayer`); pubeval plays on for points, never doubles and always takes.
"""

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.equity import POINTS
from sparring.errors import PlayerError
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.search.turns import Worths, room_dtype, weighed

PACKAGE = "gnubg_nn"
MOST_PLIES = 2
Board = list[list[int]]
"""[the other's, the mover's] checkers, each on his own points 1 to 24 and on the bar."""


@dataclass(frozen=True)
class GnubgOptions:
    """Options of `gnubg`."""

    plies: int = 0
    """How many rolls it looks ahead, 0 to 2; each takes some fifty times as long as the one before."""
    cube: bool = True
    """Handle the cube; without it, it never doubles and always takes."""


def installed() -> bool:
    """Whether these players can be made. Nothing is imported."""
    return importlib.util.find_spec(PACKAGE) is not None


def needed(game: Game, text: str) -> Any:
    """The package. PlayerError, for the player `text`, where it is not installed or the game is not backgammon."""
    if game.name != "backgammon":
        raise PlayerError(f"player {text!r} plays backgammon only, not {game.name}")
    try:
        return importlib.import_module(PACKAGE)
    except ImportError:
        raise PlayerError(f"player {text!r} needs GNU Backgammon's nets: pip install gnubg-nn") from None


class OutsideJudge:
    """Chooses turns as the package does, for a `TurnPlayer`. One a thread."""

    def __init__(self, game: Game, package: Any, plies: int, pubeval: bool = False) -> None:
        self.game, self.package, self.plies, self.pubeval = game, package, plies, pubeval
        self.all_turns = game.bind("search.turns").all_turns
        self.kernels = game.bind("arena.outside_board", all_turns=self.all_turns)
        self.room: Any = np.zeros(1, room_dtype(game))[0]
        self.board, self.laid = np.zeros((2, 25), np.int64), np.zeros((2, 25), np.int64)

    def choose(self, state: np.void, worths: Worths = None) -> Sequence[int]:
        """The moves to the position that the package wants, for points, or for `worths` if it tells chances."""
        first = self._only(state)
        if first is not None:
            return [first]
        self.kernels.lay_out(state, int(self.game.mover(state)), self.board)
        board = self.board.tolist()
        dice, left = state["dice"].tolist(), state["left"].tolist()
        place = -1
        if left == ([4, 0] if dice[0] == dice[1] else [1, 1]):
            self.board[:] = after(board, self.answer(board, dice[0], dice[1], worths))
            place = int(self.kernels.turn_to(state, self.board, self.room, self.laid))
        if place < 0:  # of the turn some moves were played, or not all dice can be: the package is asked of each end
            place = self._best(state, worths)
        return self.room["steps"][place, : self.room["length"][place]].tolist()

    def outlook(self, state: np.void, who: int) -> np.ndarray:
        """Chances (results,) of RESULTS as `who` sees them in a position after a turn, by GNU Backgammon."""
        roller = int(state["turn"])
        self.kernels.lay_out(state, roller, self.laid)
        found = chances(self.package.probabilities(self.laid.tolist(), self.plies))
        return found if who == roller else found[::-1]

    def stop(self) -> None:
        """It is not long, and nothing can end it."""

    def answer(self, board: Board, high: int, low: int, worths: Worths = None) -> list[tuple[int, int]]:
        """The package's play: each step's (from, to), columns of the board, to -1: borne off."""
        if self.pubeval:
            flat = self.package.pub_best_move(board, high, low)
            return list(zip(flat[::2], flat[1::2], strict=True))
        if worths is None:
            return [(a - 1, b - 1) for a, b in self.package.best_move(board, high, low, n=self.plies)]
        listed = self.package.best_move(board, high, low, n=self.plies, b=True, list=True)[2]
        best = 0
        if len(listed) > 1:  # the chances of an only play are not reckoned: what stands there is left to accident
            best = int(weighed(np.array([chances(there)[::-1] for _, _, there, _ in listed]), worths).argmax())
        flat = listed[best][1] if listed else ()
        return [(a - 1, b - 1) for a, b in zip(flat[::2], flat[1::2], strict=True)]

    def worth(self, board: Board, worths: Worths = None) -> float:
        """What the package thinks of a position after a turn; board: with the player's own checkers last."""
        if self.pubeval:
            return self.package.pub_eval_score(board[::-1])
        own = chances(self.package.probabilities(board[::-1], self.plies))[::-1]
        return float(weighed(own, POINTS if worths is None else worths))

    def _only(self, state: np.void) -> int | None:
        """The only move there is, if the turn ends with it."""
        moves = self.game.legal_moves(state)
        return moves[0] if len(moves) == 1 and int(state["left"].sum()) < 2 else None

    def _best(self, state: np.void, worths: Worths) -> int:
        """Place in the room, where all turns are put, of the one after which the package likes the position best."""
        n, best, top = int(self.all_turns(state, self.room)), 0, -np.inf
        for i in range(n):
            end = self.room["states"][i]
            if self.game.result(end) != ONGOING:
                return i
            self.kernels.lay_out(end, int(self.game.mover(state)), self.laid)
            value = self.worth(self.laid.tolist(), worths)
            if value > top:
                best, top = i, value
        return best


def chances(five: Sequence[float]) -> np.ndarray:
    """(6,) chances of RESULTS, from those of winning, of a gammon or more, of a backgammon, and of losing those two."""
    win, gammon, three, lost_gammon, lost_three = five
    found = np.array([lost_three, lost_gammon - lost_three, 1 - win - lost_gammon, win - gammon, gammon - three, three])
    return np.maximum(found, 0.0) / np.maximum(found, 0.0).sum()


def after(board: Board, steps: Sequence[tuple[int, int]]) -> Board:
    """The board after these steps, seen by the same player."""
    others, own = board[0][:], board[1][:]
    for source, to in steps:
        own[source] -= 1
        if to >= 0:
            own[to] += 1
            if others[23 - to]:
                others[23 - to] -= 1
                others[24] += 1
    return [others, own]
