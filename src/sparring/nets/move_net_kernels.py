"""A MoveNet compiled: its weights and the room to work in as one record, and what it says of one position.

`value` and `policy` read the record's "overview" and "prospects", which an engine or a search writes. Layers are added
up input by input over whole vectors of outputs, for four moves at once: each weight that is read then serves four
times, and four sums grow that do not wait for each other.
"""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.nets.move_net import LEAK, MOST_HIDDEN, MoveNet, MoveShape
from sparring.nets.twin import by_lines, vectors

ZERO, SLOPE = np.float32(0), np.float32(LEAK)
TOGETHER = 4  # moves


@compiled(float_sums=True)
def add(x, weights, sums):
    """sums (outputs,) += x (inputs,) · weights (inputs, outputs)."""
    even = weights.shape[0] - weights.shape[0] % 4
    for i in range(0, even, 4):
        p, q, r, s = x[i], x[i + 1], x[i + 2], x[i + 3]
        for j in range(weights.shape[1]):
            sums[j] += (p * weights[i, j] + q * weights[i + 1, j]) + (r * weights[i + 2, j] + s * weights[i + 3, j])
    for i in range(even, weights.shape[0]):
        p = x[i]
        for j in range(weights.shape[1]):
            sums[j] += p * weights[i, j]


@compiled(float_sums=True)
def add_four(x, a, b, c, d, weights, sums):
    """The same for rows a, b, c, d of x, into rows 0 to 3 of sums."""
    even = weights.shape[0] - weights.shape[0] % 2
    for i in range(0, even, 2):
        a0, b0, c0, d0 = x[a, i], x[b, i], x[c, i], x[d, i]
        a1, b1, c1, d1 = x[a, i + 1], x[b, i + 1], x[c, i + 1], x[d, i + 1]
        for j in range(weights.shape[1]):
            p, q = weights[i, j], weights[i + 1, j]
            sums[0, j] += a0 * p + a1 * q
            sums[1, j] += b0 * p + b1 * q
            sums[2, j] += c0 * p + c1 * q
            sums[3, j] += d0 * p + d1 * q
    for i in range(even, weights.shape[0]):
        a0, b0, c0, d0 = x[a, i], x[b, i], x[c, i], x[d, i]
        for j in range(weights.shape[1]):
            sums[0, j] += a0 * weights[i, j]
            sums[1, j] += b0 * weights[i, j]
            sums[2, j] += c0 * weights[i, j]
            sums[3, j] += d0 * weights[i, j]


@compiled
def leak(sums, n):
    """Leaky ReLU of the first n sums."""
    for j in range(n):
        sums[j] = sums[j] if sums[j] > ZERO else SLOPE * sums[j]


@compiled
def layer(before, weights, bias, sums):
    """A layer for one: sums of the activation of the sums `before`, which it replaces."""
    leak(before, weights.shape[0])
    for j in range(weights.shape[1]):
        sums[j] = bias[j]
    add(before, weights, sums)


@compiled
def layer_four(before, weights, bias, sums):
    """A layer for four moves."""
    for k in range(TOGETHER):
        leak(before[k], weights.shape[0])
        for j in range(weights.shape[1]):
            sums[k, j] = bias[j]
    add_four(before, 0, 1, 2, 3, weights, sums)


@compiled(float_sums=True)
def last(before, weights):
    """The sum of one output, without its bias, from activations."""
    total = ZERO
    for i in range(weights.shape[0]):
        total += weights[i] * before[i]
    return total


@compiled
def value(work):
    """Logits of the results and, behind a tanh, the score, into work["ends"], from the overview."""
    sums = work["value_sums"]
    for j in range(work["value_bias0"].shape[0]):
        sums[0, j] = work["value_bias0"][j]
    add(work["overview"], work["value0"], sums[0])
    if work["value_hidden"] > 1:
        layer(sums[0], work["value1"], work["value_bias1"], sums[1])
    if work["value_hidden"] > 2:
        layer(sums[1], work["value2"], work["value_bias2"], sums[2])
    before, weights = sums[work["value_hidden"] - 1], work["value_last"]
    leak(before, weights.shape[1])
    for j in range(weights.shape[0]):
        work["ends"][j] = last(before, weights[j]) + work["value_last_bias"][j]
    score = weights.shape[0] - 1
    work["ends"][score] = math.tanh(work["ends"][score])


@compiled
def policy(work):
    """Logits of all moves into work["logits"], from the overview, whose part is added up once, and the prospects."""
    shared, sums, moves = work["shared"], work["policy_sums"], work["logits"].shape[0]
    for j in range(shared.shape[0]):
        shared[j] = work["policy_bias0"][j]
    add(work["overview"], work["of_overview"], shared)
    end = moves - 1
    for a in range(0, moves, TOGETHER):
        b, c, d = min(a + 1, end), min(a + 2, end), min(a + 3, end)
        for k in range(TOGETHER):
            for j in range(shared.shape[0]):
                sums[0, k, j] = shared[j]
        add_four(work["prospects"], a, b, c, d, work["of_prospects"], sums[0])
        if work["policy_hidden"] > 1:
            layer_four(sums[0], work["policy1"], work["policy_bias1"], sums[1])
        if work["policy_hidden"] > 2:
            layer_four(sums[1], work["policy2"], work["policy_bias2"], sums[2])
        before = sums[work["policy_hidden"] - 1]
        for k in range(min(TOGETHER, moves - a)):
            leak(before[k], work["policy_last"].shape[0])
            work["logits"][a + k] = last(before[k], work["policy_last"]) + work["policy_last_bias"]


def record_dtype(shape: MoveShape) -> np.dtype:
    """dtype of the record, whose fields each begin a cache line. Hidden layers fill whole vectors of floats.

    Of hidden layers that the net does not have there is one vector.
    """
    policy, value = ([vectors(n) for n in hidden] for hidden in (shape.policy, shape.value))
    fields: list[tuple[str, str, tuple[int, ...]]] = [
        ("overview", "f4", (shape.overview,)),
        ("prospects", "f4", (shape.moves, shape.prospects)),
        ("logits", "f4", (shape.moves,)),
        ("ends", "f4", (shape.results + 1,)),
        ("of_overview", "f4", (shape.overview, policy[0])),
        ("of_prospects", "f4", (shape.prospects, policy[0])),
        ("value0", "f4", (shape.overview, value[0])),
    ]
    for part, hidden in (("policy", policy), ("value", value)):
        there = [*hidden, *[16] * (MOST_HIDDEN - len(hidden))]
        fields += [(f"{part}{i}", "f4", (there[i - 1], there[i])) for i in range(1, MOST_HIDDEN)]
        fields += [(f"{part}_bias{i}", "f4", (there[i],)) for i in range(MOST_HIDDEN)]
        fields += [(f"{part}_hidden", "i8", ())]
    return by_lines(
        [
            *fields,
            ("policy_last", "f4", (policy[-1],)),
            ("policy_last_bias", "f4", ()),
            ("value_last", "f4", (shape.results + 1, value[-1])),
            ("value_last_bias", "f4", (shape.results + 1,)),
            ("shared", "f4", (policy[0],)),
            ("policy_sums", "f4", (MOST_HIDDEN, TOGETHER, max(*policy, 16))),
            ("value_sums", "f4", (MOST_HIDDEN, max(*value, 16))),
        ]
    )


def fill(record: np.void, net: MoveNet) -> None:
    """Write the net's weights into a record of `record_dtype`."""
    shape = net.shape
    for part, hidden in (("policy", shape.policy), ("value", shape.value)):
        record[f"{part}_hidden"] = len(hidden)
        for i in range(len(hidden)):
            weight, bias = net.layer(f"{part}{i}")
            record[f"{part}_bias{i}"][: len(bias)] = bias
            if (part, i) == ("policy", 0):
                record["of_overview"][:, : len(bias)] = weight[:, : shape.overview].T
                record["of_prospects"][:, : len(bias)] = weight[:, shape.overview :].T
            else:
                record[f"{part}{i}"][: weight.shape[1], : len(bias)] = weight.T
    weight, bias = net.layer(f"policy{len(shape.policy)}")
    record["policy_last"][: weight.shape[1]] = weight[0]
    record["policy_last_bias"] = bias[0]
    weight, bias = net.layer(f"value{len(shape.value)}")
    record["value_last"][:, : weight.shape[1]] = weight
    record["value_last_bias"][:] = bias
