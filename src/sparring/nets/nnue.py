"""An NNUE net as NumPy arrays: a wide first layer seen by both players, cheap to keep up to date from move to move.

NNUE: Yu Nasu 2018. The first layer is reckoned once for each player's view of the position; its units, clipped to 0 … 1
and squared (SCReLU), stand in the order own view, other view, own being that of the player to move. Behind it come the
outputs, or one or two narrow layers before them. All but the first layer may have several sets of weights, of which the
position's phase chooses one. No torch here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import WeightsError
from sparring.games.game import Game
from sparring.nets import shaped, storage

FORMAT = "sparring-nnue-1"
MOST_HIDDEN = 2048  # units of the first layer: more could overflow the sums of the quantised net
UNITS = 16  # hidden is a multiple of it, for whole vectors
MOST_LAYERS = 2
TUPLES = ("buckets", "flips", "layers", "phases")


@dataclass(frozen=True)
class NnueShape:
    """Sizes of an NNUE net: all that its arrays' shapes follow from.

    inputs: FEATURES of the game. hidden: units of the first layer, for each view.
    buckets: for each of the game's FRAMES which set of first-layer weights it uses; (): one set for all.
    flips: for each of FRAMES what an input's number is xored with, to see mirrored positions alike; (): nothing.
    layers: units of the layers between the first and the outputs. block_sparse: each half of the units of layers[0]
    reads one half of the units below it: half of those of the own view and half of those of the other.
    outputs: 1, the log odds of winning, or one logit for each of RESULTS. phases: for each of the game's PHASES which
    set of weights behind the first layer it uses; (): one set for all.
    """

    inputs: int
    hidden: int
    buckets: tuple[int, ...] = ()
    flips: tuple[int, ...] = ()
    layers: tuple[int, ...] = ()
    block_sparse: bool = False
    outputs: int = 1
    phases: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("inputs", "hidden", "outputs"):
            if not _whole(size := getattr(self, name), 1):
                raise WeightsError(f"an NNUE net's {name} is {size!r}, but it must be a whole number, at least 1")
        if self.hidden % UNITS or self.hidden > MOST_HIDDEN:
            what = f"it must be a multiple of {UNITS}, up to {MOST_HIDDEN}"
            raise WeightsError(f"an NNUE net's hidden is {self.hidden}, but {what}")
        for name, low in (("buckets", 0), ("flips", 0), ("layers", 1), ("phases", 0)):
            numbers = getattr(self, name)
            if not isinstance(numbers, tuple) or not all(_whole(n, low) for n in numbers):
                what = f"it must be a tuple of whole numbers, at least {low}"
                raise WeightsError(f"an NNUE net's {name} is {numbers!r}, but {what}")
        if len(self.layers) > MOST_LAYERS:
            raise WeightsError(f"an NNUE net's layers is {self.layers!r}, but it must be up to {MOST_LAYERS} numbers")
        if self.block_sparse and (not self.layers or self.layers[0] % 2 or self.hidden % (2 * UNITS)):
            what = f"a block-sparse layer wants an even number of units over a multiple of {2 * UNITS}"
            raise WeightsError(f"an NNUE net's layers is {self.layers!r} over {self.hidden} units, but {what}")
        for flip in set(self.flips):
            if (np.arange(self.inputs) ^ flip).max() >= self.inputs:
                what = f"xored with it some of {self.inputs} inputs are none"
                raise WeightsError(f"an NNUE net's flips has {flip}, but {what}")

    @property
    def input_buckets(self) -> int:
        """Sets of first-layer weights."""
        return max(self.buckets, default=0) + 1

    @property
    def output_buckets(self) -> int:
        """Sets of weights behind the first layer."""
        return max(self.phases, default=0) + 1

    @property
    def read(self) -> int:
        """Units of the first layer that a unit behind it reads: of both views, or half of each."""
        return self.hidden if self.block_sparse else 2 * self.hidden

    @property
    def dense(self) -> dict[str, tuple[int, int]]:
        """Names of the layers behind the first with (units out, units in)."""
        names = [f"layer{i}" for i in range(1, len(self.layers) + 1)] + ["output"]
        return dict(zip(names, zip((*self.layers, self.outputs), (self.read, *self.layers), strict=True), strict=True))

    @property
    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Names of the arrays and their shapes."""
        sets, rows = self.output_buckets, self.input_buckets * self.inputs
        found: dict[str, tuple[int, ...]] = {"features.weight": (rows, self.hidden), "features.bias": (self.hidden,)}
        for name, (after, before) in self.dense.items():
            found |= {f"{name}.weight": (sets, after, before), f"{name}.bias": (sets, after)}
        return found

    @property
    def name(self) -> str:
        """As people call it, such as (768→256)×2→16→32→3 ×8."""
        inputs = f"{self.inputs}×{self.input_buckets}" if self.input_buckets > 1 else f"{self.inputs}"
        parts = [f"({inputs}→{self.hidden})×2", *map(str, self.layers), str(self.outputs)]
        if self.block_sparse:
            parts[1] += " block-sparse"
        return "→".join(parts) + (f" ×{self.output_buckets}" if self.output_buckets > 1 else "")


def _whole(size: Any, low: int) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and size >= low


def even_phases(phases: int, sets: int) -> tuple[int, ...]:
    """NnueShape.phases where a game's PHASES are shared out evenly among so many sets of weights."""
    if not 1 <= sets <= phases:
        what = f"they must be 1 to {phases}, which are the game's PHASES"
        raise WeightsError(f"output buckets are {sets}, but {what}")
    return tuple(phase * sets // phases for phase in range(phases)) if sets > 1 else ()


def shape_for(game: Game, hidden: int, sets: int = 1, outputs: int = 0, **more: Any) -> NnueShape:
    """The shape of NNUE nets for the game. sets: output buckets. outputs: 0: one for each of RESULTS."""
    shape = NnueShape(
        game.FEATURES or 1, hidden, outputs=outputs or len(game.RESULTS), phases=even_phases(game.PHASES, sets), **more
    )
    check_shape(shape, game, "the net")
    return shape


def check_shape(shape: NnueShape, game: Game, where: str) -> None:
    """Raise WeightsError unless nets of this shape can look at the game."""
    if game.VIEWER >= 0 or not game.FEATURES:
        why = "has no features()" if not game.FEATURES else "is only seen through the eyes of one player"
        raise WeightsError(f"{where} is an NNUE net, which sees through the eyes of both players; {game.name} {why}")
    if shape.inputs != game.FEATURES:
        raise WeightsError(f"{where} has {shape.inputs} inputs, but {game.name} has {game.FEATURES}")
    tables = (("buckets", "FRAMES", game.FRAMES), ("flips", "FRAMES", game.FRAMES), ("phases", "PHASES", game.PHASES))
    for name, called, wanted in tables:
        if (has := len(getattr(shape, name))) and has != wanted:
            raise WeightsError(f"{where} has {name} for {has} {called}, but {game.name} has {wanted}")
    if shape.outputs not in (1, len(game.RESULTS)):
        wanted = f"1 or {len(game.RESULTS)}, one for each of {game.name}'s RESULTS"
        raise WeightsError(f"{where} has {shape.outputs} outputs, but it must have {wanted}")
    if (shape.outputs == 1 or game.ODDS) and (game.RESULTS[0], game.RESULTS[-1]) != (-1.0, 1.0):
        what = f"{game.name}'s RESULTS go from {game.RESULTS[0]:g} to {game.RESULTS[-1]:g}"
        raise WeightsError(f"{where} tells log odds, which are of results from -1 to 1, but {what}")


@dataclass(frozen=True)
class Nnue(shaped.Learned):
    """An NNUE net's arrays, float32, by name (`NnueShape.arrays`).

    features.weight: a row an input, set after set; *.weight: [set, units out, units in]. game, features: what the
    inputs mean. training: where the net comes from (any JSON values).

    One output o: log odds, so that the expected result of the player to move is tanh(o / 2). Several: logits of the
    RESULTS as the player to move sees them, his worst first.
    """

    game: str
    features: int
    shape: NnueShape
    arrays: dict[str, np.ndarray]
    training: dict[str, Any] = field(default_factory=dict)


# --- what it computes, slowly ----------------------------------------------------------------------------------------


def inputs_seen(game: Game, shape: NnueShape, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What NNUE nets of that shape see of positions where a player is to move.

    Returns own, other: int32 (n, MOST_FEATURES), rows of features.weight as the player to move and as the other sees
    them, -1 behind the last; phase: int64 (n,), the set of weights behind the first layer. WeightsError where an input
    is not 1.
    """
    both = np.full((2, len(states), game.MOST_FEATURES), -1, np.int32)
    phases = np.zeros(len(states), np.int64)
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    for i, state in enumerate(states):
        phases[i] = shape.phases[game.phase(state)] if shape.phases else 0
        for side in range(2):
            viewer = int(game.mover(state)) ^ side
            n = game.features(state, viewer, index, value)
            if (value[:n] != 1).any():
                off = int(np.argmax(value[:n] != 1))
                what = f"input {index[off]} of {game.name} is {value[off]:g}"
                raise WeightsError(f"an NNUE net takes inputs that are 0 or 1, but {what}")
            both[side, i, :n] = rows_of(game, shape, state, viewer, index[:n])
    return both[0], both[1], phases


def rows_of(game: Game, shape: NnueShape, state: np.void, viewer: int, inputs: np.ndarray) -> np.ndarray:
    """Which rows of features.weight stand for inputs, given the viewer's frame."""
    frame = game.frame(state, viewer) if shape.buckets or shape.flips else 0
    flip = shape.flips[frame] if shape.flips else 0
    bucket = shape.buckets[frame] if shape.buckets else 0
    return bucket * shape.inputs + (inputs ^ flip)


def sums_of(weights: np.ndarray, bias: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Sums of the first layer (n, hidden) of rows (n, MOST_FEATURES), -1 behind the last."""
    padded = np.concatenate([weights, np.zeros((1, weights.shape[1]), weights.dtype)])
    return bias + padded[rows].sum(1, dtype=weights.dtype)


def screlu(sums: np.ndarray) -> np.ndarray:
    """Clipped to 0 … 1 and squared."""
    return np.clip(sums, 0, 1) ** 2


def evaluate(net: Nnue, own: np.ndarray, other: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Outputs (n, NnueShape.outputs) of what `inputs_seen` tells; in the arrays' type."""
    arrays = net.arrays
    views = [screlu(sums_of(arrays["features.weight"], arrays["features.bias"], rows)) for rows in (own, other)]
    return behind(net.shape, arrays, np.concatenate(views, 1), phase)


def behind(shape: NnueShape, arrays: dict[str, np.ndarray], x: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Outputs of the units of the first layer (n, 2 × hidden)."""
    for name in shape.dense:
        weight, bias = arrays[f"{name}.weight"][phase], arrays[f"{name}.bias"][phase]
        x = (halves(shape, weight, x) if shape.block_sparse and name == "layer1" else mixed(weight, x)) + bias
        x = x if name == "output" else screlu(x)
    return x


def mixed(weight: np.ndarray, x: np.ndarray) -> np.ndarray:
    """weight (n, out, in) times x (n, in)."""
    return (weight @ x[..., None])[..., 0]


def halves(shape: NnueShape, weight: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The same where the first half of the outputs reads the first halves of both views, the second the second."""
    views = x.reshape(len(x), 2, 2, shape.hidden // 2)  # view, half
    return np.concatenate(
        [mixed(part, views[:, :, half].reshape(len(x), -1)) for half, part in enumerate(np.split(weight, 2, axis=1))], 1
    )


def chances_of(logits: np.ndarray) -> np.ndarray:
    """Softmax along the last axis."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def log_odds(chances: np.ndarray, results: Sequence[float]) -> np.ndarray:
    """Log odds o of a distribution over results from -1 to 1: its expected result is tanh(o / 2)."""
    values = np.array(results)
    return np.log(chances @ ((1 + values) / 2)) - np.log(chances @ ((1 - values) / 2))


def expectation(net: Nnue, results: Sequence[float], outputs: np.ndarray) -> np.ndarray:
    """Expected results (n,) of outputs (n, …). results: RESULTS as the player to move sees them, ascending."""
    if net.shape.outputs == 1:
        return np.tanh(outputs[:, 0] / 2)
    return chances_of(outputs) @ np.array(results)


# --- on disk ---------------------------------------------------------------------------------------------------------


def to_safetensors(net: Nnue) -> bytes:
    """The net as a safetensors file with its provenance in the metadata."""
    return storage.pack(net.arrays, shaped.metadata_of(net, "NNUE", FORMAT))


def from_arrays(arrays: dict[str, np.ndarray], metadata: dict[str, str], where: str) -> Nnue:
    """The net from what a safetensors file holds; arrays of other names are passed over."""
    shape_from = lambda told: NnueShape(**told | {name: tuple(told[name]) for name in TUPLES})  # noqa: E731
    net = Nnue(*shaped.read_back(arrays, metadata, FORMAT, shape_from, where))
    shaped.check_arrays(net.arrays, net.shape.arrays, "an NNUE net", where)
    return net
