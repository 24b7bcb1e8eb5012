"""A match as people see it: resumed from the ladder, with a live score, stopped early by an SPRT, kept as it goes."""

import contextlib
import pathlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sparring import __version__
from sparring.app.pgn_file import PgnFile
from sparring.app.published import forfeits, published
from sparring.app.talk import say
from sparring.arena.fortune import Fortune
from sparring.arena.ladder import Entrant, Ladder
from sparring.arena.match import play_pairs
from sparring.arena.player import Entry
from sparring.arena.points import Points, in_points
from sparring.arena.stats import Decision, GameCounts, PairCounts, Sprt, describe, sprt
from sparring.arena.under_way import GameRecord, PairRecord, Terms
from sparring.errors import MatchError
from sparring.games.game import Game
from sparring.search.adjudication import RULE

KEEP_EVERY = 2.0  # seconds between writes to the ladder
OPENING = 4  # random moves, where there is no chance


@dataclass(frozen=True)
class Contest:
    """What is asked: at most `pairs` pairs of a against b. test: two values of normalised Elo for an SPRT, or None.

    luck: reckon results without the luck of the dice too. pgn: file that games are appended to.
    """

    game: Game
    a: Entry
    b: Entry
    pairs: int
    terms: Terms
    seed: int
    test: tuple[float, float] | None = None
    luck: bool = False
    pgn: PgnFile | None = None

    @property
    def in_points(self) -> bool:
        """Whether points are reported, and not only who won."""
        return in_points(self.game) and not self.terms.points

    @property
    def what(self) -> str:
        """What each pair plays two of."""
        return "matches" if self.terms.points else "games"

    @property
    def settings(self) -> str:
        """What else makes it this match and no other, for the ladder: with other rules it is another match."""
        book = f" book={self.terms.book.digest}" if self.terms.book else ""
        rule = f" adjudicate={RULE}" if self.terms.adjudicate else ""
        return f"opening={self.terms.opening}{book} rules={self.game.rules_digest} version={__version__}{rule}"


@dataclass
class Played:
    """How it went. games: wins, draws and losses of the games played now. before: pairs that were played earlier.

    points: over all pairs, where games are won by points; sizes: how often each number of points came up now. cube: of
    games played now, how often it was offered ("doubles") and passed ("passes"), and how many "games" there were. raw,
    fair: values of pairs played now as they were, and without luck, as the player `judge` sees it. faults: games played
    now that were forfeited, by the player's label and the kind of fault. adjudicated: games played now that were.
    """

    counts: PairCounts
    games: GameCounts
    before: int
    sprt: Sprt | None
    finished: bool
    points: Points = field(default_factory=Points)
    sizes: Counter[float] = field(default_factory=Counter)
    cube: Counter[str] = field(default_factory=Counter)
    raw: Points = field(default_factory=Points)
    fair: Points = field(default_factory=Points)
    judge: str = ""
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    adjudicated: int = 0


def ladder_name(game: Game, terms: Terms) -> str:
    """Under which name the ladder keeps results: a match, or a game with the cube, is another game than one without."""
    if terms.points:
        return f"{game.name} to {terms.points}"
    return f"{game.name} with the cube" if terms.cube else game.name


def usual_opening(game: Game) -> int:
    """Random moves at the start of each pair where none are asked for: none where chance makes games differ."""
    return 0 if game.defines("chance") or game.defines("deal") else OPENING


def play_contest(contest: Contest, threads: int, ladder: pathlib.Path, show: bool = True) -> Played:
    """Play what the ladder does not hold yet. Ctrl+C ends the match with what was played; all of it is kept."""
    if (contest.a.text, contest.a.digest) == (contest.b.text, contest.b.digest) and contest.a.text != "human":
        raise MatchError(f"both players are {contest.a.label}; a match of a player against itself measures nothing")
    if contest.test:
        sprt(PairCounts(even=1), *contest.test)  # refuses bounds that make no sense before anything is played
    fortune = Fortune(contest.game, contest.terms, contest.a, contest.b) if contest.luck else None
    book = Ladder(ladder)
    names = (
        ladder_name(contest.game, contest.terms),
        Entrant(contest.a.text, contest.a.digest),
        Entrant(contest.b.text, contest.b.digest),
    )
    done = book.recorded(*names, contest.seed, contest.settings)
    before, points = _before(book, contest, names) if done else (PairCounts(), Points())
    missing = [n for n in range(contest.pairs) if not any(n in part for part in done)]
    if done:
        more = f"{len(missing)} to go" if missing else "nothing left to play (another --seed makes another match)"
        say(f"{before.pairs} pairs of this match were played before; {more}.")

    def keep(first: int, counts: PairCounts, points: Points) -> None:
        kept = points if contest.in_points else None
        book.record(*names, counts, contest.seed, contest.settings, first, kept)

    keeper = _Keeper(keep)
    played = Played(before, GameCounts(), before.pairs, None, True, points, judge=fortune.by if fortune else "")
    pairs = play_pairs(
        contest.game,
        contest.a,
        contest.b,
        missing,
        seed=contest.seed,
        threads=threads,
        **vars(contest.terms),
    )
    with contextlib.closing(pairs), _score_line(contest, show) as tell:
        try:
            for pair in pairs:
                keeper.add(pair)
                if contest.pgn:
                    contest.pgn.add(pair)
                _count(contest, played, pair)
                _tell_faults(contest, played, pair)
                if fortune:
                    played.raw += Points.of([pair.value])
                    played.fair += Points.of([fortune.fair(pair)])
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
    lines = [f"{contest.a.label} against {contest.b.label}: {played.counts.games} {contest.what}"]
    if not played.before:
        games = played.games
        won, lost = (_by_size(played.sizes, sign) if contest.in_points else "" for sign in (1, -1))
        drawn = f"drawn {games.draws}"
        if contest.in_points or contest.terms.points:
            drawn = f"without a result {games.draws}" if games.draws else ""
        lines.append(", ".join(filter(None, (f"won {games.wins}{won}", drawn, f"lost {games.losses}{lost}"))))
    if played.points.units:
        lines.append(str(played.points))
    if played.cube["games"]:
        lines.append("{games} games, {doubles} doubles, of which {passes} were passed".format_map(played.cube))
    lines.append(describe(played.counts))
    if played.fair.units > 1:
        lines.append(_without_luck(contest, played))
    if played.sprt and contest.test:
        test = played.sprt
        says = {
            Decision.CONTINUE: "not decided yet",
            Decision.ACCEPT_H1: f"at least {contest.test[1]:g} is accepted",
            Decision.ACCEPT_H0: f"at most {contest.test[0]:g} is accepted",
        }[test.decision]
        bounds = f"LLR {test.llr:.2f} between {test.lower:.2f} and {test.upper:.2f}"
        lines.append(f"SPRT of normalised Elo {contest.test[0]:g} against {contest.test[1]:g}: {bounds}, {says}")
    if contest.terms.adjudicate:
        lines.append(f"{played.adjudicated} of the {played.games.games} games played now were adjudicated")
    lines += forfeits(contest, played.faults)
    if not contest.in_points:
        lines += published(contest, played)
    if not played.finished:
        lines.append("interrupted; the same command goes on from here")
    return lines


def _without_luck(contest: Contest, played: Played) -> str:
    """What the results are without the luck of the dice, and how much surer."""
    fair, times = played.fair, (played.raw.error / played.fair.error) ** 2
    low, high = fair.interval()
    told = str(fair)
    if contest.terms.points:
        share, low, high = ((1 + value) / 2 for value in (fair.mean, low, high))
        told = f"score {share:.3f} [{low:.3f}, {high:.3f}]"
    part = f" in the {2 * fair.units} {contest.what} played now" if played.before else ""
    return f"Without luck{part}: {told}; as sure as {times:.1f} times as many {contest.what} (judged by {played.judge})"


def _by_size(sizes: Counter[float], sign: int) -> str:
    """How many games were won (lost, sign −1) by how many points."""
    parts = [
        f"{n} by {abs(size):g}" for size, n in sorted(sizes.items(), key=lambda item: abs(item[0])) if size * sign > 0
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _before(book: Ladder, contest: Contest, names: tuple[str, Entrant, Entrant]) -> tuple[PairCounts, Points]:
    """Counts and points of this match's pairs in the ladder."""
    for match in book.matches(names[0]):
        same = (match.a, match.b, match.seed, match.settings) == (*names[1:], contest.seed, contest.settings)
        if same and isinstance(match.counts, PairCounts):
            return match.counts, match.points
    return PairCounts(), Points()


def _count(contest: Contest, played: Played, pair: PairRecord) -> None:
    played.counts += PairCounts.of([pair.score])
    if contest.in_points:
        played.points += Points.of([pair.value])
        played.sizes.update(game.value for game in pair.games)
    if contest.terms.stakes:
        for record in pair.games:
            _count_cube(played, record)
    played.adjudicated += sum(game.adjudicated for game in pair.games)
    points = [game.points for game in pair.games]
    played.games += GameCounts(points.count(1.0), points.count(0.5), points.count(0.0))


def _tell_faults(contest: Contest, played: Played, pair: PairRecord) -> None:
    """Count games that were forfeited, and say so at once: a match that goes on like that is worth nothing."""
    for number, record in enumerate(pair.games, 1):
        if record.fault:
            loser = contest.b if record.points else contest.a
            played.faults[loser.label, record.fault.kind] += 1
            say(f"pair {pair.number}, game {number}: {loser.label} forfeits it: {record.fault.reason}")


def _count_cube(played: Played, record: GameRecord) -> None:
    for game in record.games or (record,):
        passes = sum(not taken for _, taken in game.doubles)
        played.cube.update(games=1, doubles=len(game.doubles), passes=passes)


class _Keeper:
    """Gathers pairs of consecutive numbers and writes them to the ladder now and then."""

    def __init__(self, record: Callable[[int, PairCounts, Points], object]) -> None:
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
            counts, points = PairCounts.of(p.score for p in self.waiting), Points.of(p.value for p in self.waiting)
            self.record(self.waiting[0].number, counts, points)
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
            score = f"{played.points}; " if played.points.units else ""
            progress.update(task, completed=played.counts.pairs, description=score + describe(played.counts))

        yield tell
