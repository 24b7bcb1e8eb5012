"""OpenVINO on the CPU: float32, bf16, and int8 by a graph that is made by hand from a tower's arrays.

int8: the convolutions after the stem take activations of 256 steps from 0 to the range that was measured
(`calibrated`), and weights of 255 steps to the largest of their output channel (Jacob et al. 2018); the rest is bf16.
"""

from typing import Any

import numpy as np
import openvino as ov
from openvino import opset13 as op

from sparring.errors import EngineError
from sparring.nets.engines import buffers
from sparring.nets.tower import Tower, edge_bias

STEPS = 256  # of activations; weights have one less, so that 0 is one of them
PRECISIONS = {"openvino": "bf16", "openvino-int8": "bf16", "openvino-f32": "f32"}
CORE = ov.Core()


class OpenVinoEngine:
    """One request on one thread, bound to its arrays once."""

    def __init__(self, tower: Tower, batch: int, kind: str) -> None:
        self.name, self.batch = kind, batch
        self.inputs, self.outputs = buffers(tower.shape, batch)
        self.load(tower)

    def load(self, tower: Tower) -> None:
        """Run another net of the same shape from now on."""
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

    def run(self) -> None:
        """Outputs of the inputs. Other threads run meanwhile."""
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
        return ov.Model([self.ends(op.relu(self.convolved(x, weight[:, :, None, None], bias)))], [inputs])

    def ends(self, heads: ov.Node) -> ov.Node:
        """Both heads' layers at once: their weights as blocks of one matrix."""
        shape, layer = self.tower.shape, self.tower.layer
        flat = op.reshape(heads, op.constant(np.array([self.batch, -1], np.int64)), False)
        (policy, policy_bias), (value, value_bias) = layer("policy"), layer("value")
        both = np.zeros((shape.moves + shape.hidden, policy.shape[1] + value.shape[1]), np.float32)
        both[: shape.moves, : policy.shape[1]] = policy
        both[shape.moves :, policy.shape[1] :] = value
        mixed = dense(flat, both, np.concatenate([policy_bias, value_bias]))
        moves, hidden = parts(mixed, shape.moves, shape.hidden)
        results, score = parts(dense(op.relu(hidden), *layer("result")), shape.results, 1)
        return op.concat([moves, results, op.tanh(score)], 1)

    def convolved(self, x: ov.Node, weight: np.ndarray, bias: np.ndarray, exact: bool = False) -> ov.Node:
        """A convolution; bias: one number a channel, or one for each point of each channel. exact: never int8."""
        pads = [n // 2 for n in weight.shape[2:]]
        kernel = op.constant(np.ascontiguousarray(weight))
        if self.int8 and not exact:
            most = np.abs(weight).reshape(len(weight), -1).max(1).reshape(-1, 1, 1, 1) + np.float32(1e-8)
            kernel = steps(kernel, -most, most, STEPS - 1)
        y = op.convolution(x, kernel, [1, 1], pads, pads, [1, 1])
        return op.add(y, op.constant(bias.reshape(1, len(weight), *(bias.shape[1:] or (1, 1)))))

    def clipped(self, x: ov.Node) -> ov.Node:
        """ReLU, in int8's steps where they are wanted."""
        x = op.relu(x)
        return steps(x, np.float32(0), np.float32(next(self.ranges)), STEPS) if self.int8 else x


def steps(x: ov.Node, low: Any, high: Any, levels: int) -> ov.Node:
    """x rounded to that many steps from low to high."""
    low, high = op.constant(low), op.constant(high)
    return op.fake_quantize(x, low, high, low, high, levels)


def dense(x: ov.Node, weight: np.ndarray, bias: np.ndarray) -> ov.Node:
    """A layer of units."""
    return op.add(op.matmul(x, op.constant(weight), False, True), op.constant(bias[None]))


def parts(x: ov.Node, *lengths: int) -> list[ov.Output]:
    """x cut along its second axis."""
    split = op.variadic_split(x, op.constant(np.int64(1)), op.constant(np.array(lengths, np.int64)))
    return list(split.outputs())
