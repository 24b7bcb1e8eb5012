"""Grids: a kernel's vectors hold the same cells as plain Python's ints."""

import numpy as np
import pytest

from sparring.compiled import compiled, interpreted
from sparring.grids import east, grid, is_empty, north, one, size, south, spell, west

HEIGHTS = (1, 7, 20, 32)
BOARD = np.full(32, (1 << 31) - 1, np.uint32)  # all but the last column


@compiled
def moved(rows, out):
    """Each of the four ways to move a set, and what the operators make of it, a set a row of `out`."""
    cells, board = grid(rows), grid(BOARD)
    spell(cells, out[0])
    spell(north(cells) & board, out[1])
    spell(south(cells) & board, out[2])
    spell(east(cells) & board, out[3])
    spell(west(cells) & board, out[4])
    spell(~cells & board, out[5])
    spell(cells | north(cells) & board, out[6])
    spell(cells & ~south(cells) & board, out[7])


@compiled
def measured(rows, x, y):
    cells = grid(rows)
    there = not is_empty(cells & one(x, y))
    return size(cells), is_empty(cells), there, size(one(x, y))


def random_rows(seed, height):
    random = np.random.default_rng(seed)
    return random.integers(0, 1 << 31, height).astype(np.uint32) & random.integers(0, 1 << 31, height).astype(np.uint32)


def pictures(rows):
    """Rows as sets of (x, y)."""
    return {(x, y) for y, row in enumerate(rows.tolist()) for x in range(32) if row >> x & 1}


@pytest.mark.parametrize("height", HEIGHTS)
def test_cells_move_by_one_and_fall_off_the_edges(height):
    rows = random_rows(height, height)
    out = np.full((8, 32), 77, np.uint32)
    moved(rows, out)
    cells = pictures(rows)
    board = {(x, y) for x in range(31) for y in range(32)}
    ways = [{(x + dx, y + dy) for x, y in cells} & board for dx, dy in ((0, -1), (0, 1), (1, 0), (-1, 0))]
    assert [pictures(row) for row in out] == [cells, *ways, board - cells, cells | ways[0], cells - ways[1]]


@pytest.mark.parametrize("height", HEIGHTS)
def test_cells_are_counted_and_found(height):
    rows = random_rows(3, height)
    cells = pictures(rows)
    for x in range(-1, 33):
        for y in range(-1, 33):
            known = 0 <= x < 32 and 0 <= y < 32
            assert measured(rows, x, y) == (len(cells), not cells, (x, y) in cells, int(known))
    assert measured(np.zeros(height, np.uint32), 0, 0)[1]


def test_rows_beyond_an_array_are_left_alone():
    out = np.full((8, 20), 77, np.uint32)
    guarded = np.full((10, 20), 77, np.uint32)
    moved(random_rows(1, 20), out)
    moved(random_rows(1, 20), guarded[1:9])
    assert (guarded[1:9] == out).all()
    assert (guarded[[0, 9]] == 77).all()


@pytest.mark.compiled
@pytest.mark.parametrize("height", HEIGHTS)
def test_a_kernel_and_plain_python_give_the_same_sets(height):
    outs = np.zeros((2, 8, 32), np.uint32)
    rows = random_rows(5, height)
    moved(rows, outs[0])
    interpreted({"moved": moved})["moved"](rows, outs[1])
    np.testing.assert_array_equal(*outs)
