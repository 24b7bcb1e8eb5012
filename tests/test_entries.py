"""Kernels that Python calls and kernels that only kernels call."""

import gc

import numpy as np
import pytest

from sparring.compiled import compile_for, compiled, numba
from sparring.entries import TESTED

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(
        not numba.__version__.startswith(TESTED), reason="other versions compile every kernel by itself"
    ),
]


def kernels():
    """inner, and outer that calls it; new, so that nothing of them is compiled yet."""

    @compiled
    def inner(x):
        if x < 0:
            raise ValueError("x is below 0")
        return x + 1

    @compiled
    def outer(x):
        return 2 * inner(x)

    return inner, outer


def test_a_kernel_that_only_kernels_call_has_no_entry_and_the_caller_has_one():
    inner, outer = kernels()
    assert outer(3) == 8
    assert (len(inner.overloads), len(inner.part.overloads)) == (0, 1)
    assert (len(outer.overloads), len(outer.part.overloads)) == (1, 1)
    assert len(inner.signatures) == len(outer.signatures) == 1


def test_a_kernel_called_by_a_kernel_first_and_by_python_later_is_made_from_the_same_part():
    inner, outer = kernels()
    outer(3)
    part = next(iter(inner.part.overloads.values()))
    assert inner(3) == 4
    assert next(iter(inner.part.overloads.values())) is part
    assert len(inner.overloads) == 1


def test_an_error_raised_far_below_an_entry_is_heard_by_python():
    _, outer = kernels()
    with pytest.raises(ValueError, match="x is below 0"):
        outer(-1)


def test_a_kernel_that_calls_itself_is_one_part():
    @compiled
    def triangle(n):
        return np.int64(0) if n == 0 else n + triangle(n - 1)

    assert triangle(4) == 10
    assert len(triangle.signatures) == 1


def test_compiling_leaves_the_collector_of_garbage_as_it_was():
    for collects in (True, False):
        (gc.enable if collects else gc.disable)()
        try:
            compile_for(kernels()[1], 1)
            assert gc.isenabled() is collects
        finally:
            gc.enable()
