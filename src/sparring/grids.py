"""Sets of cells of a board as one value: an int in plain Python, a vector of rows in kernels, where they are fast.

Cell (x, y) is bit x of row y, x and y from 0 to 31, and row y the bits from 32 y of the int. `&`, `|`, `~` and the
functions below work on both. Moving a set pushes cells over its edges, and into the next row in plain Python: leave the
last column empty, and after a move or `~` take what is on the board, which drops them.

Compiled, a grid is 32 rows of 32 bits, even rows before odd ones: to a set moved by a row half of it then only changes
its name. That makes two registers of AVX-512, or four of AVX2.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, overload, register_model

ROWS = 32
BYTES = 4 * ROWS
EVEN_FIRST = [*range(0, ROWS, 2), *range(1, ROWS, 2)]  # which row stands in a lane
IN_ORDER = [y // 2 + ROWS // 2 * (y % 2) for y in range(ROWS)]  # in which lane a row stands

ROW = ir.IntType(32)
LANES = ir.VectorType(ROW, ROWS)


class GridType(types.Type):
    """What Numba takes a grid for."""

    def __init__(self) -> None:
        super().__init__(name="Grid")


GRID = GridType()


@register_model(GridType)
class _GridModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LANES)


# --- in plain Python ---------------------------------------------------------------------------------------------


def grid(rows: Any) -> Any:
    """The set of the cells in `rows`, a contiguous array of at most 32 uint32."""
    return int.from_bytes(rows.tobytes(), "little")


def spell(cells: Any, rows: Any) -> None:
    """Write the first rows of a set into an array like that."""
    rows[:] = np.frombuffer(cells.to_bytes(BYTES, "little"), np.uint32)[: len(rows)]


def one(x: Any, y: Any) -> Any:
    """The set of one cell; the empty one where a number is not 0 to 31."""
    return 1 << (int(x) + ROWS * int(y)) if 0 <= x < ROWS and 0 <= y < ROWS else 0


def north(cells: Any) -> Any:
    """The set moved towards row 0."""
    return cells >> ROWS


def south(cells: Any) -> Any:
    """The set moved away from row 0."""
    return cells << ROWS


def east(cells: Any) -> Any:
    """The set moved away from column 0."""
    return cells << 1


def west(cells: Any) -> Any:
    """The set moved towards column 0."""
    return cells >> 1


def size(cells: Any) -> Any:
    """How many cells there are."""
    return cells.bit_count()


def is_empty(cells: Any) -> Any:
    """Whether there is none."""
    return cells == 0


# --- compiled ----------------------------------------------------------------------------------------------------


def _every(value: int) -> ir.Constant:
    return ir.Constant(LANES, [value] * ROWS)


def _order(places: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(ROW, len(places)), places)


def _each(builder: Any, value: Any) -> Any:
    """The value in all lanes."""
    first = builder.insert_element(_every(0), value, ir.Constant(ROW, 0))
    return builder.shuffle_vector(first, _every(0), _order([0] * ROWS))


def _call(builder: Any, name: str, kind: Any, *arguments: Any) -> Any:
    """An intrinsic of LLVM on vectors, which llvmlite has no names for."""
    function = ir.FunctionType(kind, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), arguments)


def _memory(context: Any, builder: Any, kind: Any, rows: Any) -> tuple[Any, Any, Any]:
    """Where an array of rows lies, its alignment, and which of 32 rows belong to it."""
    array = context.make_array(kind)(context, builder, rows)
    length = builder.trunc(builder.extract_value(array.shape, 0), ROW)
    belong = builder.icmp_signed("<", _order(list(range(ROWS))), _each(builder, length))
    return builder.bitcast(array.data, LANES.as_pointer()), ir.Constant(ROW, 4), belong


@intrinsic
def _read(typing_context, rows):
    def codegen(context, builder, signature, args):
        where, align, belong = _memory(context, builder, signature.args[0], args[0])
        found = _call(builder, "llvm.masked.load.v32i32.p0", LANES, where, align, belong, _every(0))
        return builder.shuffle_vector(found, _every(0), _order(EVEN_FIRST))

    return GRID(rows), codegen


@intrinsic
def _write(typing_context, cells, rows):
    def codegen(context, builder, signature, args):
        where, align, belong = _memory(context, builder, signature.args[1], args[1])
        cells = builder.shuffle_vector(args[0], _every(0), _order(IN_ORDER))
        _call(builder, "llvm.masked.store.v32i32.p0", ir.VoidType(), cells, where, align, belong)
        return context.get_dummy_value()

    return types.none(cells, rows), codegen


@intrinsic
def _one(typing_context, x, y):
    def codegen(context, builder, signature, args):
        x, y = (builder.trunc(number, ROW) for number in args)
        fits = builder.icmp_unsigned("<", x, ir.Constant(ROW, 32))
        bit = builder.select(fits, builder.shl(ir.Constant(ROW, 1), x), ir.Constant(ROW, 0))
        here = builder.icmp_unsigned("==", _each(builder, y), _order(EVEN_FIRST))
        return builder.select(here, _each(builder, bit), _every(0))

    return GRID(types.int64, types.int64), codegen


@intrinsic
def _size(typing_context, cells):
    def codegen(context, builder, signature, args):
        counts = _call(builder, "llvm.ctpop.v32i32", LANES, args[0])
        return builder.zext(_call(builder, "llvm.vector.reduce.add.v32i32", ROW, counts), ir.IntType(64))

    return types.int64(GRID), codegen


@intrinsic
def _is_empty(typing_context, cells):
    def codegen(context, builder, signature, args):
        rows = builder.bitcast(builder.icmp_unsigned("!=", args[0], _every(0)), ROW)
        return builder.icmp_unsigned("==", rows, ir.Constant(ROW, 0))

    return types.boolean(GRID), codegen


@intrinsic
def _north(typing_context, cells):
    places = _order([IN_ORDER[y + 1] if y + 1 < ROWS else ROWS for y in EVEN_FIRST])
    return GRID(GRID), lambda context, builder, signature, args: builder.shuffle_vector(args[0], _every(0), places)


@intrinsic
def _south(typing_context, cells):
    places = _order([IN_ORDER[y - 1] if y > 0 else ROWS for y in EVEN_FIRST])
    return GRID(GRID), lambda context, builder, signature, args: builder.shuffle_vector(args[0], _every(0), places)


@intrinsic
def _east(typing_context, cells):
    return GRID(GRID), lambda context, builder, signature, args: builder.shl(args[0], _every(1))


@intrinsic
def _west(typing_context, cells):
    return GRID(GRID), lambda context, builder, signature, args: builder.lshr(args[0], _every(1))


@intrinsic
def _and(typing_context, cells, others):
    return GRID(GRID, GRID), lambda context, builder, signature, args: builder.and_(*args)


@intrinsic
def _or(typing_context, cells, others):
    return GRID(GRID, GRID), lambda context, builder, signature, args: builder.or_(*args)


@intrinsic
def _not(typing_context, cells):
    return GRID(GRID), lambda context, builder, signature, args: builder.not_(*args)


def _grids(*kinds: Any) -> bool:
    return all(isinstance(kind, GridType) for kind in kinds)


def _teach():
    """Tell Numba what to make of the functions above, and of the operators."""
    overload(operator.and_)(lambda a, b: (lambda a, b: _and(a, b)) if _grids(a, b) else None)
    overload(operator.or_)(lambda a, b: (lambda a, b: _or(a, b)) if _grids(a, b) else None)
    overload(operator.invert)(lambda a: (lambda a: _not(a)) if _grids(a) else None)
    overload(grid)(lambda rows: lambda rows: _read(rows))
    overload(spell)(lambda cells, rows: lambda cells, rows: _write(cells, rows))
    overload(one)(lambda x, y: lambda x, y: _one(np.int64(x), np.int64(y)))
    overload(north)(lambda cells: lambda cells: _north(cells))
    overload(south)(lambda cells: lambda cells: _south(cells))
    overload(east)(lambda cells: lambda cells: _east(cells))
    overload(west)(lambda cells: lambda cells: _west(cells))
    overload(size)(lambda cells: lambda cells: _size(cells))
    overload(is_empty)(lambda cells: lambda cells: _is_empty(cells))


_teach()
