"""A MoveNet compiled: its weights and the room to work in as one record, and what it says of one position.

`value` and `policy` read the record's "overview" and "prospects", which an engine or a search writes. A layer is added
up input by input over whole vectors of outputs, in four sums at once that do not wait for each other: of four moves,
or of the four quarters of the inputs. The loops are inlined into the two kernels, where all lengths are known, so that
the sums stay in registers.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.nets.move_net import LEAK, MOST_HIDDEN, MoveNet, MoveShape
from sparring.nets.twin import by_lines, vectors

ZERO, SLOPE = np.float32(0), np.float32(LEAK)
TOGETHER = 4  # sums that grow at once
INPUTS = 2 * TOGETHER  # inputs of a layer come in multiples of this


@compiled(inline=True)
def clear(sums):
    """Zero the four sums, row by row, which is one instruction a vector."""
    for k in range(TOGETHER):
        for j in range(sums.shape[1]):
            sums[k, j] = ZERO


@compiled(inline=True)
def add_up(x, weights, sums):
    """sums (4, outputs): of the products of x (inputs,) and weights (inputs, outputs), a quarter of the inputs each."""
    clear(sums)
    h = weights.shape[0] // TOGETHER
    for i in range(0, h, 2):
        a, b, c, d = x[i], x[h + i], x[2 * h + i], x[3 * h + i]
        p, q, r, s = x[i + 1], x[h + i + 1], x[2 * h + i + 1], x[3 * h + i + 1]
        for j in range(weights.shape[1]):
            sums[0, j] += a * weights[i, j] + p * weights[i + 1, j]
            sums[1, j] += b * weights[h + i, j] + q * weights[h + i + 1, j]
            sums[2, j] += c * weights[2 * h + i, j] + r * weights[2 * h + i + 1, j]
            sums[3, j] += d * weights[3 * h + i, j] + s * weights[3 * h + i + 1, j]


@compiled(inline=True)
def layer(x, weights, bias, sums, active):
    """active (outputs,): leaky ReLU of a layer's sums for x."""
    add_up(x, weights, sums)
    for j in range(weights.shape[1]):
        total = bias[j] + ((sums[0, j] + sums[1, j]) + (sums[2, j] + sums[3, j]))
        active[j] = total if total > ZERO else SLOPE * total


@compiled(inline=True)
def ends_of(work, x, weights, sums):
    """work["ends"]: the value's last layer for x."""
    add_up(x, weights, sums)
    for j in range(work["ends"].shape[0]):
        total = (sums[0, j] + sums[1, j]) + (sums[2, j] + sums[3, j])
        work["ends"][j] = work["value_last_bias"][j] + total


@compiled(float_sums=True)
def value(work):
    """Logits of the results, then the score before its tanh, into work["ends"], from the overview."""
    x = work["seen"]
    for i in range(work["overview"].shape[0]):
        x[i] = work["overview"][i]
    layer(x, work["value0"], work["value_bias0"], work["value_sums0"], work["value_active0"])
    if work["value_hidden"] == 1:
        ends_of(work, work["value_active0"], work["value_last"], work["last_sums"])
        return
    layer(work["value_active0"], work["value1"], work["value_bias1"], work["value_sums1"], work["value_active1"])
    if work["value_hidden"] == 2:
        ends_of(work, work["value_active1"], work["value_last"], work["last_sums"])
        return
    layer(work["value_active1"], work["value2"], work["value_bias2"], work["value_sums2"], work["value_active2"])
    ends_of(work, work["value_active2"], work["value_last"], work["last_sums"])


@compiled(inline=True)
def layer_four(x, a, b, c, d, weights, start, sums, active):
    """active (4, outputs): leaky ReLU of `start` and a layer's sums for rows a, b, c, d of x."""
    clear(sums)
    even = weights.shape[0] - weights.shape[0] % 4
    for i in range(0, even, 4):
        a0, b0, c0, d0 = x[a, i], x[b, i], x[c, i], x[d, i]
        a1, b1, c1, d1 = x[a, i + 1], x[b, i + 1], x[c, i + 1], x[d, i + 1]
        a2, b2, c2, d2 = x[a, i + 2], x[b, i + 2], x[c, i + 2], x[d, i + 2]
        a3, b3, c3, d3 = x[a, i + 3], x[b, i + 3], x[c, i + 3], x[d, i + 3]
        for j in range(weights.shape[1]):
            p, q, r, s = weights[i, j], weights[i + 1, j], weights[i + 2, j], weights[i + 3, j]
            sums[0, j] += (a0 * p + a1 * q) + (a2 * r + a3 * s)
            sums[1, j] += (b0 * p + b1 * q) + (b2 * r + b3 * s)
            sums[2, j] += (c0 * p + c1 * q) + (c2 * r + c3 * s)
            sums[3, j] += (d0 * p + d1 * q) + (d2 * r + d3 * s)
    for i in range(even, weights.shape[0]):
        a0, b0, c0, d0 = x[a, i], x[b, i], x[c, i], x[d, i]
        for j in range(weights.shape[1]):
            p = weights[i, j]
            sums[0, j] += a0 * p
            sums[1, j] += b0 * p
            sums[2, j] += c0 * p
            sums[3, j] += d0 * p
    for j in range(weights.shape[1]):
        p, q, r, s = start[j] + sums[0, j], start[j] + sums[1, j], start[j] + sums[2, j], start[j] + sums[3, j]
        active[0, j] = p if p > ZERO else SLOPE * p
        active[1, j] = q if q > ZERO else SLOPE * q
        active[2, j] = r if r > ZERO else SLOPE * r
        active[3, j] = s if s > ZERO else SLOPE * s


@compiled(inline=True)
def logits_of(work, first, x):
    """work["logits"] of the moves from `first` on: the policy's last layer for the rows of x."""
    weights = work["policy_last"]
    a, b, c, d = ZERO, ZERO, ZERO, ZERO
    for i in range(x.shape[1]):
        a += weights[i] * x[0, i]
        b += weights[i] * x[1, i]
        c += weights[i] * x[2, i]
        d += weights[i] * x[3, i]
    logits, end, bias = work["logits"], work["logits"].shape[0] - 1, work["policy_last_bias"]
    logits[min(first + 3, end)] = d + bias  # in this order, so that a move which is not there is overwritten
    logits[min(first + 2, end)] = c + bias
    logits[min(first + 1, end)] = b + bias
    logits[first] = a + bias


@compiled(float_sums=True)
def policy(work):
    """Logits of all moves into work["logits"], from the overview, whose part is added up once, and the prospects."""
    seen, shared, of_overview = work["seen"], work["shared"], work["overview_sums"]
    for i in range(work["overview"].shape[0]):
        seen[i] = work["overview"][i]
    add_up(seen, work["of_overview"], of_overview)
    for j in range(shared.shape[0]):
        total = (of_overview[0, j] + of_overview[1, j]) + (of_overview[2, j] + of_overview[3, j])
        shared[j] = work["policy_bias0"][j] + total
    for first in range(0, work["logits"].shape[0], TOGETHER):
        four_moves(work, first)


@compiled(float_sums=True)
def four_moves(work, first):
    """Logits of four moves from `first` on; one that is not there counts as the last."""
    end = work["logits"].shape[0] - 1
    b, c, d = min(first + 1, end), min(first + 2, end), min(first + 3, end)
    one, two, three = work["policy_active0"], work["policy_active1"], work["policy_active2"]
    x, weights = work["prospects"], work["of_prospects"]
    layer_four(x, first, b, c, d, weights, work["shared"], work["policy_sums0"], one)
    if work["policy_hidden"] == 1:
        logits_of(work, first, one)
        return
    layer_four(one, 0, 1, 2, 3, work["policy1"], work["policy_bias1"], work["policy_sums1"], two)
    if work["policy_hidden"] == 2:
        logits_of(work, first, two)
        return
    layer_four(two, 0, 1, 2, 3, work["policy2"], work["policy_bias2"], work["policy_sums2"], three)
    logits_of(work, first, three)


def whole(n: int) -> int:
    """n inputs rounded up to multiples of INPUTS."""
    return -(-n // INPUTS) * INPUTS


def record_dtype(shape: MoveShape) -> np.dtype:
    """dtype of the record, whose fields each begin a cache line. Hidden layers fill whole vectors of floats.

    Of hidden layers that the net does not have there is one vector.
    """
    policy, value = ([vectors(n) for n in hidden] for hidden in (shape.policy, shape.value))
    ends = vectors(shape.results + 1)
    fields: list[tuple[str, str, tuple[int, ...]]] = [
        ("overview", "f4", (shape.overview,)),
        ("prospects", "f4", (shape.moves, shape.prospects)),
        ("logits", "f4", (shape.moves,)),
        ("ends", "f4", (shape.results + 1,)),
        ("seen", "f4", (whole(shape.overview),)),
        ("of_overview", "f4", (whole(shape.overview), policy[0])),
        ("overview_sums", "f4", (TOGETHER, policy[0])),
        ("shared", "f4", (policy[0],)),
        ("of_prospects", "f4", (shape.prospects, policy[0])),
        ("value0", "f4", (whole(shape.overview), value[0])),
    ]
    for part, hidden, rows in (("policy", policy, (TOGETHER,)), ("value", value, ())):
        there = [*hidden, *[16] * (MOST_HIDDEN - len(hidden))]
        fields += [(f"{part}{i}", "f4", (there[i - 1], there[i])) for i in range(1, MOST_HIDDEN)]
        for i, size in enumerate(there):
            fields += [(f"{part}_bias{i}", "f4", (size,)), (f"{part}_sums{i}", "f4", (TOGETHER, size))]
            fields += [(f"{part}_active{i}", "f4", (*rows, size))]
        fields += [(f"{part}_hidden", "i8", ())]
    last = [
        ("policy_last", "f4", (policy[-1],)),
        ("policy_last_bias", "f4", ()),
        ("value_last", "f4", (value[-1], ends)),
        ("value_last_bias", "f4", (ends,)),
        ("last_sums", "f4", (TOGETHER, ends)),
    ]
    return by_lines([*fields, *last])


def fill(record: np.void, net: MoveNet) -> None:
    """Write the net's weights into a record of `record_dtype`."""
    shape = net.shape
    for part, hidden in (("policy", shape.policy), ("value", shape.value)):
        record[f"{part}_hidden"] = len(hidden)
        for i in range(len(hidden)):
            weight, bias = net.layer(f"{part}{i}")
            record[f"{part}_bias{i}"][: len(bias)] = bias
            if (part, i) == ("policy", 0):
                _transpose(weight[:, : shape.overview], record["of_overview"])
                _transpose(weight[:, shape.overview :], record["of_prospects"])
            else:
                _transpose(weight, record[f"{part}{i}"])
    weight, bias = net.layer(f"policy{len(shape.policy)}")
    record["policy_last"][: weight.shape[1]] = weight[0]
    record["policy_last_bias"] = bias[0]
    weight, bias = net.layer(f"value{len(shape.value)}")
    _transpose(weight, record["value_last"])
    record["value_last_bias"][: len(bias)] = bias


def _transpose(weight: np.ndarray, field: np.ndarray) -> None:
    """Write weight (outputs, inputs) into field (inputs, outputs), which may be larger."""
    field[: weight.shape[1], : weight.shape[0]] = weight.T
