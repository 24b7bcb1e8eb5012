"""What is known about Connect Four: public and own sets of positions with the exact score of every column.

The files in `data` have a line for each position: the columns played, 1 to 7, and the seven scores for the player to
move (`connect_four_solver` says what they mean), `.` for a full column. `benchmarks/connect_four_data.py` makes them.
"""

import functools
import pathlib
from collections.abc import Iterable, Sequence

import numpy as np

from sparring.arena.yardsticks import NO_MOVE, Truth
from sparring.arena.yardsticks.connect_four_solver import Solver
from sparring.errors import SparringError, nearest
from sparring.games.connect_four import STATE

__all__ = ["BOOK_PLY", "FIRST_PLY", "PUBLIC", "SELECTION", "Solver", "told", "truth"]

FOLDER = pathlib.Path(__file__).parent / "data"
PUBLIC = ("L1_R1", "L1_R2", "L2_R1", "L3_R1")
SELECTION = "selection"
BOOK_PLY, FIRST_PLY = 2, 8


@functools.cache
def truth(name: str) -> Truth:
    """The set of that name."""
    names = (*PUBLIC, SELECTION)
    if name not in names:
        raise SparringError(f"no set {name!r} of positions.{nearest(name, names)} There are: {', '.join(names)}")
    return read(name, (FOLDER / f"connect_four_{name}.txt").read_text(encoding="utf-8").splitlines())


def read(name: str, lines: Iterable[str]) -> Truth:
    """Positions and scores from the lines of a file; what begins with # is passed over."""
    rows = [line.split() for line in lines if not line.startswith("#")]
    scores = [[NO_MOVE if word == "." else int(word) for word in row[1:]] for row in rows]
    plies = np.array([len(row[0]) for row in rows])
    return Truth(name, states_of([row[0] for row in rows]), np.array(scores, np.int8), plies)


def write(texts: Sequence[str], scores: np.ndarray) -> str:
    """The lines of a file."""
    rows = (" ".join("." if score == NO_MOVE else str(score) for score in row) for row in scores.tolist())
    return "".join(f"{text} {row}\n" for text, row in zip(texts, rows, strict=True))


def states_of(texts: Sequence[str]) -> np.ndarray:
    """Positions from columns played, each as 1 to 7: (n,) STATE. The columns must have room."""
    states = np.zeros(len(texts), STATE)
    for state, text in zip(states, texts, strict=True):
        heights, sides = [0] * 7, [0, 0]
        for ply, column in enumerate(map("1234567".index, text)):
            sides[ply % 2] |= 1 << 7 * column + heights[column]
            heights[column] += 1
        mover = len(text) % 2
        state["own"], state["other"], state["placed"] = sides[mover], sides[1 - mover], len(text)
    return states


def told(score: int, mover: int, players: tuple[str, str]) -> str:
    """A score in words, such as `X wins with its 7th stone`. mover: 0 or 1, who is to move."""
    if score == 0:
        return "draw"
    stones = 22 - abs(score)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(stones % 10 if stones > 20 else stones, "th")
    return f"{players[mover if score > 0 else 1 - mover]} wins with its {stones}{ending} stone"
