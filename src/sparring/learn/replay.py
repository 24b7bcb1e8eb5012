"""The positions of the last generations, balanced between the winners, as inputs and targets for training."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import RESULTS, VIEWER, features, mover, transform
from sparring.games.game import Game
from sparring.learn.selfplay import Played
from sparring.learn.targets import td_targets


@dataclass(frozen=True)
class Positions:
    """Labelled positions, as player 0 sees them.

    states: (n,) STATE. targets: (n,) float32. ends: (n,) uint8, how the game ended, an index into RESULTS.
    """

    states: np.ndarray
    targets: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.states)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """For a file: states as rows of bytes."""
        rows = self.states.view(np.uint8).reshape(len(self.states), self.states.dtype.itemsize)
        return {"states": rows, "targets": self.targets, "ends": self.ends}

    @staticmethod
    def of_arrays(arrays: dict[str, np.ndarray], game: Game) -> "Positions":
        """The inverse of `arrays`."""
        states = np.ascontiguousarray(arrays["states"]).view(game.STATE).reshape(-1)
        return Positions(states, arrays["targets"], arrays["ends"])


def label(games: Sequence[Played], trace: float, discount: float) -> Positions:
    """The positions of finished games with their TD(λ) targets."""
    return Positions(
        np.concatenate([g.states for g in games]),
        np.concatenate([td_targets(g, trace, discount) for g in games]),
        np.concatenate([np.full(len(g.states), g.end, np.uint8) for g in games]),
    )


def join(parts: Sequence[Positions]) -> Positions:
    """Several generations as one."""
    fields = zip(*((p.states, p.targets, p.ends) for p in parts), strict=True)
    return Positions(*(np.concatenate(f) for f in fields))


def choose_rows(ends: np.ndarray, results: tuple[float, ...], balance: bool, rng: np.random.Generator) -> np.ndarray:
    """Indices of the positions to train on, in random order.

    With balance, positions from games that player 0 won and from games that player 1 won are made equal in number, the
    mean of the two: the bigger pool is subsampled without repeats, the smaller one used whole plus random repeats.
    Those from drawn games are all used, once. Where one kind of win is absent, everything is used.
    """
    values = np.array(results)[ends]
    won, lost, level = (np.flatnonzero(mask) for mask in (values > 0, values < 0, values == 0))
    if not balance or len(won) == 0 or len(lost) == 0:
        return rng.permutation(len(ends))
    size = (len(won) + len(lost)) // 2
    small, big = sorted((won, lost), key=len)
    repeats = rng.choice(small, size - len(small))
    return rng.permutation(np.concatenate([rng.choice(big, size, replace=False), small, repeats, level]))


@compiled
def write_rows(states, targets, ends, rows, images, work, index, value, inputs, wanted, happened):
    """Inputs and labels of the chosen rows, each under its symmetry, as the net's eyes see the position.

    rows, images: int64 (m,), which position under which symmetry. work: one STATE. inputs: float32 (m, FEATURES),
    zeros. wanted: float32 (m,), the target. happened: int64 (m,), the game's end, counted as the eyes see RESULTS.
    """
    for i in range(rows.shape[0]):
        state = work[0]
        work[0] = states[rows[i]]
        if images[i] != 0:
            transform(state, images[i])
        eyes = VIEWER if VIEWER >= 0 else mover(state)
        n = features(state, eyes, index, value)
        for j in range(n):
            inputs[i, index[j]] = value[j]
        target = targets[rows[i]]
        wanted[i] = target if eyes == 0 else -target
        end = np.int64(ends[rows[i]])
        happened[i] = end if eyes == 0 else len(RESULTS) - 1 - end


@dataclass(frozen=True)
class Examples:
    """What a net is trained on: inputs (m, FEATURES) float32, wanted (m,) float32, happened (m,) int64."""

    inputs: np.ndarray
    wanted: np.ndarray
    happened: np.ndarray


class Examiner:
    """Turns positions into examples for one game; keeps its buffers between calls."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernels: ModuleType = game.bind("learn.replay")
        self.work = np.zeros(1, game.STATE)
        self.index = np.zeros(game.MOST_FEATURES, np.int32)
        self.value = np.zeros(game.MOST_FEATURES, np.float32)
        self.inputs = np.zeros((0, game.FEATURES), np.float32)

    def examples(self, positions: Positions, rows: np.ndarray, images: np.ndarray) -> Examples:
        """The chosen rows, each under its symmetry. The inputs are valid until the next call."""
        m = len(rows)
        if len(self.inputs) < m:
            self.inputs = np.zeros((m + m // 8, self.game.FEATURES), np.float32)
        inputs = self.inputs[:m]
        inputs[:] = 0
        wanted, happened = np.zeros(m, np.float32), np.zeros(m, np.int64)
        labels = (positions.states, positions.targets, positions.ends)
        buffers = (self.work, self.index, self.value)
        self.kernels.write_rows(
            *labels, rows.astype(np.int64), images.astype(np.int64), *buffers, inputs, wanted, happened
        )
        return Examples(inputs, wanted, happened)
