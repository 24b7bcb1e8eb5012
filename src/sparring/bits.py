"""Sets of points as the bits of a uint64. Every constant is a uint64: mixed with an int64, bit 63 would go wrong."""

import numpy as np

from sparring.compiled import compiled

NONE = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
FOUR = np.uint64(4)
S56 = np.uint64(56)
PAIRS = np.uint64(0x5555555555555555)
QUADS = np.uint64(0x3333333333333333)
BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
SUM = np.uint64(0x0101010101010101)


@compiled
def bit(i):
    """The set that holds only i, 0 to 63."""
    return ONE << np.uint64(i)


@compiled
def holds(bits, i):
    """Whether i is in the set."""
    return (bits >> np.uint64(i)) & ONE != NONE


@compiled
def count(bits):
    """How many bits are set (LLVM makes one instruction of it)."""
    bits = bits - ((bits >> ONE) & PAIRS)
    bits = (bits & QUADS) + ((bits >> TWO) & QUADS)
    bits = (bits + (bits >> FOUR)) & BYTES
    return np.int64((bits * SUM) >> S56)


@compiled
def lowest(bits):
    """The smallest member; 64 for the empty set. `bits &= bits - ONE` takes it out."""
    return count((bits & (~bits + ONE)) - ONE)
