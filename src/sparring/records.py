"""What kernels do with records as memory, which NumPy's own operations on them cannot: each also runs interpreted."""

from typing import Any

import numpy as np
from numba.extending import intrinsic, overload

from sparring.compiled import INTERPRETED

HASH_START = 0x9E3779B97F4A7C15
HASH_MULTIPLIER = 0xD6E8FEB86659FD93
_MASK = (1 << 64) - 1


def without_gaps(dtype: np.dtype) -> np.dtype:
    """The dtype with a field in each gap between its fields, where alignment left bytes that belong to none.

    NumPy does not copy such bytes (`np.array([record])` leaves there what stood in the memory), so a hash of all bytes
    would tell equal records apart.
    """
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((without_gaps(base), shape))
    if dtype.names is None or dtype.fields is None:
        return dtype
    ends, found = 0, []
    fields = {name: field[:2] for name, field in dtype.fields.items()}
    for name in sorted(fields, key=lambda name: fields[name][1]):
        kind, at = fields[name]
        if at > ends:
            found.append((f"_gap{ends}", np.dtype(("u1", (at - ends,))), ends))
        found.append((name, without_gaps(kind), at))
        ends = max(ends, at + kind.itemsize)
    if dtype.itemsize > ends:
        found.append((f"_gap{ends}", np.dtype(("u1", (dtype.itemsize - ends,))), ends))
    names, formats, offsets = zip(*found, strict=True)
    parts: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}
    return np.dtype(parts, align=dtype.isalignedstruct)


def hash_record(state: Any) -> Any:
    """A uint64 that depends on every byte of a record. Kernels may call it; there it reads the memory itself."""
    data = state.tobytes()
    data += bytes(-len(data) % 8)
    h = HASH_START
    for word in np.frombuffer(data, np.uint64):
        h = ((h ^ int(word)) * HASH_MULTIPLIER) & _MASK
        h ^= h >> 32
    return np.uint64(h)


@intrinsic
def _hash_memory(typing_context, state):
    """The same arithmetic in LLVM: a record is a pointer to its bytes, which plain kernels cannot read."""
    from llvmlite import ir
    from numba.core import types

    if not isinstance(state, types.Record):
        return None
    size = state.size
    word, byte = ir.IntType(64), ir.IntType(8)

    def codegen(context, builder, signature, args):
        base = builder.bitcast(args[0], byte.as_pointer())
        h = ir.Constant(word, HASH_START)
        for offset in range(0, size, 8):
            chunk = ir.Constant(word, 0)
            width = min(8, size - offset)
            if width == 8:
                at = builder.bitcast(builder.gep(base, [ir.Constant(word, offset)]), word.as_pointer())
                chunk = builder.load(at, align=1)
            else:
                for k in range(width):
                    one = builder.zext(builder.load(builder.gep(base, [ir.Constant(word, offset + k)])), word)
                    chunk = builder.or_(chunk, builder.shl(one, ir.Constant(word, 8 * k)))
            h = builder.mul(builder.xor(h, chunk), ir.Constant(word, HASH_MULTIPLIER))
            h = builder.xor(h, builder.lshr(h, ir.Constant(word, 32)))
        return h

    return types.uint64(state), codegen


@overload(hash_record)
def _hash_record_compiled(state):
    return lambda state: _hash_memory(state)


def beside(record: Any, i: int) -> Any:
    """The record i places behind `record` in its array.

    A kernel that is handed the first record of an array instead of the array counts no references to it.
    """
    array = record.base
    offset = record.__array_interface__["data"][0] - array.__array_interface__["data"][0]
    return array.reshape(-1)[offset // array.itemsize + i]


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


def fetch(record: Any) -> None:
    """Tell the processor that the record's memory will be read soon, so that it is there when it is."""


@intrinsic
def _fetch_memory(typing_context, record):
    from llvmlite import ir
    from numba.core import types

    def codegen(context, builder, signature, args):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        read, often, data = ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)
        builder.call(function, [builder.bitcast(args[0], byte), read, often, data])
        return context.get_dummy_value()

    return types.none(record), codegen


@overload(fetch)
def _fetch_compiled(record):
    def go(record):
        _fetch_memory(record)

    return go


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


def _scratch_interpreted(dtype: Any) -> Any:
    return np.zeros(1, dtype)[0]


@intrinsic
def _scratch_compiled(typing_context, dtype):
    from llvmlite import ir
    from numba.core import cgutils, types

    if not isinstance(dtype, types.DType):
        return None
    record = dtype.dtype

    def codegen(context, builder, signature, args):
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), (record.size + 7) // 8))
        return builder.bitcast(room, context.get_value_type(record))

    return record(dtype), codegen


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
spare.stand_in = _spare_interpreted  # what `compiled.interpreted` puts in its place

# The same for a record of a dtype, which must be a constant of the kernel's module.
scratch: Any = _scratch_interpreted if INTERPRETED else _scratch_compiled
scratch.stand_in = _scratch_interpreted
