"""The teacher's games and the net that learns its moves from them: the first part of a run of PPO, or a run alone."""

import time
from typing import Any

import numpy as np
import torch

from sparring.errors import GameError, RunError
from sparring.games import gamefile
from sparring.games.game import Game
from sparring.learn.clone import Cloning, Lessons, ended
from sparring.learn.ppo_loss import entropies, log_chances
from sparring.learn.ppo_settings import CloneSettings
from sparring.learn.run import RunFolder, commit, cores
from sparring.learn.seat_play import BOT
from sparring.learn.seats import Played, Seats, new_games
from sparring.learn.seeds import Seeds
from sparring.nets import weights
from sparring.nets.move_net import MoveNet, sees
from sparring.nets.move_net import shape_for as move_shape_for
from sparring.nets.move_net_module import MoveNetModule
from sparring.nets.tower import Tower, shape_for
from sparring.nets.tower_module import TowerModule
from sparring.search.gauge import longest_game

Module = TowerModule | MoveNetModule
Playable = Tower | MoveNet
OPENING = 4  # random moves before measured games, where all begin alike
SETTLING = 512  # positions by which a tower's batch norm is set
SOFTENED, HALVINGS = 8192, 30  # positions, and steps, by which the factor is found that softens a clone


class Cloner:
    """Records a teacher when it is first asked for an epoch, then teaches its moves to the module."""

    def __init__(self, game: Game, settings: CloneSettings, seats: Seats, seeds: Seeds, module: Module) -> None:
        self.game, self.settings, self.seats, self.seeds, self.module = game, settings, seats, seeds, module
        self.kept: dict[str, np.ndarray] = {}
        self.cloning: Cloning | None = None

    @property
    def done(self) -> bool:
        """Whether no more is to be learned."""
        if self.cloning is not None:
            return self.cloning.done
        number, best = self.kept["epoch"] if self.kept else (0, 0)
        return ended(number, best, self.settings.clone_epochs, self.settings.patience)

    def epoch(self) -> dict[str, Any]:
        """A pass over the recording: what it told, for the row."""
        began = time.perf_counter()
        cloning = self.cloning = self.cloning or self._begin()
        seconds = time.perf_counter() - began
        counts = {"decisions": len(cloning.train), "held_decisions": len(cloning.held), "seconds_record": seconds}
        return counts | cloning.epoch()

    def state(self) -> dict[str, np.ndarray]:
        """All that the next epoch depends on but the recording, which is made again."""
        return self.cloning.state() if self.cloning else self.kept

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from a `state`."""
        self.kept = arrays

    def finished(self) -> Module:
        """The module with the weights that foresaw the held-out games best."""
        return self.cloning.best() if self.cloning else self.module

    def softened(self, entropy: float) -> Module:
        """`finished`, its logits all made smaller by one factor, so that it has this mean entropy on held-out games."""
        module = self.finished()
        if self.cloning is not None and entropy > 0:
            soften(module, self.cloning.held, entropy)
        return module

    def net(self, training: dict[str, Any]) -> Playable:
        """The best so far."""
        return self.finished().fold(self.game, training)

    def _begin(self) -> Cloning:
        settings = self.settings
        train, held = self._from_file() if settings.recording else self._from_teacher()
        cloning = Cloning(
            self.module,
            train,
            held,
            rate=settings.clone_rate,
            batch=settings.clone_batch,
            epochs=settings.clone_epochs,
            patience=settings.patience,
            seed=settings.seed,
        )
        if self.kept:
            cloning.restore(self.kept)
        return cloning

    def _from_teacher(self) -> tuple[Lessons, Lessons]:
        settings, found = self.settings, []
        for span, count in ((self.seeds.training, settings.recorded), (self.seeds.held, settings.held_out)):
            games = new_games(span.take(0, count), np.full(2, BOT), np.zeros(2), 0, settings.seed)
            rng = np.random.default_rng([settings.seed, 1, count])
            games["opening"] = rng.integers(settings.record_opening + 1, size=count)
            played = self.seats.record(games)
            found.append(self._lessons(played))
        return found[0], found[1]

    def _from_file(self) -> tuple[Lessons, Lessons]:
        path, held_out, game = self.settings.recording, self.settings.held_out, self.game
        games = list(gamefile.read(path, game))
        if len(games) <= held_out:
            what = f"{path} holds {len(games)} games, but {held_out} are held out"
            raise RunError(f"{what}; record more, or hold out fewer (--held-out)")
        train, held = (self._lessons_of(gamefile.replay(game, part)) for part in (games[:-held_out], games[-held_out:]))
        return train, held

    def _lessons_of(self, made: gamefile.Replayed) -> Lessons:
        value = made.results[made.numbers]
        return self._taught(made.states, made.moves, made.numbers, made.movers, value)

    def _lessons(self, played: Played) -> Lessons:
        rows = played.rows
        value = np.array([*self.game.RESULTS, np.nan])[played.games["end"][rows["game"]]]  # ONGOING is -1, the last
        return self._taught(rows["state"][:, 0].copy(), rows["move"], rows["game"], rows["player"], value)

    def _taught(
        self, states: np.ndarray, moves: np.ndarray, games: np.ndarray, players: np.ndarray, value: np.ndarray
    ) -> Lessons:
        """Lessons of decisions in the order of each game. value: of its result for player 0, NaN where it has none."""
        results, own = np.array(self.game.RESULTS), np.where(players == 0, value, -value)
        ends = np.where(np.isnan(own), -1, np.searchsorted(results, np.nan_to_num(own)))
        left = decisions_left(games.astype(np.int64) * 2 + players)
        scores = np.nan_to_num(own) / np.abs(results).max() * self.settings.discount**left
        return Lessons(states, moves, ends, self.seats.look, self.seats.lawful, scores=scores.astype(np.float32))


def decisions_left(owners: np.ndarray) -> np.ndarray:
    """For each of some decisions in order, how many of the same owner (a number from 0) come after it."""
    order = np.argsort(owners, kind="stable")
    _, first, counts = np.unique(owners[order], return_index=True, return_counts=True)
    left = np.zeros(len(owners), np.int64)
    left[order] = np.repeat(counts, counts) - 1 - (np.arange(len(owners)) - np.repeat(first, counts))
    return left


def soften(module: Module, lessons: Lessons, entropy: float) -> None:
    """Make a policy's logits smaller by one factor, where its mean entropy (nats) on the lessons is below this.

    The factor is found by halving an interval; the likeliest moves stay the same.
    """
    part = slice(0, SOFTENED)
    legal = torch.from_numpy(lessons.lawful(lessons.states[part]))
    seen = torch.from_numpy(np.ascontiguousarray(lessons.seen(part)))
    if isinstance(module, TowerModule):
        seen = seen.reshape(-1, module.shape.planes, module.shape.rows, module.shape.columns)
    module.eval()
    with torch.no_grad():
        logits = module(seen).policy
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            found = float(entropies(log_chances(logits * middle, legal), legal).mean())
            low, high = (middle, high) if found > entropy else (low, middle)
        last = module.policy if isinstance(module, TowerModule) else module.policy[-1]
        if float(entropies(log_chances(logits, legal), legal).mean()) < entropy:
            last.weight.mul_(high)  # type: ignore[operator]
            last.bias.mul_(high)  # type: ignore[operator]


def check_clonable(game: Game) -> None:
    """Raise GameError where no net can learn the game's moves."""
    if not sees(game) and game.FEATURES < 1:
        what = "has neither overview() and prospects() nor features(), which say what a net sees"
        raise GameError(f"{game.path.name} {what}; add one of them")
    if game.VIEWER >= 0 or tuple(-v for v in reversed(game.RESULTS)) != game.RESULTS:
        what = "policies are learned as the player to move sees it"
        raise GameError(f"{game.path.name}: VIEWER {game.VIEWER} and RESULTS {game.RESULTS}: {what}")


def usual_opening(game: Game) -> int:
    """Random moves before games that measure, so that they differ."""
    return 0 if game.defines("deal") or game.defines("chance") else OPENING


def seats_for(game: Game, settings: CloneSettings, threads: int, module: Module, shaped: bool = False) -> Seats:
    """Where games are played whose nets are like the module."""
    bot = settings.teacher or next(iter(game.BOTS), "")
    lanes = getattr(settings, "lanes", 1)
    small = isinstance(module, MoveNetModule)
    return Seats(game, bot, small, lanes, threads or cores(), longest_game(game), shaped)


def module_for(game: Game, settings: CloneSettings, folder: RunFolder, start: str) -> Module:
    """The module to train: of the net that the run here began with, of `start`, or a new one."""
    first = folder.net_path(0)
    if first.exists() or start:
        net = weights.load(first if first.exists() else start)
        weights.check_fits(net, game, start or str(first))
        if not isinstance(net, Tower | MoveNet):
            raise RunError(f"{start} is a perceptron, which has no policy; start with a tower or a small net")
        return module_of(net, game)
    if settings.net == "small" and not sees(game):
        raise RunError(f"--net small: {game.path.name} has no overview() and prospects(); take --net tower")
    if settings.net == "small" or (settings.net == "auto" and sees(game)):
        return MoveNetModule(move_shape_for(game, settings.policy_hidden, settings.value_hidden), settings.seed)
    return TowerModule(shape_for(game, blocks=settings.blocks, width=settings.width), settings.seed)


def module_of(net: Playable, game: Game) -> Module:
    """A module that judges as the net does, to train on from there."""
    if isinstance(net, MoveNet):
        return MoveNetModule.of(net)
    from sparring.games.walk import random_positions
    from sparring.nets.tower import planes_seen

    return TowerModule.of(net, planes_seen(game, random_positions(game, SETTLING)), 0)


class CloneLearner:
    """A run that only clones. A generation is a pass over the recording."""

    def __init__(
        self, game: Game, settings: CloneSettings, folder: RunFolder, threads: int = 0, start: str = ""
    ) -> None:
        check_clonable(game)
        self.game, self.settings, self.folder = game, settings, folder
        seeds = Seeds.read(training=settings.training_seeds, held=settings.held_seeds)
        folder.open(game, settings.as_dict(), ("clone_epochs",), start, CloneSettings().as_dict(), "clone")
        module = module_for(game, settings, folder, start)
        self.cloner = Cloner(game, settings, seats_for(game, settings, threads, module), seeds, module)
        self.number = self.kept = 0
        self.minutes = 0.0
        for number, arrays, metadata in folder.checkpoints():
            self.cloner.restore(arrays)
            self.number = self.kept = number
            self.minutes = float(metadata["minutes"])
            folder.keep_rows(number)
            return
        folder.check_none_damaged()
        folder.save_net(self.net, 0)

    @property
    def net(self) -> Playable:
        """The best so far."""
        return self.cloner.net({"generation": self.number, "commit": commit(), "settings": self.settings.as_dict()})

    def generation(self) -> dict[str, Any]:
        """A pass; its row."""
        began = time.perf_counter()
        self.number += 1
        row = {"generation": self.number, "stage": "clone"} | self.cloner.epoch()
        seconds = time.perf_counter() - began
        self.minutes += seconds / 60
        return row | {"minutes": self.minutes, "seconds": seconds}

    def finish(self, row: dict[str, Any]) -> None:
        """Keep the pass: net, row, checkpoint, in an order that a kill cannot spoil."""
        self.folder.save_net(self.net)
        self.folder.add_row(row)
        self.folder.save_checkpoint(self.number, self.cloner.state(), {"minutes": repr(self.minutes)})
        self.kept = self.number

    def stop(self) -> None:
        """A pass is never long."""

    def done(self, began: float | None = None) -> float:
        """Share of the passes that are over; 1 when no more helps."""
        return 1.0 if self.cloner.done else min(self.number / self.settings.clone_epochs, 0.99)
