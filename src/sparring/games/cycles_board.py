"""The board of light cycles as sets of cells, and who reaches which free cell first."""

import numpy as np

from sparring.grids import east, grid, is_empty, north, one, size, south, west

WIDTH, HEIGHT = 30, 20
CELLS = WIDTH * HEIGHT
UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
WHOLE = np.full(HEIGHT, (1 << WIDTH) - 1, np.uint32)


def spot(cell):
    """The set of one cell."""
    return one(cell % WIDTH, cell // WIDTH)


def free_cells(state):
    """The cells in no trail."""
    return grid(WHOLE) & ~(grid(state["trails"][0]) | grid(state["trails"][1]))


def shifted(cells, move):
    """The set moved in a direction."""
    if move == UP:
        return north(cells)
    if move == RIGHT:
        return east(cells)
    if move == DOWN:
        return south(cells)
    return west(cells)


def beside(cell, move):
    """The number of the cell that a legal move leads to."""
    return cell + (1 - move % 2) * WIDTH * (move - 1) + move % 2 * (2 - move)


def near(cells):
    """The neighbours of a set, off the board as well."""
    return north(cells) | south(cells) | east(cells) | west(cells)


def spread(free, me, other):
    """Who reaches which free cells from the heads `me` and `other`, sets of one cell: (mine, theirs, ties, meeting).

    mine and theirs: what the one and the other reach first; ties: what they reach at once; meeting: how many steps away
    the nearest tie is, 0 where there is none. Both walk a step at a time, and a cell is closed to who comes later. That
    makes nobody late: on a shortest way to a cell that no other reaches earlier, no other is earlier anywhere.
    """
    left = free
    mine = theirs = free & ~free
    steps, meeting = 0, 0
    while True:
        me = near(me) & left
        other = near(other) & left
        reached = me | other
        if is_empty(reached):
            break
        steps += 1
        if meeting == 0 and not is_empty(me & other):
            meeting = steps
        left = left & ~reached
        mine = mine | me
        theirs = theirs | other
    ties = mine & theirs
    return mine & ~ties, theirs & ~ties, ties, meeting


def common(mine, theirs, ties, me, other):
    """The cells that both players can reach, sooner or later; the sets are those of `spread`."""
    reached = mine | theirs | ties
    doors = near(me | other) & reached
    found = ties | theirs & near(mine)
    before = reached & ~reached
    while not is_empty(found & ~before):
        if is_empty(doors & ~found):  # no part of the board is closed to one of them
            return reached
        before = found
        found = found | near(found) & reached
    return found


def margin(free, me, other):
    """How many more cells I reach first than the other does."""
    mine, theirs, _, _ = spread(free, me, other)
    return size(mine) - size(theirs)


def room_and_margin(free, me, other):
    """(how many cells I can reach, the margin)."""
    mine, theirs, ties, _ = spread(free, me, other)
    return size(mine | common(mine, theirs, ties, me, other)), size(mine) - size(theirs)
