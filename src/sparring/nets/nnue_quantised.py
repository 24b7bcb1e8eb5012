"""An NNUE net in whole numbers, as searches run it, and what it computes, slowly: the reference for engines.

First layer: int16, 255 to 1. Its units v, clipped to 0 … 255, stand for v² / 255². Where outputs follow at once, their
weights are int8, 64 to 1, and their sums of v²·w are whole numbers of 255²·64 to 1, biases too. Where layers follow,
the first of them takes (v² + 8) >> 4 and int8 weights, 64 to 1, so its sums have 255²·4 to 1; what comes after is
float32.
"""

from dataclasses import dataclass

import numpy as np

from sparring.errors import WeightsError
from sparring.nets.nnue import Nnue, NnueShape, halves, mixed, screlu, sums_of

QA, QB = 255, 64
HALF, SHIFT = 8, 4  # of v² before layer 1
LEAST, MOST = -127, 127  # weights of QB: v · w must fit into int16
CLIP = 1.98  # of weights: above it 64 to 1 does not fit into int8
OUTPUT_ONE = QA * QA * QB  # what 1 is in the sums of outputs that follow at once
LAYER_ONE = (QA * QA * QB) >> SHIFT  # and in those of layer 1: 255² · 4 exactly


@dataclass(frozen=True)
class Quantised:
    """A net's arrays by the same names, in whole numbers as far as they go.

    features.*: int16. The weights of the layer behind them: int8, its biases int32. What follows: float32.
    """

    game: str
    features: int
    shape: NnueShape
    arrays: dict[str, np.ndarray]


def first_dense(shape: NnueShape) -> str:
    """The layer that takes the units of the first one."""
    return next(iter(shape.dense))


def scale_of(shape: NnueShape) -> int:
    """What 1 is in the sums of the layer that takes the units of the first one."""
    return LAYER_ONE if shape.layers else OUTPUT_ONE


def quantised(net: Nnue) -> Quantised:
    """The net, rounded to the nearest whole numbers; WeightsError where a weight is too large for them."""
    name, found = first_dense(net.shape), dict(net.arrays)
    most = 1 << 24 if net.shape.layers else 1 << 30  # sums of layer 1 are int32 throughout
    scales = {
        "features.weight": (QA, np.int16, (-32767, 32767)),
        "features.bias": (QA, np.int16, (-32767, 32767)),
        f"{name}.weight": (QB, np.int8, (LEAST, MOST)),
        f"{name}.bias": (scale_of(net.shape), np.int32, (-most, most)),
    }
    for part, (scale, kind, (low, high)) in scales.items():
        whole = np.rint(net.arrays[part].astype(np.float64) * scale)
        if not ((whole >= low) & (whole <= high)).all():
            worst = float(net.arrays[part].ravel()[np.argmax(np.abs(np.nan_to_num(whole, nan=np.inf)))])
            what = f"a quantised net has {low / scale:.4g} to {high / scale:.4g}; clip the weights while training"
            raise WeightsError(f"{part} holds {worst:g}, but {what}")
        found[part] = whole.astype(kind)
    return Quantised(net.game, net.features, net.shape, found)


def restored(net: Quantised) -> Nnue:
    """The net as floats, from which `quantised` makes the same whole numbers again."""
    name, found = first_dense(net.shape), dict(net.arrays)
    scales = {"features.weight": QA, "features.bias": QA, f"{name}.weight": QB, f"{name}.bias": scale_of(net.shape)}
    for part, scale in scales.items():
        found[part] = (net.arrays[part].astype(np.float64) / scale).astype(np.float32)
    return Nnue(net.game, net.features, net.shape, found, {"from": "a quantised net"})


def check_sums(net: Quantised, most: int, where: str) -> None:
    """Raise WeightsError where the first layer could leave int16, with `most` active inputs."""
    weights, bias = np.abs(net.arrays["features.weight"].astype(np.int32)), np.abs(net.arrays["features.bias"])
    if weights.max() * min(most, len(weights)) + int(bias.max()) <= 32767:
        return
    largest = np.sort(weights, axis=0)[-most:].sum(0) + bias
    if largest.max() > 32767:
        what = f"sums of its first layer could reach {largest.max() / QA:.1f} with {most} inputs"
        raise WeightsError(f"{where} does not fit into whole numbers: {what}, but the most is {32767 / QA:.1f}")


def evaluate(net: Quantised, own: np.ndarray, other: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Outputs (n, NnueShape.outputs) of what `nnue.inputs_seen` tells: float64 where they are whole numbers over
    `scale_of`, else float32."""
    shape, arrays, name = net.shape, net.arrays, first_dense(net.shape)
    sums = [sums_of(arrays["features.weight"], arrays["features.bias"], rows) for rows in (own, other)]
    units = np.clip(np.concatenate(sums, 1), 0, QA).astype(np.int64)
    x = (units * units + HALF) >> SHIFT if shape.layers else units * units
    weight = arrays[f"{name}.weight"].astype(np.int64)[phase]
    mix = halves(shape, weight, x) if shape.block_sparse else mixed(weight, x)
    total = mix + arrays[f"{name}.bias"].astype(np.int64)[phase]
    if not shape.layers:
        return total / OUTPUT_ONE
    x = screlu(total.astype(np.float32) / np.float32(LAYER_ONE))
    for later in list(shape.dense)[1:]:
        x = mixed(arrays[f"{later}.weight"][phase], x) + arrays[f"{later}.bias"][phase]
        x = x if later == "output" else screlu(x)
    return x
