"""A net inside a search: the compiled twin of the torch module.

Its record (`record_of`) holds the weights and the room to work in; a search keeps one in its context. Layer 1 adds up
the weight rows of the active inputs, since few are set; the layers after it are dense.

Every field of the record begins a cache line (as long as the record does): vectors of sixteen floats are then read
whole, which makes a net half as fast again.
"""

import itertools
import math
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.errors import WeightsError
from sparring.games.contract import ODDS, RESULTS, VIEWER, features, mover
from sparring.games.game import Game
from sparring.nets.weights import ACTIVATIONS, LEAK, Net, check_fits

SIZES = (1, 1)  # set by `join`: inputs, hidden layers, outputs
RELU, LEAKY, SIGMOID = 0, 1, 2
ACTIVATION = RELU  # set by `join`
DISTRIBUTION = False  # whether the head is the distribution over RESULTS
ZERO, ONE, SLOPE = np.float32(0), np.float32(1), np.float32(LEAK)
SUREST = 1 - 1e-6  # expectation beyond which log odds do not grow
MOST_DENSE = 3  # layers after the first
LINE = 64  # bytes of a cache line, which are a vector of sixteen floats too


@compiled
def first_layer(work, state, viewer):
    """Sums of layer 1 for the position as `viewer` sees it, into work["sums"][0]."""
    n = features(state, viewer, work["index"], work["value"])
    add_rows(work, n, work["bias"])


@compiled
def add_rows(work, n, start):
    """Sums of layer 1: `start` and the first n of work["index"] times work["value"]."""
    index, value, sums, rows = work["index"], work["value"], work["sums"][0], work["first"]
    while n % 4 != 0:  # rounds of four rows; the row of zeros behind the last input fills the last round
        index[n] = SIZES[0]
        value[n] = ZERO
        n += 1
    for j in range(SIZES[1]):
        sums[j] = start[j]
    for i in range(0, n, 4):
        a, b, c, d = index[i], index[i + 1], index[i + 2], index[i + 3]
        p, q, r, s = value[i], value[i + 1], value[i + 2], value[i + 3]
        for j in range(SIZES[1]):
            sums[j] += (p * rows[a, j] + q * rows[b, j]) + (r * rows[c, j] + s * rows[d, j])


@compiled
def remember(work, state, viewer):
    """Keep the inputs and the sums of layer 1 of a position, for `first_layer_near`."""
    known, index, value = work["known"], work["index"], work["value"]
    for i in range(work["known_count"]):
        known[work["known_index"][i]] = ZERO
    n = features(state, viewer, index, value)
    work["known_count"] = n
    for i in range(n):
        work["known_index"][i] = index[i]
        known[index[i]] = value[i]
    add_rows(work, n, work["bias"])
    for j in range(SIZES[1]):
        work["near"][j] = work["sums"][0, j]


@compiled
def first_layer_near(work, state, viewer):
    """`first_layer` from the sums of the remembered position: only inputs that differ are added."""
    known, index, value, marks = work["known"], work["index"], work["value"], work["marks"]
    n = features(state, viewer, index, value)
    work["mark"] += 1
    mark = work["mark"]
    m = 0
    for i in range(n):
        at, change = index[i], value[i] - known[index[i]]
        marks[at] = mark
        if change != ZERO:
            index[m] = at
            value[m] = change
            m += 1
    for i in range(work["known_count"]):
        at = work["known_index"][i]
        if marks[at] != mark:
            index[m] = at
            value[m] = -known[at]
            m += 1
    add_rows(work, m, work["near"])


@compiled(float_sums=True)
def dense(work, k, weights, bias):
    """Sums of layer k: bias + weights · activation of the sums before it. weights: a row an output, whole vectors.

    The activations get a place of their own: a vector read back from where parts of it were just written waits long.
    """
    before, active = work["sums"][k - 1], work["active"][k - 1]
    for i in range(weights.shape[1]):
        if ACTIVATION == RELU:
            active[i] = before[i] if before[i] > ZERO else ZERO
        elif ACTIVATION == LEAKY:
            active[i] = before[i] if before[i] > ZERO else SLOPE * before[i]
        else:
            active[i] = ONE / (ONE + np.float32(math.exp(-before[i])))
    for j in range(weights.shape[0]):
        total = ZERO
        for i in range(weights.shape[1]):
            total += weights[j, i] * active[i]
        work["sums"][k, j] = total + bias[j]


@compiled
def run(work, state, viewer, near=False):
    """All layers; the outputs before the head stand in the row of work["sums"] that is returned.

    near: whether layer 1 begins with what it was for the position that is remembered. Layer by layer and not in a
    loop, so that every length is known to the compiler.
    """
    if near:
        first_layer_near(work, state, viewer)
    else:
        first_layer(work, state, viewer)
    if len(SIZES) > 2:
        dense(work, 1, work["weights1"], work["bias1"])
    if len(SIZES) > 3:
        dense(work, 2, work["weights2"], work["bias2"])
    if len(SIZES) > 4:
        dense(work, 3, work["weights3"], work["bias3"])
    return work["sums"][len(SIZES) - 2]


@compiled
def value_for(work, state, viewer):
    """The expected result for `viewer`, by the net."""
    eyes = viewer if VIEWER < 0 else VIEWER
    out = run(work, state, eyes)
    value = expected(out, eyes) if DISTRIBUTION else math.tanh(out[0])
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
def distribution(work, state, eyes, near, out):
    """Chances of the RESULTS as the player `eyes` sees them, into out (results,) float32; a "results" head only."""
    viewer = eyes if VIEWER < 0 else VIEWER
    logits = run(work, state, viewer, near)
    last = len(RESULTS) - 1
    top = logits[0]
    for k in range(1, len(RESULTS)):
        top = max(top, logits[k])
    total = ZERO
    for k in range(len(RESULTS)):
        at = k if viewer == eyes else last - k
        out[at] = np.float32(math.exp(logits[k] - top))
        total += out[at]
    for k in range(len(RESULTS)):
        out[k] /= total


@compiled
def judge(work, stack, ply):
    """The judgement for the player to move in stack[ply]: an expected result, or log odds where the game has ODDS."""
    value = value_for(work, stack[ply], mover(stack[ply]))
    return math.atanh(max(min(value, SUREST), -SUREST)) / ODDS if ODDS > 0 else value


@compiled
def values(work, states, viewers, out):
    """value_for each of `states` (n,), as viewers[i] (int64) sees it, into out (n,) float64."""
    for i in range(states.shape[0]):
        out[i] = value_for(work, states[i], viewers[i])


def vectors(n: int) -> int:
    """n floats rounded up to whole vectors."""
    return -(-n // 16) * 16


def by_lines(fields: list[tuple[str, str, tuple[int, ...]]]) -> np.dtype:
    """dtype of a record whose fields (name, type, shape) each begin a cache line."""
    ends = np.cumsum([-(-np.dtype((kind, shape)).itemsize // LINE) * LINE for _, kind, shape in fields]).tolist()
    names, formats = [name for name, _, _ in fields], [(kind, shape) for _, kind, shape in fields]
    return np.dtype(
        {"names": names, "formats": formats, "offsets": [0, *ends[:-1]], "itemsize": ends[-1]},
        align=True,
    )


def record_dtype(net: Net, game: Game) -> np.dtype:
    """dtype of the twin's record. Of layers that the net does not have there is one vector."""
    sizes = net.sizes
    shapes = [(b, vectors(a)) for a, b in itertools.pairwise(sizes[1:])]
    shapes += [(1, 16)] * (MOST_DENSE - len(shapes))
    widest = vectors(max(sizes[1:]))
    return by_lines(
        [
            ("first", "f4", (sizes[0] + 1, sizes[1])),
            ("bias", "f4", (sizes[1],)),
            *((f"weights{k}", "f4", shape) for k, shape in enumerate(shapes, 1)),
            *((f"bias{k}", "f4", shape[:1]) for k, shape in enumerate(shapes, 1)),
            ("sums", "f4", (MOST_DENSE + 1, widest)),
            ("active", "f4", (MOST_DENSE, widest)),
            ("index", "i4", (2 * game.MOST_FEATURES + 4,)),
            ("value", "f4", (2 * game.MOST_FEATURES + 4,)),
            ("near", "f4", (sizes[1],)),
            ("known", "f4", (sizes[0],)),
            ("known_index", "i4", (game.MOST_FEATURES,)),
            ("known_count", "i8", ()),
            ("marks", "i8", (sizes[0],)),
            ("mark", "i8", ()),
        ]
    )


def fill(record: np.void, net: Net) -> None:
    """Write the net's weights into a record of `record_dtype`."""
    weights, record["bias"][:] = net.layers[0]
    record["first"][:-1] = weights
    for k, (weights, bias) in enumerate(net.layers[1:], 1):
        record[f"weights{k}"][:, : len(weights)] = weights.T
        record[f"bias{k}"][:] = bias


def join(net: Net, game: Game, where: str = "the net") -> ModuleType:
    """This module's kernels joined to the game, for nets of this architecture."""
    check_fits(net, game, where)
    if len(net.layers) > MOST_DENSE + 1:
        raise WeightsError(f"{where} has {len(net.layers) - 1} hidden layers, but a search runs at most {MOST_DENSE}")
    kind = ACTIVATIONS.index(net.activation)
    return game.bind("nets.twin", SIZES=net.sizes, DISTRIBUTION=net.head == "results", ACTIVATION=kind)
