"""Nets as ONNX models, which run without Sparring: in onnxruntime, in a browser, in any language.

Inputs and outputs have names and descriptions, and the model's metadata say which game and features they belong to.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from sparring import __version__
from sparring.games.game import Game
from sparring.nets.tower import Tower, edge_bias, evaluate, inputs_seen, planes_of, planes_seen
from sparring.nets.weights import LEAK, Net, check_fits, results_seen

OPSET, IR = 17, 8  # of 2022, which every runtime in use reads
TOLERANCE = 1e-4  # between the model and the net


def model_of(net: Net | Tower, game: Game, where: str = "the net") -> onnx.ModelProto:
    """The net as a model; WeightsError where it is not for the game."""
    check_fits(net, game, where)
    build = _Builder()
    shape = _tower(build, net) if isinstance(net, Tower) else _perceptron(build, net)
    if "results" in output_names(net):
        build.add("MatMul", ["results", build.array("values", np.array(results_seen(game), np.float32))], "value")
    told = descriptions(net, game)
    sizes = {"policy": (game.MOVES,), "results": (len(game.RESULTS),), "score": (), "value": ()}
    outputs = [_named(name, sizes[name], told[name]) for name in told if name != "inputs"]
    graph = helper.make_graph(build.nodes, game.name, [_named("inputs", shape, told["inputs"])], outputs, build.arrays)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    model.producer_name, model.producer_version = "sparring", __version__
    helper.set_model_props(model, metadata_of(net, game))
    onnx.checker.check_model(model, full_check=True)
    return model


def metadata_of(net: Net | Tower, game: Game) -> dict[str, str]:
    """What the model belongs to, and what its inputs and outputs are."""
    kind = f"tower {net.shape.name}" if isinstance(net, Tower) else "mlp " + "-".join(map(str, net.sizes))
    return {"game": game.name, "features": str(game.FEATURES_VERSION), "architecture": kind, "net": net.digest} | {
        f"about {name}": text for name, text in descriptions(net, game).items()
    }


def descriptions(net: Net | Tower, game: Game) -> dict[str, str]:
    """What stands in the inputs, and what the outputs are, by name."""
    eyes = "the player to move" if game.VIEWER < 0 else game.players[game.VIEWER]
    values = ", ".join(f"{value:g}" for value in results_seen(game))
    every = {
        "inputs": f"{_about_inputs(net, game)}; as {eyes} sees them, version {game.FEATURES_VERSION}",
        "policy": "logits of the moves by number; leave out the illegal ones before the softmax",
        "results": f"chances of the results {values} for {eyes}",
        "score": f"expected result for {eyes}, weighed by how early it comes",
        "value": f"expected result for {eyes}",
    }
    return {name: every[name] for name in ("inputs", *output_names(net))}


def _about_inputs(net: Net | Tower, game: Game) -> str:
    if not isinstance(net, Tower) or not game.PLANES:
        shape = "(batch, features" + (", 1, 1)" if isinstance(net, Tower) else ")")
        return f"{shape}: the features of the rules by number, 0 where they are not active"
    planes, rows, columns = planes_of(game)
    board = f"(batch, {planes}, {rows}, {columns}): feature (plane * {rows} + row) * {columns} + column of the rules"
    rest = planes - game.PLANES[0]
    return f"{board}; the last {rest} hold a feature of the whole position on every point" if rest else board


def output_names(net: Net | Tower) -> tuple[str, ...]:
    """Which outputs the model has."""
    if isinstance(net, Tower):
        return "policy", "results", "score", "value"
    return ("results", "value") if net.head == "results" else ("value",)


class _Builder:
    """Nodes and arrays of a graph."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.arrays: list[onnx.TensorProto] = []

    def array(self, name: str, array: np.ndarray) -> str:
        self.arrays.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind: str, inputs: Sequence[str], *outputs: str, **more: Any) -> str:
        """A node; its first output's name."""
        names = list(outputs) or [f"{kind.lower()}{len(self.nodes)}"]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **more))
        return names[0]

    def dense(self, x: str, name: str, weight: np.ndarray, bias: np.ndarray, *outputs: str) -> str:
        """A layer; weight: [units in, units out]."""
        arrays = [self.array(f"{name}.weight", weight), self.array(f"{name}.bias", bias)]
        return self.add("Gemm", [x, *arrays], *outputs)

    def parts(self, x: str, axis: int, *lengths: int) -> list[str]:
        """x cut along the axis."""
        names = [f"part{len(self.nodes)}.{i}" for i in range(len(lengths))]
        size = self.array(f"lengths{len(self.nodes)}", np.array(lengths, np.int64))
        self.add("Split", [x, size], *names, axis=axis)
        return names


def _tower(build: _Builder, net: Tower) -> tuple[int, ...]:
    """Nodes of a tower; returns the inputs' shape."""
    shape, pads = net.shape, [net.shape.kernel[0] // 2, net.shape.kernel[1] // 2] * 2

    def convolved(x: str, name: str, weight: np.ndarray, *bias: np.ndarray, pads: list[int]) -> str:
        arrays = [build.array(f"{name}.{k}", a) for k, a in zip(("weight", "bias"), (weight, *bias), strict=False)]
        return build.add("Conv", [x, *arrays], pads=pads)

    stem = convolved("inputs", "stem", net.arrays["stem.weight"][:, :-1], pads=pads)
    x = build.add("Relu", [build.add("Add", [stem, build.array("stem.bias", edge_bias(net)[None])])])
    for i in range(shape.blocks):
        first, second = f"block{i}.first", f"block{i}.second"
        y = convolved(
            build.add("Relu", [convolved(x, first, *net.layer(first), pads=pads)]),
            second,
            *net.layer(second),
            pads=pads,
        )
        x = build.add("Relu", [build.add("Add", [x, y])])
    weight, bias = net.layer("heads")
    heads = build.add("Relu", [convolved(x, "heads", weight[:, :, None, None], bias, pads=[0] * 4)])
    policy, value = (build.add("Flatten", [part]) for part in build.parts(heads, 1, shape.policy, shape.value))
    weight, bias = net.layer("policy")
    build.dense(policy, "policy", weight.T, bias, "policy")
    weight, bias = net.layer("value")
    hidden = build.add("Relu", [build.dense(value, "value", weight.T, bias)])
    weight, bias = net.layer("result")
    results, score = build.parts(build.dense(hidden, "result", weight.T, bias), 1, shape.results, 1)
    build.add("Softmax", [results], "results", axis=1)
    build.add("Squeeze", [build.add("Tanh", [score]), build.array("axis", np.array([1], np.int64))], "score")
    return shape.planes, shape.rows, shape.columns


def _perceptron(build: _Builder, net: Net) -> tuple[int, ...]:
    """Nodes of a perceptron; returns the inputs' shape."""
    x = "inputs"
    kind = {"relu": "Relu", "leaky": "LeakyRelu", "sigmoid": "Sigmoid"}[net.activation]
    slope = {"alpha": LEAK} if net.activation == "leaky" else {}
    for i, (weight, bias) in enumerate(net.layers):
        x = build.dense(build.add(kind, [x], **slope) if i else x, f"layer{i}", weight, bias)
    if net.head == "results":
        build.add("Softmax", [x], "results", axis=1)
    else:
        build.add("Squeeze", [build.add("Tanh", [x]), build.array("axis", np.array([1], np.int64))], "value")
    return (net.sizes[0],)


def _named(name: str, shape: tuple[int, ...], about: str) -> onnx.ValueInfoProto:
    """An input or output of a batch of any size."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape], about)


# --- checking --------------------------------------------------------------------------------------------------------


def inputs_of(net: Net | Tower, game: Game, states: np.ndarray) -> np.ndarray:
    """What the net sees of the positions, (n, planes, rows, columns) or (n, FEATURES) float32."""
    return planes_seen(game, states) if isinstance(net, Tower) else inputs_seen(game, states)


def answers(net: Net | Tower, game: Game, inputs: np.ndarray) -> dict[str, np.ndarray]:
    """What the net itself says, by the names of the model's outputs."""
    values = np.array(results_seen(game), np.float32)
    if isinstance(net, Tower):
        out, moves = evaluate(net, inputs), net.shape.moves
        results = _softmax(out[:, moves:-1])
        return {"policy": out[:, :moves], "results": results, "score": out[:, -1], "value": results @ values}
    x = net.outputs(inputs)
    if net.head == "tanh":
        return {"value": np.tanh(x[:, 0])}
    results = _softmax(x)
    return {"results": results, "value": results @ values}


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


Runner = Callable[[np.ndarray], dict[str, np.ndarray]]


def runner_of(model: onnx.ModelProto) -> Runner:
    """The model in onnxruntime on the CPU: from inputs to outputs by name. ImportError where it is not installed."""
    import onnxruntime

    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return lambda inputs: dict(zip(names, session.run(names, {"inputs": inputs}), strict=True))


def difference(run: Runner, net: Net | Tower, game: Game, states: np.ndarray) -> float:
    """The largest difference between the model's outputs and the net's, run as one batch and one by one."""
    inputs = inputs_of(net, game, states)
    wanted = answers(net, game, inputs)
    batches = [slice(None), *(slice(i, i + 1) for i in range(len(inputs)))]
    pairs = itertools.product(batches, wanted.items())
    runs = {str(batch): run(inputs[batch]) for batch in batches}
    return max(float(np.abs(runs[str(batch)][name] - array[batch]).max()) for batch, (name, array) in pairs)
