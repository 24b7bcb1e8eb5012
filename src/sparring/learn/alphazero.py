"""AlphaZero: a net learns from games that a tree search with that net plays against itself (Silver et al. 2018).

Self-play and training go on side by side: on one thread they take turns, on more all but one only play, and that one
trains as long as there is enough to learn from, and plays too when there is not. A generation is some steps of
training; then the averaged net plays on. No match decides whether it may (there is no gate that could stall).
"""

import sys
import threading
import time
from typing import Any

import numpy as np
import torch

from sparring.errors import RunError, WeightsError
from sparring.games.game import Game
from sparring.games.walk import random_positions
from sparring.learn.alphazero_settings import MAY_CHANGE, AlphaZeroSettings
from sparring.learn.derive import check_trainable, derive
from sparring.learn.fleet import ASKED, COUNTS, FIRST, GAMES, KNOWN, PLIES, SECOND, SIMULATIONS
from sparring.learn.rows import Rows, new_lessons
from sparring.learn.run import RunFolder, commit, cores
from sparring.learn.trainer import new_trainer, rate_at, targets_of
from sparring.learn.treeplay import Crew, GameFleet, Shared
from sparring.nets import engines, weights
from sparring.nets.tower import Tower, calibrated, planes_seen, shape_for
from sparring.nets.tower_module import TowerModule
from sparring.search.gauge import longest_game

DRAWING = 3  # stream of the run's seed that batches are drawn by
LESSON = 51_200  # rows trained on in a generation; the first ones are shorter
FIRST_LESSON, LONGER = 15_360, 2_560  # rows, and by how many each is longer
LEAST = 6_000  # rows, or batches' worth, before training begins
LEAST_BATCHES = 12
LEAST_WINDOW = 30_000  # rows
SHARE = 0.5  # of all rows that the window holds
CALIBRATION = 512  # positions
LOSSES = ("policy", "result", "score", "reply", "left")
SWITCH = 0.0005  # seconds after which a thread lets others run Python


class AlphaZeroLearner:
    """One run. `generation()` makes the next one, `finish(row)` keeps it; a kill in between loses nothing finished.

    With one thread and an end told in generations, the same seed gives the same nets, resumed or not.
    """

    def __init__(
        self, game: Game, settings: AlphaZeroSettings, folder: RunFolder, threads: int = 0, start: str = ""
    ) -> None:
        check_trainable(game)
        self.game, self.folder = game, folder
        folder.open(game, settings.as_dict(), MAY_CHANGE, start, AlphaZeroSettings().as_dict(), "alphazero")
        self.settings, said = derive(game, settings)
        folder.notes += said
        sys.setswitchinterval(SWITCH)
        self.longest = longest_game(game)
        self.rows = Rows(game, self.settings.window)
        self.lessons = new_lessons(game, self.settings.batch)
        self.shared = Shared(game, self.settings, self.longest)
        count = threads or cores()
        self.fleets = [GameFleet(self.shared, self.settings.lanes, k) for k in range(count)]
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.number = self.kept = 0
        self.minutes = 0.0
        self.trained = 0  # rows, over the run
        self.games = 0
        self.segments: dict[int, int] = {}  # generation to the rows there were before it
        self.trainer = new_trainer(self._module(start), self.settings)
        resumed = self._resume()
        self.tower = self.trainer.average.fold(game)
        if not resumed:
            folder.save_net(self.net, 0)
        self._make_engines()
        self._compile()

    @property
    def net(self) -> Tower:
        """The net as it is now: the averaged weights."""
        training = {"generation": self.number, "minutes": round(self.minutes, 2), "commit": commit()}
        training |= {"positions": self.rows.total, "games": self.games, "settings": self.settings.as_dict()}
        tower = self.tower
        return Tower(tower.game, tower.features, tower.shape, tower.arrays, training, tower.ranges)

    def generation(self) -> dict[str, Any]:
        """Play and train; the generation's row."""
        began = time.perf_counter()
        self.number += 1
        self.segments[self.number] = self.rows.total
        before, trained, times = self._counts(), self.trained, self._times()
        totals, train_s = self._train(began)
        if not all(np.isfinite(v) for v in totals.values()):
            what = f"the loss became {totals} in generation {self.number}"
            kept = f"the net of generation {self.kept} in {self.folder.net_path()} is safe"
            raise RunError(f"{what}; {kept}; try a smaller --rate in another folder")
        self.tower = self.trainer.average.fold(self.game)
        self._make_engines()
        seconds = time.perf_counter() - began
        self.minutes += seconds / 60
        counts = self._counts() - before
        asked, known = int(counts[ASKED]), int(counts[KNOWN])
        self.games += int(counts[GAMES])
        new_times = self._times()
        return {
            "generation": self.number,
            "minutes": self.minutes,
            "games": self.games,
            "positions": self.rows.total,
            "positions_per_second": (self.rows.total - self.segments[self.number]) / seconds,
            "moves_per_second": int(counts[PLIES]) / seconds,
            "simulations_per_second": int(counts[SIMULATIONS]) / seconds,
            "evaluations_per_second": asked / seconds,
            "cached": known / max(asked + known, 1),
            **{f"loss_{name}": value for name, value in totals.items()},
            "passes": self.trained / max(self.rows.total, 1),
            "trained_per_second": (self.trained - trained) / seconds,
            "rate": rate_at(self.settings, self.trainer.steps, self._done(began)),
            "plies": int(counts[PLIES]) / max(int(counts[GAMES]), 1),
            "wins_first": int(counts[FIRST]),
            "wins_second": int(counts[SECOND]),
            "draws": int(counts[GAMES] - counts[FIRST] - counts[SECOND]),
            "seconds_engine": new_times[0] - times[0],
            "seconds_tree": new_times[1] - times[1],
            "seconds_train": train_s,
            "seconds": seconds,
        }

    def finish(self, row: dict[str, Any]) -> None:
        """Keep the generation: its rows, net, row and checkpoint, in an order that a kill cannot spoil."""
        net, rows = self.net, self.rows
        first = self.segments[self.number]
        oldest = min((g for g, at in self.segments.items() if at + len(rows.ring) > first), default=self.number)
        self.folder.save_buffer(self.number, rows.segment(first), oldest)
        self.folder.save_net(net)
        self.folder.add_row(row)
        arrays = self.trainer.state()
        for k, fleet in enumerate(self.fleets):
            arrays |= {f"fleet{k}.{name}": array for name, array in fleet.arrays.items()}
        numbers = {"trained": self.trained, "games": self.games, "oldest": oldest}
        metadata = {"generation": str(self.number), "minutes": repr(self.minutes)}
        self.folder.save_checkpoint(self.number, arrays, metadata | {k: str(v) for k, v in numbers.items()})
        self.kept = self.number

    def stop(self) -> None:
        """End a running `generation` soon (from another thread)."""
        self.stopping.set()

    # --- parts of a generation ---------------------------------------------------------------------------------------

    def _train(self, began: float) -> tuple[dict[str, float], float]:
        """Steps of training while the others play. Returns the mean losses and the seconds that training took."""
        settings, own = self.settings, self.fleets[-1]
        rng = np.random.default_rng([settings.seed, DRAWING, self.number])
        wanted = max(min(LESSON, FIRST_LESSON + LONGER * self.number) // settings.batch, 1)
        sums: dict[str, torch.Tensor] = {}
        steps, seconds = 0, 0.0
        with Crew(self.fleets[:-1], self._take) as crew:
            while steps < wanted and not crew.ending.is_set() and not self.stopping.is_set():
                ready = self.rows.total >= min(LEAST, LEAST_BATCHES * settings.batch)
                if ready and self.trained < settings.passes * self.rows.total:
                    start = time.perf_counter()
                    for name, term in self._step(rng, self._done(began)).items():
                        sums[name] = sums.get(name, 0) + term
                    steps += 1
                    seconds += time.perf_counter() - start
                else:
                    self._take(own.round())
        return {name: float(total) / max(steps, 1) for name, total in sums.items() if name in LOSSES}, seconds

    def _step(self, rng: np.random.Generator, done: float) -> dict[str, torch.Tensor]:
        settings = self.settings
        with self.lock:
            window = max(LEAST_WINDOW, int(SHARE * self.rows.total))
            rows = self.rows.choose(settings.batch, window, rng)
            self.rows.lessons(rows, rng.integers(self.game.SYMMETRIES, size=len(rows)), self.lessons)
        self.trained += len(rows)
        trainer = self.trainer
        targets = targets_of(self.lessons, trainer.module, self.game, self.longest)
        return trainer.step(torch.from_numpy(self.lessons.inputs), targets, rate_at(settings, trainer.steps, done))

    def _take(self, rows: np.ndarray) -> None:
        if len(rows):
            with self.lock:
                self.rows.add(rows)

    def _done(self, began: float) -> float:
        """Share of the run that is over: by minutes, by generations, or by whichever ends it sooner."""
        minutes, generations = self.settings.minutes, self.settings.generations
        by_time = (self.minutes + (time.perf_counter() - began) / 60) / minutes if minutes else 0.0
        return max(by_time, (self.number - 1) / generations if generations else 0.0)

    def _counts(self) -> np.ndarray:
        return sum((fleet.counts for fleet in self.fleets), np.zeros(COUNTS, np.int64))

    def _times(self) -> tuple[float, float]:
        return sum(f.times.engine for f in self.fleets), sum(f.times.tree for f in self.fleets)

    # --- engines -----------------------------------------------------------------------------------------------------

    def _make_engines(self) -> None:
        """Let the newest net play from now on."""
        self.tower = calibrated(self.tower, self._positions())
        if not hasattr(self, "maker"):
            self.maker, line = engines.choose(self.tower, self.settings.lanes, wanted=self.settings.engine)
            self.folder.notes.append(line)
        for fleet in self.fleets:
            if fleet.engine is None:
                fleet.engine = self.maker(self.tower)
            else:
                fleet.engine.load(self.tower)
            fleet.use(fleet.engine, self.tower.digest)

    def _positions(self) -> np.ndarray:
        """Some hundred positions as inputs: of self-play, and before there is any, of random games."""
        rng = np.random.default_rng([self.settings.seed, DRAWING, 0, self.number])
        size = min(CALIBRATION, self.settings.batch)
        if self.rows.total < size:
            return planes_seen(self.game, random_positions(self.game, CALIBRATION))
        rows = self.rows.choose(self.settings.batch, self.rows.total, rng)
        self.rows.lessons(rows, np.zeros(len(rows), np.int64), self.lessons)
        return self.lessons.inputs[:size].copy()

    def _compile(self) -> None:
        """Everything, before the clock of the run starts."""
        fleet = GameFleet(self.shared, 1, 0)
        assert self.fleets[0].engine is not None
        fleet.use(self.fleets[0].engine, "1")
        fleet.round()
        self.rows.compile(self.lessons)

    # --- beginning and resuming --------------------------------------------------------------------------------------

    def _module(self, start: str) -> TowerModule:
        """The module to train: of the shape that a run here began with, whatever its minutes are now."""
        heads = (self.settings.seed, self.settings.reply, self.settings.left)
        first = self.folder.net_path(0)
        if start and not first.exists():
            tower = weights.load_tower(start)
            weights.check_fits(tower, self.game, start)
            return TowerModule.of(tower, self._positions(), *heads)
        size = {"blocks": self.settings.blocks, "width": self.settings.width}
        return TowerModule(weights.load_tower(first).shape if first.exists() else shape_for(self.game, **size), *heads)

    def _resume(self) -> bool:
        """Take up the newest whole checkpoint; False where there is none and the run begins."""
        for number, arrays, metadata in self.folder.checkpoints():
            try:
                parts = {g: self.folder.load_buffer(g) for g in range(int(metadata["oldest"]), number + 1)}
            except WeightsError as fault:
                self.folder.notes.append(f"{fault}; going back to the checkpoint before it")
                continue
            self.rows.put_back(parts.values())
            self.segments = {g: int(part["begins"][0]) for g, part in parts.items()}
            self.trainer.restore(arrays)
            for k, fleet in enumerate(self.fleets):
                if f"fleet{k}.games" in arrays:
                    fleet.restore({n: arrays[f"fleet{k}.{n}"] for n in fleet.arrays})
            self.number = self.kept = number
            self.minutes, self.trained = float(metadata["minutes"]), int(metadata["trained"])
            self.games = int(metadata["games"])
            self.folder.keep_rows(number)
            return True
        self.folder.check_none_damaged()
        return False
