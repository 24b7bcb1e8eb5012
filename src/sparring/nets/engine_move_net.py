"""A MoveNet on one core, in native code of our own: nets this small are done before a library has been called."""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.nets.engines import buffers, check_shape
from sparring.nets.move_net import MoveNet
from sparring.nets.move_net_kernels import fill, policy, record_dtype, value
from sparring.nets.twin import LINE


@compiled
def run_row(work, inputs, outputs, row):
    """Outputs of one row of inputs, as `MoveNet` says; work: a record of `record_dtype`. Returns True: it was done."""
    overview, prospects, logits, ends = work["overview"], work["prospects"], work["logits"], work["ends"]
    at = overview.shape[0]
    for i in range(at):
        overview[i] = inputs[row, i]
    for move in range(prospects.shape[0]):
        for i in range(prospects.shape[1]):
            prospects[move, i] = inputs[row, at + i]
        at += prospects.shape[1]
    policy(work)
    value(work)
    at, score = logits.shape[0], ends.shape[0] - 1
    for i in range(at):
        outputs[row, i] = logits[i]
    for i in range(score):
        outputs[row, at + i] = ends[i]
    outputs[row, at + score] = math.tanh(ends[score])
    return True


@compiled
def run_rows(work, inputs, outputs, rows):
    """Outputs of the first rows of inputs; work: (1,)."""
    for row in range(rows):
        run_row(work[0], inputs, outputs, row)


class NativeEngine:
    """In the thread that asks. work: (1,), what kernels ask it by (`run_row`)."""

    def __init__(self, net: MoveNet, batch: int, kind: str) -> None:
        self.name, self.batch, self.shape = kind, batch, net.shape
        self.inputs, self.outputs = buffers(net.shape, batch)
        dtype = record_dtype(net.shape)
        memory = np.zeros(dtype.itemsize + LINE, np.uint8)
        first = -memory.ctypes.data % LINE
        self.work = memory[first : first + dtype.itemsize].view(dtype)
        fill(self.work[0], net)
        self.run(0)

    def load(self, net: MoveNet) -> None:
        """Run another net of the same shape from now on."""
        check_shape(net, self.shape)
        fill(self.work[0], net)

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs, or of their first rows."""
        run_rows(self.work, self.inputs, self.outputs, self.batch if rows is None else rows)
