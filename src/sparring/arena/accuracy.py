"""How well a player plays where the truth is known: shares of its moves that are ideal, sound, or blunders.

ideal: the move has the best score (the soonest win, the latest loss). sound: it keeps the class, win, draw or loss.
blunder: it makes the class worse. Positions with one legal move are left out of all three. Value class: whether the
most likely class in the player's opinion is the true one; for players that have opinions, over all positions.
"""

import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from sparring.arena.batch import Batch, Player
from sparring.arena.match import play_pairs
from sparring.arena.player import Entry
from sparring.arena.yardsticks import NO_MOVE, Truth
from sparring.errors import MatchError
from sparring.games.game import Game
from sparring.intervals import wilson
from sparring.rng import draw_word, seeded

OPENING = 2  # random moves that a game of its own begins with, so that a player without chance plays more than one
OWN = "own games"


class Opinion(Protocol):
    """What a player thinks of a position. outcome: chances of the game's RESULTS as the player to move sees them."""

    move: int
    outcome: np.ndarray


class Opinionated(Protocol):
    """A player that tells more than its moves; `choose` would choose the same."""

    def opinions(self, batch: Batch) -> Sequence[Opinion]:
        """An opinion of each position."""


@dataclass(frozen=True)
class Share:
    """count of `of`, with Wilson's 95 % interval. `of` is above 0."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Of the share."""
        return wilson(self.count, self.of)


@dataclass(frozen=True)
class Tally:
    """What was counted on a set of positions.

    choices: positions with more than one legal move; ideal, sound: of those. judged: positions that the player had an
    opinion of; misjudged: of those, where the class that it held likeliest was wrong. early: positions left out, as
    the truth would have taken too long.
    """

    name: str
    positions: int
    choices: int
    ideal: int
    sound: int
    judged: int
    misjudged: int
    early: int = 0

    @property
    def shares(self) -> dict[str, Share | None]:
        """`ideal`, `sound`, `blunder`, `value_class_error`; None where there is nothing to count."""
        moves = {"ideal": self.ideal, "sound": self.sound, "blunder": self.choices - self.sound}
        found = {name: Share(count, self.choices) if self.choices else None for name, count in moves.items()}
        return {**found, "value_class_error": Share(self.misjudged, self.judged) if self.judged else None}


def mean(tallies: Sequence[Tally]) -> dict[str, float | None]:
    """The mean of each share over sets, each set counting alike; None where a set has none."""
    means: dict[str, float | None] = {}
    for name in tallies[0].shares:
        shares = [tally.shares[name] for tally in tallies]
        known = [share.share for share in shares if share is not None]
        means[name] = sum(known) / len(known) if len(known) == len(shares) else None
    return means


def measure(
    make: Callable[[], Player],
    game: Game,
    truth: Truth,
    *,
    limit: int | None = None,
    seed: int = 1,
    threads: int = 1,
) -> Tally:
    """Ask a player about positions. It does not depend on the number of threads.

    make: a new instance of the player, such as `Entry.make`. limit: ask about so many positions at most, evenly spread.
    """
    if threads < 1 or (limit is not None and limit < 1):
        raise MatchError(f"threads is {threads} and limit is {limit}, but both must be at least 1")
    truth = truth.part(limit)
    n = len(truth.states)
    moves, classes = np.full(n, -1), np.full(n, NO_MOVE)
    numbers, lock, players = itertools.count(), threading.Lock(), list[Player]()
    signs = np.sign(game.RESULTS)

    def work() -> None:
        with lock:
            player = make()
            players.append(player)
        while (first := next(numbers) * player.lanes) < n:
            at = slice(first, min(first + player.lanes, n))
            ask(player, batch_of(truth, at, seed), moves[at], classes[at], signs)

    if threads == 1:
        work()
    else:
        with ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(work) for _ in range(threads)]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                numbers = itertools.count(n)  # nothing is left to do
                for player in players:
                    player.stop()
                raise
    return tally(truth, moves, classes)


def batch_of(truth: Truth, at: slice, seed: int) -> Batch:
    """Positions of a set for a player, which does not learn how they came about."""
    states = truth.states[at]
    n = len(states)
    seeds = np.array([draw_word(seeded(seed, i)) for i in range(at.start, at.stop)], np.uint64) | np.uint64(1)
    return Batch(states, [np.zeros(0, np.uint64)] * n, truth.plies[at].tolist(), seeds, list(range(n)))


def ask(player: Any, batch: Batch, moves: np.ndarray, classes: np.ndarray, signs: np.ndarray) -> None:
    """Write a player's moves, and the classes that it holds likeliest (-1, 0, 1), where it has opinions.

    signs: of the game's results.
    """
    for lane in batch.lanes:
        player.begin(lane)
    if not hasattr(player, "opinions"):
        moves[:] = player.choose(batch)
        return
    for i, opinion in enumerate(player.opinions(batch)):
        moves[i] = opinion.move
        chances = [opinion.outcome[signs == sign].sum() for sign in (-1, 0, 1)]
        classes[i] = np.argmax(chances) - 1


def tally(truth: Truth, moves: np.ndarray, classes: np.ndarray) -> Tally:
    """Count. moves: (n,) chosen. classes: (n,) -1, 0 or 1, or NO_MOVE where there is no opinion."""
    scores, best = truth.scores, truth.scores.max(axis=1)
    chosen = scores[np.arange(len(scores)), moves]
    if (chosen == NO_MOVE).any():
        i = int(np.argmax(chosen == NO_MOVE))
        raise MatchError(f"the player chose move {moves[i]} in position {i} of {truth.name}, where it is not legal")
    several = (scores != NO_MOVE).sum(axis=1) > 1
    judged = classes != NO_MOVE
    return Tally(
        truth.name,
        positions=len(scores),
        choices=int(several.sum()),
        ideal=int((several & (chosen == best)).sum()),
        sound=int((several & (np.sign(chosen) == np.sign(best))).sum()),
        judged=int(judged.sum()),
        misjudged=int((judged & (classes != np.sign(best))).sum()),
    )


def own_games(
    entry: Entry,
    game: Game,
    known: ModuleType,
    *,
    games: int,
    seed: int = 1,
    threads: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> Tally:
    """Measure a player on the positions of games against itself that begin with two random moves.

    known: what `yardsticks.truth_for` gives; it solves the positions. Those before its FIRST_PLY, which take long, and
    the random moves are left out. tell: called with how many positions are solved, and of how many.
    """
    pairs = play_pairs(game, entry, entry, range(games), opening=OPENING, seed=seed, threads=threads)
    states, plies = positions_of(game, [pair.games[0].moves for pair in pairs])
    late = plies >= known.FIRST_PLY
    found, where = np.unique(states[late], return_inverse=True)
    told = None if tell is None else lambda done: tell(done, len(found))
    scores = known.Solver().columns_of(found, threads, told)[where]
    truth = Truth(OWN, states[late], scores, plies[late])
    return replace(measure(entry.make, game, truth, seed=seed, threads=threads), early=int((~late).sum()))


def positions_of(game: Game, games: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The positions of games in which a player was to move after the opening, and the moves played before each."""
    states, plies = list[np.void](), list[int]()
    for moves in games:
        state = game.states(1)[0]
        for ply, move in enumerate(moves):
            if ply >= OPENING:
                states.append(state)
                plies.append(ply)
            state = game.after(state, move)
    return np.array(states, game.STATE), np.array(plies)
