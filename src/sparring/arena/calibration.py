"""Whether a net's chances can be trusted: what it foresees after each turn of games with itself, against what comes.

Positions of one game share its end, so they are no independent observations: ten times as many of them say hardly
more. Games are independent, and standard errors are taken over games: of the ratio of two sums over games (Cochran
1977; as errors of clustered data, Liang and Zeger 1986). What is rare and happened not to come shows no spread at all;
so one more game that ends otherwise is thought to each group.
"""

import itertools
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sparring.arena.points import in_points
from sparring.arena.stats import student_t
from sparring.errors import MatchError
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.intervals import two_sided
from sparring.nets.weights import Net
from sparring.rng import seeded
from sparring.search import turns
from sparring.search.rollouts import LONGEST
from sparring.search.turn_games import TurnGames
from sparring.search.turns import points_for
from sparring.threads import on_threads

BINS = 10
TOLERANCE = 0.02  # that chances may be off and still be trusted: two points of percent


@dataclass(frozen=True)
class Forecasts:
    """What a net foresaw after each turn before the last of some games, and how the games ended.

    number: (n,) int32, which game a position is of. eyes: (n,) uint8, who had just played. chances: (n, results)
    float32 and ends: (n,) uint8, an index: both as that player sees RESULTS. played: games, without those cut off.
    """

    number: np.ndarray
    eyes: np.ndarray
    chances: np.ndarray
    ends: np.ndarray
    played: int
    cut_off: int = 0


@dataclass(frozen=True)
class Question:
    """Something a net foretells. worths: (2, results), what each of RESULTS counts, as players 0 and 1 see them.

    chance: whether it is one, 0 to 1; else it is points a game.
    """

    name: str
    worths: np.ndarray
    chance: bool = True


@dataclass(frozen=True)
class Bin:
    """Positions of about the same forecast. predicted, observed: means. error: standard error of their difference."""

    positions: int
    games: int
    predicted: float
    observed: float
    error: float

    @property
    def gap(self) -> float:
        """How much more came than was foreseen."""
        return self.observed - self.predicted

    @property
    def reach(self) -> float:
        """Half the 95 % interval of the gap, by Student's t over games; infinite for a single game."""
        return self.error * student_t(two_sided(0.95), self.games - 1) if self.games > 1 else math.inf


@dataclass(frozen=True)
class Calibration:
    """How well a question was foretold. bins: of equal counts, lowest forecast first. whole: all positions."""

    question: Question
    bins: tuple[Bin, ...]
    whole: Bin


class Forecaster:
    """Plays games with a net on both sides and notes what it foresees. done: how many games so far.

    Raises MatchError for a game without dice, whose games would all be one, WeightsError for a net that does not fit.
    """

    def __init__(self, game: Game, net: Net, threads: int = 1, where: str = "the net") -> None:
        if not game.defines("chance"):
            raise MatchError(f"{game.name} has no dice: a net's games with itself would all be the same one")
        self.game = game
        judge = turns.judge_by(game, net, where)
        self.players = [TurnGames(judge, LONGEST) for _ in range(threads)]
        self.stopping = threading.Event()
        self.done = 0

    def stop(self) -> None:
        """End `play` soon (from another thread)."""
        self.stopping.set()

    def play(self, games: int, seed: int) -> Forecasts:
        """So many games, at least 2; game i from stream i of the seed, whichever thread plays it."""
        if games < 2:
            raise MatchError(f"games is {games}, but at least 2 are needed to see how sure a figure is")
        found: list[tuple[np.ndarray, np.ndarray, int] | None] = [None] * games
        numbers = itertools.count()
        self.done = 0

        def work(thread: int) -> None:
            player = self.players[thread]
            while (i := next(numbers)) < games and not self.stopping.is_set():
                end, n = player.play(seeded(seed, i))
                while end != ONGOING and n and self.game.result(player.states[n - 1]) != ONGOING:
                    n -= 1  # the game was over then: that is no forecast
                found[i] = player.players[:n].copy(), player.verdicts[:n].copy(), end
                self.done += 1

        on_threads(len(self.players), work, self.stop)
        whole = [one for one in found if one is not None and one[2] != ONGOING]
        if len(whole) < 2:
            raise MatchError(f"{games - len(whole)} of {games} games were cut off after {LONGEST} turns; 2 must end")
        return gather(whole, len(self.game.RESULTS), games - len(whole))


def gather(games: Sequence[tuple[np.ndarray, np.ndarray, int]], results: int, cut_off: int = 0) -> Forecasts:
    """Forecasts of games that ended: of each who played its turns (n,), the chances (n, results) then, and its end."""
    eyes = np.concatenate([own for own, _, _ in games])
    number = np.repeat(np.arange(len(games), dtype=np.int32), [len(own) for own, _, _ in games])
    end = np.array([end for _, _, end in games], np.uint8)[number]
    ends = np.where(eyes == 0, end, results - 1 - end).astype(np.uint8)
    return Forecasts(number, eyes, np.concatenate([chances for _, chances, _ in games]), ends, len(games), cut_off)


def questions(game: Game) -> list[Question]:
    """What nets of the game foretell: to win, and where it is won by points, by how many to win and to lose."""
    points = np.stack([points_for(game, who) for who in (0, 1)])
    sizes = sorted({abs(value) for value in game.RESULTS} - {0.0})

    def named(verb: str, size: float) -> str:
        return verb if size == sizes[0] else f"{verb} by {size:g}{'' if size == sizes[-1] else ' or more'}"

    found = [Question(named("win", size), (points >= size).astype(float)) for size in sizes]
    if 0.0 in game.RESULTS:
        found.append(Question("draw", (points == 0).astype(float)))
    found += [Question(named("lose", size), (points <= -size).astype(float)) for size in sizes[1:]]
    return [*found, Question("points a game", points, chance=False)] if in_points(game) else found


def measure(forecasts: Forecasts, asked: Question, bins: int = BINS) -> Calibration:
    """Compare forecasts with what came. Equal forecasts stand in one bin, so there may be fewer than `bins`."""
    own, seen = asked.worths, forecasts.eyes
    predicted = np.where(seen == 0, forecasts.chances @ own[0], forecasts.chances @ own[1])
    observed = own[seen, forecasts.ends]
    rest = forecasts.number, predicted, observed, float(np.ptp(own))
    return Calibration(asked, tally(binned(predicted, bins), *rest), tally(np.zeros(len(seen), np.intp), *rest)[0])


def binned(values: np.ndarray, bins: int) -> np.ndarray:
    """(n,) the bin of each value, from 0: so many of them with equally many values, as far as ties allow it."""
    ordered = np.sort(values)
    cuts = np.unique(ordered[[len(values) * k // bins for k in range(1, bins)]])
    return np.searchsorted(cuts[cuts > ordered[0]], values, side="right")


def tally(
    where: np.ndarray, number: np.ndarray, predicted: np.ndarray, observed: np.ndarray, reach: float = 1.0
) -> tuple[Bin, ...]:
    """The bins. where: (n,) the bin of each position; number: (n,) its game. reach: how far ends may be apart."""
    shape = int(where.max()) + 1, int(number.max()) + 1
    cell = where * shape[1] + number

    def sums(of: np.ndarray | None) -> np.ndarray:
        return np.bincount(cell, of, shape[0] * shape[1]).reshape(shape)

    counts, foreseen, came = sums(None), sums(predicted), sums(observed)
    found = []
    for count, before, after in zip(counts, foreseen, came, strict=True):
        n, games = int(count.sum()), int((count > 0).sum())
        gap = (after.sum() - before.sum()) / n
        off = after - before - gap * count  # of each game, from what the mean gap would have it
        error = math.sqrt(games / (games - 1) * float(off @ off)) / n if games > 1 else math.inf
        error = math.hypot(error, reach / games)
        found.append(Bin(n, games, float(before.sum() / n), float(after.sum() / n), error))
    return tuple(found)


@dataclass(frozen=True)
class Verdict:
    """How far the chances are off. largest: the widest gap, of which question and bin (from 0).

    beyond: how many bins are off by more than TOLERANCE, of so many; surely: those whose whole 95 % interval is.
    """

    question: Question
    at: int
    largest: Bin
    beyond: int
    surely: int
    of: int


def verdict(found: Sequence[Calibration]) -> Verdict:
    """Over all bins of all chances; points a game are left out."""
    every = [(one.question, at, own) for one in found if one.question.chance for at, own in enumerate(one.bins)]
    question, at, largest = max(every, key=lambda each: abs(each[2].gap))
    gaps = [(abs(own.gap), own.reach) for _, _, own in every]
    beyond = sum(gap > TOLERANCE for gap, _ in gaps)
    surely = sum(gap - reach > TOLERANCE for gap, reach in gaps)
    return Verdict(question, at, largest, beyond, surely, len(every))
