"""An NNUE net's layers in native code, in whole numbers as `nnue_quantised` says; `work` is a record of `nnue_twin`.

Lengths are those of the record's fields, so that the compiler knows them.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.nets.nnue_quantised import HALF, LAYER_ONE, OUTPUT_ONE, QA, SHIFT

TOP, NOTHING = np.int16(QA), np.int16(0)
START, WHOLE_ZERO = np.int64(0), np.int32(0)
ZERO, ONE = np.float32(0), np.float32(1)
ROUND, SHIFTED = np.uint16(HALF), np.uint16(SHIFT)
OF_OUTPUT, OF_LAYER = np.float64(1 / OUTPUT_ONE), np.float32(1 / LAYER_ONE)


@compiled
def rebuilt(work, n, target):
    """Sums of the first layer of the first n rows in work["index"], into `target` (hidden,)."""
    index, weights, bias = work["index"], work["features"], work["bias"]
    size = work["bias"].shape[0]
    while n % 4 != 0:  # rounds of four rows; the row of zeros behind the last fills the last round
        index[n] = weights.shape[0] - 1
        n += 1
    for j in range(size):
        target[j] = bias[j]
    for i in range(0, n, 4):
        a, b, c, d = index[i], index[i + 1], index[i + 2], index[i + 3]
        for j in range(size):
            target[j] += weights[a, j] + weights[b, j] + weights[c, j] + weights[d, j]


@compiled
def moved(work, source, target, gone, come):
    """Sums of the first layer from those of a position nearby, of which gone rows of work["gone"] are no longer there
    and come rows of work["come"] are new."""
    weights, less, more = work["features"], work["gone"], work["come"]
    size = work["bias"].shape[0]
    if gone == 1 and come == 1:
        a, b = less[0], more[0]
        for j in range(size):
            target[j] = source[j] - weights[a, j] + weights[b, j]
        return
    if gone == 2 and come == 1:
        a, b, c = less[0], more[0], less[1]
        for j in range(size):
            target[j] = source[j] - weights[a, j] + weights[b, j] - weights[c, j]
        return
    while gone < come:  # pairs; the row of zeros behind the last fills the last ones
        less[gone] = weights.shape[0] - 1
        gone += 1
    while come < gone:
        more[come] = weights.shape[0] - 1
        come += 1
    for j in range(size):
        target[j] = source[j]
    for i in range(gone):
        a, b = less[i], more[i]
        for j in range(size):
            target[j] += weights[b, j] - weights[a, j]


@compiled
def squares(units, weights):
    """Sum of v² · w over the units v (hidden,), clipped; weights: (blocks, up to 256), as many as int32 can sum up.

    v · w stays in int16, so that two of them times v, and added, are one instruction.
    """
    total = np.int64(0)
    for block in range(weights.shape[0]):
        part, at = WHOLE_ZERO, block * weights.shape[1]
        for j in range(weights.shape[1]):
            v = units[at + j]
            v = NOTHING if v < NOTHING else TOP if v > TOP else v
            once = np.int16(v * weights[block, j])
            part = np.int32(part + np.int32(np.int32(once) * np.int32(v)))
        total += np.int64(part)
    return total


@compiled
def three_squares(units, weights):
    """`squares` for three outputs at once; weights: (3, blocks, up to 256)."""
    x, y, z = np.int64(0), np.int64(0), np.int64(0)
    for block in range(weights.shape[1]):
        p, q, r, at = WHOLE_ZERO, WHOLE_ZERO, WHOLE_ZERO, block * weights.shape[2]
        for j in range(weights.shape[2]):
            v = units[at + j]
            v = NOTHING if v < NOTHING else TOP if v > TOP else v
            wide = np.int32(v)
            p = np.int32(p + np.int32(np.int32(np.int16(v * weights[0, block, j])) * wide))
            q = np.int32(q + np.int32(np.int32(np.int16(v * weights[1, block, j])) * wide))
            r = np.int32(r + np.int32(np.int32(np.int16(v * weights[2, block, j])) * wide))
        x, y, z = x + np.int64(p), y + np.int64(q), z + np.int64(r)
    return x, y, z


@compiled
def outputs_at_once(work, own, other, bucket):
    """Outputs of both views' sums (hidden,), into work["logits"]."""
    out, bias = work["logits"], work["output_bias"][bucket]
    if out.shape[0] == 3:
        x, y, z = three_squares(own, work["output"][bucket, 0])
        p, q, r = three_squares(other, work["output"][bucket, 1])
        out[0] = np.float64(x + p + bias[0]) * OF_OUTPUT
        out[1] = np.float64(y + q + bias[1]) * OF_OUTPUT
        out[2] = np.float64(z + r + bias[2]) * OF_OUTPUT
        return
    for k in range(out.shape[0]):
        total = squares(own, work["output"][bucket, 0, k]) + squares(other, work["output"][bucket, 1, k])
        out[k] = np.float64(total + bias[k]) * OF_OUTPUT


# --- nets with layers before their outputs ---------------------------------------------------------------------------


@compiled
def outputs_through_layers(work, own, other, bucket, layers):
    """The same where one or two layers come before the outputs."""
    size, half = work["bias"].shape[0], work["bias"].shape[0] // 2
    if work["layer1"].shape[2] == size:  # block-sparse: what a half of layer 1 reads lies in one piece
        squared(work, own, START, START, half)
        squared(work, other, START, half, half)
        squared(work, own, half, 2 * half, half)
        squared(work, other, half, 3 * half, half)
    else:
        squared(work, own, START, START, size)
        squared(work, other, START, size, size)
    layer_one(work, bucket)
    if layers == 2:
        narrow(work["layer2"][bucket], work["layer2_bias"][bucket], work["narrow1"], work["narrow2"])
        clipped(work["narrow2"])
        narrow(work["last"][bucket], work["last_bias"][bucket], work["narrow2"], work["logits"])
    else:
        narrow(work["last"][bucket], work["last_bias"][bucket], work["narrow1"], work["logits"])


@compiled
def squared(work, units, first, at, count):
    """work["units"] from `at` on: (v² + 8) >> 4 of so many units v, clipped, from `first` on; at most 4064."""
    out = work["units"]
    for j in range(count):
        v = units[first + j]
        v = NOTHING if v < NOTHING else TOP if v > TOP else v
        square = np.uint16(np.uint16(v) * np.uint16(v))
        out[at + j] = np.int16(np.uint16(square + ROUND) >> SHIFTED)


@compiled
def layer_one(work, bucket):
    """Layer 1 of work["units"], into work["narrow1"]; int32 holds its sums whatever the weights are."""
    weights, bias, units, out = work["layer1"], work["layer1_bias"], work["units"], work["narrow1"]
    count, read = weights.shape[1], weights.shape[2]
    for j in range(count):
        at = read if 2 * j >= count and read < units.shape[0] else 0
        total = WHOLE_ZERO
        for i in range(read):
            total = np.int32(total + np.int32(np.int32(units[at + i]) * np.int32(weights[bucket, j, i])))
        out[j] = np.float32(total + bias[bucket, j]) * OF_LAYER
    clipped(out)


@compiled
def clipped(out):
    """SCReLU of floats, in place."""
    for j in range(out.shape[0]):
        v = min(max(out[j], ZERO), ONE)
        out[j] = v * v


@compiled(float_sums=True)
def narrow(weights, bias, x, out):
    """out = bias + weights · x in float32; weights: (out, in), in whole vectors."""
    for j in range(bias.shape[0]):
        total = ZERO
        for i in range(weights.shape[1]):
            total += weights[j, i] * x[i]
        out[j] = total + bias[j]
