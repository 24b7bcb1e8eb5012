"""`sparring train`: joins the learner to the arena, shows rows and the time left, stops and resumes without loss."""

import json
import pathlib
import sys
import time
from typing import TYPE_CHECKING, Any

from sparring.app.contest import Contest, play_contest
from sparring.app.options import Train
from sparring.app.talk import announce_compiling, ladder_path, say, threads_of
from sparring.errors import RunError

if TYPE_CHECKING:
    from sparring.learn.td import TdLearner

HEADER_EVERY = 25  # rows


def run(options: Train) -> int | None:
    """Train, and say at the end how to play against the net."""
    if options.minutes is not None and options.minutes <= 0:
        raise RunError(f"--minutes is {options.minutes:g}, but it must be above 0")
    name = pathlib.Path(options.game).stem.replace("-", "_")
    out = pathlib.Path(options.out or f"runs/{name}")
    td, threads = options.td, threads_of(options.threads)
    until = f"generation {td.generations}" + (f" or {options.minutes:g} minutes" if options.minutes else "")
    say(
        f"Training {options.game} by TD(λ) self-play on {threads} threads until {until}: {td.games} games a generation,"
    )
    say(f"{td.depth} plies deep. All of it is kept in {out}. Ctrl+C stops, the same command goes on.")
    from sparring.games.game import load
    from sparring.learn.run import RunFolder
    from sparring.learn.td import TdLearner

    announce_compiling("the rules, the search and the net")
    game = load(options.game)
    learner = TdLearner(game, td, RunFolder(out), threads, options.start)
    for note in learner.folder.notes:
        say(note)
    if learner.number:
        say(f"Going on after generation {learner.number}.")
    interrupted = _train(options, learner, threads)
    net = learner.folder.net_path()
    if interrupted:
        say(f"Stopped after generation {learner.kept}, which is safe in {out}; the same command goes on.")
        return 130
    say(f"The net of generation {learner.kept} is in {net}. Play against it:")
    say(f"  sparring play {options.game} alphabeta:ms=300,net={net}")
    say(f"Its curves: sparring plot {out}")
    return None


def _train(options: Train, learner: "TdLearner", threads: int) -> bool:
    """Generation by generation until the end is reached; returns whether Ctrl+C came first."""
    began = time.monotonic()
    limit = options.minutes * 60 if options.minutes else None
    with _Display(options, learner, limit) as display:
        try:
            while learner.number < options.td.generations:
                if limit is not None and time.monotonic() - began >= limit:
                    break
                row = learner.generation()
                due = options.td.match_every and learner.number % options.td.match_every == 0
                try:
                    if due:
                        row |= matches(options, learner, threads)
                finally:  # a generation that was learned is kept even where its matches were cut short
                    learner.finish(row)
                display.row(row)
        except KeyboardInterrupt:
            return True
    return False


def matches(options: Train, learner: "TdLearner", threads: int) -> dict[str, Any]:
    """The net against the one of some generations ago, and against the game's own judgement, at equal depth."""
    from sparring.arena.player import parse_player
    from sparring.arena.stats import score_interval

    td, game, folder, number = options.td, learner.game, learner.folder, learner.number
    depth = td.match_depth or td.depth
    folder.save_net(learner.net, number)
    before = folder.net_path(max(number - td.match_every, 0))
    opponents = {"match_yardstick": f"alphabeta:depth={depth}"}
    if before.exists():
        opponents["match_earlier"] = f"alphabeta:depth={depth},net={before}"
    net = parse_player(f"alphabeta:depth={depth},net={folder.net_path(number)}", game)
    found: dict[str, Any] = {}
    for name, spec in opponents.items():
        contest = Contest(game, net, parse_player(spec, game), td.match_games // 2, td.match_opening, td.seed)
        played = play_contest(contest, threads, ladder_path(options.ladder), show=False)
        if not played.finished:  # Ctrl+C, which a match of its own ends by telling its score, means the training here
            raise KeyboardInterrupt
        counts = played.counts
        low, high = score_interval(counts)
        found[name] = {"score": counts.mean, "low": low, "high": high, "games": counts.games, "opponent": spec}
    return found


class _Display:
    """Rows above a bar with the time left; rows alone where nobody watches."""

    def __init__(self, options: Train, learner: "TdLearner", limit: float | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.options, self.learner, self.limit = options, learner, limit
        self.rows = 0
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"))
        times = (TimeElapsedColumn(), TextColumn("gone,"), TimeRemainingColumn(), TextColumn("left"))
        self.progress = Progress(*columns, *times, console=Console(stderr=True), disable=not sys.stderr.isatty())
        self.began = time.monotonic()

    def __enter__(self) -> "_Display":
        self.progress.start()
        total = self.limit or self.options.td.generations
        done = 0 if self.limit else self.learner.number
        self.task = self.progress.add_task(f"generation {self.learner.number + 1}", total=total, completed=done)
        return self

    def __exit__(self, *fault: object) -> None:
        self.progress.stop()

    def row(self, row: dict[str, Any]) -> None:
        """Show a finished generation."""
        if self.options.json:
            self._print(json.dumps(row))
        else:
            first, second = self.learner.game.players
            if self.rows % HEADER_EVERY == 0:
                for line in header(first, second):
                    self._print(line)
            self._print(line_of(row))
        self.rows += 1
        done = min(time.monotonic() - self.began, self.limit) if self.limit else row["generation"]
        self.progress.update(self.task, completed=done, description=f"generation {row['generation']} is done")

    def _print(self, line: str) -> None:
        if sys.stdout.isatty():
            self.progress.console.print(line, highlight=False, markup=False, soft_wrap=True)
        else:
            print(line, flush=True)


def header(first: str, second: str) -> list[str]:
    """Two lines above the rows of `line_of`."""
    a, b = first[:7], second[:7]
    return [
        f"{'':4} {'':9} {'games won by':>15} {'':6} {'error before → after':^25} {'score against':^16} {'seconds':^11}",
        f"{'gen':>4} {'positions':>9} {a:>7} {b:>7} {'draws':>6} {a:^12} {b:^12} {'earlier':>7} {'rules':>8} "
        f"{'learn':>5} {'all':>5}",
    ]


def line_of(row: dict[str, Any]) -> str:
    """A generation as a line: see `header`."""
    scores = [f"{row[k]['score']:.1%}" if k in row else "-" for k in ("match_earlier", "match_yardstick")]
    misses = [f"{row[f'miss_{w}_before']:.3f}→{row[f'miss_{w}_after']:.3f}" for w in ("first", "second")]
    games = f"{row['wins_first']:7} {row['wins_second']:7} {row['draws']:6}"
    times = f"{row['seconds_train']:5.1f} {row['seconds']:5.1f}"
    errors = f"{misses[0]:^12} {misses[1]:^12}"
    return f"{row['generation']:4} {row['positions']:9} {games} {errors} {scores[0]:>7} {scores[1]:>8} {times}"
