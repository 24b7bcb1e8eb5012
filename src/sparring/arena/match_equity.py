"""A match equity table from the chances of one, two and three points in a game between equals.

By backward recursion: the game at a score is worth what Janowski's model (`janowski`) gives for a chance of winning of
one half and the cube in the centre, with the results valued by the table's entries for fewer points. So both players
are taken to handle the cube as the model does, before, in and after the Crawford game. The shares of two and three
points are the same at every score: that players go for gammons where they need them is not in the model.
"""

import functools

import numpy as np

from sparring.arena.cube import EFFICIENCY, value
from sparring.arena.equity import chances_of, mirrored
from sparring.arena.match_table import MatchTable, checked, empty_table, shipped_for, table_of
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

USUAL = np.array([0.01, 0.14, 0.35, 0.35, 0.14, 0.01])
"""Chances of results in a game for which nothing better is known: 28 % won by two points, 2 % by three."""


@functools.cache
def table_for(game: str, length: int) -> MatchTable:
    """The table of a game for matches of so many points; where none comes with the package, computed from USUAL.

    Raises MatchError for a match that is longer than the table that comes with the package.
    """
    if not shipped_for(game):
        return compute_table(USUAL, length, name=f"computed for {game}")
    table = table_of(game)
    if length > table.length:
        raise MatchError(f"the match is to {length} points, but the table of {game} goes to {table.length}")
    return table


def compute_table(
    chances: np.ndarray, length: int, *, efficiency: float = EFFICIENCY, name: str = "computed"
) -> MatchTable:
    """The table for matches of up to `length` points.

    chances: (6,), of the results of a game, or how often each came, as either player sees them; players are equal, so
    they are made symmetrical. Raises MatchError for a length below 1 or chances that are none.
    """
    if length < 1:
        raise MatchError(f"length of the match equity table is {length}, but it must be at least 1")
    counts = np.asarray(chances, np.float64)
    if counts.shape != (6,) or not counts.sum() > 0:
        raise MatchError(f"chances of a game are {chances!r}, but they must be six numbers, lost by 3 … won by 3")
    level = chances_of(counts / counts.sum())
    level = (level + mirrored(level)) / 2
    table = empty_table(name, length)

    def worth(mine: int, theirs: int, crawford: bool) -> float:
        # The match is so long that these players have not come near its end before, or just have.
        stakes = Stakes(length, (length - mine, length - theirs), crawford=crawford)
        return float(value(level, stakes, 0, table, efficiency=efficiency))

    table.chances[:, 1, 1] = 0.5
    for mine in range(2, length + 1):
        late = worth(mine, 1, crawford=False)
        table.chances[1, mine, 1], table.chances[1, 1, mine] = late, 1 - late
    for mine in range(1, length + 1):
        for theirs in range(1, mine):
            early = worth(mine, theirs, crawford=theirs == 1)
            table.chances[0, mine, theirs], table.chances[0, theirs, mine] = early, 1 - early
        table.chances[0, mine, mine] = 0.5
    return checked(table)
