"""A MoveNet on one core, in native code of our own: nets this small are done before a library has been called."""

import numpy as np

from sparring.compiled import compiled
from sparring.nets.engines import buffers, check_shape
from sparring.nets.move_net import MoveNet
from sparring.nets.move_net_kernels import fill, policy, record_dtype, value
from sparring.nets.twin import LINE


@compiled
def run_rows(work, inputs, outputs, rows):
    """Outputs of the first rows of inputs, as `MoveNet` says."""
    overview, prospects, logits, ends = work["overview"], work["prospects"], work["logits"], work["ends"]
    for row in range(rows):
        at = overview.shape[0]
        for i in range(at):
            overview[i] = inputs[row, i]
        for move in range(prospects.shape[0]):
            for i in range(prospects.shape[1]):
                prospects[move, i] = inputs[row, at + i]
            at += prospects.shape[1]
        policy(work)
        value(work)
        for i in range(logits.shape[0]):
            outputs[row, i] = logits[i]
        for i in range(ends.shape[0]):
            outputs[row, logits.shape[0] + i] = ends[i]


class NativeEngine:
    """In the thread that asks."""

    def __init__(self, net: MoveNet, batch: int, kind: str) -> None:
        self.name, self.batch, self.shape = kind, batch, net.shape
        self.inputs, self.outputs = buffers(net.shape, batch)
        dtype = record_dtype(net.shape)
        memory = np.zeros(dtype.itemsize + LINE, np.uint8)
        first = -memory.ctypes.data % LINE
        self.work = memory[first : first + dtype.itemsize].view(dtype)[0]
        fill(self.work, net)
        self.run(0)

    def load(self, net: MoveNet) -> None:
        """Run another net of the same shape from now on."""
        check_shape(net, self.shape)
        fill(self.work, net)

    def run(self, rows: int | None = None) -> None:
        """Outputs of the inputs, or of their first rows."""
        run_rows(self.work, self.inputs, self.outputs, self.batch if rows is None else rows)
