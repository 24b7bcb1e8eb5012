"""Games of self-play as a match sees them: chances before each roll, and what they were worth at any score and cube.

One game serves all scores and cubes at once: what both players would do with the cube is reckoned from a judgement of
every position at every cube, on the way that they take and beside it. So no double has to be tried for its own sake.
"""

import itertools
import threading
from dataclasses import dataclass

import numpy as np

from sparring.compiled import compiled
from sparring.errors import RunError
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.nets.match_net import DEAD, POINTS, MatchNet, Spot, chance_after
from sparring.nets.weights import Net
from sparring.rng import seeded
from sparring.search.turn_games import TurnGames
from sparring.search.turns import judge_by
from sparring.threads import on_threads


@dataclass(frozen=True)
class Courses:
    """Games, a row for each roll but a game's first; one at least.

    chances: (n, 6) float32, of the results, as the net saw them before the roll, for player 0. rolls: (n,) int8, 1
    where player 0 is to roll, else -1. first: (games + 1,) int64, the rows of game i are first[i] … first[i + 1] - 1.
    points: (games,) int64, what player 0 won. cut_off: games without a result, which are left out.
    """

    chances: np.ndarray
    rolls: np.ndarray
    first: np.ndarray
    points: np.ndarray
    cut_off: int = 0

    @property
    def games(self) -> int:
        """How many there are."""
        return len(self.points)

    @property
    def of_game(self) -> np.ndarray:
        """(n,): the game of each row."""
        return np.repeat(np.arange(self.games), np.diff(self.first))


class CoursePlay:
    """Plays games in which both choose every turn by the points that the net sees. Raises RunError for other games."""

    def __init__(self, game: Game, net: Net, threads: int = 1, longest: int = 3000) -> None:
        if tuple(game.RESULTS) != tuple(POINTS):
            ends = ", ".join(f"{value:g}" for value in game.RESULTS)
            raise RunError(f"{game.name} ends with {ends}, but matches need 1, 2 and 3 points each way")
        self.game, self.longest = game, longest
        judge = judge_by(game, net)
        self.players = [TurnGames(judge, longest) for _ in range(threads)]
        self.stopping = threading.Event()

    def stop(self) -> None:
        """End `play` soon (from another thread), with the games that are over."""
        self.stopping.set()

    def play(self, games: int, seed: tuple[int, ...]) -> Courses:
        """Game i depends on (*seed, i) alone."""
        found: list[tuple[int, np.ndarray, np.ndarray]] = [(ONGOING, POINTS, POINTS)] * games
        numbers = itertools.count()

        def work(worker: int) -> None:
            player = self.players[worker]
            while (i := next(numbers)) < games and not self.stopping.is_set():
                end, n = player.play(seeded(*seed, i))
                found[i] = end, *_rows(player.verdicts[:n], player.players[:n])

        on_threads(len(self.players), work, self.stop)
        whole = [one for one in found if one[0] != ONGOING and len(one[2])]
        if not whole:
            raise RunError(f"all {games} games of {self.game.name} were cut off after {self.longest} turns")
        ends, chances, rolls = zip(*whole, strict=True)
        first = np.cumsum([0, *map(len, rolls)])
        return Courses(np.concatenate(chances), np.concatenate(rolls), first, POINTS[list(ends)], games - len(whole))


def _rows(verdicts: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chances for player 0 after each turn but the last, and who is to roll then."""
    own = players[:-1, None] == 0
    rolls = np.where(players[1:] == 0, 1, -1).astype(np.int8)
    return np.where(own, verdicts[:-1], verdicts[:-1, ::-1]), rolls


@dataclass(frozen=True)
class Cubes:
    """Every cube that can matter in matches to `points` points: 0 is the one in the centre, then 2, 4, … of each.

    value, owner: (c,), as in Spot, with player 0's eyes. turned: (c, 2) int64, which cube it is once player i has
    doubled and the other has taken.
    """

    value: np.ndarray
    owner: np.ndarray
    turned: np.ndarray


def cubes_for(points: int) -> Cubes:
    """All that are reached by doubles of players who lack more points than the cube is worth."""
    turns = (points - 1).bit_length()
    value = np.array([1, *(2**k for k in range(1, turns + 1) for _ in range(2))])
    owner = np.array([0, *(1, -1) * turns])
    steps = np.array([0, *(k for k in range(1, turns + 1) for _ in range(2))])
    following = np.minimum(steps + 1, turns)
    return Cubes(value, owner, np.stack([2 * following, np.maximum(2 * following - 1, 0)], 1))


@compiled
def returns(first, rolls, dead, values, may, turned, cashed, trace, targets, opening):
    """TD(λ) targets, for player 0, of every row with every cube, the two doubling and taking as the values tell them.

    dead (n, c): his chance if nobody doubles any more. values (n, c): with the cube, once it was offered or not. may
    (games, c, 2): whether player i may double. turned (c, 2): Cubes. cashed (games, c, 2): his chance once player i's
    double was passed. Written: targets (n, c), and opening (games,) for before a game's first roll.

    Of what comes after a row only what turning the cube brings counts there, on top of the dead chance of that row:
    dead chances move with the dice alone and on average stay where they are, if the net that tells chances of results
    is right about them, and taking their moves off leaves a fraction of the scatter (a control variate).
    """
    for g in range(may.shape[0]):
        start, last = first[g], first[g + 1] - 1
        for c in range(may.shape[1]):
            targets[last, c] = dead[last, c]
        for row in range(last, start - 1, -1):
            who = 0 if rolls[row] > 0 else 1
            for c in range(may.shape[1]):
                value, target = values[row, c], targets[row, c]
                if may[g, c, who]:
                    after, cash = turned[c, who], cashed[g, c, who]
                    taken = values[row, after]
                    passes = taken > cash if who == 0 else taken < cash
                    doubled = cash if passes else taken
                    if doubled > value if who == 0 else doubled < value:
                        value, target = doubled, cash if passes else targets[row, after]
                wanted = (1.0 - trace) * value + trace * target
                if row > start:
                    targets[row - 1, c] = wanted + dead[row - 1, c] - dead[row, c]
                elif c == 0:
                    opening[g] = wanted


@dataclass(frozen=True)
class Scores:
    """Of each game its score before it, for player 0: mine, theirs (games,) int64, played (games,) bool, as in Spot."""

    mine: np.ndarray
    theirs: np.ndarray
    played: np.ndarray

    def spots(self, courses: Courses, cubes: Cubes) -> Spot:
        """Of every row with every cube: parts that broadcast to (n, c)."""
        every = np.arange(len(cubes.value))
        return self.spot(courses, cubes, np.arange(len(courses.rolls))[:, None], every)

    def spot(self, courses: Courses, cubes: Cubes, rows: np.ndarray, which: np.ndarray) -> Spot:
        """Of these rows with these cubes, in step."""
        game = courses.of_game[rows]
        score = self.mine[game], self.theirs[game], self.played[game]
        return Spot(*score, cubes.value[which], cubes.owner[which], courses.rolls[rows])


def draw_scores(games: int, points: int, rng: np.random.Generator) -> Scores:
    """At random, all alike: up to the Crawford game and after it where one player lacks one point."""
    mine, theirs = rng.integers(1, points + 1, (2, games))
    late = np.minimum(mine, theirs) == 1
    return Scores(mine, theirs, late & ((mine == theirs) | (rng.random(games) < 0.5)))


def targets_of(
    courses: Courses, at: Scores, cubes: Cubes, net: MatchNet, x: np.ndarray, trace: float
) -> tuple[np.ndarray, np.ndarray]:
    """(targets (n, c), of each row with every cube; opening (games,), before each game), see `returns`.

    x: (n, c, INPUTS), of `at.spots`. The net judges.
    """
    spot = Spot(at.mine[:, None], at.theirs[:, None], at.played[:, None], cubes.value, cubes.owner, 1)
    may = np.stack(np.broadcast_arrays(spot.turns(1), spot.turns(-1)), -1)
    cashed = np.stack([chance_after(net.scores, spot, sign * cubes.value) for sign in (1, -1)], -1)
    dead, values = x[..., DEAD].astype(np.float64), net.judged(x).astype(np.float64)
    targets, opening = np.zeros(dead.shape), np.zeros(courses.games)
    returns(courses.first, courses.rolls, dead, values, may, cubes.turned, cashed, trace, targets, opening)
    return targets, opening
