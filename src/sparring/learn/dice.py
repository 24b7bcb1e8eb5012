"""TD(λ) over whole turns: a net learns the chances of every result of a game with dice by playing it with itself.

A generation: games are played with the averaged net, its positions after each turn are labelled backwards from the
results, the net takes some passes over them, and they are forgotten: dice make new ones faster than they wear out.

With `online`, the net learns after every turn instead (`traces.py`), and a generation is so many games.
"""

import math
import time
from typing import Any

import numpy as np

from sparring.errors import RunError, WeightsError
from sparring.games.game import Game
from sparring.games.walk import random_positions
from sparring.learn.batches import Batches
from sparring.learn.derive import check_trainable
from sparring.learn.dice_settings import MAY_CHANGE, DiceSettings
from sparring.learn.pace import slowed
from sparring.learn.run import RunFolder, commit, cores
from sparring.learn.traces import TracePlay
from sparring.nets import weights
from sparring.nets.mlp import new_net
from sparring.nets.weights import Net
from sparring.search.gauge import usual_active
from sparring.search.turns import Turns

LOOKED_AT, MANY_WAYS = 20, 4.0  # positions, and ways to play a roll on average that bring variety enough


class DiceLearner:
    """One run. `generation()` makes the next one, `finish(row)` keeps it; a kill in between loses nothing finished."""

    def __init__(
        self, game: Game, settings: DiceSettings, folder: RunFolder, threads: int = 0, start: str = ""
    ) -> None:
        check_trainable(game)
        if settings.inputs > game.FEATURES:
            raise RunError(f"--inputs is {settings.inputs}, but {game.name} has {game.FEATURES}")
        self.game, self.settings, self.folder = game, settings, folder
        folder.open(game, settings.as_dict(), MAY_CHANGE, start, DiceSettings().as_dict(), "dice")
        self.number = self.kept = self.games = self.turns = 0
        self.minutes = 0.0
        if not self._resume(threads):
            self.first = weights.load_perceptron(start) if start else self._untrained()
            weights.check_fits(self.first, game, start or "the net")
            self.way = self._way(threads)
            folder.save_net(self.first, 0)
        self.explore = usual_exploration(game) if settings.explore < 0 else settings.explore

    @property
    def net(self) -> Net:
        """The net as it is now: the averaged weights."""
        training: dict[str, Any] = {"generation": self.number, "games": self.games, "minutes": round(self.minutes, 2)}
        training |= {"commit": commit(), "settings": self.settings.as_dict()}
        first = self.first
        layers = self.way.layers()
        return Net(self.game.name, self.game.FEATURES_VERSION, first.head, layers, training, first.activation)

    def generation(self) -> dict[str, Any]:
        """Play and learn; returns the generation's row."""
        began = time.perf_counter()
        self.number += 1
        lesson = self.way.generation(self.net, self.number, self.explore, lambda: slowed(self.done(began)))
        if not math.isfinite(lesson.loss):
            kept = f"the net of generation {self.kept} in {self.folder.net_path()} is safe"
            option = "--online-rate" if self.settings.online else "--rate"
            raise RunError(f"the loss became {lesson.loss} in generation {self.number}; {kept}; try a smaller {option}")
        games = len(lesson.ends)
        self.games += games
        self.turns += lesson.turns
        seconds = time.perf_counter() - began
        self.minutes += seconds / 60
        return {
            "generation": self.number,
            "minutes": self.minutes,
            "games": self.games,
            "positions": self.turns,
            "turns": lesson.turns / games,
            "games_per_second": games / seconds,
            "loss": lesson.loss,
            "rate": lesson.rate,
            **self._results(lesson.ends),
            "cut_off": int((lesson.ends < 0).sum()),
            "seconds_play": lesson.seconds_play,
            "seconds": seconds,
        }

    def finish(self, row: dict[str, Any]) -> None:
        """Keep the generation: its net, row and checkpoint, in an order that a kill cannot spoil."""
        net = self.net
        self.folder.save_net(net)
        self.folder.add_row(row)
        metadata = weights.metadata_of(net) | {"generation": str(self.number), "minutes": repr(self.minutes)}
        metadata |= {"games": str(self.games), "turns": str(self.turns)}
        self.folder.save_checkpoint(self.number, {**net.arrays, **self.way.arrays()}, metadata)
        self.kept = self.number

    def stop(self) -> None:
        """End a running `generation` soon (from another thread)."""
        self.way.stop()

    def done(self, began: float | None = None) -> float:
        """Share of the run that is over, by minutes or games, whichever ends it sooner. began: of a generation."""
        minutes, games = self.settings.minutes, self.settings.games
        gone = self.minutes + ((time.perf_counter() - began) / 60 if began is not None else 0.0)
        return min(max(gone / minutes if minutes else 0.0, self.games / games if games else 0.0), 1.0)

    def _results(self, ends: np.ndarray) -> dict[str, float]:
        """How the games ended: the share that player 0 won, and of each size of result."""
        values = np.array(self.game.RESULTS)[ends[ends >= 0]]
        sizes = {abs(v) for v in self.game.RESULTS}
        shares = {f"results_{size:g}": float((np.abs(values) == size).mean()) for size in sorted(sizes) if len(values)}
        return {"won_first": float((values > 0).mean()) if len(values) else 0.0} | shares

    # --- beginning and resuming --------------------------------------------------------------------------------------

    def _untrained(self) -> Net:
        settings = self.settings
        active = usual_active(self.game, settings.seed)
        net = new_net(self.game, settings.hidden, "results", active, settings.seed, settings.activation)
        net.layers[0][0][settings.inputs or self.game.FEATURES :] = 0
        return net

    def _way(self, threads: int) -> Batches | TracePlay:
        """What learns, beginning with `self.first`."""
        if self.settings.online:
            return TracePlay(self.game, self.first, self.settings)
        return Batches(self.game, self.first, self.settings, threads or cores())

    def _resume(self, threads: int) -> bool:
        """Take up the newest checkpoint. Returns whether there is one."""
        for number, arrays, metadata in self.folder.checkpoints():
            try:
                net = weights.from_arrays(arrays, metadata, str(self.folder.path))
                weights.check_fits(net, self.game, str(self.folder.path))
            except WeightsError as fault:
                self.folder.notes.append(f"{fault}; going back to the checkpoint before it")
                continue
            self.first = net
            self.way = self._way(threads)
            self.way.restore(arrays)
            self.number = self.kept = number
            self.games, self.turns = int(metadata["games"]), int(metadata["turns"])
            self.minutes = float(metadata["minutes"])
            self.folder.keep_rows(number)
            return True
        self.folder.check_none_damaged()
        return False


def usual_exploration(game: Game) -> float:
    """Chance of a random turn: with few ways to play a roll a net may never see what it thinks badly of."""
    ways = [len(Turns(game).of(state)) for state in random_positions(game, LOOKED_AT)]
    return 0.0 if np.mean(ways) >= MANY_WAYS else 0.1
