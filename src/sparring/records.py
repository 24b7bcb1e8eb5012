"""What kernels do with records as memory, which NumPy's own operations on them cannot: each also runs interpreted."""

from typing import Any

import numpy as np
from numba.extending import intrinsic, overload

from sparring.compiled import INTERPRETED


def beside(record: Any, i: int) -> Any:
    """The record i places behind `record` in its array.

    A kernel that is handed the first record of an array instead of the array counts no references to it.
    """
    array = record.base
    offset = record.__array_interface__["data"][0] - array.__array_interface__["data"][0]
    return array[offset // array.itemsize + i]


@intrinsic
def _beside_in_memory(typing_context, record, i):
    from llvmlite import ir
    from numba.core import types

    def codegen(context, builder, signature, args):
        byte, word = ir.IntType(8), ir.IntType(64)
        first = builder.bitcast(args[0], byte.as_pointer())
        offset = builder.mul(args[1], ir.Constant(word, record.size))
        return builder.bitcast(builder.gep(first, [offset]), args[0].type)

    return record(record, types.int64), codegen


@overload(beside)
def _beside_compiled(record, i):
    return lambda record, i: _beside_in_memory(record, i)


def copy_record(source: Any, target: Any) -> None:
    """Write the record `source` over `target`.

    Unlike an assignment, in a kernel this is done word by word: what is read from the copy next is then still in a
    register. A copy by wider vectors would have to wait for the words that were just written.
    """
    for name in source.dtype.names:
        target[name] = source[name]


@intrinsic
def _copy_in_memory(typing_context, source, target):
    from llvmlite import ir
    from numba.core import types

    def codegen(context, builder, signature, args):
        byte, at = ir.IntType(8), 0
        first = [builder.bitcast(pointer, byte.as_pointer()) for pointer in args]
        while at < source.size:
            width = next(w for w in (8, 4, 2, 1) if at + w <= source.size)
            chunk = ir.IntType(8 * width)
            where = [builder.gep(pointer, [ir.Constant(ir.IntType(64), at)]) for pointer in first]
            read, written = (builder.bitcast(pointer, chunk.as_pointer()) for pointer in where)
            builder.store(builder.load(read, align=1), written, align=1)
            at += width
        return context.get_dummy_value()

    return types.none(source, target), codegen


@overload(copy_record)
def _copy_record_compiled(source, target):
    def copy(source, target):
        _copy_in_memory(source, target)

    return copy


def _spare_interpreted(record: Any) -> Any:
    return np.zeros(1, record.dtype)[0]


@intrinsic
def _spare_compiled(typing_context, record):
    from llvmlite import ir
    from numba.core import cgutils, types

    if not isinstance(record, types.Record):
        return None

    def codegen(context, builder, signature, args):
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), (record.size + 7) // 8))
        return builder.bitcast(room, args[0].type)

    return record(record), codegen


# A record of the same type with anything in it, which lives until the kernel that asks for it returns. Where it is not
# handed to a function too big to be inlined, the compiler keeps its fields in registers.
spare: Any = _spare_interpreted if INTERPRETED else _spare_compiled
