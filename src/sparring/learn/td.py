"""TD(λ) self-play: a net learns from the games that a search with that net plays against itself.

A generation: self-play, targets, training over the window, saving. Matches are played by whoever drives the learner.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from sparring.errors import GameError, WeightsError
from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.learn.replay import Examiner, Examples, Positions, choose_rows, join, label
from sparring.learn.run import RunFolder, commit, cores
from sparring.learn.selfplay import SelfPlay, Style
from sparring.learn.td_settings import MAY_CHANGE, TdSettings
from sparring.nets import weights
from sparring.nets.mlp import new_net
from sparring.nets.mlp_training import Trainer
from sparring.nets.weights import Net
from sparring.search.context import MOST_HISTORY
from sparring.search.gauge import usual_active

PLAYING, CHOOSING = 1, 2  # streams of the run's seed
PART = 8192  # rows looked at together, which bounds the memory


@dataclass(frozen=True)
class Misses:
    """Mean absolute error of the net's value, over positions from games that player 0 won and that player 1 won."""

    first: float
    second: float


class TdLearner:
    """One run. `generation()` makes the next one, `finish(row)` keeps it; a kill in between loses nothing finished."""

    def __init__(self, game: Game, settings: TdSettings, folder: RunFolder, threads: int = 0, start: str = "") -> None:
        _check_trainable(game, settings)
        self.game, self.settings, self.folder = game, settings, folder
        self.examiner = Examiner(game)
        folder.open(game, settings.as_dict(), MAY_CHANGE, start, TdSettings().as_dict())
        torch.set_num_threads(1)  # one order of additions, whatever the machine; batches are too small to share anyway
        self.number = 0  # of the newest generation
        self.kept = 0  # of the newest that is on disk
        self.window: list[Positions] = []
        if not self._resume():
            self.first = weights.load_perceptron(start) if start else self._untrained()
            weights.check_fits(self.first, game, start or "the net")
            self.trainer = self._trainer(self.first)
            folder.save_net(self.first, 0)
        longest = settings.longest or game.LIMIT or 1000
        self.selfplay = SelfPlay(game, self.first, threads or cores(), min(longest, MOST_HISTORY - 1))

    @property
    def net(self) -> Net:
        """The net as it is now: the averaged weights."""
        training = {"generation": self.number, "commit": commit(), "settings": self.settings.as_dict()}
        return Net(
            self.game.name, self.game.FEATURES_VERSION, self.first.head, self.trainer.averaged.layers(), training
        )

    def generation(self) -> dict[str, Any]:
        """Play, label, train; returns the generation's row (see `row`)."""
        began = time.perf_counter()
        self.number += 1
        settings, net = self.settings, self.net
        seed = (settings.seed, PLAYING, self.number)
        style = Style(settings.depth, settings.opening, settings.explore, settings.quiescence)
        played = self.selfplay.play(net, settings.games, seed, style)
        newest = label(played, settings.trace, settings.discount)
        self.window = [*self.window, newest][-settings.window :]
        positions = join(self.window)
        played_s = time.perf_counter() - began
        rng = np.random.default_rng([settings.seed, CHOOSING, self.number])
        began_training = time.perf_counter()
        rows, before, after, loss = self._train(positions, rng)
        values = [g.value for g in played]
        return {
            "generation": self.number,
            "positions": rows,
            "new_positions": len(self.window[-1]),
            "wins_first": sum(v > 0 for v in values),
            "wins_second": sum(v < 0 for v in values),
            "draws": sum(v == 0 for v in values),
            "plies": len(self.window[-1]) / len(played),
            "miss_first_before": before.first,
            "miss_second_before": before.second,
            "miss_first_after": after.first,
            "miss_second_after": after.second,
            "loss": loss,
            "seconds_play": played_s,
            "seconds_train": time.perf_counter() - began_training,
            "seconds": time.perf_counter() - began,
        }

    def finish(self, row: dict[str, Any]) -> None:
        """Keep the generation: its positions, net, row and checkpoint, in an order that a kill cannot spoil."""
        net = self.net
        self.folder.save_buffer(self.number, self.window[-1].arrays, self.number - self.settings.window + 1)
        if self.number % self.settings.save_every == 0:
            self.folder.save_net(net, self.number)
        self.folder.save_net(net)
        self.folder.add_row(row)
        arrays = {**net.arrays, **self.trainer.arrays()}
        metadata = {**weights.metadata_of(net), "generation": str(self.number), "parts": str(len(self.window))}
        self.folder.save_checkpoint(self.number, arrays, metadata)
        self.kept = self.number

    def stop(self) -> None:
        """End a running `generation` soon."""
        self.selfplay.stop()

    # --- parts of a generation ---------------------------------------------------------------------------------------

    def _train(self, positions: Positions, rng: np.random.Generator) -> tuple[int, Misses, Misses, float]:
        """Epochs of Adam over the balanced window. Returns rows an epoch, misses before and after, the last loss."""
        settings = self.settings
        before: Misses | None = None
        loss = 0.0
        for _ in range(settings.epochs):
            rows = choose_rows(positions.ends, self.game.RESULTS, settings.balance, rng)
            images = rng.integers(self.game.SYMMETRIES, size=len(rows)) if settings.symmetric else np.zeros(len(rows))
            examples = self.examiner.examples(positions, rows, images)
            values = np.array(self.game.RESULTS)[positions.ends[rows]]
            before = before or self._misses(examples, values)
            loss = self._epoch(examples)
        assert before is not None
        return len(rows), before, self._misses(examples, values), loss

    def _epoch(self, examples: Examples) -> float:
        inputs, wanted = torch.from_numpy(examples.inputs), torch.from_numpy(examples.wanted)
        happened = torch.from_numpy(examples.happened)
        total, model = torch.zeros(()), self.trainer.model
        for at in range(0, len(wanted), self.settings.batch):
            part = slice(at, at + self.settings.batch)
            out = model(inputs[part])
            loss = model.loss(out, wanted[part], happened[part], self.settings.alpha)
            self.trainer.step(loss)
            total += loss.detach() * len(wanted[part])
        return float(total) / len(wanted)

    def _misses(self, examples: Examples, values: np.ndarray) -> Misses:
        averaged = self.trainer.averaged
        with torch.no_grad():
            parts = torch.from_numpy(examples.inputs).split(PART)
            guessed = torch.cat([averaged.value(averaged(part)) for part in parts]).numpy()
        miss = np.abs(guessed - examples.wanted)
        first, second = (float(miss[mask].mean()) if mask.any() else 0.0 for mask in (values > 0, values < 0))
        return Misses(first, second)

    # --- start and resume --------------------------------------------------------------------------------------------

    def _untrained(self) -> Net:
        active = self.settings.active or usual_active(self.game, self.settings.seed)
        return new_net(self.game, self.settings.hidden, self.settings.head, active, self.settings.seed)

    def _trainer(self, net: Net) -> Trainer:
        return Trainer(net, self.game, self.settings.rate, self.settings.average)

    def _resume(self) -> bool:
        """Take up the newest checkpoint whose buffer is whole. Returns whether there is one."""
        for number, arrays, metadata in self.folder.checkpoints():
            try:
                net = weights.from_arrays(arrays, metadata, str(self.folder.path))
                weights.check_fits(net, self.game, str(self.folder.path))
                parts = range(number - int(metadata["parts"]) + 1, number + 1)
                window = [Positions.of_arrays(self.folder.load_buffer(g), self.game) for g in parts]
            except WeightsError as fault:
                self.folder.notes.append(f"{fault}; going back to the checkpoint before it")
                continue
            self.first, self.number, self.window = net, number, window
            self.trainer = self._trainer(net)
            self.trainer.restore(arrays)
            self.folder.keep_rows(number)
            self.kept = number
            return True
        self.folder.check_none_damaged()
        return False


def _check_trainable(game: Game, settings: TdSettings) -> None:
    if game.FEATURES < 1:
        raise GameError(f"{game.path.name} has no features(), which say what a net sees; add FEATURES and features()")
    if game.mover(game.states(1)[0]) == CHANCE or game.defines("chance"):
        raise GameError(f"{game.name} has dice, which alpha-beta cannot search; train it with --learner dice")
    if settings.head == "results" and game.VIEWER < 0 and tuple(-v for v in reversed(game.RESULTS)) != game.RESULTS:
        raise GameError(
            f"{game.path.name}: RESULTS {game.RESULTS} are not alike for both players, so --head results needs VIEWER"
        )
