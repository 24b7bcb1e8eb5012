"""torch: float32 and bf16 on the CPU, and CUDA by a graph that is captured once for a batch of fixed size."""

import threading
from collections.abc import Mapping

import numpy as np
import torch
from torch.nn import functional

from sparring.errors import EngineError
from sparring.nets.engines import buffers, check_shape
from sparring.nets.tower import Shape, Tower, edge_bias

Arrays = Mapping[str, torch.Tensor]
CAPTURING = threading.Lock()  # a capture waits for the whole device, so they come one after the other


def tensors(tower: Tower, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """The tower's arrays as `run` wants them: channels last, the stem's edge in its bias."""
    found = {}
    for name, array in {**tower.arrays, "stem.bias": edge_bias(tower)[None]}.items():
        if name == "stem.weight":
            array = array[:, :-1]
        elif name == "heads.weight":
            array = array[:, :, None, None]
        made = torch.from_numpy(np.array(array))
        kept = torch.float32 if name.startswith("result") else dtype  # the last layer decides: exactly
        if made.ndim == 4:
            made = made.contiguous(memory_format=torch.channels_last)
        found[name] = made.to(kept)
    return found


def outputs(arrays: Arrays, shape: Shape, inputs: torch.Tensor) -> torch.Tensor:
    """Outputs (n, Shape.outputs) float32 of inputs (n, planes, rows, columns) in the arrays' type."""
    pads = (shape.kernel[0] // 2, shape.kernel[1] // 2)

    def convolved(x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.conv2d(x, arrays[f"{name}.weight"], arrays[f"{name}.bias"], padding=pads)

    x = functional.conv2d(inputs, arrays["stem.weight"], padding=pads).add_(arrays["stem.bias"]).relu_()
    for i in range(shape.blocks):
        first = convolved(x, f"block{i}.first").relu_()
        x = convolved(first, f"block{i}.second").add_(x).relu_()
    heads = functional.conv2d(x, arrays["heads.weight"], arrays["heads.bias"]).relu_()
    policy, value = heads[:, : shape.policy].flatten(1), heads[:, shape.policy :].flatten(1)
    moves = functional.linear(policy, arrays["policy.weight"], arrays["policy.bias"]).float()
    hidden = functional.linear(value, arrays["value.weight"], arrays["value.bias"]).relu_().float()
    ends = functional.linear(hidden, arrays["result.weight"], arrays["result.bias"])
    return torch.cat([moves, ends[:, :-1], ends[:, -1:].tanh()], 1)


class TorchEngine:
    """On the CPU, in the thread that asks."""

    def __init__(self, tower: Tower, batch: int, kind: str) -> None:
        torch.set_num_threads(1)  # an engine a thread: more would wait for each other
        self.name, self.batch, self.shape = kind, batch, tower.shape
        self.dtype = torch.bfloat16 if kind == "torch-bf16" else torch.float32
        self.inputs, self.outputs = buffers(tower.shape, batch)
        self._inputs, self._outputs = torch.from_numpy(self.inputs), torch.from_numpy(self.outputs)
        self.load(tower)

    def load(self, tower: Tower) -> None:
        """Run another net of the same shape from now on."""
        check_shape(tower, self.shape)
        self.arrays = tensors(tower, self.dtype)

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs, whatever `rows`. Other threads run meanwhile."""
        with torch.inference_mode():
            x = self._inputs.to(self.dtype, memory_format=torch.channels_last)
            self._outputs.copy_(outputs(self.arrays, self.shape, x))


class CudaEngine:
    """On the first GPU: the copy there, the tower and the copy back are one graph, replayed at each run.

    inputs and outputs lie in pinned memory, which the GPU reads and writes itself. A new net is copied over the old
    one's weights, where the graph will find it.
    """

    def __init__(self, tower: Tower, batch: int, kind: str) -> None:
        if not torch.cuda.is_available():
            raise EngineError("engine cuda does not start: torch finds no GPU that it can use")
        self.name, self.batch, self.shape = kind, batch, tower.shape
        exact = torch.cuda.is_bf16_supported(including_emulation=False)
        self.dtype = torch.bfloat16 if exact else torch.float16
        try:
            self._allocate(tower)
            self._capture()
        except torch.cuda.OutOfMemoryError as fault:
            what = f"a batch of {batch} positions of a {tower.shape.name} tower does not fit into the GPU's memory"
            raise EngineError(f"{what}; give a smaller batch") from fault

    def _allocate(self, tower: Tower) -> None:
        shape, batch = self.shape, self.batch
        self._inputs = torch.zeros(batch, shape.planes, shape.rows, shape.columns, pin_memory=True)
        self._outputs = torch.zeros(batch, shape.outputs, pin_memory=True)
        self.inputs, self.outputs = self._inputs.numpy(), self._outputs.numpy()
        self.stream = torch.cuda.Stream()
        self.arrays = {name: array.cuda() for name, array in tensors(tower, self.dtype).items()}
        self.staged = torch.zeros_like(self._inputs, device="cuda")
        torch.cuda.current_stream().synchronize()

    def _step(self) -> None:
        self.staged.copy_(self._inputs, non_blocking=True)
        x = self.staged.to(self.dtype, memory_format=torch.channels_last)
        self._outputs.copy_(outputs(self.arrays, self.shape, x), non_blocking=True)

    def _capture(self) -> None:
        """Run a few times so that the fastest kernels are found, then record a run."""
        with CAPTURING, torch.inference_mode(), torch.backends.cudnn.flags(enabled=True, benchmark=True):
            with torch.cuda.stream(self.stream):
                for _ in range(3):
                    self._step()
            self.stream.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            # thread_local: engines of other threads may be at work during the capture
            with torch.cuda.graph(self.graph, stream=self.stream, capture_error_mode="thread_local"):
                self._step()

    def load(self, tower: Tower) -> None:
        """Run another net of the same shape from now on."""
        check_shape(tower, self.shape)
        with torch.cuda.stream(self.stream):
            for name, array in tensors(tower, self.dtype).items():
                self.arrays[name].copy_(array)
        self.stream.synchronize()

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs, whatever `rows`. Other threads run meanwhile."""
        with torch.cuda.stream(self.stream):
            self.graph.replay()
        self.stream.synchronize()
