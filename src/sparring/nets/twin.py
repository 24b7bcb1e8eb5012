"""A net inside a search: the compiled twin of the torch module.

Its record (`record_of`) holds the weights and the room to work in; a search keeps one in its context. Layer 1 adds up
the weight rows of the active inputs, since few are set; the layers after it are dense.
"""

import math
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import RESULTS, VIEWER, features, mover
from sparring.games.game import Game
from sparring.nets.weights import Net, check_fits

SIZES = (1, 1)  # set by `join`: inputs, hidden layers, outputs
DISTRIBUTION = False  # whether the head is the distribution over RESULTS
ZERO = np.float32(0)


@compiled
def four(n):
    """n rounded up to a multiple of four."""
    return (n + 3) // 4 * 4


@compiled
def first_layer(work, state, viewer):
    """Sums of layer 1 for the position as `viewer` sees it, into work["hidden"][0]."""
    index, value, hidden, rows = work["index"], work["value"], work["hidden"][0], work["first"]
    n = features(state, viewer, index, value)
    while n % 4 != 0:  # rounds of four rows; the row of zeros behind the last input fills the last round
        index[n] = SIZES[0]
        value[n] = ZERO
        n += 1
    for j in range(SIZES[1]):
        hidden[j] = work["bias"][j]
    for i in range(0, n, 4):
        a, b, c, d = index[i], index[i + 1], index[i + 2], index[i + 3]
        p, q, r, s = value[i], value[i + 1], value[i + 2], value[i + 3]
        for j in range(SIZES[1]):
            hidden[j] += (p * rows[a, j] + q * rows[b, j]) + (r * rows[c, j] + s * rows[d, j])


@compiled
def dense(source, target, weights, at, inputs, outputs):
    """target = max(source, 0) · weights + bias. The biases stand at weights[at], then the weights input by input.

    `inputs` is rounded up to a multiple of four; the weights of the inputs that do not exist are zeros.
    """
    for j in range(outputs):
        target[j] = weights[at + j]
    at += outputs
    for i in range(0, inputs, 4):
        p, q = max(source[i], ZERO), max(source[i + 1], ZERO)
        r, s = max(source[i + 2], ZERO), max(source[i + 3], ZERO)
        row = weights[at : at + 4 * outputs]
        for j in range(outputs):
            target[j] += (p * row[j] + q * row[outputs + j]) + (r * row[2 * outputs + j] + s * row[3 * outputs + j])
        at += 4 * outputs


@compiled
def run(work, state, viewer):
    """All layers; the outputs before the head stand in the row of work["hidden"] that is returned."""
    first_layer(work, state, viewer)
    at = 0
    for k in range(1, len(SIZES) - 1):
        dense(work["hidden"][(k - 1) % 2], work["hidden"][k % 2], work["rest"], at, SIZES[k], SIZES[k + 1])
        at += (four(SIZES[k]) + 1) * SIZES[k + 1]
    return work["hidden"][len(SIZES) % 2]


@compiled
def value_for(work, state, viewer):
    """The expected result for `viewer`, by the net."""
    eyes = viewer if VIEWER < 0 else VIEWER
    out = run(work, state, eyes)
    if DISTRIBUTION:
        value = expected(out, eyes)
    else:
        value = math.tanh(out[0])
    return value if eyes == viewer else -value


@compiled
def expected(logits, eyes):
    """Expected result for `eyes` from logits over RESULTS, which are ordered as that player sees them."""
    top = logits[0]
    for k in range(1, len(RESULTS)):
        top = max(top, logits[k])
    total = 0.0
    value = 0.0
    for k in range(len(RESULTS)):
        p = math.exp(logits[k] - top)
        total += p
        value += p * (RESULTS[k] if eyes == 0 else -RESULTS[len(RESULTS) - 1 - k])
    return value / total


@compiled
def judge(work, stack, ply):
    """The expected result for the player to move in stack[ply]."""
    return value_for(work, stack[ply], mover(stack[ply]))


@compiled
def values(work, states, viewers, out):
    """value_for each of `states` (n,), as viewers[i] (int64) sees it, into out (n,) float64."""
    for i in range(states.shape[0]):
        out[i] = value_for(work, states[i], viewers[i])


def record_dtype(net: Net, game: Game) -> np.dtype:
    """dtype of the twin's record."""
    sizes = net.sizes
    rest = sum((four(a) + 1) * b for a, b in zip(sizes[1:], sizes[2:], strict=False))
    return np.dtype(
        [
            ("first", "f4", (sizes[0] + 1, sizes[1])),
            ("bias", "f4", (sizes[1],)),
            ("rest", "f4", (max(rest, 1),)),
            ("hidden", "f4", (2, four(max(sizes[1:])))),
            ("index", "i4", (game.MOST_FEATURES + 4,)),
            ("value", "f4", (game.MOST_FEATURES + 4,)),
        ],
        align=True,
    )


def fill(record: np.void, net: Net) -> None:
    """Write the net's weights into a record of `record_dtype`."""
    weights, record["bias"][:] = net.layers[0]
    record["first"][:-1] = weights
    rest: list[np.ndarray] = []
    for weights, bias in net.layers[1:]:
        rest += [bias, weights.ravel(), np.zeros((-len(weights) % 4) * len(bias), np.float32)]
    if rest:
        record["rest"][:] = np.concatenate(rest)


def join(net: Net, game: Game, where: str = "the net") -> ModuleType:
    """This module's kernels joined to the game, for nets of this architecture."""
    check_fits(net, game, where)
    return game.bind("nets.twin", SIZES=net.sizes, DISTRIBUTION=net.head == "results")
