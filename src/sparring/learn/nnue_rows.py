"""What an NNUE net learns from: a row a position, packed as its player to move sees it, its score, how the game ended.

SCALE steps of `score` are a judgement of 1; where a game's judgements are sums (ODDS), a chess program's centipawns.
"""

import functools
import pathlib

import numpy as np

from sparring.errors import RecordError
from sparring.games.game import Game
from sparring.records import without_gaps
from sparring.search.scores import SCALE, largest

MOST_SCORE = 32_000  # of a row, in steps; proven ends and judgements beyond it stand at it


@functools.cache
def row_dtype(game: Game) -> np.dtype:
    """dtype of a row.

    packed: PACKED. score: int16, the search's judgement in steps, for the player to move. result: uint8, an index into
    RESULTS as the player to move sees them (0: lost). flags: uint8, 0; what others keep there is not looked at.
    """
    fields = [("packed", game.PACKED), ("score", "i2"), ("result", "u1"), ("flags", "u1")]
    return without_gaps(np.dtype(fields, align=True))


def empty_rows(game: Game, n: int = 0) -> np.ndarray:
    """n rows of zeros."""
    return np.zeros(n, row_dtype(game))


def as_bytes(rows: np.ndarray) -> np.ndarray:
    """Rows as (n, bytes) uint8, for a file of arrays."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.dtype.itemsize)


def from_bytes(rows: np.ndarray, game: Game) -> np.ndarray:
    """The inverse of `as_bytes`."""
    return np.ascontiguousarray(rows).view(row_dtype(game)).reshape(-1)


def steps_of(judgement: np.ndarray) -> np.ndarray:
    """Judgements (n,) as a row's score, int16."""
    return np.clip(np.rint(np.asarray(judgement) * SCALE), -MOST_SCORE, MOST_SCORE).astype(np.int16)


def wanted(scores: np.ndarray, game: Game) -> np.ndarray:
    """The expected share of the points, 0 (the worst result) to 1 (the best), that scores (n,) stand for; float32."""
    judged = np.asarray(scores, np.float32) / np.float32(SCALE)
    top = np.float32(largest(game.RESULTS))
    value = top * np.tanh(np.float32(game.ODDS) * judged) if game.ODDS else np.clip(judged, -top, top)
    return ((1 + value / top) / 2).astype(np.float32)


def shares(game: Game) -> np.ndarray:
    """What each of RESULTS is worth, as a share of the points from 0 (the worst) to 1 (the best); float32."""
    return ((1 + np.array(game.RESULTS) / largest(game.RESULTS)) / 2).astype(np.float32)


def read_rows(path: str | pathlib.Path, game: Game) -> np.ndarray:
    """The rows of a file, in any format that the rules file reads: its `read_data(path)`, plain Python.

    That returns an array with the fields `packed`, `score` and `result`, in any layout. Raises RecordError where the
    game reads no files, and what its reader raises where the file is faulty.
    """
    if not game.defines("read_data"):
        raise RecordError(f"{path} cannot be read: {game.path.name} has no read_data(), which reads files of positions")
    found = game.module.read_data(pathlib.Path(path))
    if found.dtype == row_dtype(game):
        return np.ascontiguousarray(found)
    rows = empty_rows(game, len(found))
    for name in ("packed", "score", "result"):
        rows[name] = found[name]
    return rows
