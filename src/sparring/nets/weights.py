"""Nets as NumPy arrays, and the files they are kept in: safetensors (ours), quantised NNUE nets (nnue_file.py) and TSNN
(52-64-32-1, Tigers and Sheep).

`Net` is a perceptron, which alpha-beta asks one position at a time, as it does `Nnue` (nnue.py), which is wide and kept
up to date from move to move; `Tower` (tower.py) looks at a board, and is asked for many at once; `MoveNet`
(move_net.py) is small and does for both. No torch here: playing with a net needs only these
and the compiled twin, or an engine.
"""

import itertools
import json
import pathlib
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import WeightsError
from sparring.games.game import Game
from sparring.nets import move_net as move_nets
from sparring.nets import nnue as nnues
from sparring.nets import nnue_file, storage
from sparring.nets import tower as towers
from sparring.nets.move_net import LEAK, MoveNet
from sparring.nets.nnue import Nnue
from sparring.nets.nnue_quantised import quantised, restored
from sparring.nets.tower import Tower

HEADS = ("tanh", "results")
ACTIVATIONS = ("relu", "leaky", "sigmoid")
FORMAT = "sparring-net-1"
KINDS = ("weight", "bias")
TSNN_SIZES = (52, 64, 32, 1)


@dataclass(frozen=True)
class Net:
    """A multilayer perceptron: an activation between the layers (ReLU, leaky ReLU or a sigmoid), then a head.

    layers: pairs (weights [inputs, outputs], bias [outputs]), float32, first to last. head: "tanh", one output whose
    tanh is the expected result; "results", a logit for each of the game's RESULTS, whose softmax is their distribution.
    game, features: what the inputs mean. training: where the net comes from (any JSON values).
    """

    game: str
    features: int
    head: str
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    training: dict[str, Any] = field(default_factory=dict)
    activation: str = "relu"

    @property
    def sizes(self) -> tuple[int, ...]:
        """Inputs, hidden layers, outputs."""
        return (self.layers[0][0].shape[0], *(len(bias) for _, bias in self.layers))

    def activate(self, sums: np.ndarray) -> np.ndarray:
        """What stands between two layers."""
        if self.activation == "sigmoid":
            return 1 / (1 + np.exp(-sums))
        return np.maximum(sums, 0 if self.activation == "relu" else LEAK * sums)

    def outputs(self, inputs: np.ndarray) -> np.ndarray:
        """Of inputs (n, FEATURES), before the head: (n, outputs)."""
        x = inputs
        for i, (weight, bias) in enumerate(self.layers):
            x = (self.activate(x) if i else x) @ weight + bias
        return x

    @property
    def parameters(self) -> int:
        """How many numbers were learned."""
        return sum(w.size + b.size for w, b in self.layers)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """The weights by name."""
        named = ((f"layer{i}", pair) for i, pair in enumerate(self.layers))
        return {f"{layer}.{kind}": array for layer, pair in named for kind, array in zip(KINDS, pair, strict=True)}

    @property
    def digest(self) -> str:
        """Eight hex digits of the weights: tells nets apart whatever their files are called."""
        return storage.digest_of(self.arrays)


AnyNet = Net | Tower | MoveNet | Nnue


def results_seen(game: Game) -> tuple[float, ...]:
    """The values of a distribution's outputs for the eyes that look: RESULTS, or their mirror for player 1."""
    return tuple(-v for v in reversed(game.RESULTS)) if game.VIEWER == 1 else game.RESULTS


def check_fits(net: AnyNet, game: Game, where: str = "the net") -> None:
    """Raise WeightsError unless the net was made for this game and this version of its features."""
    if net.game != game.name:
        raise WeightsError(f"{where} was trained for {net.game}, not for {game.name}")
    if net.features != game.FEATURES_VERSION:
        raise WeightsError(
            f"{where} was trained on version {net.features} of the features of {game.name}, which has version "
            f"{game.FEATURES_VERSION} now; train it anew"
        )
    if isinstance(net, Nnue):
        nnues.check_shape(net.shape, game, where)
        return
    if isinstance(net, Tower | MoveNet):
        _check_board(net, game, where) if isinstance(net, Tower) else _check_views(net, game, where)
        _check_ends(net, game, where)
        return
    if net.sizes[0] != game.FEATURES:
        raise WeightsError(f"{where} has {net.sizes[0]} inputs, but {game.name} has {game.FEATURES}")
    outputs = 1 if net.head == "tanh" else len(game.RESULTS)
    if net.sizes[-1] != outputs:
        raise WeightsError(f"{where} has {net.sizes[-1]} outputs, but a {net.head!r} head of {game.name} has {outputs}")


def _check_board(net: Tower, game: Game, where: str) -> None:
    shape, planes = net.shape, towers.planes_of(game)
    if (shape.planes, shape.rows, shape.columns) != planes:
        sees = f"{shape.planes} planes of {shape.rows} × {shape.columns}"
        raise WeightsError(f"{where} sees {sees}, but {game.name} has {planes[0]} of {planes[1]} × {planes[2]}")


def _check_views(net: MoveNet, game: Game, where: str) -> None:
    shape = net.shape
    if (shape.overview, shape.prospects) != (game.OVERVIEW, game.PROSPECTS):
        sees = f"{shape.overview} numbers of a position and {shape.prospects} of a move"
        raise WeightsError(f"{where} sees {sees}, but {game.name} has {game.OVERVIEW} and {game.PROSPECTS}")


def _check_ends(net: Tower | MoveNet, game: Game, where: str) -> None:
    shape = net.shape
    for what, has, wanted in (("moves", shape.moves, game.MOVES), ("results", shape.results, len(game.RESULTS))):
        if has != wanted:
            raise WeightsError(f"{where} knows {has} {what}, but {game.name} has {wanted}")


def save(net: AnyNet, path: str | pathlib.Path) -> None:
    """Write the net whole or not at all: TSNN where the path ends in .tsnn, quantised in .nnue, else safetensors."""
    path = pathlib.Path(path)
    makers: dict[str, Callable[[AnyNet], bytes]] = {".tsnn": to_tsnn, ".nnue": to_nnue}
    storage.write_whole(path, makers.get(path.suffix, to_safetensors)(net))


def load(path: str | pathlib.Path) -> AnyNet:
    """Read a net in any of the formats, told by its content; of a run's folder its newest."""
    path = pathlib.Path(path)
    if path.is_dir():
        path = path / "nets" / "latest.safetensors"
    data = storage.read(path)
    if data[:8] == nnue_file.MAGIC:
        return restored(nnue_file.from_bytes(data, str(path)))
    tsnn = path.suffix == ".tsnn" or data[:4] == b"TSNN"
    return from_tsnn(data, str(path)) if tsnn else from_safetensors(data, str(path))


def load_perceptron(path: str | pathlib.Path) -> Net:
    """Read a net for TD learning, or for games with dice; WeightsError where it is of another kind."""
    net = load(path)
    if not isinstance(net, Net):
        raise WeightsError(f"{path} is {kind_of(net)}, but TD learning and games with dice take a perceptron")
    return net


def load_tower(path: str | pathlib.Path) -> Tower:
    """Read a net for AlphaZero learning; WeightsError where it is of another kind."""
    net = load(path)
    if not isinstance(net, Tower):
        raise WeightsError(f"{path} is {kind_of(net)}, but AlphaZero learning takes a tower")
    return net


def load_leaf_net(path: str | pathlib.Path) -> Net | MoveNet | Nnue:
    """Read a net for alpha-beta, which asks it one position at a time; WeightsError where it is a tower."""
    net = load(path)
    if isinstance(net, Tower):
        raise WeightsError(f"{path} is {kind_of(net)}, but alpha-beta takes a perceptron, a MoveNet or an NNUE net")
    return net


def load_batch_net(path: str | pathlib.Path) -> Tower | MoveNet:
    """Read a net for MCTS, which asks it for moves and values, many positions at a time; not a perceptron."""
    net = load(path)
    if isinstance(net, Net | Nnue):
        raise WeightsError(f"{path} is {kind_of(net)}, but MCTS takes a tower or a MoveNet")
    return net


def kind_of(net: AnyNet) -> str:
    """The kind and sizes of a net in words, such as "a perceptron, 52-64-32-1"."""
    if isinstance(net, Net):
        return f"a perceptron, {'-'.join(map(str, net.sizes))}"
    if isinstance(net, Nnue):
        return f"an NNUE net, {net.shape.name}"
    return f"a {'tower' if isinstance(net, Tower) else 'MoveNet'}, {net.shape.name}"


def to_safetensors(net: AnyNet) -> bytes:
    """The net as a safetensors file with its provenance in the metadata."""
    if isinstance(net, Net):
        return storage.pack(net.arrays, metadata_of(net))
    if isinstance(net, Nnue):
        return nnues.to_safetensors(net)
    return towers.to_safetensors(net) if isinstance(net, Tower) else move_nets.to_safetensors(net)


def metadata_of(net: Net) -> dict[str, str]:
    """All of the net but its weights, as safetensors metadata."""
    return {
        "format": FORMAT,
        "game": net.game,
        "features": str(net.features),
        "head": net.head,
        "activation": net.activation,
        "architecture": "mlp " + "-".join(map(str, net.sizes)),
        "training": json.dumps(net.training),
    }


def from_safetensors(data: bytes, where: str) -> AnyNet:
    """The net in a safetensors file; `where` names it in messages."""
    arrays, metadata = storage.unpack(data, where)
    makers: dict[str, Callable[..., AnyNet]] = {
        towers.FORMAT: towers.from_arrays,
        move_nets.FORMAT: move_nets.from_arrays,
        nnues.FORMAT: nnues.from_arrays,
    }
    return makers.get(metadata.get("format", ""), from_arrays)(arrays, metadata, where)


def from_arrays(arrays: dict[str, np.ndarray], metadata: dict[str, str], where: str) -> Net:
    """The net from what a safetensors file holds; arrays of other names are passed over."""
    if metadata.get("format") != FORMAT:
        raise WeightsError(f"{where}: format {metadata.get('format')!r}, but this version reads {FORMAT!r}")
    try:
        count = sum(name.startswith("layer") and name.endswith(".bias") for name in arrays)
        layers = tuple((arrays[f"layer{i}.weight"], arrays[f"layer{i}.bias"]) for i in range(count))
        training = json.loads(metadata["training"])
        kind = metadata.get("activation", "relu")
        net = Net(metadata["game"], int(metadata["features"]), metadata["head"], layers, training, kind)
    except (KeyError, ValueError) as fault:
        raise WeightsError(f"{where}: not a complete net ({fault})") from fault
    whole = all(w.dtype == b.dtype == np.float32 and w.ndim == 2 and w.shape[1:] == b.shape for w, b in layers)
    chained = all(len(bias) == len(weights) for (_, bias), (weights, _) in itertools.pairwise(layers))
    if net.head not in HEADS or net.activation not in ACTIVATIONS or not layers or not whole or not chained:
        shapes = [list(weights.shape) for weights, _ in layers]
        what = f"head {net.head!r}, activation {net.activation!r}, layers {shapes}"
        raise WeightsError(f"{where}: not a net that this version knows: {what}")
    return net


def to_nnue(net: AnyNet) -> bytes:
    """The net in whole numbers, for engines."""
    if not isinstance(net, Nnue):
        raise WeightsError(f"a .nnue file holds a quantised NNUE net; this one is {kind_of(net)}")
    return nnue_file.to_bytes(quantised(net))


def to_tsnn(net: AnyNet) -> bytes:
    """The net in the reference program's format; only 52-64-32-1 with a tanh head fits."""
    if not isinstance(net, Net):
        raise WeightsError(f"TSNN holds 52-64-32-1 nets with a tanh head; this one is {kind_of(net)}")
    if net.sizes != TSNN_SIZES or net.head != "tanh" or net.activation != "relu":
        sizes = "-".join(map(str, net.sizes))
        raise WeightsError(f"TSNN holds 52-64-32-1 nets with a tanh head; this one is {sizes} with a {net.head!r} head")
    (w1, b1), (w2, b2), (w3, b3) = net.layers
    parts = [w1, b1, w2.T, b2, w3.T, b3]  # layer 1 input by input, the others unit by unit
    header = b"TSNN" + struct.pack("<4I", 1, *TSNN_SIZES[:3])
    return header + b"".join(np.ascontiguousarray(part, "<f4").tobytes() for part in parts)


def from_tsnn(data: bytes, where: str) -> Net:
    """The net in a TSNN file; `where` names it in messages."""
    if data[:4] != b"TSNN":
        raise WeightsError(f"{where}: begins with {data[:4]!r}, not with b'TSNN'")
    if len(data) < 20:
        raise WeightsError(f"{where}: {len(data)} bytes, too short for a TSNN header of 20")
    version, *sizes = struct.unpack("<4I", data[4:20])
    if version != 1:
        raise WeightsError(f"{where}: TSNN version {version}, but this version reads 1")
    if tuple(sizes) != TSNN_SIZES[:3]:
        raise WeightsError(f"{where}: layers {sizes}, but TSNN nets of Tigers and Sheep have {list(TSNN_SIZES[:3])}")
    shapes = [(52, 64), (64,), (32, 64), (32,), (1, 32), (1,)]
    size = 20 + 4 * sum(int(np.prod(s)) for s in shapes)
    if len(data) != size:
        raise WeightsError(f"{where}: {len(data)} bytes, but a TSNN file of 52-64-32-1 has {size}")
    numbers = np.frombuffer(data, "<f4", offset=20).astype(np.float32)
    parts, at = [], 0
    for shape in shapes:
        parts.append(numbers[at : at + int(np.prod(shape))].reshape(shape))
        at += int(np.prod(shape))
    w1, b1, w2, b2, w3, b3 = parts
    layers = ((w1, b1), (np.ascontiguousarray(w2.T), b2), (np.ascontiguousarray(w3.T), b3))
    return Net("tigers_and_sheep", 1, "tanh", layers, {"from": "TSNN"})
