"""An NNUE net inside a search: kept up to date from position to position, in whole numbers.

Its record holds the quantised weights and, for each ply, the sums of the first layer of the position that was judged
there last, with that position's key. Whether a position nearby may be built on is found out by its key, so the search
need not tell of moves, passes or new positions.
"""

import math
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ODDS, RESULTS, changes, features, frame, key, mover, phase
from sparring.games.game import Game
from sparring.nets.nnue import Nnue, NnueShape
from sparring.nets.nnue_layers import moved, outputs_at_once, outputs_through_layers, rebuilt
from sparring.nets.nnue_quantised import check_sums, quantised
from sparring.nets.twin import by_lines, vectors
from sparring.nets.weights import check_fits

ROWS = 128  # plies whose sums are kept; ply n stands in row n % ROWS
NEARBY = 6  # plies back that are looked at for sums to build on
BLOCK = 256  # units whose outputs int32 can sum up

# set by `join`
DISTRIBUTION = False  # whether there is an output for each of RESULTS
FRAMED = False  # whether inputs depend on the frame
PHASED = False  # whether outputs depend on the phase
INCREMENTAL = False  # whether the game tells what changes
LAYERS = 0  # between the first and the outputs

FIRST, SECOND = np.int64(0), np.int64(1)
FARTHEST = np.float32(60)  # below the best logit: log odds stay finite

REACH, STEPS = np.float32(16), np.float32(64)  # of the table `draws`: from -REACH to REACH, so many steps to 1
LOG_HALF = np.float32(math.log(0.5))


@compiled
def framing(work, state, viewer):
    """0, 1 …: which set of weights, seen mirrored or not, the position as `viewer` sees it is for."""
    return np.int64(work["framing_of"][frame(state, viewer)]) if FRAMED else FIRST


@compiled
def mapped(work, inputs, n, framed):
    """Turn n input numbers into rows of the weights."""
    flip, first = work["flip_of"][framed], work["first_of"][framed]
    for i in range(n):
        inputs[i] = (inputs[i] ^ flip) + first


@compiled
def step(work, before, state, viewer, framed, source, target):
    """Sums of a position from those of another."""
    gone, come = changes(before, state, viewer, work["gone"], work["come"])
    mapped(work, work["gone"], gone, framed)
    mapped(work, work["come"], come, framed)
    moved(work, source, target, gone, come)


@compiled
def see(work, stack, ply, viewer, base):
    """Sums of stack[ply] as `viewer` sees it, from those of stack[base], or from nothing where base is -1.

    When the frame changes the weights are others; then the last position with the same ones is nearer than nothing.
    """
    state, target = stack[ply], work["sums"][ply % ROWS, viewer]
    framed = framing(work, state, viewer)
    if INCREMENTAL and base >= 0 and framing(work, stack[base], viewer) == framed:
        step(work, stack[base], state, viewer, framed, work["sums"][base % ROWS, viewer], target)
        return
    kept = work["kept_sums"][viewer, framed]
    if INCREMENTAL and work["kept_made"][viewer, framed] != 0:
        step(work, work["kept"][viewer, framed], state, viewer, framed, kept, target)
    else:
        n = features(state, viewer, work["index"], work["value"])
        mapped(work, work["index"], n, framed)
        rebuilt(work, n, target)
    if INCREMENTAL:
        for j in range(kept.shape[0]):
            kept[j] = target[j]
        work["kept"][viewer, framed] = state
        work["kept_made"][viewer, framed] = 1


@compiled
def holds(work, stack, ply):
    """Whether the sums of stack[ply] are at hand."""
    return work["made"][ply % ROWS] != 0 and work["keys"][ply % ROWS] == key(stack[ply])


@compiled
def update(work, stack, ply):
    """Make the sums of stack[ply] for both players."""
    if holds(work, stack, ply):
        return
    base = np.int64(-1)
    if INCREMENTAL:
        for earlier in range(ply - 1, max(ply - 1 - NEARBY, -1), -1):
            if holds(work, stack, earlier):
                base = earlier
                break
    see(work, stack, ply, FIRST, base)
    see(work, stack, ply, SECOND, base)
    work["keys"][ply % ROWS] = key(stack[ply])
    work["made"][ply % ROWS] = 1


@compiled
def run(work, stack, ply):
    """The net's outputs for the player to move in stack[ply], into work["logits"]."""
    update(work, stack, ply)
    state = stack[ply]
    who = mover(state)
    bucket = work["bucket_of"][phase(state)] if PHASED else 0
    own, other = work["sums"][ply % ROWS, who], work["sums"][ply % ROWS, 1 - who]
    if LAYERS == 0:
        outputs_at_once(work, own, other, bucket)
    else:
        outputs_through_layers(work, own, other, bucket, LAYERS)


@compiled
def distribution(work, stack, ply, out):
    """Chances of the RESULTS as the player to move in stack[ply] sees them, into out float32 (results,)."""
    run(work, stack, ply)
    powers(work["logits"], out)
    total = out[0]
    for k in range(1, len(RESULTS)):
        total += out[k]
    for k in range(len(RESULTS)):
        out[k] /= total


@compiled
def powers(logits, out):
    """What the chances are proportional to; the likeliest has 1."""
    top = logits[0]
    for k in range(1, len(RESULTS)):
        top = max(top, logits[k])
    for k in range(len(RESULTS)):
        out[k] = np.float32(math.exp(max(logits[k] - top, -FARTHEST)))


@compiled
def half_more(draws, x):
    """log(e^x + 1/2) from a table, to 1e-5: of won, drawn and lost the log odds are the difference of two of these.

    Exponentials and a logarithm would take as long as the outputs themselves.
    """
    if x >= REACH:
        return x
    if x <= -REACH:
        return LOG_HALF
    at = (x + REACH) * STEPS
    i = np.int64(at)
    return draws[i] + (at - np.float32(i)) * (draws[i + 1] - draws[i])


@compiled
def judge(work, stack, ply):
    """The judgement for the player to move in stack[ply]: an expected result, or where the game has ODDS its log odds
    by 2 ODDS."""
    run(work, stack, ply)
    if not DISTRIBUTION:
        o = np.float64(work["logits"][0])
        return o / (2 * ODDS) if ODDS > 0 else math.tanh(o / 2)
    if ODDS > 0 and RESULTS == (-1.0, 0.0, 1.0):
        lost, drawn, won = work["logits"][0], work["logits"][1], work["logits"][2]
        return np.float64(half_more(work["draws"], won - drawn) - half_more(work["draws"], lost - drawn)) / (2 * ODDS)
    chances, second = work["chances"], mover(stack[ply]) == 1
    powers(work["logits"], chances)
    good, bad, total = np.float64(0), np.float64(0), np.float64(0)
    for k in range(len(RESULTS)):
        r = -RESULTS[len(RESULTS) - 1 - k] if second else RESULTS[k]
        p = np.float64(chances[k])
        total += p
        good += p * (1 + r)
        bad += p * (1 - r)
    if ODDS > 0:
        return math.log(good / bad) / (2 * ODDS)
    return (good - bad) / (2 * total)


# --- the record, in plain Python -----------------------------------------------------------------------------------


def record_dtype(net: Nnue, game: Game) -> np.dtype:
    """dtype of the record that the kernels work with."""
    shape = net.shape
    most, framings = game.MOST_FEATURES, len(framings_of(shape))
    return by_lines(
        [
            ("features", "i2", (shape.input_buckets * shape.inputs + 1, shape.hidden)),
            ("bias", "i2", (shape.hidden,)),
            *later_fields(shape),
            ("sums", "i2", (ROWS, 2, shape.hidden)),
            ("keys", "u8", (ROWS,)),
            ("made", "u1", (ROWS,)),
            ("logits", "f4", (shape.outputs,)),
            ("chances", "f4", (shape.outputs,)),
            ("draws", "f4", (int(2 * REACH * STEPS) + 2,)),
            ("index", "i4", (most + 4,)),
            ("value", "f4", (most + 4,)),
            ("gone", "i4", (most + 4,)),
            ("come", "i4", (most + 4,)),
            ("kept", game.STATE, (2, framings)),
            ("kept_sums", "i2", (2, framings, shape.hidden)),
            ("kept_made", "u1", (2, framings)),
            ("first_of", "i4", (framings,)),
            ("flip_of", "i4", (framings,)),
            ("framing_of", "i4", (max(game.FRAMES, 1),)),
            ("bucket_of", "i4", (game.PHASES,)),
        ]
    )


def later_fields(shape: NnueShape) -> list[tuple[str, str, tuple[int, ...]]]:
    """Weights behind the first layer, and room for units. What a net does not have is as small as can be."""
    sets, outputs, deep = shape.output_buckets, shape.outputs, len(shape.layers)
    block = 1 if deep else next(size for size in range(BLOCK, 0, -1) if shape.hidden % size == 0)
    first, second = (*shape.layers, 1, 1)[:2]
    widths = vectors(first), vectors(second)
    return [
        ("output", "i2", (1, 2, outputs, 1, 1) if deep else (sets, 2, outputs, shape.hidden // block, block)),
        ("output_bias", "i8", (sets, outputs)),
        ("layer1", "i2", (sets, first, shape.read if deep else 1)),
        ("layer1_bias", "i4", (sets, first)),
        ("layer2", "f4", (sets, second, widths[0])),
        ("layer2_bias", "f4", (sets, second)),
        ("last", "f4", (sets, outputs, widths[max(deep - 1, 0)])),
        ("last_bias", "f4", (sets, outputs)),
        ("units", "i2", (2 * shape.hidden,)),
        ("narrow1", "f4", (widths[0],)),
        ("narrow2", "f4", (widths[1],)),
    ]


def pairs_of(shape: NnueShape) -> list[tuple[int, int]]:
    """For each of the game's FRAMES the set of weights and the flip; empty where neither depends on it."""
    frames = max(len(shape.buckets), len(shape.flips))
    none = (0,) * frames
    return list(zip(shape.buckets or none, shape.flips or none, strict=True))


def framings_of(shape: NnueShape) -> list[tuple[int, int]]:
    """Those that differ."""
    return sorted(set(pairs_of(shape))) or [(0, 0)]


def fill(record: np.void, net: Nnue) -> None:
    """Write the net's weights, quantised, into a record of `record_dtype`."""
    shape, arrays = net.shape, quantised(net).arrays
    record["features"][:-1] = arrays["features.weight"]
    record["bias"] = arrays["features.bias"]
    pairs = framings_of(shape)
    record["first_of"] = [bucket * shape.inputs for bucket, _ in pairs]
    record["flip_of"] = [flip for _, flip in pairs]
    record["framing_of"] = [pairs.index(pair) for pair in pairs_of(shape)] or 0
    record["bucket_of"] = shape.phases or 0
    if shape.layers:
        fill_layers(record, shape, arrays)
    else:
        weight = arrays["output.weight"].reshape(shape.output_buckets, shape.outputs, 2, -1)
        record["output"] = weight.transpose(0, 2, 1, 3).reshape(record["output"].shape)
        record["output_bias"] = arrays["output.bias"]
    record["draws"] = np.log(np.exp(np.arange(len(record["draws"])) / STEPS - REACH) + 0.5)
    record["made"], record["kept_made"] = 0, 0


def fill_layers(record: np.void, shape: NnueShape, arrays: dict[str, np.ndarray]) -> None:
    """Write the layers behind the first; narrow ones are padded with zeros to whole vectors."""
    record["layer1"], record["layer1_bias"] = arrays["layer1.weight"], arrays["layer1.bias"]
    for name, field in (("layer2", "layer2"), ("output", "last")):
        if name in shape.dense:
            record[field][..., : shape.dense[name][1]] = arrays[f"{name}.weight"]
            record[f"{field}_bias"] = arrays[f"{name}.bias"]


def join(net: Nnue, game: Game, where: str = "the net") -> ModuleType:
    """This module's kernels joined to the game, for nets of this shape."""
    check_fits(net, game, where)
    check_sums(quantised(net), game.MOST_FEATURES, where)
    return game.bind("nets.nnue_twin", **settings(net.shape, game))


def settings(shape: NnueShape, game: Game) -> dict[str, int]:
    """What the kernels are told of a shape."""
    return {
        "DISTRIBUTION": shape.outputs > 1,
        "FRAMED": bool(shape.buckets or shape.flips),
        "PHASED": bool(shape.phases),
        "INCREMENTAL": game.defines("changes"),
        "LAYERS": len(shape.layers),
    }
