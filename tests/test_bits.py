"""Sets of bits against Python's whole numbers, bit 63 among them."""

import random

import numpy as np
import pytest

from sparring import bits
from sparring.compiled import interpreted

SETS = [0, 1, 2**63, 2**63 | 1, 2**64 - 1, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA] + [
    random.Random(i).getrandbits(64) & random.Random(100 + i).getrandbits(64) for i in range(1, 60)
]


def test_a_bit_is_the_power_of_two():
    assert [int(bits.bit(i)) for i in range(64)] == [2**i for i in range(64)]


@pytest.mark.parametrize("members", SETS[:12], ids=hex)
def test_a_set_holds_its_members_and_nothing_else(members):
    assert [bool(bits.holds(np.uint64(members), i)) for i in range(64)] == [bool(members >> i & 1) for i in range(64)]


def test_counting_agrees_with_python():
    assert [int(bits.count(np.uint64(s))) for s in SETS] == [s.bit_count() for s in SETS]


def test_the_lowest_member_is_found_and_64_stands_for_none():
    for members in SETS:
        lowest = (members & -members).bit_length() - 1 if members else 64
        assert bits.lowest(np.uint64(members)) == lowest, hex(members)


@pytest.mark.compiled
def test_plain_python_counts_the_same():
    plain = interpreted({"bit": bits.bit, "holds": bits.holds, "count": bits.count, "lowest": bits.lowest})
    with np.errstate(over="ignore"):
        for members in SETS:
            for name in ("count", "lowest"):
                assert plain[name](np.uint64(members)) == getattr(bits, name)(np.uint64(members)), name
            assert bool(plain["holds"](np.uint64(members), 63)) == bool(members >> 63)
        assert plain["bit"](63) == np.uint64(2**63)
