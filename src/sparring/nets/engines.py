"""Engines run a net on a batch of positions: one small interface, several libraries behind it, the fastest by trial.

Towers have several kinds to choose among; a MoveNet has one of its own, native code.

Nothing heavy is imported before an engine of its kind is made, so that matches on OpenVINO do without torch.
"""

import importlib
import importlib.util
import os
import pathlib
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from sparring.errors import EngineError, nearest
from sparring.nets import move_net
from sparring.nets.move_net import MoveNet, MoveShape
from sparring.nets.tower import Shape, Tower, calibrated, evaluate

TRIAL = 0.2  # seconds that an engine is tried for
WARM_UP = 3  # runs before a trial's clock starts


class Engine(Protocol):
    """A net ready to run on a batch of fixed size. One instance a thread; memory is allocated once.

    inputs: float32 (batch, planes, rows, columns), written in place by whoever asks; inputs of a position as a whole
    fill their plane. Of a MoveNet (batch, MoveShape.inputs). outputs: float32 (batch, moves + results + 1), as `Tower`
    and `MoveNet` say. Both stay where they are, so kernels may hold on to them.
    """

    name: str
    batch: int
    inputs: np.ndarray
    outputs: np.ndarray

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs; with rows at least of so many, the first. Other threads run meanwhile."""

    def load(self, net: Any) -> None:
        """Run another net of the same shape from now on."""


Maker = Callable[[Any], Engine]


@dataclass(frozen=True)
class Kind:
    """A kind of engine: what people call it, where it is, and what must be installed for it."""

    label: str
    module: str
    maker: str
    needs: str


KINDS: Mapping[str, Kind] = {
    "cuda": Kind("CUDA", "engine_torch", "CudaEngine", "torch"),
    "openvino-int8": Kind("OpenVINO int8", "engine_openvino", "OpenVinoEngine", "openvino"),
    "openvino": Kind("OpenVINO bf16", "engine_openvino", "OpenVinoEngine", "openvino"),
    "openvino-f32": Kind("OpenVINO float32", "engine_openvino", "OpenVinoEngine", "openvino"),
    "torch-bf16": Kind("torch bf16", "engine_torch", "TorchEngine", "torch"),
    "torch": Kind("torch float32", "engine_torch", "TorchEngine", "torch"),
    "numpy": Kind("NumPy", "engines", "NumpyEngine", "numpy"),
    "native": Kind("native code", "engine_move_net", "NativeEngine", "numba"),
}
FOR_MOVE_NETS = ("native", "numpy")


class NumpyEngine:
    """The slow one that is always there."""

    def __init__(self, net: Tower | MoveNet, batch: int, kind: str) -> None:
        self.name, self.batch, self.net = kind, batch, net
        self.inputs, self.outputs = buffers(net.shape, batch)

    def load(self, net: Tower | MoveNet) -> None:
        """Run another net of the same shape from now on."""
        check_shape(net, self.net.shape)
        self.net = net

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs, or of their first rows."""
        net, inputs = self.net, self.inputs[:rows]
        said = evaluate(net, inputs) if isinstance(net, Tower) else move_net.evaluate(net, inputs)
        self.outputs[:rows] = said


def buffers(shape: Shape | MoveShape, batch: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and outputs of an engine, zeros."""
    one = (shape.planes, shape.rows, shape.columns) if isinstance(shape, Shape) else (shape.inputs,)
    return np.zeros((batch, *one), np.float32), np.zeros((batch, shape.outputs), np.float32)


def check_shape(net: Tower | MoveNet, shape: Shape | MoveShape) -> None:
    """Raise EngineError where the net cannot take the place of one of that shape."""
    if net.shape != shape:
        raise EngineError(f"an engine made for {shape} cannot run {net.shape}; make a new one")


def make(kind: str, net: Tower | MoveNet, batch: int) -> Engine:
    """An engine of that kind; EngineError says why there is none."""
    if kind not in KINDS:
        raise EngineError(f"no engine {kind!r}.{nearest(kind, KINDS)} There are: auto, {', '.join(KINDS)}")
    if batch < 1:
        raise EngineError(f"a batch of {batch} positions was asked for, but it must be at least 1")
    chosen = KINDS[kind]
    if isinstance(net, MoveNet) and kind not in FOR_MOVE_NETS:
        raise EngineError(f"engine {kind} runs towers; a MoveNet takes auto, {' or '.join(FOR_MOVE_NETS)}")
    if isinstance(net, Tower) and kind == "native":
        raise EngineError("engine native runs MoveNets; a tower takes auto or another kind")
    if not _installed(chosen.needs):
        extra = f"'sparring[{chosen.needs}]'" if chosen.needs == "openvino" else chosen.needs
        raise EngineError(f"engine {kind} needs {chosen.needs}, which is not installed: pip install {extra}")
    if kind != "cuda":
        _check_memory(net.shape, batch)
    try:
        maker = getattr(importlib.import_module(f"sparring.nets.{chosen.module}"), chosen.maker)
        return maker(net, batch, kind)
    except (ImportError, RuntimeError, OSError, MemoryError) as fault:
        said = (str(fault) or type(fault).__name__).strip().splitlines()
        raise EngineError(f"engine {kind} does not start: {said[0] if said else type(fault).__name__}") from fault


def choose(
    net: Tower | MoveNet, batch: int, calibration: np.ndarray | None = None, wanted: str = "auto"
) -> tuple[Maker, str]:
    """How to make engines for nets of this shape, and a line that says what was chosen and why.

    wanted: a kind, or "auto": every kind that suits this machine is tried for a moment, and the fastest wins. One that
    does not start is passed over, and the line says so. calibration: positions as inputs, for towers whose ranges were
    not measured; without either there is no int8.
    """
    if isinstance(net, Tower) and net.ranges is None and calibration is not None:
        net = calibrated(net, calibration)
    ranges = net.ranges if isinstance(net, Tower) else None
    notes: list[str] = []
    if wanted != "auto":
        try:
            speed = _trial(wanted, net, batch)
            return _maker(wanted, batch, ranges), f"Engine: {_label(wanted)}, {speed:,.0f} evaluations/s"
        except EngineError as fault:
            if wanted not in KINDS or batch < 1:
                raise
            notes.append(str(fault))
    speeds: dict[str, float] = {}
    for group in _candidates(net):
        for kind in group:
            try:
                speeds |= {} if kind == wanted else {kind: _trial(kind, net, batch)}
            except EngineError as fault:
                notes.append(str(fault))
        if speeds and group != ["cuda"]:
            break
    if not speeds:
        raise EngineError(notes[-1])
    first, *others = sorted(speeds, key=lambda kind: -speeds[kind])
    beside = f" ({', '.join(f'{_label(kind)} {speeds[kind]:,.0f}' for kind in others)})" if others else ""
    line = f"Engine: {_label(first)}, {speeds[first]:,.0f} evaluations/s{beside}"
    return _maker(first, batch, ranges), "; ".join([line, *notes])


def _label(kind: str) -> str:
    return KINDS[kind].label


def _maker(kind: str, batch: int, ranges: np.ndarray | None) -> Maker:
    """Makes engines; towers without ranges of their own get those that the trial was made with."""

    def made(net: Tower | MoveNet) -> Engine:
        if isinstance(net, Tower) and net.ranges is None:
            net = replace(net, ranges=ranges)
        return make(kind, net, batch)

    return made


def _candidates(net: Tower | MoveNet) -> list[list[str]]:
    """Kinds that suit this machine, in groups: one on the CPU is tried only if all of the group before it failed.

    torch takes long to import, and is not for a GPU that is plainly not there.
    """
    if isinstance(net, MoveNet):
        return [["native"]]
    int8 = ["openvino-int8"] if net.ranges is not None else []
    groups = [[*int8, "openvino"], ["torch-bf16", "torch"], ["numpy"]]
    there = [group for group in groups if _installed(KINDS[group[0]].needs)]
    return [["cuda"], *there] if _gpu_is_there() else there


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _gpu_is_there() -> bool:
    if "torch" in sys.modules:
        return bool(sys.modules["torch"].cuda.is_available())
    return any(pathlib.Path(device).exists() for device in ("/dev/nvidiactl", "/dev/dxg"))


def _trial(kind: str, net: Tower | MoveNet, batch: int) -> float:
    """Evaluations a second."""
    engine = make(kind, net, batch)
    for _ in range(WARM_UP):
        engine.run()
    runs, began = 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < TRIAL or runs == 0:
        engine.run()
        runs += 1
    return runs * batch / passed


def _check_memory(shape: Shape | MoveShape, batch: int) -> None:
    """Raise EngineError where a batch would not fit: systems lend more memory than they have, and kill later."""
    if isinstance(shape, Shape):
        wide = shape.planes + 6 * shape.width + shape.policy + shape.value
        needed = 4 * batch * (wide * shape.points + shape.hidden + shape.outputs)
    else:
        needed = 4 * batch * (shape.inputs + shape.outputs)
    there = _memory()
    if needed > there:
        what = f"a batch of {batch} positions needs about {needed / 1e9:.1f} GB, but {there / 1e9:.1f} GB are free"
        raise EngineError(f"{what}; at most {int(batch * there / needed)} fit")


def _memory() -> int:
    """Bytes that are free."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
