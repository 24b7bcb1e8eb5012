"""Games played for a file of positions, block by block: what is written stays readable, and can be gone on with.

How far it is stands in a file beside it; more bytes than are noted there were never finished, and are cut off.
"""

import dataclasses
import json
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparring.errors import RecordError
from sparring.games.chess_data import write_games, write_lessons
from sparring.games.game import Game
from sparring.learn.generate import Generator, Made, usual_style
from sparring.nets.storage import write_whole
from sparring.search.judging import Judge

BLOCK = 20_000  # positions between two writes; a position is repeated at most once a block


@dataclass(frozen=True)
class Recipe:
    """What makes one file differ from another: also the fields that the file beside it holds."""

    game: str
    judge: str  # digest of the net, or name of a function of the rules
    nodes: int
    hard: int
    brief: int
    seed: int
    kind: str


@dataclass(frozen=True)
class Progress:
    """How far a file is. next: number of the next game. ends: games that ended in each of RESULTS."""

    bytes: int = 0
    positions: int = 0
    games: int = 0
    next: int = 0
    nodes: int = 0
    ends: tuple[int, ...] = (0, 0, 0)


def beside(path: pathlib.Path) -> pathlib.Path:
    """Where the progress stands."""
    return path.with_name(f"{path.name}.progress")


def progress_of(path: pathlib.Path, recipe: Recipe) -> Progress:
    """How far the file is; RecordError where it was made otherwise, or is not ours."""
    note = beside(path)
    if not note.exists():
        if path.exists():
            raise RecordError(f"{path} is there already, without {note.name}, so it cannot be gone on with")
        return Progress()
    try:
        found = json.loads(note.read_text(encoding="utf-8"))
        before = Recipe(**found["recipe"])
        progress = Progress(**{**found["progress"], "ends": tuple(found["progress"]["ends"])})
    except (OSError, ValueError, TypeError, KeyError) as fault:
        raise RecordError(f"{note} cannot be read ({fault}); give another --out") from fault
    for name, value in dataclasses.asdict(recipe).items():
        if getattr(before, name) != value:
            raise RecordError(f"{path} was made with {name} {getattr(before, name)}, not {value}; give another --out")
    if not path.exists() or path.stat().st_size < progress.bytes:
        raise RecordError(f"{path} has fewer bytes than the {progress.bytes:,} that {note.name} tells of")
    return progress


def append(path: pathlib.Path, recipe: Recipe, before: Progress, made: Made) -> Progress:
    """Write a block behind what is there, and how far the file is now. RecordError where there is no room for it."""
    data, positions = encoded(made, recipe.kind)
    after = Progress(
        before.bytes + len(data),
        before.positions + positions,
        before.games + made.games,
        made.next,
        before.nodes + made.nodes,
        tuple(int(n) for n in np.add(before.ends, made.ends)),
    )
    note = {"recipe": dataclasses.asdict(recipe), "progress": dataclasses.asdict(after)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "r+b" if path.exists() else "w+b") as file:
            file.truncate(before.bytes)
            try:
                file.seek(before.bytes)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), before.bytes)
                raise
        write_whole(beside(path), json.dumps(note, indent=1).encode() + b"\n")
    except OSError as fault:
        rest = f"it holds {before.positions:,} positions, and the same command goes on from there"
        raise RecordError(f"cannot write {path}: {fault.strerror}; {rest}") from fault
    return after


def encoded(made: Made, kind: str) -> tuple[bytes, int]:
    """(what a file of that kind holds of the games, how many positions that are)."""
    if kind != "viriformat":
        return write_lessons(made.rows, kind), len(made.rows)
    games = made.played
    if not games:
        return b"", 0
    starts = np.concatenate([one.start for one in games])
    moves, scores = [one.moves for one in games], [one.scores for one in games]
    ends = np.array([one.result for one in games], np.uint8)
    return write_games(starts, moves, scores, ends), sum(map(len, moves))


class Making:
    """Makes a file until it holds enough positions, or is stopped from another thread."""

    def __init__(self, game: Game, judge: Judge, recipe: Recipe, path: pathlib.Path, threads: int) -> None:
        self.game, self.judge, self.recipe, self.path = game, judge, recipe, path
        self.style = usual_style(game, recipe.nodes, recipe.hard, recipe.brief)
        self.generator = Generator(game, threads)
        self.progress = progress_of(path, recipe)

    def run(self, positions: int, tell: Callable[[Progress], None] = lambda progress: None) -> Progress:
        """Play and write. tell: is told how far the file is after each block."""
        games = self.recipe.kind == "viriformat"
        while self.progress.positions < positions and not self.generator.stopping.is_set():
            wanted = min(BLOCK, positions - self.progress.positions)
            seed, first = (self.recipe.seed,), self.progress.next
            made = self.generator.generate(self.judge, wanted, seed, self.style, first=first, keep_games=games)
            if made.games:
                self.progress = append(self.path, self.recipe, self.progress, made)
                tell(self.progress)
        return self.progress

    def warm(self) -> None:
        """Play a game that counts for nothing, so that what is compiled is compiled."""
        self.generator.generate(self.judge, 1, (0,), usual_style(self.game, 1))

    @property
    def positions(self) -> int:
        """In the file, and on their way to it."""
        return self.progress.positions + self.generator.gathered

    def stop(self) -> None:
        """End `run` soon; the games that are finished are written."""
        self.generator.stop()
