"""PPO self-play: a net, mostly a clone of a teacher, gets better by games against itself, its past and the teacher.

Schulman et al. 2017, with a pool of past selves (Heinrich and Silver 2016; Bansal et al. 2018) and a gate: the newest
net that surely beat the champion is the champion, and what the run keeps. A generation is a pass of cloning, as long as
that goes on, and then an iteration: some whole games, then some passes over their decisions.
"""

import dataclasses
import json
import time
from typing import Any

import numpy as np

from sparring.errors import RunError, WeightsError
from sparring.games.game import Game
from sparring.intervals import wilson
from sparring.learn import gate
from sparring.learn.cloner import (
    Cloner,
    Module,
    Playable,
    check_clonable,
    module_for,
    module_of,
    seats_for,
    usual_opening,
)
from sparring.learn.pace import slowed
from sparring.learn.pool import Pool
from sparring.learn.ppo_games import LEARNER, games_in, pairs, training_games
from sparring.learn.ppo_settings import MAY_CHANGE, PpoSettings
from sparring.learn.ppo_update import experience, improve
from sparring.learn.run import RunFolder, commit
from sparring.learn.seat_play import BOT
from sparring.learn.seats import Played, points_of
from sparring.learn.seeds import Seeds
from sparring.nets import engines
from sparring.nets.engines import Engine
from sparring.nets.move_net_module import MoveNetModule
from sparring.nets.tower_training import Trainer
from sparring.search.gauge import random_lengths

DRAWING = 2  # stream of the run's seed
GREEDY, SAMPLED = 0.0, 1.0  # temperatures
SMALL_RATE, TOWER_RATE = 2e-3, 5e-4  # step sizes of Adam


class PpoLearner:
    """One run. `generation()` makes the next one, `finish(row)` keeps it; a kill in between loses nothing finished.

    With one thread and an end told in iterations, the same seed gives the same nets, resumed or not.
    """

    def __init__(self, game: Game, settings: PpoSettings, folder: RunFolder, threads: int = 0, start: str = "") -> None:
        check_clonable(game)
        self.game, self.settings, self.folder = game, settings, folder
        self.seeds = Seeds.read(
            training=settings.training_seeds,
            held=settings.held_seeds,
            screening=settings.screening_seeds,
            confirming=settings.confirming_seeds,
            evaluating=settings.evaluating_seeds,
        )
        folder.open(game, settings.as_dict(), MAY_CHANGE, start, PpoSettings().as_dict(), "ppo")
        self.bot = settings.teacher or next(iter(game.BOTS), "")
        module = module_for(game, settings, folder, start)
        self.seats = seats_for(game, settings, threads, module, settings.shaping > 0)
        self.opening = settings.opening if settings.opening >= 0 else usual_opening(game)
        self.number = self.kept = self.iteration = self.games = self.decisions = 0
        self.promotions = self.failed = 0
        self.minutes = self.measured = 0.0
        self.length = float(np.median(random_lengths(game)))  # of a game, in plies: at first of random ones
        clones = settings.clone and not start and bool(settings.recording or self.bot)
        self.cloner = Cloner(game, settings, self.seats, self.seeds, module) if clones else None
        self.rate = settings.rate or (SMALL_RATE if isinstance(module, MoveNetModule) else TOWER_RATE)
        self.bank: list[list[Engine]] = [[] for _ in range(self.seats.threads)]
        self._take(module)
        self.champion = self.first = self._candidate()
        recent = settings.pool_size if settings.pool == "recent" else 0
        self.pool = Pool(folder.path / "pool", self.first, settings.pool_size, recent)
        if not self._resume():
            folder.save_net(self.first, 0)
            if self.cloner is None:
                self.pool.add(self.first, 0)
        self.maker, line = engines.choose(self.net, settings.lanes, wanted=settings.engine)
        folder.notes.append(line)

    @property
    def net(self) -> Playable:
        """What the run is worth: the champion, or while it clones, the best clone so far."""
        return self.champion if self.cloner is None else self.cloner.net(self._training())

    def generation(self) -> dict[str, Any]:
        """Clone for a pass, or play and learn; the generation's row."""
        began = time.perf_counter()
        self.number += 1
        row: dict[str, Any] = {"generation": self.number}
        if self.cloner is not None:
            row |= {"stage": "clone"} | self.cloner.epoch()
        else:
            row |= {"stage": "ppo"} | self._iterate(began)
        row["seconds"] = time.perf_counter() - began
        self.minutes += row["seconds"] / 60
        row["minutes"] = self.minutes
        if self.cloner is None and self._is_due():
            row |= self._measure()
        elif self.cloner is not None and self.cloner.done:
            self._end_cloning()
            row |= self._measure()
        return row

    def finish(self, row: dict[str, Any]) -> None:
        """Keep the generation: nets, row, checkpoint, in an order that a kill cannot spoil."""
        self.folder.save_net(self.net)
        self.folder.add_row(row)
        arrays = self.trainer.state() if self.cloner is None else self.cloner.state()
        for name, net in (("champion", self.champion), ("first", self.first)):
            arrays |= {f"{name}.{array}": a for array, a in net.arrays.items()}
        names = ("minutes", "measured", "length", "iteration", "games", "decisions", "promotions", "failed")
        numbers = {name: getattr(self, name) for name in names} | {"pool": self.pool.state()}
        numbers |= {"champion": self.champion.training, "first": self.first.training}
        numbers |= {"cloning": self.cloner is not None}
        self.folder.save_checkpoint(self.number, arrays, {"numbers": json.dumps(numbers)})
        self.kept = self.number

    def stop(self) -> None:
        """End a running `generation` soon (from another thread)."""
        self.seats.stop()

    def done(self, began: float | None = None) -> float:
        """Share of the run that is over, by minutes or iterations, whichever ends it sooner. began: of a generation."""
        minutes, iterations = self.settings.minutes, self.settings.iterations
        gone = self.minutes + ((time.perf_counter() - began) / 60 if began is not None else 0.0)
        return min(max(gone / minutes if minutes else 0.0, self.iteration / iterations if iterations else 0.0), 1.0)

    # --- parts of an iteration ---------------------------------------------------------------------------------------

    def _iterate(self, began: float) -> dict[str, Any]:
        settings, game = self.settings, self.game
        self.iteration += 1
        rng = np.random.default_rng([settings.seed, DRAWING, self.iteration])
        count = games_in(settings, self.games)
        members = self.pool.draw(rng, settings.drawn) if settings.pool_share else []
        nets = [self.trainer.module.fold(game), *(self.pool.net(name) for name in members)]
        deals = self.seeds.training.take(int(rng.integers(self.seeds.training.count)), count)
        games = training_games(settings, count, len(members), bool(self.bot), deals, self.length, rng)
        played = self._play(games, nets, [SAMPLED] * len(nets))
        played_s = time.perf_counter() - began
        points = points_of(played, game, LEARNER)
        met = [(games["seats"] == 1 + k).any(1) for k in range(len(members))]
        for name, who in zip(members, met, strict=True):
            if who.any():
                self.pool.note(name, float(points[who].sum()), int(who.sum()))
        try:
            done = experience(self.seats, played, self.trainer.module, game, settings)
            said = improve(self.trainer, done, self.seats, settings, self.rate * slowed(self.done(began)), rng)
        except RunError as fault:
            kept = f"the champion of generation {self.kept} in {self.folder.net_path()} is safe"
            raise RunError(
                f"iteration {self.iteration}: {fault}; {kept}; try a smaller --rate in another folder"
            ) from None
        self.games += count
        self.length = float(played.games["plies"].mean())
        self.decisions += len(played.rows)
        against_bot = (games["seats"] == BOT).any(1)
        row: dict[str, Any] = {
            "iteration": self.iteration,
            "games": self.games,
            "decisions": self.decisions,
            "games_per_second": count / (time.perf_counter() - began),
            "seconds_play": played_s,
            **{name if name in ("entropy", "kl", "clipped") else f"loss_{name}": v for name, v in said.items()},
            "epochs_done": int(said["passes"]),
            "plies": self.length,
            "score_teacher_train": float(points[against_bot].mean()) if against_bot.any() else None,
            "score_pool": float(points[np.any(met, 0)].mean()) if np.any(met) else None,
        }
        del row["loss_passes"]
        if self.iteration % settings.pool_every == 0:
            self.pool.add(self.trainer.module.fold(game), self.iteration)
        if self.iteration % settings.gate_every == 0 or self.done(began) >= 1:
            row["gate"] = self._gate(last=self.done(began) >= 1)
        return row | {"promotions": self.promotions}

    def _gate(self, last: bool) -> dict[str, Any]:
        """Whether the learner becomes the champion; after too many failures in a row it goes back to it. last: there
        will be no other gate."""
        candidate, settings = self._candidate(), self.settings
        found: dict[str, Any] = {"promoted": False}
        for name, span, count in (
            ("screen", self.seeds.screening, settings.screen_games),
            ("confirm", self.seeds.confirming, settings.confirm_games),
        ):
            deals = span.take(self.iteration * count // 2, count // 2)
            played = self._play(
                pairs(0, 1, deals, self.opening, settings.seed), [candidate, self.champion], [GREEDY] * 2
            )
            points = float(points_of(played, self.game, 0).sum())
            found[name] = {"points": points, "games": count}
            if name == "screen" and not last and not gate.passes_screen(points, count, settings.screen_score):
                break
            found["promoted"] = name == "confirm" and gate.promoted(points, count)
        if found["promoted"]:
            self.champion, self.failed = candidate, 0
            self.promotions += 1
        else:
            self.failed += 1
            if settings.rollback and self.failed >= settings.rollback:
                self._take(module_of(self.champion, self.game))
                self.failed, found["rolled_back"] = 0, True
        return found

    def _is_due(self) -> bool:
        every = self.settings.measure_every
        return self.done() >= 1 or bool(every and self.minutes - self.measured >= every)

    def _measure(self) -> dict[str, Any]:
        """The learner against those who stay as they are, on deals that nothing was trained or chosen on."""
        self.measured = self.minutes
        settings, net = self.settings, self._candidate()
        deals = self.seeds.evaluating.take(0, settings.measure_games // 2)
        others = {"clone": [net, self.first]} if self.iteration else {}
        others |= {"teacher": [net]} if self.bot else {}
        found = {}
        for other, nets in others.items():
            for how, temperature in (("greedy", GREEDY), ("sampled", SAMPLED)):
                games = pairs(0, BOT if other == "teacher" else 1, deals, self.opening, settings.seed)
                points = points_of(self._play(games, nets, [temperature] * len(nets)), self.game, 0)
                low, high = wilson(float(points.sum()), len(points))
                found[f"{other}_{how}"] = {
                    "score": float(points.mean()),
                    "low": low,
                    "high": high,
                    "games": len(points),
                }
        return found

    def _play(self, games: np.ndarray, nets: list[Playable], temperatures: list[float]) -> Played:
        for bank in self.bank:
            while len(bank) < len(nets):
                bank.append(self.maker(nets[0]))
            for engine, net in zip(bank, nets, strict=False):
                engine.load(net)
        return self.seats.play(games, self.bank, temperatures)

    def _candidate(self) -> Playable:
        """What stands for the learner in gates and measurements: its averaged weights."""
        return self.trainer.average.fold(self.game, self._training())

    def _training(self) -> dict[str, Any]:
        training: dict[str, Any] = {"generation": self.number, "iteration": self.iteration, "games": self.games}
        training |= {"minutes": round(self.minutes, 2), "commit": commit(), "settings": self.settings.as_dict()}
        return training

    # --- beginning and resuming --------------------------------------------------------------------------------------

    def _take(self, module: Module) -> None:
        """Let PPO go on from this module."""
        settings = self.settings
        longest = settings.longest_gradient
        self.trainer: Trainer[Any] = Trainer(module, self.rate, 0.0, averaging=settings.average, longest=longest)

    def _end_cloning(self) -> None:
        assert self.cloner is not None
        self._take(self.cloner.softened(self.settings.soften))
        self.cloner = None
        self.champion = self.first = self._candidate()
        self.pool.add(self.first, 0)

    def _resume(self) -> bool:
        """Take up the newest whole checkpoint; False where there is none and the run begins."""
        for number, arrays, metadata in self.folder.checkpoints():
            numbers = json.loads(metadata["numbers"])
            try:
                self.pool.restore(numbers["pool"])
            except WeightsError as fault:
                self.folder.notes.append(f"{fault}; going back to the checkpoint before it")
                continue
            if numbers["cloning"]:
                assert self.cloner is not None
                self.cloner.restore(arrays)
            else:
                self.cloner = None
                self.trainer.restore(arrays)
            for name in ("champion", "first"):
                found = {a.partition(".")[2]: v for a, v in arrays.items() if a.startswith(f"{name}.")}
                setattr(self, name, dataclasses.replace(self.first, arrays=found, training=numbers[name]))
            for name in ("minutes", "measured", "length", "iteration", "games", "decisions", "promotions", "failed"):
                setattr(self, name, numbers[name])
            self.number = self.kept = number
            self.folder.keep_rows(number)
            return True
        self.folder.check_none_damaged()
        return False
