"""Random numbers for kernels: SplitMix64 (Steele, Lea and Flood 2014), whose whole state is one uint64 in an array.

A generator is an array `rng` of one uint64, or such a field of a record. There is no global generator: whoever draws
is handed one, so a result depends on its seed and on nothing else.
"""

import math

import numpy as np

from sparring.compiled import compiled

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX1 = np.uint64(0xBF58476D1CE4E5B9)
MIX2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S11, S32 = (np.uint64(n) for n in (30, 27, 31, 11, 32))
UNIT = 1.0 / 9007199254740992.0  # 2**-53


@compiled
def scramble(x):
    """A uint64 whose every bit depends on every bit of the uint64 x (a bijection)."""
    x = (x ^ (x >> S30)) * MIX1
    x = (x ^ (x >> S27)) * MIX2
    return x ^ (x >> S31)


@compiled
def stream(seed, i):
    """The start of stream i of a seed, both uint64. Nest it for streams of streams: stream(stream(seed, a), b)."""
    return scramble(seed + (i + np.uint64(1)) * STEP)


@compiled
def draw_word(rng):
    """The next uint64; advances rng[0]."""
    rng[0] += STEP
    return scramble(rng[0])


@compiled
def draw_below(rng, n):
    """A number from 0 to n - 1, n an int64 of at most 2**31 (bias below n / 2**32)."""
    return np.int64(((draw_word(rng) >> S32) * np.uint64(n)) >> S32)


@compiled
def draw_unit(rng):
    """A float in [0, 1) with 53 random bits."""
    return np.int64(draw_word(rng) >> S11) * UNIT


@compiled
def draw_index(rng, weights, n):
    """An index below n, drawn in proportion to weights[:n], which need not add up to exactly 1."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    left = draw_unit(rng) * total
    for i in range(n - 1):
        left -= weights[i]
        if left < 0.0:
            return i
    return n - 1


@compiled
def draw_gumbel(rng):
    """A draw from the standard Gumbel distribution."""
    return -math.log(-math.log(draw_unit(rng) * (1.0 - UNIT) + 0.5 * UNIT))


@compiled
def draw_gamma(rng, shape):
    """A draw from the gamma distribution of a shape above 0 and scale 1 (Marsaglia and Tsang 2000)."""
    d = (shape if shape >= 1.0 else shape + 1.0) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    boost = 1.0 if shape >= 1.0 else (1.0 - draw_unit(rng)) ** (1.0 / shape)
    while True:
        u = 1.0 - draw_unit(rng)  # a normal draw by Box and Muller
        x = math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * draw_unit(rng))
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(1.0 - draw_unit(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v


def seeded(seed: int, *numbers: int) -> np.ndarray:
    """A generator for kernels: stream `numbers` (one after the other) of `seed`. Shape (1,), uint64."""
    state = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    for number in numbers:
        state = np.uint64(stream(state, np.uint64(number & 0xFFFFFFFFFFFFFFFF)))  # a kernel returns a plain int
    return np.array([state], np.uint64)
