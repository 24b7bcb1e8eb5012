"""NNUE: a wide, sparse net that a search keeps up to date from move to move learns from the games of that search.

A generation: games with the newest net, steps of training over the rows of the last generations, a measurement on
games that are held out. In the closing part of a run nothing more is played: a new net learns the rows of the window
alone, not what the first games taught, while the learning rate falls. With files of positions a generation is some
steps of training on them alone.
"""

import json
import math
import threading
import time
from typing import Any

from sparring.errors import GameError, WeightsError
from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.learn.derive import check_trainable
from sparring.learn.nnue_loader import Loader
from sparring.learn.nnue_measure import measured
from sparring.learn.nnue_settings import MAY_CHANGE, NnueSettings, planned
from sparring.learn.nnue_source import Files, Games
from sparring.learn.nnue_training import Course, Lesson, NnueTrainer, train
from sparring.learn.run import RunFolder, commit, cores
from sparring.nets import weights
from sparring.nets.nnue import Nnue, NnueShape, shape_for
from sparring.nets.nnue_module import NnueModule
from sparring.search.judging import Judge, by_net

DRAWING = 3  # stream of the run's seed that batches are drawn by
PLAY = 0.7  # share of a generation's time that goes to games, at least
SHORT, LONG = 3.0, 300.0  # seconds of a generation, at least and at most
GROWTH = 0.1  # of a generation's time, as a share of the time before it
PHASES = 8  # sets of outputs, where the game has so many phases
CLOSING_PASSES = 2.5  # through the window
CLOSINGS = 4  # generations of the closing part, where minutes count
LEAST_STEPS = 20  # of a generation that trains on files


class NnueLearner:
    """One run. `generation()` makes the next one, `finish(row)` keeps it; a kill in between loses nothing finished.

    With one thread and an end told in generations, the same seed gives the same nets, resumed or not.
    """

    def __init__(
        self, game: Game, settings: NnueSettings, folder: RunFolder, threads: int = 0, start: str = ""
    ) -> None:
        _check_trainable(game)
        self.game, self.folder = game, folder
        self.settings = planned(settings)
        count = threads or cores()
        self.source: Games | Files = Files(game, self.settings) if settings.data else Games(game, self.settings, count)
        folder.open(game, settings.as_dict(), MAY_CHANGE, start, NnueSettings().as_dict(), "nnue")
        self.number = self.kept = self.trained = 0
        self.minutes = 0.0
        self.speed = 0.0  # positions trained on a second
        self.gap = 1.0  # between chances foreseen and come, on games held out
        self.stopping = threading.Event()
        self.start, self.threads = start, count
        module = self._module(start)
        self.trainer = self._trainer(module)
        self.loader = Loader(game, module.shape, count)
        self.course = Course(self.settings)
        if settings.data:
            self.course.closing_from = 0.0
        if not self._resume():
            folder.save_net(self.net, 0)
        self._compile()

    @property
    def net(self) -> Nnue:
        """The net as it is now: the averaged weights."""
        training = {"generation": self.number, "minutes": round(self.minutes, 2), "commit": commit()}
        training |= {"positions": self.trained, "settings": self.settings.as_dict()}
        return self.trainer.average.net(self.game, training)

    def generation(self) -> dict[str, Any]:
        """Play and train; the generation's row."""
        began = time.perf_counter()
        self.number += 1
        done = self.done()
        row: dict[str, Any] = {"seconds_play": 0.0}
        if isinstance(self.source, Games) and not self._closes(done):
            seconds = PLAY * self._seconds(done)
            row |= self.source.play(self._judge(), self.number, self.course.nodes(done), seconds, self.gap)
            self.course.positions = self.source.window.total
        began_training = time.perf_counter()
        lesson = self._train(began, row)
        self.trained += lesson.positions
        seconds_train = time.perf_counter() - began_training
        self.speed = lesson.positions / max(seconds_train, 1e-9)
        row |= measured(self.trainer.average, self.loader, self.source.held, self.course.objective(self.done(began)))
        self.gap = row["held_gap"]
        seconds = time.perf_counter() - began
        self.minutes += seconds / 60
        loss, square, surprise = lesson.means
        return {
            "generation": self.number,
            "minutes": self.minutes,
            "positions": self.source.window.total if isinstance(self.source, Games) else len(self.source.rows),
            "games": self.source.games if isinstance(self.source, Games) else 0,
            "window": len(self.source.rows),
            "trained": self.trained,
            "steps": self.trainer.steps,
            "loss": loss,
            "loss_square": square,
            "loss_surprise": surprise,
            "rate": self.course.rate(self.trainer.steps, done),
            "blend": self.course.objective(done).blend,
            "trained_per_second": self.speed,
            **row,
            "seconds_train": seconds_train,
            "seconds": seconds,
        }

    def finish(self, row: dict[str, Any]) -> None:
        """Keep the generation: its rows, net, row and checkpoint, in an order that a kill cannot spoil."""
        state: dict[str, Any] = {}
        if isinstance(self.source, Games):
            state = self.source.state()
            if buffer := self.source.buffer(self.number):
                self.folder.save_buffer(self.number, buffer, min(state["parts"]))
        self.folder.save_net(self.net)
        self.folder.add_row(row)
        metadata = {"generation": str(self.number), "minutes": repr(self.minutes), "trained": str(self.trained)}
        metadata |= {"gap": repr(self.gap), "speed": repr(self.speed), "closing_from": repr(self.course.closing_from)}
        self.folder.save_checkpoint(self.number, self.trainer.state(), metadata | {"source": json.dumps(state)})
        self.kept = self.number

    def stop(self) -> None:
        """End a running `generation` soon (from another thread)."""
        self.stopping.set()
        if isinstance(self.source, Games):
            self.source.stop()

    def close(self) -> None:
        """End the threads of the run."""
        self.loader.close()

    def done(self, began: float | None = None) -> float:
        """Share of the run that is over, by minutes or generations, whichever end it sooner. began: of a generation."""
        minutes, generations = self.settings.minutes, self.settings.generations
        gone = self.minutes + ((time.perf_counter() - began) / 60 if began is not None else 0.0)
        before = self.number - 1 if began is None else self.number
        return min(max(gone / minutes if minutes else 0.0, before / generations if generations else 0.0), 1.0)

    # --- parts of a generation ---------------------------------------------------------------------------------------

    def _judge(self) -> Judge:
        return by_net(self.game, self.net)

    def _closes(self, done: float) -> bool:
        """Whether nothing more is played: what is left of the run is needed for passes through the window."""
        course = self.course
        if not done or done >= course.closing_from:
            return bool(done)
        if done < 1 - self._closing() - 1e-9:
            return False
        course.closing_from = done
        if not self.start:
            self.trainer = self._trainer(NnueModule(self.trainer.module.shape, self.settings.seed + 1))
        return True

    def _closing(self) -> float:
        """Share of the run that its closing part needs: for passes through the window, where minutes count."""
        settings = self.settings
        if not settings.minutes or not self.speed:
            return settings.closing
        passing = CLOSING_PASSES * len(self.source.rows) / self.speed / (60 * settings.minutes)
        return min(passing, settings.closing)

    def _seconds(self, done: float) -> float:
        """How long a generation lasts, where minutes count: no more than half of what is left before the closing part,
        since games may take longer than thought."""
        left = 60 * self.settings.minutes * (1 - done - self._closing())
        return max(min(max(SHORT, min(GROWTH * 60 * self.minutes, LONG)), left / 2), 0.0)

    def _train(self, began: float, row: dict[str, Any]) -> Lesson:
        """The steps that are due after the games of `row`, or without games."""
        settings, rows = self.settings, self.source.rows
        size = min(settings.batch, len(rows))
        count, first, seconds = self._due(row, size)
        begins = time.perf_counter()
        by_number = 1 / settings.generations if settings.generations else 0.0

        def done(share: float) -> float | None:
            now = time.perf_counter()
            by_clock = (self.minutes + (now - began) / 60) / settings.minutes if settings.minutes else 0.0
            over = settings.minutes and (now - begins > seconds or by_clock >= 1)
            if self.stopping.is_set() or over:
                return None
            return min(max(by_clock, (self.number - 1 + share) * by_number), 1.0)

        # games: another walk through the window, as it has changed. Files: the same walk goes on.
        seed = (settings.seed, DRAWING, 0 if isinstance(self.source, Files) else self.number)
        return train(self.trainer, self.loader, rows, (first, count), seed, self.course, done)

    def _due(self, row: dict[str, Any], size: int) -> tuple[int, int, float]:
        """Steps, the first batch's number, and the most seconds it may take where minutes count."""
        settings, rows = self.settings, self.source.rows
        if isinstance(self.source, Files):
            most = settings.positions or min(max(len(rows), LEAST_STEPS * size), 100 * 10**6)
            return max(most // size, 1), self.trained // size, math.inf
        if "new" in row:
            steps = max(math.ceil(settings.passes * row["new"] / size), 1)
            return steps, 0, row["seconds_play"] * (1 - PLAY) / PLAY
        if settings.minutes:  # as many as go into the time
            closing = 60 * settings.minutes * (1 - self.course.closing_from)
            return 10**9, 0, min(max(closing / CLOSINGS, 1.0), LONG)
        closings = max(round(settings.closing * settings.generations), 1)
        return max(math.ceil(CLOSING_PASSES * len(rows) / size / closings), 1), 0, math.inf

    def _compile(self) -> None:
        """Everything, before the clock of the run starts."""
        rows = self.source.some(self._judge()) if isinstance(self.source, Games) else self.source.held[:1]
        self.trainer.compile(self.loader.whole(rows))

    # --- beginning and resuming --------------------------------------------------------------------------------------

    def _trainer(self, module: NnueModule) -> NnueTrainer:
        return NnueTrainer(module, self.settings, self.game, self.threads)

    def _module(self, start: str) -> NnueModule:
        """The module to train: of the shape that a run here began with, whatever its minutes are now."""
        first = self.folder.net_path(0)
        if start and not first.exists():
            return NnueModule.of(loaded(start, self.game))
        shape = loaded(str(first), self.game).shape if first.exists() else shape_of(self.game, self.settings)
        return NnueModule(shape, self.settings.seed)

    def _resume(self) -> bool:
        """Take up the newest whole checkpoint; False where there is none and the run begins."""
        for number, arrays, metadata in self.folder.checkpoints():
            try:
                if isinstance(self.source, Games):
                    self.source.restore(json.loads(metadata["source"]), self.folder.load_buffer)
                    self.course.positions = self.source.window.total
            except WeightsError as fault:
                self.folder.notes.append(f"{fault}; going back to the checkpoint before it")
                continue
            self.trainer.restore(arrays)
            self.number = self.kept = number
            self.minutes, self.trained = float(metadata["minutes"]), int(metadata["trained"])
            self.gap = float(metadata["gap"])
            self.speed, self.course.closing_from = float(metadata["speed"]), float(metadata["closing_from"])
            self.folder.keep_rows(number)
            return True
        self.folder.check_none_damaged()
        return False


def shape_of(game: Game, settings: NnueSettings) -> NnueShape:
    """The shape that the settings ask for."""
    more: dict[str, Any] = {"layers": settings.layers, "block_sparse": settings.block_sparse}
    if settings.frames:
        framings = getattr(game.module, "FRAMINGS", {})
        if settings.frames not in framings:
            there = f"It has: {', '.join(framings)}" if framings else "It has none"
            raise GameError(f"{game.path.name} has no framing {settings.frames!r} in FRAMINGS. {there}")
        more["buckets"], more["flips"] = framings[settings.frames]
    phases = settings.phases or min(PHASES, game.PHASES)
    return shape_for(game, settings.hidden, phases, 1 if settings.head == "scalar" else 0, **more)


def loaded(path: str, game: Game) -> Nnue:
    """The NNUE net in a file; WeightsError where it is another kind of net or for another game."""
    net = weights.load(path)
    weights.check_fits(net, game, path)
    if not isinstance(net, Nnue):
        raise WeightsError(f"{path} is no NNUE net, which is what this run trains")
    return net


def _check_trainable(game: Game) -> None:
    check_trainable(game)
    if game.mover(game.states(1)[0]) == CHANCE or game.defines("chance"):
        raise GameError(f"{game.name} has dice, which alpha-beta cannot search; train it with --learner dice")
