"""A match as people see it: resumed from the ladder, with a live score, stopped early by an SPRT, kept as it goes."""

import contextlib
import pathlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sparring import __version__
from sparring.app.talk import say
from sparring.arena.ladder import Entrant, Ladder
from sparring.arena.match import PairRecord, play_pairs
from sparring.arena.player import Entry
from sparring.arena.stats import Decision, GameCounts, PairCounts, Sprt, describe, sprt
from sparring.errors import MatchError
from sparring.games.game import Game

KEEP_EVERY = 2.0  # seconds between writes to the ladder


@dataclass(frozen=True)
class Contest:
    """What is asked: at most `pairs` pairs of a against b. test: two values of normalised Elo for an SPRT, or None."""

    game: Game
    a: Entry
    b: Entry
    pairs: int
    opening: int
    seed: int
    test: tuple[float, float] | None = None

    @property
    def settings(self) -> str:
        """What else makes it this match and no other, for the ladder: with other rules it is another match."""
        return f"opening={self.opening} rules={self.game.rules_digest} version={__version__}"


@dataclass
class Played:
    """How it went. games: wins, draws and losses of the games played now. before: pairs that were played earlier."""

    counts: PairCounts
    games: GameCounts
    before: int
    sprt: Sprt | None
    finished: bool


def play_contest(contest: Contest, threads: int, ladder: pathlib.Path, show: bool = True) -> Played:
    """Play what the ladder does not hold yet. Ctrl+C ends the match with what was played; all of it is kept."""
    if (contest.a.text, contest.a.digest) == (contest.b.text, contest.b.digest) and contest.a.text != "human":
        raise MatchError(f"both players are {contest.a.label}; a match of a player against itself measures nothing")
    if contest.test:
        sprt(PairCounts(even=1), *contest.test)  # refuses bounds that make no sense before anything is played
    book = Ladder(ladder)
    names = (contest.game.name, Entrant(contest.a.text, contest.a.digest), Entrant(contest.b.text, contest.b.digest))
    done = book.recorded(*names, contest.seed, contest.settings)
    before = _before(book, contest, names) if done else PairCounts()
    missing = [n for n in range(contest.pairs) if not any(n in part for part in done)]
    if done:
        more = f"{len(missing)} to go" if missing else "nothing left to play (another --seed makes another match)"
        say(f"{before.pairs} pairs of this match were played before; {more}.")
    keeper = _Keeper(lambda first, counts: book.record(*names, counts, contest.seed, contest.settings, first))
    played = Played(before, GameCounts(), before.pairs, None, True)
    pairs = play_pairs(
        contest.game, contest.a, contest.b, missing, opening=contest.opening, seed=contest.seed, threads=threads
    )
    with contextlib.closing(pairs), _score_line(contest, show) as tell:
        try:
            for pair in pairs:
                keeper.add(pair)
                _count(played, pair)
                tell(played)
                if contest.test:
                    played.sprt = sprt(played.counts, *contest.test)
                    if played.sprt.decision is not Decision.CONTINUE:
                        break
        except KeyboardInterrupt:
            if not played.counts.pairs:
                raise
            played.finished = False
        finally:
            keeper.write()
    if contest.test and played.sprt is None:
        played.sprt = sprt(played.counts, *contest.test)
    return played


def verdict(contest: Contest, played: Played) -> list[str]:
    """The result in lines for people."""
    lines = [f"{contest.a.label} against {contest.b.label}: {played.counts.games} games"]
    if not played.before:
        games = played.games
        lines.append(f"won {games.wins}, drawn {games.draws}, lost {games.losses}")
    lines.append(describe(played.counts))
    if played.sprt and contest.test:
        test = played.sprt
        says = {
            Decision.CONTINUE: "not decided yet",
            Decision.ACCEPT_H1: f"at least {contest.test[1]:g} is accepted",
            Decision.ACCEPT_H0: f"at most {contest.test[0]:g} is accepted",
        }[test.decision]
        bounds = f"LLR {test.llr:.2f} between {test.lower:.2f} and {test.upper:.2f}"
        lines.append(f"SPRT of normalised Elo {contest.test[0]:g} against {contest.test[1]:g}: {bounds}, {says}")
    if not played.finished:
        lines.append("interrupted; the same command goes on from here")
    return lines


def _before(book: Ladder, contest: Contest, names: tuple[str, Entrant, Entrant]) -> PairCounts:
    """Counts of this match's pairs in the ladder."""
    for match in book.matches(contest.game.name):
        same = (match.a, match.b, match.seed, match.settings) == (*names[1:], contest.seed, contest.settings)
        if same and isinstance(match.counts, PairCounts):
            return match.counts
    return PairCounts()


def _count(played: Played, pair: PairRecord) -> None:
    played.counts += PairCounts.of([pair.score])
    points = [game.points for game in pair.games]
    played.games += GameCounts(points.count(1.0), points.count(0.5), points.count(0.0))


class _Keeper:
    """Gathers pairs of consecutive numbers and writes them to the ladder now and then."""

    def __init__(self, record: Callable[[int, PairCounts], object]) -> None:
        self.record = record
        self.waiting: list[PairRecord] = []
        self.written = time.monotonic()

    def add(self, pair: PairRecord) -> None:
        if self.waiting and pair.number != self.waiting[-1].number + 1:
            self.write()
        self.waiting.append(pair)
        if time.monotonic() - self.written > KEEP_EVERY:
            self.write()

    def write(self) -> None:
        if self.waiting:
            self.record(self.waiting[0].number, PairCounts.of(p.score for p in self.waiting))
        self.waiting = []
        self.written = time.monotonic()


@contextlib.contextmanager
def _score_line(contest: Contest, show: bool) -> Iterator[Callable[[Played], None]]:
    """Yields what keeps the live score up to date; only where a person is watching."""
    if not show or not sys.stderr.isatty():
        yield lambda played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("pairs"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=contest.pairs)

        def tell(played: Played) -> None:
            progress.update(task, completed=played.counts.pairs, description=describe(played.counts))

        yield tell
