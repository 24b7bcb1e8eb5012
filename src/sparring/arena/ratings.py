"""Ratings of many players who met in any order: Bradley and Terry's model, fitted by maximum likelihood.

Player i is taken to score 1 / (1 + 10^((r_j - r_i) / 400)) a game against player j, and a draw is half a win and half
a loss. Models with a parameter for draws (Rao and Kupper, Davidson) were left aside: they must be told wins, draws
and losses apart, how often strong players draw differs from game to game, and on a matrix of points the likelihood
below puts the ratings where each player's expected points equal the points made, whatever the draws were. What it
gets wrong is the spread: draws, and openings played from both sides, vary less than coin tosses do, so the intervals
are on the wide side.

Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952; L. R. Ford, "Solution of a
ranking problem from binary comparisons", 1957, for when a maximum exists.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from sparring.errors import MatchError

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

ELO_A_NAT = 400 / math.log(10)
"""Elo points in one unit of the natural logarithm of the odds."""

VIRTUAL_GAMES = 0.5
"""Drawn games lent to a player where the results alone would put the ratings infinitely far apart; see `rate`."""

MOST_STEPS = 200
"""Newton steps at most; ten are usual."""


@dataclass(frozen=True)
class Rating:
    """One player's row in a table of ratings."""

    name: str
    elo: float
    """Rating in Elo points; the anchor of the player's group stands at a fixed number."""
    low: float
    high: float
    """Ends of the interval of `elo` as a difference from the anchor, whose own interval has no width."""
    games: float
    points: float
    """Points made in those games: 1 a win, one half a draw."""
    group: int
    """0 for the anchor's group, then by size. Players of different groups are linked by no chain of games, and
    their ratings cannot be compared."""
    open_ended: bool
    """True where the results give no finite difference from the anchor, because no chain of points leads back from
    one to the other: `elo` then rests on virtual draws, and the true distance may be any larger one."""


def rate(
    results: Iterable[tuple[str, str, float, float]],
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    confidence: float = 0.95,
) -> list[Rating]:
    """Rate every player in `results`, rows of (player, opponent, points of player, games).

    Returns the rows by group, best player first; their order and values do not depend on the order of `results`.
    Rows of the same two players add up; games of a player against itself say nothing of strength and are left out.
    `anchor` stands at `anchor_elo`; without one, it is the player with the most games, then the first by name. A
    group without the anchor gets one of its own in that way.

    Players who won or lost everything, or sets of players who never lost a point to the rest, have no finite
    maximum. Every two players of such different sets who met are lent drawn games: each player's `VIRTUAL_GAMES`
    spread over the opponents met, by the games with each. Two players at n : 0 then stand as at n + 1/2 : 1/2.
    None are lent between players linked both ways by points; where all are, the ratings are the plain maximum.

    Raises `MatchError` for negative games, points outside 0..games, and an anchor that did not play.
    """
    if not 0 < confidence < 1:
        raise MatchError(f"rate: confidence is {confidence}; it lies between 0 and 1, 0.95 for 95 %.")
    names, points = _points_matrix(results)
    if anchor is not None and anchor not in names:
        raise MatchError(f"rate: the anchor {anchor!r} has played no game.")
    games = points + points.T
    total = games.sum(axis=1)
    reach = _closure(points > 0)
    width = NormalDist().inv_cdf((1 + confidence) / 2)
    rows = []
    for group, members in enumerate(_groups(games, names, anchor)):
        busiest = int(np.argmax(total[members]))
        fixed = busiest if group or anchor is None else members.index(names.index(anchor))
        part = np.ix_(members, members)
        elo, error = _fit(_with_virtual_draws(points[part], reach[part]), fixed)
        for k in sorted(range(len(members)), key=lambda k: (-elo[k], names[members[k]])):
            i, centre, reach_out = members[k], anchor_elo + float(elo[k]), width * float(error[k])
            linked = bool(reach[i, members[fixed]] and reach[members[fixed], i])
            rows.append(
                Rating(
                    name=names[i],
                    elo=centre,
                    low=centre - reach_out,
                    high=centre + reach_out,
                    games=float(total[i]),
                    points=float(points[i].sum()),
                    group=group,
                    open_ended=not linked,
                )
            )
    return rows


def _points_matrix(results: Iterable[tuple[str, str, float, float]]) -> tuple[list[str], Matrix]:
    """Names in alphabetical order, and what each (row) scored against each other (column)."""
    sums: defaultdict[tuple[str, str], float] = defaultdict(float)
    for a, b, points, games in results:
        if games < 0:
            raise MatchError(f"rate: games of {a} against {b} is {games}; it cannot be negative.")
        if not 0 <= points <= games:
            raise MatchError(f"rate: points of {a} against {b} is {points}; {games} games give 0 to {games} points.")
        if a != b and games > 0:
            sums[a, b] += points
            sums[b, a] += games - points
    names = sorted({name for name, _ in sums})
    place = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)))
    for (a, b), total in sums.items():
        matrix[place[a], place[b]] = total
    return names, matrix


def _groups(games: Matrix, names: list[str], anchor: str | None) -> list[list[int]]:
    """Players linked by games, as sorted places in `names`: the anchor's group first, then the larger ones."""
    linked = _closure(games > 0)
    groups = {tuple(np.flatnonzero(row).tolist()) for row in linked}
    first = names.index(anchor) if anchor is not None else -1
    return [list(group) for group in sorted(groups, key=lambda group: (first not in group, -len(group), group))]


def _closure(steps: Mask) -> Mask:
    """Which player leads to which by any number of steps; each leads to itself."""
    reach = steps | np.eye(len(steps), dtype=np.bool_)
    while True:
        weights = reach.astype(np.float32)
        farther: Mask = weights @ weights > 0
        if np.array_equal(farther, reach):
            return reach
        reach = farther


def _with_virtual_draws(points: Matrix, reach: Mask) -> Matrix:
    """`points` with draws lent to every two players who met but are not linked by points both ways."""
    games = points + points.T
    share = games / games.sum(axis=1, keepdims=True)
    lent = VIRTUAL_GAMES * (share + share.T)
    return points + np.where(reach & reach.T, 0.0, lent / 2)


def _fit(points: Matrix, fixed: int) -> tuple[Matrix, Matrix]:
    """Elo of each player above player `fixed`, and its standard error, by Newton's method.

    The logarithm of the likelihood is concave, and its maximum exists when points lead from each player to each
    other one, which the caller sees to.
    """
    games = points + points.T
    free = np.arange(len(points)) != fixed
    rating = np.zeros(len(points))
    likelihood = _log_likelihood(points, rating)
    for _ in range(MOST_STEPS):
        slope, information = _derivatives(points, games, rating)
        step = np.zeros(len(points))
        step[free] = np.linalg.solve(information[np.ix_(free, free)], slope[free])
        size = float(np.abs(step[:, None] - step[None, :])[games > 0].max(initial=0.0))
        # Far from the maximum the parabola of a step may overshoot.
        while (better := _log_likelihood(points, rating + step)) < likelihood - 1e-9 * abs(likelihood):
            step /= 2
        rating, likelihood = rating + step, better
        if size < 1e-8:
            break
    _, information = _derivatives(points, games, rating)
    variance = np.zeros(len(points))
    variance[free] = np.diag(np.linalg.inv(information[np.ix_(free, free)]))
    return rating * ELO_A_NAT, np.sqrt(variance) * ELO_A_NAT


def _log_likelihood(points: Matrix, rating: Matrix) -> float:
    gap = rating[:, None] - rating[None, :]
    return -float((points * np.logaddexp(0.0, -gap)).sum())


def _derivatives(points: Matrix, games: Matrix, rating: Matrix) -> tuple[Matrix, Matrix]:
    """Points made above those expected, for each player, and the Fisher information of the ratings in nats."""
    expected = np.exp(-np.logaddexp(0.0, rating[None, :] - rating[:, None]))
    slope: Matrix = (points - games * expected).sum(axis=1)
    weight = games * expected * expected.T
    information: Matrix = np.diag(weight.sum(axis=1)) - weight
    return slope, information
