"""Janowski's model of the doubling cube: what the right to turn it is worth.

Source: Rick Janowski, "Take-Points in Money Games" (1993), in the form that GNU Backgammon gave it for matches. A
position is the viewer's chance of winning and, among his wins and among his losses, the shares of one, two and three
points, which are taken as constant while the game goes on. Two values bracket the truth:

- dead cube: it is never turned again, and the value is a straight line over the chance of winning;
- live cube: the chance moves without jumps, and each player doubles exactly where the other may as well pass. The
  value is straight between 0, the take point, the cash point and 1.

The truth lies between: (1 − efficiency) × dead + efficiency × live. In money play the live take point is
(L − ½) / (W + L + ½), with W and L the mean points of a win and of a loss. In a match it is found from the largest
cube that can matter downwards: the line of the player who takes ends where he himself doubles again (recube vig).

One thing is added to the dead cube: a player who loses the match with this game anyway, and whom the cube as it stands
does not carry to the end, has nothing to lose by doubling, and does so at his next roll.
"""

import functools
from dataclasses import dataclass

import numpy as np

from sparring.arena.equity import CASHED, PASSED, POINTS, chances_of, worths
from sparring.arena.match_table import MatchTable
from sparring.arena.stakes import MOST_CUBE, Stakes

WINS, LOSSES = slice(3, 6), slice(2, None, -1)  # results of a distribution, from one point to three
NOTHING = 1e-12  # chances and differences below it are none

Corners = tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""(take point, value there), (cash point, value there)."""


@dataclass(frozen=True)
class Steps:
    """The cube as it is and after each further double that can matter, as a viewer sees it.

    worth: (k, 6), what the results are worth at each step. may: whether the viewer, the opponent may double now. idle:
    whether the viewer, the opponent loses nothing by it. endless: money play, where every further step is like the one
    before, and only the first is there.
    """

    worth: np.ndarray
    may: tuple[bool, bool]
    idle: tuple[bool, bool]
    endless: bool


@functools.lru_cache(maxsize=1 << 14)
def steps_of(stakes: Stakes, viewer: int, table: MatchTable | None = None) -> Steps:
    """The steps from these stakes on."""
    may = stakes.may_double(viewer), stakes.may_double(1 - viewer)
    if stakes.money:
        return Steps(worths(stakes, viewer)[None], may, (False, False), True)
    mine, theirs, cube = stakes.away(viewer), stakes.away(1 - viewer), stakes.cube
    worth = [worths(stakes, viewer, table)]
    while max(mine, theirs) > cube and cube < MOST_CUBE:
        cube *= 2
        assert table is not None  # worths has seen to it
        worth.append(table.after_game(stakes, viewer, POINTS * cube))
    idle = may[0] and theirs <= stakes.cube < mine, may[1] and mine <= stakes.cube < theirs
    return Steps(np.array(worth), may, idle, False)


def parts(chances: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chance of winning (...), shares of one, two and three points among wins and among losses (..., 3).

    Where there are no wins (losses), they would be by one point.
    """
    found = chances_of(chances)
    win, loss = found[..., WINS].sum(-1), found[..., LOSSES].sum(-1)
    single = np.array([1.0, 0.0, 0.0])

    def shares(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
        some = whole > NOTHING
        return np.where(some[..., None], part / np.where(some, whole, 1)[..., None], single)

    return win, shares(found[..., WINS], win), shares(found[..., LOSSES], loss)


def janowski(win: np.ndarray, wins: np.ndarray, losses: np.ndarray, steps: Steps, share: np.ndarray) -> np.ndarray:
    """Value (...) at chances of winning `win` (...), shares `wins` and `losses` (..., 3), efficiency `share`."""
    return (1 - share) * _dead(win, wins, losses, steps) + share * _live(win, wins, losses, steps)


def _ends(wins: np.ndarray, losses: np.ndarray, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean worth of a loss and of a win, results being worth `worth` (6,)."""
    return losses @ worth[LOSSES], wins @ worth[WINS]


def _dead(win: np.ndarray, wins: np.ndarray, losses: np.ndarray, steps: Steps) -> np.ndarray:
    """The cube is not turned again, but by a player who loses nothing by it."""
    lost, won = _ends(wins, losses, steps.worth[0])
    stays = lost + win * (won - lost)
    if not any(steps.idle):
        return stays
    lost, won = _ends(wins, losses, steps.worth[1])
    turned = lost + win * (won - lost)
    if steps.idle[0]:
        return np.maximum(stays, np.minimum(turned, steps.worth[0, CASHED]))
    return np.minimum(stays, np.maximum(turned, steps.worth[0, PASSED]))


def _live(win: np.ndarray, wins: np.ndarray, losses: np.ndarray, steps: Steps) -> np.ndarray:
    """Both double at the last moment at which the other still takes: straight from corner to corner."""
    lost, won = _ends(wins, losses, steps.worth[0])
    (take, low), (cash, high) = _corners(wins, losses, steps)
    if all(steps.may) and not steps.endless:
        # In the centre, whether one is too good to double depends on what the other's double would cost.
        high = np.maximum(steps.worth[0, CASHED], low + (won - low) * _ratio(cash - take, 1 - take))
        low = np.minimum(steps.worth[0, PASSED], lost + (high - lost) * _ratio(take, cash))
    below = lost + (low - lost) * _ratio(win, take)
    between = low + (high - low) * _ratio(win - take, cash - take)
    above = high + (won - high) * _ratio(win - cash, 1 - cash)
    return np.where(win < take, below, np.where(win <= cash, between, above))


def _corners(wins: np.ndarray, losses: np.ndarray, steps: Steps) -> Corners:
    """Where a live cube is turned now: the opponent doubles at the take point, the viewer at the cash point."""
    lost, won = _ends(wins, losses, steps.worth[-1])
    if steps.endless:
        mean_win, mean_loss = wins @ POINTS[WINS], losses @ POINTS[WINS]
        take = (mean_loss - 0.5) / (mean_win + mean_loss + 0.5)
        cash = (mean_loss + 1) / (mean_win + mean_loss + 0.5)
        return _turned(take, cash, lost, won, steps.worth[0], steps.may)
    corners: Corners = (np.zeros_like(lost), lost), (np.ones_like(won), won)
    for step in range(len(steps.worth) - 2, -1, -1):
        # Who takes owns the doubled cube: his line runs from his loss to the corner at which he turns it himself.
        (take, low), (cash, high) = corners
        own_take = cash * _ratio(steps.worth[step, PASSED] - lost, high - lost)
        own_cash = 1 - (1 - take) * _ratio(won - steps.worth[step, CASHED], won - low)
        lost, won = _ends(wins, losses, steps.worth[step])
        corners = _turned(own_take, own_cash, lost, won, steps.worth[step], (True, True) if step else steps.may)
    return corners


def _turned(
    take: np.ndarray, cash: np.ndarray, lost: np.ndarray, won: np.ndarray, worth: np.ndarray, may: tuple[bool, bool]
) -> Corners:
    """The corners at a step, where a game lost or won is worth `lost` or `won`, and results are worth `worth` (6,).

    Who may not double has his at the end of the line. Who is too good to double even where the other may as well pass
    has it on the line: he plays on.
    """
    low = np.minimum(worth[PASSED], lost + take * (won - lost))
    high = np.maximum(worth[CASHED], lost + cash * (won - lost))
    me, opponent = may
    return (take, low) if opponent else (np.zeros_like(lost), lost), (cash, high) if me else (np.ones_like(won), won)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, 0 where the whole is nothing."""
    some = whole > NOTHING
    return np.where(some, part / np.where(some, whole, 1), 0.0)
