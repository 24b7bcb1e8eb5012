"""TD(λ) in batches: many games with one net, their positions labelled backwards, some passes of Adam, all forgotten."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch

from sparring.games.game import Game
from sparring.learn.dice_settings import DiceSettings
from sparring.learn.turn_play import TurnPlay, TurnRows
from sparring.nets.mlp_training import Trainer
from sparring.nets.weights import Net, results_seen

PLAYING, CHOOSING = 1, 2  # streams of the run's seed
PART = 8192  # rows whose inputs are written out at once


@dataclass(frozen=True)
class Lesson:
    """What a generation came to. ends: (games,) indices into RESULTS, -1 where cut off. turns: that were learned from.

    loss: mean of a turn. rate: the step size. seconds_play: before anything was learned, or all, if while playing.
    """

    ends: np.ndarray
    turns: int
    loss: float
    rate: float
    seconds_play: float


class Batches:
    """A way to learn turns (`traces.TracePlay` is the other)."""

    def __init__(self, game: Game, net: Net, settings: DiceSettings, threads: int) -> None:
        torch.set_num_threads(1)  # one order of additions, whatever the machine
        self.game, self.settings, self.net = game, settings, net
        self.trainer = Trainer(net, game, settings.highest_rate, settings.average)
        self.turnplay = TurnPlay(game, net, threads, settings.longest)
        self.inputs = np.zeros((PART, game.FEATURES), np.float32)

    def generation(self, net: Net, number: int, explore: float, slowed: Callable[[], float]) -> Lesson:
        """Play with the net, label, learn. slowed: the share of the highest step size that is due."""
        began, settings = time.perf_counter(), self.settings
        seed = (settings.seed, PLAYING, number)
        played = self.turnplay.play(net, settings.batch_games, seed, settings.trace, explore)
        played_s = time.perf_counter() - began
        rate = settings.highest_rate * slowed()
        return Lesson(played.ends, len(played.rows), self._learn(played.rows, number, rate), rate, played_s)

    def stop(self) -> None:
        """End a running `generation` soon (from another thread)."""
        self.turnplay.stop()

    def layers(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """The averaged weights as a `Net` holds them."""
        return self.trainer.averaged.layers()

    def arrays(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs but the averaged net."""
        return self.trainer.arrays()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """The inverse of `arrays`, for one that was made with the averaged net."""
        self.trainer.restore(arrays)

    def _learn(self, rows: TurnRows, number: int, rate: float) -> float:
        """Some passes over the rows. Returns the mean loss."""
        rng = np.random.default_rng([self.settings.seed, CHOOSING, number])
        total, batch, model = torch.zeros(()), self.settings.batch, self.trainer.model
        for _ in range(self.settings.epochs):
            order = rng.permutation(len(rows))
            for at in range(0, len(order), PART):
                part = order[at : at + PART]
                inputs = self.turnplay.inputs(rows, part, self.inputs)
                inputs[:, self.settings.inputs or self.game.FEATURES :] = 0
                wanted = rows.targets[part] if self.settings.points else without_points(self.game, rows.targets[part])
                seen, chances = torch.from_numpy(inputs), torch.from_numpy(wanted)
                for i in range(0, len(part), batch):
                    piece = slice(i, i + batch)
                    loss = model.outcome_loss(model(seen[piece]), chances[piece])
                    self.trainer.step(loss, rate)
                    total += loss.detach() * len(chances[piece])
        return float(total) / (len(rows) * self.settings.epochs)


def without_points(game: Game, targets: np.ndarray) -> np.ndarray:
    """Chances (n, results) in which all of a win or of a loss is of the smallest."""
    values = np.array(results_seen(game))
    taught = np.where(values == 0, targets, 0).astype(np.float32)
    for sign in (-1, 1):
        own = values * sign > 0
        if own.any():
            taught[:, np.flatnonzero(own)[np.abs(values[own]).argmin()]] = targets[:, own].sum(1)
    return taught
