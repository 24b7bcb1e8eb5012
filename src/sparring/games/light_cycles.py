"""Light cycles (Tron): two cycles on 30 × 20 cells, each leaving a trail; who cannot go on loses.

The players move in turn, to a neighbouring cell that is on the board and in no trail. A player to move who has none has
lost. Where the cycles begin is drawn from a seed (SplitMix64), and there are no draws. Cell (x, y) has number
x + 30 y, UP leads to a smaller y.
"""

import numpy as np

from sparring.compiled import plain
from sparring.games import cycles_drawing
from sparring.games.contract import ONGOING
from sparring.games.cycles_board import (
    CELLS,
    HEIGHT,
    LEFT,
    RIGHT,
    WIDTH,
    beside,
    common,
    free_cells,
    margin,
    near,
    room_and_margin,
    shifted,
    spot,
    spread,
)
from sparring.games.cycles_sight import AHEAD, VIEW, see_moves, see_position
from sparring.grids import grid, is_empty, spell
from sparring.records import scratch
from sparring.rng import STEP, scramble

STATE = np.dtype(
    [("trails", "u4", (2, HEIGHT)), ("heads", "i2", (2,)), ("headings", "i1", (2,)), ("turn", "i1")], align=True
)
"""trails: bit x of row y. headings: the last move of each, at first along the row to the further edge."""
MOVES = 4
RESULTS = (-1.0, 1.0)
LIMIT = CELLS  # never reached
PLANES = (8, HEIGHT, WIDTH)
"""Ones; my trail, the other's; my head, the other's; free cells that I reach first, that the other does; those that I
reach at all. Trails hold their heads."""
PER_MOVE = 2  # behind the planes: my room and my margin after each of my moves (as if it were my turn), over 600
FEATURES = 8 * CELLS + MOVES * PER_MOVE
MOST_FEATURES = 3 * CELLS + 2 + MOVES * PER_MOVE
SYMMETRIES = 4  # k & 1 swaps left and right, k & 2 up and down
OVERVIEW, PROSPECTS = VIEW, AHEAD
BOTS = ("voronoi", "floodfill")
PLAYERS = ("blue", "orange")
NAMES = ("UP", "RIGHT", "DOWN", "LEFT")

ALL = np.uint64(CELLS)
ZERO = np.uint64(0)
WEIGHTS = plain(scramble)(np.arange(1, 3 * HEIGHT + 1, dtype=np.uint64)).reshape(3, HEIGHT)
TURNS = np.array([0, 1, 3, 2])  # straight on, to the right, to the left, back


def start(state):
    deal(state, ZERO)


def deal(state, seed):
    at = seed + STEP
    first = scramble(at) % ALL
    second = first
    while second == first:
        at = at + STEP
        second = scramble(at) % ALL
    state["turn"] = 0
    for y in range(HEIGHT):
        state["trails"][0, y] = 0
        state["trails"][1, y] = 0
    for who in range(2):
        cell = np.int64(first) if who == 0 else np.int64(second)
        state["headings"][who] = RIGHT if cell % WIDTH < WIDTH // 2 else LEFT
        put(state, who, cell)


def put(state, who, cell):
    """Move a head to a free cell."""
    state["heads"][who] = cell
    state["trails"][who, cell // WIDTH] |= np.uint32(1 << (cell % WIDTH))


def mover(state):
    return state["turn"]


def openings(state):
    """The free cells around the head of the player to move."""
    return near(spot(int(state["heads"][state["turn"]]))) & free_cells(state)


def legal(state, moves):
    head = spot(int(state["heads"][state["turn"]]))
    free = free_cells(state)
    n = 0
    for move in range(MOVES):
        if not is_empty(shifted(head, move) & free):
            moves[n] = move
            n += 1
    return n


def play(state, move):
    who = int(state["turn"])
    put(state, who, beside(int(state["heads"][who]), move))
    state["headings"][who] = move
    state["turn"] = 1 - who


def result(state):
    return int(state["turn"]) if is_empty(openings(state)) else ONGOING


def key(state):
    """A sum of products (Carter and Wegman 1979), of which many are added at once; a hash of all bytes takes longer."""
    rest = int(state["heads"][0]) | int(state["heads"][1]) << 10 | int(state["turn"]) << 20
    rest |= int(state["headings"][0]) << 21 | int(state["headings"][1]) << 23
    total = np.uint64(rest) * WEIGHTS[2, 0]
    for who in range(2):
        for y in range(HEIGHT):
            total += np.uint64(state["trails"][who, y]) * WEIGHTS[who, y]
    return scramble(total)


def overview(state, out):
    see_position(state, out)


def prospects(state, out):
    see_moves(state, out)


def evaluate(state):
    """The margin of territory, for the player to move."""
    who = int(state["turn"])
    me, other = spot(int(state["heads"][who])), spot(int(state["heads"][1 - who]))
    return margin(free_cells(state), me, other) / CELLS


# --- bots --------------------------------------------------------------------------------------------------------


def voronoi(state):
    """The move that leaves the highest margin of territory, then the most room, then the first from straight on."""
    return best_move(state, 1000)


def floodfill(state):
    """The move that leaves the most room, then the first from straight on."""
    return best_move(state, 0)


def best_move(state, weight):
    """The legal move with the highest margin * weight + room."""
    who = int(state["turn"])
    head, other = spot(int(state["heads"][who])), spot(int(state["heads"][1 - who]))
    free = free_cells(state)
    best, chosen = -1000 * CELLS, 0
    for i in range(MOVES):
        move = (int(state["headings"][who]) + TURNS[i]) % 4
        entered = shifted(head, move) & free
        if not is_empty(entered):
            room, lead = room_and_margin(free & ~entered, entered, other)
            if lead * weight + room > best:
                best, chosen = lead * weight + room, move
    return chosen


# --- what towers see ---------------------------------------------------------------------------------------------


ROWS_OF_A_SET = np.dtype([("rows", "u4", (HEIGHT,))])


def fill(plane, cells, page, index, value, n):
    """Write a set of cells as inputs of a plane. page: ROWS_OF_A_SET. Returns how many inputs there are by now."""
    rows = page["rows"]
    spell(cells, rows)
    for y in range(HEIGHT):
        row = np.int64(rows[y])
        if row != 0:
            for x in range(WIDTH):
                index[n] = plane * CELLS + y * WIDTH + x
                value[n] = 1.0
                n += row >> x & 1
    return n


def features(state, viewer, index, value):
    page = scratch(ROWS_OF_A_SET)
    me, other = spot(int(state["heads"][viewer])), spot(int(state["heads"][1 - viewer]))
    free = free_cells(state)
    mine, theirs, ties, _ = spread(free, me, other)
    for i in range(CELLS):
        index[i] = i
        value[i] = 1.0
    n = fill(1, grid(state["trails"][viewer]), page, index, value, CELLS)
    n = fill(2, grid(state["trails"][1 - viewer]), page, index, value, n)
    n = fill(3, me, page, index, value, n)
    n = fill(4, other, page, index, value, n)
    n = fill(5, mine, page, index, value, n)
    n = fill(6, theirs, page, index, value, n)
    n = fill(7, mine | common(mine, theirs, ties, me, other), page, index, value, n)
    for move in range(MOVES):
        entered = shifted(me, move) & free
        if not is_empty(entered):
            room, lead = room_and_margin(free & ~entered, entered, other)
            for i in range(PER_MOVE):
                index[n] = 8 * CELLS + PER_MOVE * move + i
                value[n] = (room if i == 0 else lead) / CELLS
                n += 1
    return n


# --- symmetry ----------------------------------------------------------------------------------------------------


def reversed_row(row):
    """A row from right to left."""
    image = 0
    for x in range(WIDTH):
        image = image << 1 | row >> x & 1
    return image


def transform(state, k):
    for who in range(2):
        x, y = int(state["heads"][who]) % WIDTH, int(state["heads"][who]) // WIDTH
        if k & 2:
            y = HEIGHT - 1 - y
            for i in range(HEIGHT // 2):
                top, bottom = state["trails"][who, i], state["trails"][who, HEIGHT - 1 - i]
                state["trails"][who, i] = bottom
                state["trails"][who, HEIGHT - 1 - i] = top
        if k & 1:
            x = WIDTH - 1 - x
            for i in range(HEIGHT):
                state["trails"][who, i] = reversed_row(int(state["trails"][who, i]))
        state["heads"][who] = x + WIDTH * y
        state["headings"][who] = transform_move(int(state["headings"][who]), k)


def transform_move(move, k):
    if move & 1:
        return move ^ 2 if k & 1 else move
    return move ^ 2 if k & 2 else move


# --- for people --------------------------------------------------------------------------------------------------


def draw(state):
    return cycles_drawing.as_text(state, PLAYERS)


def svg(state):
    return cycles_drawing.as_svg(state, PLAYERS)


def move_name(state, move):
    return NAMES[move]
