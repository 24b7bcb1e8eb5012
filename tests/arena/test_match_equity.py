"""A computed match equity table is the one that trying every doubling point finds, and near the published one."""

import functools

import numpy as np
import pytest

from sparring.arena.cube import value
from sparring.arena.match_equity import USUAL, compute_table, table_for
from sparring.arena.match_table import table_of
from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

SINGLE = np.array([0, 0, 1, 1, 0, 0])  # a game without gammons
BACKGAMMON = np.array([0.006, 0.13, 0.364, 0.364, 0.13, 0.006])  # 27 % gammons, 1 % of them backgammons
ABAK = np.array([0.05, 0.15, 0.3, 0.3, 0.15, 0.05])
GRID = np.linspace(0, 1, 481)  # chances of winning at which the slow twin may double
HALF = len(GRID) // 2


class Slow:
    """A live cube, a chance of winning that moves without jumps: all points at which to double next are tried."""

    def __init__(self, chances, chance=None):
        self.shares = np.array(chances[3:]) / sum(chances[3:])
        self.chance, self.mine_to_turn = functools.cache(chance or self.chance), functools.cache(self.mine_to_turn)

    def chance(self, mine, theirs, played):
        """Of winning the match, for the player who lacks `mine`."""
        if mine <= 0 or theirs <= 0:
            return 1.0 if mine <= 0 else 0.0
        crawford = not played and 1 in (mine, theirs)
        if crawford or (mine, theirs) == (1, 1):
            return (self.won(mine, theirs, 1, played) + self.lost(mine, theirs, 1, played)) / 2
        # A straight line from the opponent's doubling point below a half to the own one above it.
        low, high = self.doubled_by_them(mine, theirs, 1, played), self.doubled_by_me(mine, theirs, 1, played)
        a, b = GRID[: HALF + 1, None], GRID[None, HALF:]
        with np.errstate(invalid="ignore"):
            lines = ((b - 0.5) * low[: HALF + 1, None] + (0.5 - a) * high[None, HALF:]) / (b - a)
        lines[HALF, 0] = np.nan
        least = np.nanmin(lines, axis=0)
        return float(np.nanmax(least))

    def won(self, mine, theirs, cube, played):
        later = played or 1 in (mine, theirs)
        return sum(s * self.chance(mine - n * cube, theirs, later) for n, s in enumerate(self.shares, 1))

    def lost(self, mine, theirs, cube, played):
        return 1 - self.won(theirs, mine, cube, played)

    def doubled_by_me(self, mine, theirs, cube, played):
        """Value on the grid if I double there: the opponent takes or passes, whichever is worse for me."""
        later = played or 1 in (mine, theirs)
        return np.minimum(self.theirs_to_turn(mine, theirs, 2 * cube, played), self.chance(mine - cube, theirs, later))

    def doubled_by_them(self, mine, theirs, cube, played):
        return 1 - self.doubled_by_me(theirs, mine, cube, played)[::-1]

    def mine_to_turn(self, mine, theirs, cube, played):
        """Value on the grid of a cube that I own: the best of all points at which to double next, or never."""
        lost, won = self.lost(mine, theirs, cube, played), self.won(mine, theirs, cube, played)
        best = lost + GRID * (won - lost)
        if mine <= cube:
            return best
        doubled = self.doubled_by_me(mine, theirs, cube, played)
        for i in range(1, len(GRID)):
            line = lost + GRID[: i + 1] / GRID[i] * (doubled[i] - lost)
            best[: i + 1] = np.maximum(best[: i + 1], line)
        return best

    def theirs_to_turn(self, mine, theirs, cube, played):
        return 1 - self.mine_to_turn(theirs, mine, cube, played)[::-1]


@pytest.mark.parametrize("chances", [SINGLE, BACKGAMMON, ABAK], ids=["single", "backgammon", "abak"])
def test_with_a_live_cube_the_table_is_what_trying_every_doubling_point_finds(chances):
    table, slow = compute_table(chances, 6, efficiency=1), Slow(chances)
    for mine in range(1, 7):
        assert table.chance(mine, 1, True) == pytest.approx(slow.chance(mine, 1, True), abs=0.001)
        for theirs in range(1, 7):
            assert table.chance(mine, theirs) == pytest.approx(slow.chance(mine, theirs, False), abs=0.001)


@pytest.mark.parametrize("chances", [SINGLE, BACKGAMMON, ABAK, [1, 5, 1, 1, 5, 1]], ids=str)
@pytest.mark.parametrize("mine, theirs, cube", [(7, 7, 2), (9, 4, 2), (3, 8, 2), (5, 4, 2), (11, 10, 4), (5, 1, 2)])
def test_a_live_cube_of_ones_own_is_worth_what_trying_every_doubling_point_finds(chances, mine, theirs, cube):
    table, played = table_of("backgammon"), theirs == 1
    slow, win = Slow(chances, table.chance), GRID[:, None]
    batch = np.concatenate([(1 - win) * slow.shares[::-1], win * slow.shares], 1)
    owned = value(batch, Stakes(15, (15 - mine, 15 - theirs), cube, 0), 0, table, efficiency=1)
    given = value(batch, Stakes(15, (15 - theirs, 15 - mine), cube, 1), 0, table, efficiency=1)
    below = np.arange(len(GRID)) <= np.argmax(slow.doubled_by_me(mine, theirs, cube, played))  # the first cash point
    assert owned[below] == pytest.approx(slow.mine_to_turn(mine, theirs, cube, played)[below], abs=0.002)
    assert given == pytest.approx(1 - owned[::-1])


def test_without_gammons_the_scores_around_the_crawford_game_are_known():
    for efficiency in (0, 0.68, 1):
        table = compute_table(SINGLE, 9, efficiency=efficiency)
        assert table.after == pytest.approx([0.5, 0.5, 0.25, 0.25, 0.125, 0.125, 0.0625, 0.0625, 0.03125])
        assert table.before[1:, 0] == pytest.approx([0.25, 0.25, 0.125, 0.125, 0.0625, 0.0625, 0.03125, 0.03125])


def test_with_a_dead_cube_the_table_is_that_of_a_series_of_games():
    table = compute_table(SINGLE, 9, efficiency=0)
    for mine in range(2, 10):
        for theirs in range(2, 10):
            around = (table.chance(mine - 1, theirs) + table.chance(mine, theirs - 1)) / 2
            assert table.chance(mine, theirs) == pytest.approx(around)


def test_players_are_equal():
    uneven = np.array([1, 6, 3, 9, 2, 4])
    table, mirror = compute_table(uneven, 9), compute_table(uneven[::-1], 9)
    assert table.before == pytest.approx(mirror.before) and table.after == pytest.approx(mirror.after)
    assert table.before + table.before.T == pytest.approx(np.ones((9, 9)))
    assert np.diag(table.before) == pytest.approx(0.5)


def test_a_shorter_table_is_the_head_of_a_longer_one():
    short, long = compute_table(ABAK, 5), compute_table(ABAK, 9)
    assert short.before == pytest.approx(long.before[:5, :5])
    assert short.after == pytest.approx(long.after[:5])


def test_from_backgammons_chances_it_comes_near_the_published_table():
    off = np.abs(compute_table(BACKGAMMON, 15).before - table_of("backgammon").before[:15, :15])
    assert off.max() < 0.015 and np.sqrt(np.mean(off**2)) < 0.004


def test_counts_of_games_do_as_well_as_chances():
    assert compute_table(1000 * ABAK, 4).before == pytest.approx(compute_table(ABAK, 4).before)


@pytest.mark.parametrize(
    "chances, length, said",
    [
        (SINGLE, 0, "length of the match equity table is 0"),
        (SINGLE[:5], 5, "six numbers"),
        (np.zeros(6), 5, "six numbers"),
        ([1, 1, 1, -1, 1, 1], 5, "0 or more"),
    ],
)
def test_what_gives_no_table_is_refused(chances, length, said):
    with pytest.raises(MatchError, match=said):
        compute_table(chances, length)


def test_a_game_without_a_table_of_its_own_gets_a_computed_one():
    table = table_for("sprint", 4)
    assert table.length == 4
    assert np.array_equal(table.before, compute_table(USUAL, 4).before)
    assert table_for("backgammon", 4) is table_of("backgammon")


def test_a_match_longer_than_the_table_that_comes_with_the_package_is_refused():
    longest = table_of("backgammon").length
    with pytest.raises(MatchError, match=f"the match is to 99 points, but the table of backgammon goes to {longest}"):
        table_for("backgammon", 99)
