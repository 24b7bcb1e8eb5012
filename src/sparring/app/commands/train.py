"""`sparring train`: joins a learner to the arena, shows rows and the time left, stops and resumes without loss."""

import json
import pathlib
import sys
import time
from typing import Any

from sparring.app import learners
from sparring.app.commands.match import as_points
from sparring.app.contest import Contest, play_contest
from sparring.app.learners import Learner, Row, Table, Trial
from sparring.app.options import Train
from sparring.app.talk import announce_compiling, ladder_path, say, threads_of

HEADER_EVERY = 25  # rows


def run(options: Train[Any]) -> int | None:
    """Train, and say at the end how to play against the net."""
    name = pathlib.Path(options.game).stem.replace("-", "_")
    out, threads = pathlib.Path(options.out or f"runs/{name}"), threads_of(options.threads)
    table = learners.table(options.learner, options.settings)
    for line in table.begins(options.game, threads, out):
        say(line)
    from sparring.games.game import load
    from sparring.learn.run import RunFolder

    folder = RunFolder(out)
    folder.check_learner(options.learner)
    announce_compiling("the rules, the search and the net")
    game = load(options.game)
    learner = learners.make(options.learner, game, options.settings, folder, threads, options.start)
    for note in folder.notes:
        say(note)
    if learner.number:
        say(f"Going on after generation {learner.number}.")
    try:
        interrupted = _train(options, learner, table, threads)
    finally:
        getattr(learner, "close", lambda: None)()
    if interrupted:
        say(f"Stopped after generation {learner.kept}, which is safe in {out}; the same command goes on.")
        return 130
    say(f"The net of generation {learner.kept} is in {folder.net_path()}. Play against it:")
    say(f"  sparring play {options.game} {table.opponent(learner)}")
    say(f"Its curves: sparring plot {out}")
    return None


def _train(options: Train[Any], learner: Learner, table: Table, threads: int) -> bool:
    """Generation by generation until the end is reached; returns whether Ctrl+C came first."""
    state = "failed"
    with _Display(options.json, learner, table) as display:
        try:
            while display.gone < 1:
                row = learner.generation()
                try:
                    row |= table.truths(learner, row)
                    row |= matches(options, learner, table.trials(learner, row), threads)
                finally:  # a generation that was learned is kept even where what follows it was cut short
                    learner.finish(row)
                display.row(row)
                learner.folder.save_status("running", learner.kept, display.gone)
            state = "finished"
        except KeyboardInterrupt:
            state = "stopped"
        finally:
            learner.folder.save_status(state, learner.kept, display.gone)
    return state == "stopped"


def matches(options: Train[Any], learner: Learner, trials: list[Trial], threads: int) -> Row:
    """Plays what is due; a field of the row for each match."""
    from sparring.arena.player import parse_player
    from sparring.arena.stats import score_interval
    from sparring.arena.under_way import Terms

    game, found = learner.game, {}
    for trial in trials:
        players = parse_player(trial.player, game), parse_player(trial.opponent, game)
        contest = Contest(game, *players, trial.games // 2, Terms(trial.opening), trial.seed)
        played = play_contest(contest, threads, ladder_path(options.ladder), show=False)
        if not played.finished:  # Ctrl+C, which a match of its own ends by telling its score, means the training here
            raise KeyboardInterrupt
        counts = played.counts
        low, high = score_interval(counts)
        score = {"score": counts.mean, "low": low, "high": high, "games": counts.games}
        found[trial.name] = {**score, **(as_points(played) if played.points.units else {}), "opponent": trial.opponent}
    return found


class _Display:
    """Rows above a bar with the time left; rows alone where nobody watches."""

    def __init__(self, as_json: bool, learner: Learner, table: Table) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.as_json, self.learner, self.table = as_json, learner, table
        self.lines = 0
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"))
        times = (TimeElapsedColumn(), TextColumn("gone,"), TimeRemainingColumn(), TextColumn("left"))
        self.progress = Progress(*columns, *times, console=Console(stderr=True), disable=not sys.stderr.isatty())
        self.began = time.monotonic()
        self.newest: Row = next(reversed(learner.folder.rows()), {})

    def __enter__(self) -> "_Display":
        self.progress.start()
        self.task = self.progress.add_task(f"generation {self.learner.number + 1}", total=1.0)
        self.progress.update(self.task, completed=self.gone)
        return self

    def __exit__(self, *fault: object) -> None:
        self.progress.stop()

    @property
    def gone(self) -> float:
        """The share of the run that is done."""
        return self.table.gone(self.learner, self.newest, time.monotonic() - self.began)

    def row(self, row: Row) -> None:
        """Show a finished generation."""
        self.newest = row
        if self.as_json:
            self._print(json.dumps(row))
        elif self.table.shows(row) or self.gone >= 1:
            if self.lines % HEADER_EVERY == 0:
                for line in self.table.header(self.learner):
                    self._print(line)
            self._print(self.table.line(self.learner, row))
            self.lines += 1
        done = f"generation {row['generation']} is done"
        self.progress.update(self.task, completed=min(self.gone, 1.0), description=done)

    def _print(self, line: str) -> None:
        if sys.stdout.isatty():
            self.progress.console.print(line, highlight=False, markup=False, soft_wrap=True)
        else:
            print(line, flush=True)
