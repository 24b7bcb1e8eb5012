"""Perfect scores, where a game is solved: the one place of the app that knows of solvers."""

from typing import Any

import numpy as np

from sparring.app.sheet import Rows
from sparring.arena import yardsticks
from sparring.games.game import Game

SOLVING = "playing it out to the end (Ctrl+C stops)"
MEANING = "Above 0 wins, the higher the sooner; 0 draws; below 0 loses, the lower the sooner."


class Truth:
    """A perfect player of a game."""

    def __init__(self, game: Game, module: Any) -> None:
        self.game, self.module = game, module
        self.solver: Any = None

    def scores(self, state: np.void) -> dict[str, int]:
        """The score of each legal move by name, for the player to move (see MEANING). It may take a minute."""
        self.solver = self.solver or self.module.Solver()
        scores = self.solver.columns(state)
        return {self.game.move_name(state, move): int(scores[move]) for move in self.game.legal_moves(state)}

    def stop(self) -> None:
        """End a running `scores` soon (from another thread)."""
        getattr(self.solver, "stop", lambda: None)()


def row_of(scores: dict[str, int]) -> Rows:
    """The scores as a row below a board."""
    return {"score": {name: f"{score:+}" if score else "0" for name, score in scores.items()}}


def truth_of(game: Game) -> Truth | None:
    """The perfect player; None where there is none."""
    module = yardsticks.truth_for(game)
    return None if module is None else Truth(game, module)
