"""Truth about games: positions of which the worth of every move is known.

The folder is the registry: `yardsticks/GAME.py` is what is known about `games/GAME.py`. It has

    PUBLIC        names of sets of positions that others report on too
    SELECTION     name of a set to choose settings by, so that PUBLIC stays for reporting
    truth(name)   -> Truth
    Solver        a perfect player: `columns_of(states, threads, tell)` -> scores as in Truth
    BOOK_PLY      up to so many moves `Solver` answers at once
    FIRST_PLY     between the two it takes too long for hundreds of positions
"""

import importlib
import pathlib
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.errors import SparringError
from sparring.games import game as games
from sparring.games.game import Game

NO_MOVE = -128  # in Truth.scores: the move is not legal


@dataclass(frozen=True)
class Truth:
    """Positions with the worth of their moves. None of them is over.

    states: (n,) STATE. scores: (n, MOVES) int8, of each move for the player to move: above 0 it wins, below 0 it
    loses, and the higher the better (a win soon, a loss late); NO_MOVE where it is not legal. plies: (n,) moves played.
    """

    name: str
    states: np.ndarray
    scores: np.ndarray
    plies: np.ndarray

    def part(self, most: int | None) -> "Truth":
        """At most so many of the positions, evenly spread over the set."""
        n = len(self.states)
        if most is None or most >= n:
            return self
        at = np.arange(most) * n // most
        return Truth(self.name, self.states[at], self.scores[at], self.plies[at])


def truth_for(game: Game) -> ModuleType | None:
    """What is known about a game of the package, or None."""
    file = pathlib.Path(__file__).parent / f"{game.name}.py"
    if game.path.parent != games.FOLDER or not file.is_file():
        return None
    return importlib.import_module(f"{__name__}.{game.name}")


def needed_truth_for(game: Game) -> ModuleType:
    """What is known about a game; SparringError where nothing is."""
    found = truth_for(game)
    if found is None:
        raise SparringError(f"no perfect player of {game.name.replace('_', '-')} is known; there is one of: {known()}")
    return found


def known() -> str:
    """The games that something is known about, as people write them."""
    here = {path.stem for path in pathlib.Path(__file__).parent.glob("*.py")}
    return ", ".join(name.replace("_", "-") for name in games.names() if name in here)
