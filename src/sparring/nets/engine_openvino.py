"""OpenVINO on the CPU: float32, bf16, and int8 by a graph that is made by hand from a tower's arrays.

int8: all between the stem and the hidden units of the value takes activations of 256 steps from 0 to the range that was
measured (`calibrated`), and weights of 255 steps to the largest of their output (Jacob et al. 2018); the rest is bf16.
"""

from typing import Any

import numpy as np
import openvino as ov
from openvino import opset13 as op

from sparring.errors import EngineError
from sparring.nets.engines import buffers, check_shape
from sparring.nets.tower import Tower, edge_bias

STEPS = 256  # of activations; weights have one less, so that 0 is one of them
TINY = np.float32(1e-8)  # so that weights which are all 0 have a range too
PRECISIONS = {"openvino": "bf16", "openvino-int8": "bf16", "openvino-f32": "f32"}
CORE = ov.Core()


class OpenVinoEngine:
    """One request on one thread, bound to its arrays once."""

    def __init__(self, tower: Tower, batch: int, kind: str) -> None:
        self.name, self.batch, self.shape = kind, batch, tower.shape
        self.inputs, self.outputs = buffers(tower.shape, batch)
        self.load(tower)

    def load(self, tower: Tower) -> None:
        """Run another net of the same shape from now on."""
        check_shape(tower, self.shape)
        if self.name == "openvino-int8" and tower.ranges is None:
            raise EngineError("engine openvino-int8 wants a net whose ranges were measured; use openvino (bf16)")
        graph = Graph(tower, self.batch, self.name == "openvino-int8").model()
        settings = {
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,  # else the engines of all threads are put on the same core
            "INFERENCE_PRECISION_HINT": PRECISIONS[self.name],
        }
        self.request = CORE.compile_model(graph, "CPU", settings).create_infer_request()
        self.request.set_input_tensor(ov.Tensor(self.inputs, shared_memory=True))
        self.request.set_output_tensor(ov.Tensor(self.outputs, shared_memory=True))

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs, whatever `rows`. Other threads run meanwhile."""
        self.request.infer(share_inputs=True, share_outputs=True)


class Graph:
    """A tower as OpenVINO's nodes."""

    def __init__(self, tower: Tower, batch: int, int8: bool) -> None:
        self.tower, self.batch, self.int8 = tower, batch, int8
        self.ranges = iter(tower.ranges if tower.ranges is not None else ())

    def model(self) -> ov.Model:
        """Inputs (batch, planes, rows, columns) to outputs (batch, outputs)."""
        shape = self.tower.shape
        inputs = op.parameter([self.batch, shape.planes, shape.rows, shape.columns], np.float32)
        weight, _ = self.tower.layer("stem")
        stem = self.convolved(inputs, weight[:, :-1], edge_bias(self.tower), exact=True)
        x = self.clipped(stem)
        for i in range(shape.blocks):
            first = self.clipped(self.convolved(x, *self.tower.layer(f"block{i}.first")))
            second = self.convolved(first, *self.tower.layer(f"block{i}.second"))
            x = self.clipped(op.add(x, second))
        weight, bias = self.tower.layer("heads")
        return ov.Model([self.ends(self.clipped(self.convolved(x, weight[:, :, None, None], bias)))], [inputs])

    def ends(self, heads: ov.Node) -> ov.Node:
        """Both heads' layers at once: their weights as blocks of one matrix.

        Their inputs are taken point by point, as they lie in memory; channel by channel costs a copy.
        """
        shape, layer = self.tower.shape, self.tower.layer
        flat = op.reshape(op.transpose(heads, whole([0, 2, 3, 1])), whole([self.batch, -1]), False)
        (policy, policy_bias), (value, value_bias) = layer("policy"), layer("value")
        both = np.zeros((shape.moves + shape.hidden, shape.points, shape.policy + shape.value), np.float32)
        both[: shape.moves, :, : shape.policy] = policy.reshape(shape.moves, shape.policy, -1).transpose(0, 2, 1)
        both[shape.moves :, :, shape.policy :] = value.reshape(shape.hidden, shape.value, -1).transpose(0, 2, 1)
        weights = self.kernel(both.reshape(len(both), -1))
        mixed = dense(flat, weights, np.concatenate([policy_bias, value_bias]))
        moves, hidden = parts(mixed, shape.moves, shape.hidden)
        weight, bias = layer("result")
        results, score = parts(dense(op.relu(hidden), op.constant(weight), bias), shape.results, 1)
        return op.concat([moves, results, op.tanh(score)], 1)

    def convolved(self, x: ov.Node, weight: np.ndarray, bias: np.ndarray, exact: bool = False) -> ov.Node:
        """A convolution; bias: one number a channel, or one for each point of each channel. exact: never int8."""
        pads = [n // 2 for n in weight.shape[2:]]
        kernel = op.constant(np.ascontiguousarray(weight)) if exact else self.kernel(weight)
        y = op.convolution(x, kernel, [1, 1], pads, pads, [1, 1])
        return op.add(y, op.constant(bias.reshape(1, len(weight), *(bias.shape[1:] or (1, 1)))))

    def kernel(self, weight: np.ndarray) -> ov.Node:
        """Weights, in int8's steps where they are wanted; a row is an output's."""
        made = op.constant(np.ascontiguousarray(weight))
        most = np.abs(weight).reshape(len(weight), -1).max(1).reshape(-1, *[1] * (weight.ndim - 1))
        return steps(made, -most - TINY, most + TINY, STEPS - 1) if self.int8 else made

    def clipped(self, x: ov.Node) -> ov.Node:
        """ReLU, in int8's steps where they are wanted."""
        x = op.relu(x)
        return steps(x, np.float32(0), np.float32(next(self.ranges)), STEPS) if self.int8 else x


def steps(x: ov.Node, low: Any, high: Any, levels: int) -> ov.Node:
    """x rounded to that many steps from low to high."""
    low, high = op.constant(low), op.constant(high)
    return op.fake_quantize(x, low, high, low, high, levels)


def dense(x: ov.Node, weights: ov.Node, bias: np.ndarray) -> ov.Node:
    """A layer of units."""
    return op.add(op.matmul(x, weights, False, True), op.constant(bias[None]))


def whole(numbers: list[int]) -> ov.Node:
    """Whole numbers as a constant."""
    return op.constant(np.array(numbers, np.int64))


def parts(x: ov.Node, *lengths: int) -> list[ov.Output]:
    """x cut along its second axis."""
    split = op.variadic_split(x, op.constant(np.int64(1)), whole(list(lengths)))
    return list(split.outputs())
