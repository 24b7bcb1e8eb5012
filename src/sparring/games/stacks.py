"""Stacks of checkers of several classes on 24 points, with a bar: the position of backgammon and its kin.

Points are numbered 1 to 24 as player 0 counts them, who moves down; player 1's own number of a point is 25 - point.
Both move from high own numbers to low ones. A point is one word: a cell of four bits a checker, bottom first, and in
the highest four bits its height. A cell is the class + 1, and 8 more for player 1's. A point has free checkers of one
player at most: at its bottom there may be one of the other's that a druid above it has trapped.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, holds
from sparring.compiled import compiled

SOLDIER, GUARD, GENERAL, DRUID, EVEN, ODD = range(6)
CLASSES = 6

TABLE = np.dtype(
    [
        ("stack", "u8", 25),  # by point; [0] stays empty
        ("mark", "u8"),  # a sum over all stacks, for `key`
        ("top", "u4", 2),  # points where a player has free checkers, as bits 1 to 24
        ("single", "u4", 2),  # of those, where it is only one
        ("kind", "u4", CLASSES),  # points with such a checker of either player on top; none kept for soldiers
        ("trapped", "u4"),  # points with a trapped checker
        ("full", "u4"),  # points that are as high as they may be
        ("bar", "u4", 2),  # checkers on the bar, four bits a class
        ("off", "u4", 2),  # checkers borne off, alike
        ("dice", "i1", 2),  # the roll, the larger first; 0 between turns
        ("left", "i1", 2),  # how often each is still to be played, a double's in [0]: no more than can be
        ("turn", "i1"),  # whose turn it is, or who rolls next
        ("rolling", "i1"),
        ("opening", "i1"),
        ("general", "i1"),  # what the general that moves has done this turn
        ("limit", "i8"),  # how high a stack may be; so wide that no bytes between fields are left to chance
    ],
    align=True,
)

BOARD = np.uint64(0x1FFFFFE)
HOME = np.array([0x7E, 0x1F80000], np.uint64)
MIDDLE = np.uint64(0x7FF80)
THREE, FOUR, SEVEN, FIFTEEN, S29, S31, S60 = (np.uint64(n) for n in (3, 4, 7, 15, 29, 31, 60))
EACH = ONE << S60  # what a checker adds to a stack's height
ODDS = np.random.default_rng(1).integers(0, 1 << 64, 25, np.uint64) | ONE  # by point, to mix stacks with


@compiled
def top_cell(stack):
    """The cell on top of a stack that is not empty."""
    return (stack >> (FOUR * ((stack >> S60) - ONE))) & FIFTEEN


@compiled
def set_stack(state, point, stack):
    """Write a stack, and its share of the mark."""
    odd = ODDS[point]
    old = state["stack"][point]
    gone, come = (old ^ (old >> S31)) * odd, (stack ^ (stack >> S31)) * odd
    state["mark"] += (come ^ (come >> S29)) - (gone ^ (gone >> S29))
    state["stack"][point] = stack


@compiled
def push(state, point, cell):
    """Put a checker (a cell, uint64) on top of a point. On the other player's one checker it traps it."""
    here = bit(point)
    stack = state["stack"][point]
    height = stack >> S60
    owner = np.int64(cell >> THREE)
    if height == NONE:
        state["top"][owner] |= here
        state["single"][owner] |= here
    else:
        under = top_cell(stack)
        state["kind"][np.int64(under & SEVEN) - 1] &= ~here
        if under >> THREE == cell >> THREE:
            state["single"][owner] &= ~here
        else:
            state["trapped"] |= here
            state["top"][1 - owner] &= ~here
            state["single"][1 - owner] &= ~here
            state["top"][owner] |= here
            state["single"][owner] |= here
    kind = np.int64(cell & SEVEN) - 1
    if kind != SOLDIER:
        state["kind"][kind] |= here
    if np.int64(height) + 1 >= state["limit"]:
        state["full"] |= here
    set_stack(state, point, (stack | (cell << (FOUR * height))) + EACH)


@compiled
def pop(state, point):
    """Take the top checker off a point and return its cell. What a druid has trapped is free when it leaves."""
    here = bit(point)
    stack = state["stack"][point]
    height = (stack >> S60) - ONE
    cell = top_cell(stack)
    owner = np.int64(cell >> THREE)
    stack = (stack ^ (cell << (FOUR * height))) - EACH
    state["kind"][np.int64(cell & SEVEN) - 1] &= ~here
    state["full"] &= ~here
    if height == NONE:
        state["top"][owner] &= ~here
        state["single"][owner] &= ~here
    else:
        under = top_cell(stack)
        if under >> THREE != cell >> THREE:
            state["trapped"] &= ~here
            state["top"][owner] &= ~here
            state["single"][owner] &= ~here
            state["top"][1 - owner] |= here
            state["single"][1 - owner] |= here
        elif height == ONE or (height == ONE + ONE and state["trapped"] & here != NONE):
            state["single"][owner] |= here
        kind = np.int64(under & SEVEN) - 1
        if kind != SOLDIER:
            state["kind"][kind] |= here
    set_stack(state, point, stack)
    return cell


@compiled
def land(state, point, cell):
    """Put a checker where it may land: a lone enemy is hit, or trapped by a druid in the middle.

    A druid that holds a checker itself is hit, not trapped.
    """
    other = 1 - np.int64(cell >> THREE)
    if holds(state["single"][other], point):
        traps = np.int64(cell & SEVEN) - 1 == DRUID and holds(MIDDLE & ~state["trapped"], point)
        if not traps:
            state["bar"][other] += ONE << (FOUR * ((pop(state, point) & SEVEN) - ONE))
    push(state, point, cell)


@compiled
def set_up(state, stacks, limit):
    """The first position. stacks: int8 (24, height), at own points 1 to 24 the classes + 1, bottom first; 0: none."""
    state["limit"] = limit
    for side in range(2):
        for own in range(24):
            for height in range(stacks.shape[1]):
                if stacks[own, height] > 0:
                    push(state, own + 1 if side == 0 else 24 - own, np.uint64(stacks[own, height] + 8 * side))
    state["rolling"] = 1
    state["opening"] = 1


@compiled
def gone(state, side):
    """Whether a player has no checker left on the board or the bar."""
    return np.uint64(state["top"][side] | state["bar"][side]) | (state["trapped"] & state["top"][1 - side]) == NONE


@compiled
def pips(state, side):
    """How many pips a player's checkers have to go, a trapped one and those on the bar (25 each) included."""
    total = 0
    for point in range(1, 25):
        own = point if side == 0 else 25 - point
        stack = state["stack"][point]
        height = np.int64(stack >> S60)
        if holds(state["top"][side], point):
            total += own * (height - np.int64(holds(state["trapped"], point)))
        elif holds(state["trapped"] & state["top"][1 - side], point):
            total += own
    bar = np.uint64(state["bar"][side])
    while bar != NONE:
        total += 25 * np.int64(bar & FIFTEEN)
        bar = bar >> FOUR
    return total
