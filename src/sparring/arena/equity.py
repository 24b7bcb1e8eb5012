"""What a distribution over results is worth: points in money play, the chance of winning a match.

Distributions are (..., 6): the chances that the viewer wins POINTS points, worst first, as nets give them. Values are
the viewer's: points with the cube counted in, or the chance of winning the match, 0 to 1. Here the cube stays where it
is to the end of the game; `cube` values the right to turn it.
"""

import functools

import numpy as np

from sparring.arena.match_table import MatchTable
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

POINTS = np.array([-3, -2, -1, 1, 2, 3])  # of the results: lost by three points … won by three
POINTS.flags.writeable = False
PASSED, CASHED = 2, 3  # results that a double passed comes to: by the viewer, by the opponent


@functools.lru_cache(maxsize=1 << 14)
def worths(stakes: Stakes, viewer: int, table: MatchTable | None = None) -> np.ndarray:
    """(6,) float64, read-only: what each result is worth to the viewer at these stakes.

    A player who chooses by Σ chance × worth plays the score. Raises MatchError for a match without a table or longer
    than it.
    """
    if stakes.money:
        found = POINTS.astype(np.float64) * stakes.cube
    else:
        if table is None:
            raise MatchError(f"a match to {stakes.length} needs a match equity table")
        found = table.after_game(stakes, viewer, POINTS * stakes.cube)
    found.flags.writeable = False
    return found


def cubeless(chances: np.ndarray, stakes: Stakes, viewer: int, table: MatchTable | None = None) -> np.ndarray:
    """(...) float64: what distributions (..., 6) are worth to the viewer if nobody doubles any more."""
    return chances_of(chances) @ worths(stakes, viewer, table)


def per_cube(value: np.ndarray, stakes: Stakes, viewer: int, table: MatchTable | None = None) -> np.ndarray:
    """Values in points a game at this cube: +1 what a single win is worth, −1 a single loss.

    This makes equities of matches comparable to those of money play (in backgammon: EMG equity).
    """
    lost, won = worths(stakes, viewer, table)[[PASSED, CASHED]]
    return (2 * np.asarray(value) - won - lost) / (won - lost)


def mirrored(chances: np.ndarray) -> np.ndarray:
    """The same distributions as the other player sees them."""
    return np.asarray(chances)[..., ::-1]


def chances_of(chances: np.ndarray) -> np.ndarray:
    """The distributions as float64 that sum to 1; MatchError where they are none of six results."""
    found = np.asarray(chances, np.float64)
    if found.ndim == 0 or found.shape[-1] != len(POINTS):
        raise MatchError(f"a distribution has shape {found.shape}, but its last axis must be the {len(POINTS)} results")
    total = found.sum(axis=-1, keepdims=True)
    if not np.all(found >= 0) or not np.all(np.abs(total - 1) < 1e-3):
        sums = f"{total.min():.6g} … {total.max():.6g}"
        raise MatchError(f"chances of results sum to {sums}, but each must be 0 or more, and their sum 1")
    return found / total
