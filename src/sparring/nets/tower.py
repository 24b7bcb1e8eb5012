"""A residual tower as NumPy arrays: what searches ask for moves and values, many positions at a time. No torch here.

A stem of one convolution, then blocks of two whose input is added to their output (He et al. 2016), then a policy head
and a value head on a few channels each (Silver et al. 2018). Batch norm is folded into the convolutions.
"""

import dataclasses
import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import WeightsError
from sparring.games.game import Game
from sparring.nets import shaped, storage

FORMAT = "sparring-tower-1"
SPREAD = 1.05  # room above the largest activation seen, for int8
SEEN = 0.9999  # share of activations within their range; the rest is clipped
MOST_SEEN = 1 << 17  # activations that a range is taken from, evenly spread


@dataclass(frozen=True)
class Shape:
    """Sizes of a tower's parts: all that its arrays' shapes follow from.

    planes, rows, columns: of the inputs. moves, results: of the game. blocks, width: of the tower. policy, value:
    channels that the heads look at. hidden: units of the value head.
    """

    planes: int
    rows: int
    columns: int
    moves: int
    results: int
    blocks: int = 3
    width: int = 64
    policy: int = 16
    value: int = 16
    hidden: int = 128

    def __post_init__(self) -> None:
        for name, size in dataclasses.asdict(self).items():
            least = 0 if name == "blocks" else 1
            if not isinstance(size, int) or size < least:
                raise WeightsError(f"a tower's {name} is {size!r}, but it must be a whole number, at least {least}")

    @property
    def points(self) -> int:
        """Of the board."""
        return self.rows * self.columns

    @property
    def outputs(self) -> int:
        """Numbers a position gets: a logit a move, a logit a result, the score."""
        return self.moves + self.results + 1

    @property
    def kernel(self) -> tuple[int, int]:
        """Rows and columns of a convolution: 3, or 1 along a side of one point."""
        return (1 if self.rows == 1 else 3), (1 if self.columns == 1 else 3)

    @property
    def name(self) -> str:
        """As people call it, such as 3×64."""
        return f"{self.blocks}×{self.width}"

    @property
    def convolutions(self) -> tuple[str, ...]:
        """Names of the convolutions over neighbours, in order."""
        blocks = (f"block{i}.{part}" for i in range(self.blocks) for part in ("first", "second"))
        return "stem", *blocks

    @functools.cached_property
    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Names of the arrays and their shapes."""
        of: dict[str, tuple[int, ...]] = {name: (self.width, self.width, *self.kernel) for name in self.convolutions}
        of["stem"] = (self.width, self.planes + 1, *self.kernel)
        of["heads"] = (self.policy + self.value, self.width)
        of["policy"] = (self.moves, self.policy * self.points)
        of["value"] = (self.hidden, self.value * self.points)
        of["result"] = (self.results + 1, self.hidden)
        both = (
            (name, shape)
            for layer, shape in of.items()
            for name, shape in ((f"{layer}.weight", shape), (f"{layer}.bias", shape[:1]))
        )
        return dict(both)


def planes_of(game: Game) -> tuple[int, int, int]:
    """(planes, rows, columns) of a net's inputs: those of the board, then one for each input of the whole position."""
    if not game.PLANES:
        return game.FEATURES, 1, 1
    planes, rows, columns = game.PLANES
    return planes + game.FEATURES - math.prod(game.PLANES), rows, columns


def inputs_seen(game: Game, states: np.ndarray) -> np.ndarray:
    """The inputs of positions, as their mover or VIEWER sees them: float32 (n, FEATURES)."""
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    dense = np.zeros((len(states), game.FEATURES), np.float32)
    for row, state in zip(dense, states, strict=True):
        eyes = game.mover(state) if game.VIEWER < 0 else game.VIEWER
        n = game.features(state, eyes, index, value)
        row[index[:n]] = value[:n]
    return dense


def planes_seen(game: Game, states: np.ndarray) -> np.ndarray:
    """The same as a tower's inputs: float32 (n, planes, rows, columns)."""
    dense = inputs_seen(game, states)
    planes, rows, columns = planes_of(game)
    board = math.prod(game.PLANES) if game.PLANES else 0
    whole = np.repeat(dense[:, board:], rows * columns, axis=1)  # of the whole position: a plane each
    return np.concatenate([dense[:, :board], whole], 1).reshape(len(states), planes, rows, columns)


def shape_for(game: Game, **sizes: int) -> Shape:
    """The shape of towers for the game; sizes: blocks, width and so on, where they are not the usual ones."""
    if not game.FEATURES:
        raise WeightsError(f"{game.name} has no features(), so no net can look at it")
    return Shape(*planes_of(game), game.MOVES, len(game.RESULTS), **sizes)


@dataclass(frozen=True)
class Tower(shaped.Learned):
    """A tower's arrays, float32, by name (`Shape.arrays`).

    *.weight of a convolution: [channels out, channels in, rows, columns]; of a layer: [units out, units in], a head's
    units in being counted channel by channel. The last input plane of the stem is not the game's: it is 1 on every
    point of the board and 0 beside it, which tells the edge.
    game, features: what the inputs mean. training: where the net comes from (any JSON values). ranges: the largest
    activation behind each convolution and behind the heads' own, (2 * blocks + 2,) float32, which int8 engines
    want; None: not measured.

    A position's outputs are logits for all MOVES, lawful or not; logits for the RESULTS as the eyes that look see them
    (`weights.results_seen`); and a score in −1 … 1: the expected result for those eyes, weighed by how early it comes.
    """

    game: str
    features: int
    shape: Shape
    arrays: dict[str, np.ndarray]
    training: dict[str, Any] = field(default_factory=dict)
    ranges: np.ndarray | None = None

    def layer(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Weight and bias."""
        return self.arrays[f"{name}.weight"], self.arrays[f"{name}.bias"]


# --- what it computes, slowly ----------------------------------------------------------------------------------------


def evaluate(tower: Tower, inputs: np.ndarray) -> np.ndarray:
    """Outputs (n, Shape.outputs) float32 of the inputs (n, planes, rows, columns) float32."""
    *_, heads = activations(tower, inputs)
    shape = tower.shape
    flat = heads.transpose(0, 3, 1, 2)  # channel by channel
    policy = dense(flat[:, : shape.policy].reshape(len(inputs), -1), *tower.layer("policy"))
    hidden = np.maximum(dense(flat[:, shape.policy :].reshape(len(inputs), -1), *tower.layer("value")), 0)
    ends = dense(hidden, *tower.layer("result"))
    return np.concatenate([policy, ends[:, :-1], np.tanh(ends[:, -1:])], 1)


def activations(tower: Tower, inputs: np.ndarray) -> Iterator[np.ndarray]:
    """What stands behind each convolution's ReLU, (n, rows, columns, channels), in the order of `Tower.ranges`."""
    ones = np.ones((len(inputs), *inputs.shape[2:], 1), np.float32)
    stem = np.concatenate([inputs.transpose(0, 2, 3, 1), ones], 3)
    x = np.maximum(convolution(stem, *tower.layer("stem")), 0)
    yield x
    for i in range(tower.shape.blocks):
        first = np.maximum(convolution(x, *tower.layer(f"block{i}.first")), 0)
        yield first
        x = np.maximum(x + convolution(first, *tower.layer(f"block{i}.second")), 0)
        yield x
    yield np.maximum(dense(x, *tower.layer("heads")), 0)


def convolution(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """(n, rows, columns, channels) to the same with other channels; beside the board there are zeros."""
    rows, columns = x.shape[1:3]
    high, wide = weight.shape[2:]
    padded = np.pad(x, ((0, 0), (high // 2,) * 2, (wide // 2,) * 2, (0, 0)))
    seen = [padded[:, i : i + rows, j : j + columns] for i in range(high) for j in range(wide)]
    return dense(np.concatenate(seen, 3), weight.transpose(0, 2, 3, 1).reshape(len(weight), -1), bias)


def edge_bias(tower: Tower) -> np.ndarray:
    """The stem's bias (width, rows, columns) with what its plane of ones adds on each point."""
    shape = tower.shape
    weight, bias = tower.layer("stem")
    ones = np.ones((1, shape.rows, shape.columns, 1), np.float32)
    return np.ascontiguousarray(convolution(ones, weight[:, -1:], bias)[0].transpose(2, 0, 1))


def dense(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """(…, units in) to (…, units out)."""
    return (x.reshape(-1, x.shape[-1]) @ weight.T + bias).reshape(*x.shape[:-1], -1)


def calibrated(tower: Tower, inputs: np.ndarray) -> Tower:
    """The tower with the ranges that its activations have on these inputs, some hundred positions of its games."""
    ranges = []
    for x in activations(tower, inputs):
        seen = x.reshape(-1)
        ranges.append(np.quantile(seen[:: max(1, seen.size // MOST_SEEN)], SEEN) * SPREAD + 1e-3)
    return dataclasses.replace(tower, ranges=np.array(ranges, np.float32))


# --- on disk ---------------------------------------------------------------------------------------------------------


def to_safetensors(tower: Tower) -> bytes:
    """The tower as a safetensors file with its provenance in the metadata."""
    ranges = {} if tower.ranges is None else {"ranges": tower.ranges}
    return storage.pack({**tower.arrays, **ranges}, shaped.metadata_of(tower, "tower", FORMAT))


def from_arrays(arrays: dict[str, np.ndarray], metadata: dict[str, str], where: str) -> Tower:
    """The tower from what a safetensors file holds; arrays of other names are passed over."""
    parts = shaped.read_back(arrays, metadata, FORMAT, lambda told: Shape(**told), where)
    tower = Tower(*parts, arrays.get("ranges"))
    ranges = {} if tower.ranges is None else {"ranges": tower.ranges}
    wanted = {**tower.shape.arrays, "ranges": (2 * tower.shape.blocks + 2,)}
    shaped.check_arrays({**tower.arrays, **ranges}, wanted, "a tower", where)
    return tower
