"""What small nets see of light cycles: a position as one player sees it, and where each move leads."""

import numpy as np

from sparring.games.cycles_board import (
    CELLS,
    HEIGHT,
    WIDTH,
    beside,
    common,
    free_cells,
    near,
    shifted,
    spot,
    spread,
)
from sparring.games.cycles_nearby import NEARBY, PAGE, look_around
from sparring.grids import east, grid, is_empty, north, size, south, spell, west
from sparring.records import scratch

VIEW = 23  # numbers of `look`
AHEAD = VIEW + 5 + NEARBY  # and of a move in `look_ahead`
EVEN = np.array([0x15555555, 0x2AAAAAAA] * (HEIGHT // 2), np.uint32)  # where x + y is even
MINE, THEIRS = np.int64(0), np.int64(1)


def shape(region, head, is_even, whose, out):
    """Write what a player's region looks like. head: a set of one cell, is_even its colour; whose: MINE or THEIRS."""
    own = region | head
    left, right, up, down = east(own), west(own), south(own), north(own)
    either, both = (left | right) & (up | down), left & right | up & down
    three = left & right & (up | down) | up & down & (left | right)
    alike = size(region & grid(EVEN))
    unlike = size(region) - alike
    if not is_even:
        unlike, alike = alike, unlike
    out[6 + whose] = (size(region & east(region)) + size(region & south(region))) / (2 * CELLS)
    out[9 + whose] = (2 * min(unlike, alike) + (1 if unlike > alike else 0)) / CELLS
    out[11 + whose] = size(region & ~(either | both)) / 100
    out[13 + whose] = size(region & (either | both) & ~three) / 300
    out[21 + whose] = size(region & east(region) & west(region) & south(region) & north(region)) / CELLS


def look(free, me, other, out):
    """Write VIEW numbers about a position with these free cells, as the player with head `me` (a cell) sees it."""
    here, there = spot(me), spot(other)
    mine, theirs, ties, meeting = spread(free, here, there)
    shared = common(mine, theirs, ties, here, there)
    x, y, other_x, other_y = me % WIDTH, me // WIDTH, other % WIDTH, other // WIDTH
    out[0] = (size(mine) - size(theirs)) / CELLS
    out[1] = size(mine | shared) / CELLS
    out[2] = size(theirs | shared) / CELLS
    out[3] = size(mine) / CELLS
    out[4] = size(theirs) / CELLS
    out[5] = size(ties) / CELLS
    shape(mine, here, (x + y) % 2 == 0, MINE, out)
    shape(theirs, there, (other_x + other_y) % 2 == 0, THEIRS, out)
    out[8] = 0.0 if is_empty(shared) else 1.0
    out[15] = size(near(here) & free) / 4
    out[16] = size(near(there) & free) / 4
    out[17] = abs(x - other_x) / WIDTH
    out[18] = abs(y - other_y) / HEIGHT
    out[19] = meeting / 50 if meeting > 0 else 1.0
    out[20] = size(free) / CELLS


def splits(free, entered):
    """How many stretches of free cells one meets going once around a cell that is entered, a set of one cell."""
    above, below = south(free), north(free)
    stretches = 0
    last = east(above)  # at each cell, whether its neighbour to the north-west is free
    for turn in range(8):
        if turn == 0:
            this = above
        elif turn == 1:
            this = west(above)
        elif turn == 2:
            this = west(free)
        elif turn == 3:
            this = west(below)
        elif turn == 4:
            this = below
        elif turn == 5:
            this = east(below)
        elif turn == 6:
            this = east(free)
        else:
            this = east(above)
        if not is_empty(entered & this & ~last):
            stretches += 1
        last = this
    return stretches


def worst_reply(free, me, other):
    """(the smallest margin that a move of the other leaves me, my room then), both over CELLS; 1.0 if it has none."""
    worst, room = CELLS + 1, 0
    for reply in range(4):
        entered = shifted(other, reply) & free
        if not is_empty(entered):
            mine, theirs, ties, _ = spread(free & ~entered, me, entered)
            margin = size(mine) - size(theirs)
            if margin < worst:
                worst = margin
                room = size(mine | common(mine, theirs, ties, me, entered))
    if worst > CELLS:
        return 1.0, 1.0
    return worst / CELLS, room / CELLS


def look_ahead(free, me, other, heading, out):
    """Write AHEAD numbers about each legal move of the player with head `me`; out (4, AHEAD), zeros before."""
    rows = scratch(PAGE)["rows"]
    spell(free, rows)
    for move in range(4):
        entered = shifted(spot(me), move) & free
        if not is_empty(entered):
            row, cell = out[move], beside(me, move)
            look(free & ~entered, cell, other, row)
            row[23] = 1.0 if move == heading else 0.0
            row[24] = (3 - size(near(entered) & free)) / 3
            row[25] = splits(free, entered) / 4
            row[26], row[27] = worst_reply(free & ~entered, entered, spot(other))
            dx, dy = move % 2 * (2 - move), (1 - move % 2) * (move - 1)
            look_around(rows, cell % WIDTH, cell // WIDTH, dx, dy, other % WIDTH, other // WIDTH, row, VIEW + 5)


def see_position(state, out):
    """`look` at a position for its player to move."""
    who = int(state["turn"])
    look(free_cells(state), int(state["heads"][who]), int(state["heads"][1 - who]), out)


def see_moves(state, out):
    """`look_ahead` in a position for its player to move."""
    who = int(state["turn"])
    heads = state["heads"]
    look_ahead(free_cells(state), int(heads[who]), int(heads[1 - who]), int(state["headings"][who]), out)
