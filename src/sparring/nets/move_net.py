"""A MoveNet as NumPy arrays: a small net that looks at a position's overview and at each move's prospects.

One small perceptron, the same for every move, makes the move's logit of overview and prospects; another judges the
position by its overview alone. No torch here.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import WeightsError
from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.nets import shaped, storage
from sparring.nets.tower import dense

FORMAT = "sparring-move-net-1"
LEAK = 0.01  # slope of leaky ReLU below 0
MOST_HIDDEN = 3  # hidden layers of a perceptron
POLICY, VALUE = (64, 32), (64, 32)  # the usual hidden layers


@dataclass(frozen=True)
class MoveShape:
    """Sizes of a MoveNet: all that its arrays' shapes follow from.

    overview, prospects: numbers it sees of a position, and of each move. moves, results: of the game. policy, value:
    units of the hidden layers, one to three of them.
    """

    overview: int
    prospects: int
    moves: int
    results: int
    policy: tuple[int, ...] = POLICY
    value: tuple[int, ...] = VALUE

    def __post_init__(self) -> None:
        for name in ("overview", "prospects", "moves", "results"):
            if not _whole(size := getattr(self, name)):
                raise WeightsError(f"a MoveNet's {name} is {size!r}, but it must be a whole number, at least 1")
        for name in ("policy", "value"):
            hidden = getattr(self, name)
            if not isinstance(hidden, tuple) or not 1 <= len(hidden) <= MOST_HIDDEN or not all(map(_whole, hidden)):
                what = f"one to {MOST_HIDDEN} hidden layers, as in (64, 32)"
                raise WeightsError(f"a MoveNet's {name} is {hidden!r}, but it must be {what}")

    @property
    def inputs(self) -> int:
        """Numbers of a position: its overview, then the prospects of move 0, of move 1 and so on."""
        return self.overview + self.moves * self.prospects

    @property
    def outputs(self) -> int:
        """Numbers a position gets: a logit a move, a logit a result, the score."""
        return self.moves + self.results + 1

    @property
    def sizes(self) -> dict[str, tuple[int, ...]]:
        """Of the two perceptrons inputs, hidden layers and outputs."""
        return {
            "policy": (self.overview + self.prospects, *self.policy, 1),
            "value": (self.overview, *self.value, self.results + 1),
        }

    @property
    def name(self) -> str:
        """As people call it, such as 51-64-32-1 and 23-64-32-3."""
        return " and ".join("-".join(map(str, sizes)) for sizes in self.sizes.values())

    @property
    def layers(self) -> dict[str, tuple[int, int]]:
        """Names of the layers, policy0, policy1 … value0, value1 …, with (units out, units in)."""
        return {
            f"{part}{i}": (after, before)
            for part, sizes in self.sizes.items()
            for i, (before, after) in enumerate(itertools.pairwise(sizes))
        }

    @property
    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Names of the arrays and their shapes."""
        both = ((f"{n}.weight", size) for n, size in self.layers.items())
        return dict(both) | {f"{n}.bias": size[:1] for n, size in self.layers.items()}


def _whole(size: Any) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and size >= 1


def shape_for(game: Game, policy: Sequence[int] = POLICY, value: Sequence[int] = VALUE) -> MoveShape:
    """The shape of MoveNets for the game. policy, value: hidden layers."""
    if not sees(game):
        raise WeightsError(f"{game.name} has no overview() and prospects(), so no MoveNet can look at it")
    return MoveShape(game.OVERVIEW, game.PROSPECTS, game.MOVES, len(game.RESULTS), tuple(policy), tuple(value))


def sees(game: Game) -> bool:
    """Whether a MoveNet can look at the game."""
    return game.OVERVIEW > 0 and game.PROSPECTS > 0


def inputs_seen(game: Game, states: np.ndarray) -> np.ndarray:
    """What MoveNets see of positions that are not over: float32 (n, MoveShape.inputs). Where dice roll: zeros."""
    inputs = np.zeros((len(states), game.OVERVIEW + game.MOVES * game.PROSPECTS), np.float32)
    for row, state in zip(inputs, states, strict=True):
        if game.mover(state) != CHANCE:
            game.overview(state, row[: game.OVERVIEW])
            game.prospects(state, row[game.OVERVIEW :].reshape(game.MOVES, game.PROSPECTS))
    return inputs


@dataclass(frozen=True)
class MoveNet(shaped.Learned):
    """A MoveNet's arrays, float32, by name (`MoveShape.arrays`).

    *.weight: [units out, units in]. The policy's first layer takes the overview and then the move's prospects. Between
    the layers stands a leaky ReLU. game, features: what the inputs mean. training: where the net comes from (any JSON
    values).

    A position's outputs are logits for all MOVES, lawful or not; logits for the RESULTS as the player to move sees
    them, his worst first; and a score in −1 … 1: the expected result for that player, weighed by how early it comes.
    """

    game: str
    features: int
    shape: MoveShape
    arrays: dict[str, np.ndarray]
    training: dict[str, Any] = field(default_factory=dict)

    def layer(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Weight and bias."""
        return self.arrays[f"{name}.weight"], self.arrays[f"{name}.bias"]

    def perceptron(self, part: str) -> list[tuple[np.ndarray, np.ndarray]]:
        """Weights and biases of "policy" or "value", first layer to last."""
        return [self.layer(name) for name in self.shape.layers if name.startswith(part)]


# --- what it computes, slowly ----------------------------------------------------------------------------------------


def evaluate(net: MoveNet, inputs: np.ndarray) -> np.ndarray:
    """Outputs (n, MoveShape.outputs) float32 of the inputs (n, MoveShape.inputs) float32."""
    shape = net.shape
    overview = inputs[:, : shape.overview]
    prospects = inputs[:, shape.overview :].reshape(len(inputs), shape.moves, shape.prospects)
    each = np.repeat(overview[:, None], shape.moves, 1)
    policy = _through(net.perceptron("policy"), np.concatenate([each, prospects], 2))
    ends = _through(net.perceptron("value"), overview)
    return np.concatenate([policy[..., 0], ends[:, :-1], np.tanh(ends[:, -1:])], 1)


def _through(layers: list[tuple[np.ndarray, np.ndarray]], x: np.ndarray) -> np.ndarray:
    """The outputs of a perceptron for x (…, inputs)."""
    for i, (weight, bias) in enumerate(layers):
        x = dense(np.maximum(x, LEAK * x) if i else x, weight, bias)
    return x


# --- on disk ---------------------------------------------------------------------------------------------------------


def to_safetensors(net: MoveNet) -> bytes:
    """The net as a safetensors file with its provenance in the metadata."""
    return storage.pack(net.arrays, shaped.metadata_of(net, "MoveNet", FORMAT))


def from_arrays(arrays: dict[str, np.ndarray], metadata: dict[str, str], where: str) -> MoveNet:
    """The net from what a safetensors file holds; arrays of other names are passed over."""
    shape_from = lambda told: MoveShape(**told | {name: tuple(told[name]) for name in ("policy", "value")})  # noqa: E731
    net = MoveNet(*shaped.read_back(arrays, metadata, FORMAT, shape_from, where))
    shaped.check_arrays(net.arrays, net.shape.arrays, "a MoveNet", where)
    return net
