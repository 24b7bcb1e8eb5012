"""What lies around a cell that a move of light cycles enters, turned so that all moves look alike.

Ahead is where the move goes; the near side is the one where the other cycle is. So mirrored positions look the same.
"""

import numpy as np

from sparring.games.cycles_board import HEIGHT, WIDTH

PAGE = np.dtype([("rows", "u4", (HEIGHT,))])
BEHIND, AHEAD, ASIDE = 1, 3, 3  # how far the window reaches
WINDOW = (BEHIND + 1 + AHEAD) * (2 * ASIDE + 1) - 1  # cells, the entered one left out
NEARBY = 5 + WINDOW  # numbers of `look_around`
ONE = np.uint32(1)


def is_open(rows, x, y):
    """1 where a cell is on the board and free, else 0. rows: the free cells, bit x of row y."""
    if x < 0 or x >= WIDTH or y < 0 or y >= HEIGHT:
        return 0
    return int(rows[y] >> np.uint32(x) & ONE)


def lane(rows, x, y, dx, dy):
    """How many free cells lie in a line behind a cell."""
    n = 0
    x += dx
    y += dy
    while is_open(rows, x, y) != 0:
        n += 1
        x += dx
        y += dy
    return n


def look_around(rows, x, y, dx, dy, other_x, other_y, out, at):
    """Write NEARBY numbers from out[at] on about the cell (x, y) that a move in direction (dx, dy) enters.

    Where the other's head is, ahead and aside; free lanes ahead, to the near and to the far side, all in board widths;
    then whether the cells of the window are free, row by row from behind, each from the far side to the near one.
    """
    side_x, side_y = -dy, dx
    aside = (other_x - x) * side_x + (other_y - y) * side_y
    if aside < 0:
        aside, side_x, side_y = -aside, -side_x, -side_y
    out[at] = ((other_x - x) * dx + (other_y - y) * dy) / WIDTH
    out[at + 1] = aside / WIDTH
    out[at + 2] = lane(rows, x, y, dx, dy) / WIDTH
    out[at + 3] = lane(rows, x, y, side_x, side_y) / WIDTH
    out[at + 4] = lane(rows, x, y, -side_x, -side_y) / WIDTH
    at += 5
    for i in range(-BEHIND, AHEAD + 1):
        for j in range(-ASIDE, ASIDE + 1):
            if i != 0 or j != 0:
                out[at] = is_open(rows, x + i * dx + j * side_x, y + i * dy + j * side_y)
                at += 1
