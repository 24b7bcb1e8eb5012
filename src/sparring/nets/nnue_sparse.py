"""The first layer of an NNUE net in training: sums of a few rows out of many, and back; on the CPU in native code.

Threads share out the layer's units, so each writes columns of its own and no gradients need to be added up.
"""

from typing import Any

import numpy as np
import torch
from torch.nn import functional

from sparring.compiled import INTERPRETED, compiled
from sparring.threads import on_threads

MOST_DENSE = 4096  # rows up to which a GPU multiplies by zeros and ones faster than it looks up
NOTHING, TOP, TWICE = np.float32(0), np.float32(1), np.float32(2)


@compiled
def units_of(weight, bias, rows, out, at, sums, first, last):
    """out[i, at + j] = SCReLU(bias[j] + the sum of weight[rows[i], j]) for j in first … last - 1.

    rows: (n, most) int32, -1 behind the last. sums: (hidden,), room.
    """
    most = rows.shape[1]
    for i in range(rows.shape[0]):
        for j in range(np.uint64(first), np.uint64(last)):
            sums[j] = bias[j]
        k = 0
        while k + 3 < most and rows[i, k + 3] >= 0:
            a, b, c, d = rows[i, k], rows[i, k + 1], rows[i, k + 2], rows[i, k + 3]
            for j in range(np.uint64(first), np.uint64(last)):
                sums[j] += (weight[a, j] + weight[b, j]) + (weight[c, j] + weight[d, j])
            k += 4
        while k < most and rows[i, k] >= 0:
            a = rows[i, k]
            for j in range(np.uint64(first), np.uint64(last)):
                sums[j] += weight[a, j]
            k += 1
        for j in range(np.uint64(first), np.uint64(last)):
            v = min(max(sums[j], NOTHING), TOP)
            out[i, at + j] = v * v


@compiled
def gradients_of(units, grad, at, rows, dweight, dbias, inner, first, last):
    """Add to dweight, dbias what grad, the gradient of the loss by `units` (`units_of`'s out), makes of them.

    Of a unit v² the slope is 2v, and v its root; at both ends of the clipping it is 0. inner: (hidden,), room.
    """
    most = rows.shape[1]
    for i in range(rows.shape[0]):
        for j in range(np.uint64(first), np.uint64(last)):
            square = units[i, at + j]
            slope = TWICE * np.sqrt(square) if square < TOP else NOTHING
            inner[j] = grad[i, at + j] * slope
        for j in range(np.uint64(first), np.uint64(last)):
            dbias[j] += inner[j]
        for k in range(most):
            a = rows[i, k]
            if a < 0:
                break
            for j in range(np.uint64(first), np.uint64(last)):
                dweight[a, j] += inner[j]


class FirstLayer(torch.autograd.Function):
    """Both views' units (n, 2 × hidden) of weight, bias, own and other rows, all on the CPU."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, bias: torch.Tensor, own: torch.Tensor, other: torch.Tensor) -> Any:
        """Own view's units, then the other's."""
        hidden, room = weight.shape[1], np.zeros(weight.shape[1], np.float32)
        units = torch.empty(len(own), 2 * hidden)
        out, weights, biases = units.numpy(), weight.detach().numpy(), bias.detach().numpy()

        def work(first: int, last: int) -> None:
            for rows, at in ((own, 0), (other, hidden)):
                units_of(weights, biases, rows.numpy(), out, at, room, first, last)

        share_out(hidden, work)
        ctx.save_for_backward(units, own, other)
        ctx.sizes = weight.shape
        return units

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        """Of the weights and the biases."""
        units, own, other = ctx.saved_tensors
        hidden = ctx.sizes[1]
        dweight, dbias, room = torch.zeros(ctx.sizes), torch.zeros(hidden), np.zeros(hidden, np.float32)
        squares, slopes = units.numpy(), grad.contiguous().numpy()

        def work(first: int, last: int) -> None:
            for rows, at in ((own, 0), (other, hidden)):
                of = dweight.numpy(), dbias.numpy(), room
                gradients_of(squares, slopes, at, rows.numpy(), *of, first, last)

        share_out(hidden, work)
        return dweight, dbias, None, None


def share_out(hidden: int, work: Any) -> None:
    """work(first, last) over all columns, on as many threads as torch uses."""
    threads = max(min(torch.get_num_threads(), hidden // 16), 1)
    if threads == 1:
        work(0, hidden)
        return
    cuts = [hidden // 16 * number // threads * 16 for number in range(threads)] + [hidden]
    on_threads(threads, lambda number: work(cuts[number], cuts[number + 1]), lambda: None)


def first_layer(weight: torch.Tensor, bias: torch.Tensor, own: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Both views' units (n, 2 × hidden), own first: SCReLU of the sums of rows. own, other: int32 (n, most), padded
    with -1."""
    if weight.device.type == "cpu" and not INTERPRETED:
        units: torch.Tensor = FirstLayer.apply(weight, bias, own.contiguous(), other.contiguous())
        return units
    sums = torch.cat([sums_of(weight, rows) + bias for rows in (own, other)], 1)
    return sums.clamp(0, 1).square()


def sums_of(weight: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """The sum of weight[rows[i]] for each i, by torch's own means, wherever the weights lie."""
    most, hidden = weight.shape
    at = torch.where(rows < 0, most, rows).long()
    if most <= MOST_DENSE:
        hot = weight.new_zeros(len(rows), most + 1).scatter_(1, at, 1.0)
        return hot[:, :most] @ weight
    padded = torch.cat([weight, weight.new_zeros(1, hidden)])
    return functional.embedding_bag(at, padded, mode="sum", padding_idx=most)
