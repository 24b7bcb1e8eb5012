"""What Abak's nets see: 477 inputs, as the player asked about (the viewer) sees them.

Of each checker 14 inputs, at 14 * place. Places 0 to 14 are the viewer's checkers and 15 to 29 the other's: nine
soldiers, two guards, the general, the druid, the even and the odd wounded. Checkers of a class follow each other as
they lie: from the bar, from the farthest point to the nearest, on a point from the bottom, last those borne off.

    0   distance / 25: its own point; 25 on the bar, 0 off
    1   checkers of its side above it on its point / 4
    2   checkers of its side below it / 4
    3   1 on the bar
    4   1 on a point of its home
    5   1 borne off
    6   1 in a block: free, and with at least one other free checker of its side on the point
    7   1 if the other's druid may trap it some day: it is alone and free on 7 to 18, holds no checker, and the druid
        has yet to pass the point
    8   1 trapped
    9   1 trapping (a druid)
    10  chance that the other's next roll hits it from within 6 points      } how these are counted
    11  the same from within 12 points                                      } is told in shots.py
    12  chance that the other's druid traps it with the next roll           }
    13  chance that its own side's next roll can move it                    }

Of each side, the viewer's first, 4 inputs at 420 and 424: checkers on the bar / 15; borne off / 15; 1 if all are at
home or off; 1 if none is off.

Of each side and point, as the viewer counts the points, at 428 + point - 1 and 452 + point - 1, its strength: 0 for no
free checker, 0.1 for one, 0.5 for a lone guard, 1 for two or more. At 476: 1 if it is the viewer's turn, to play or to
roll.

The first 428 inputs are those of the oldest nets (V1), which knew neither the strengths nor whose turn it is.
"""

import numpy as np

from sparring.bits import NONE, ONE, holds, lowest
from sparring.compiled import compiled
from sparring.games.shots import mobility, share, threats, waiting
from sparring.games.stacks import CLASSES, DRUID, FIFTEEN, GUARD, HOME, MIDDLE, S60, SEVEN

INPUTS, OLDEST = 477, 428
CHECKER, TEAM, TEAMS, STRENGTHS, TURN = 14, 15, 420, 428, 476
PLACES = np.array([0, 9, 11, 12, 13, 14])  # the first of each class
ZERO, LITTLE, QUARTER, GUARDED, UNIT = (np.float32(x) for x in (0.0, 0.1, 0.25, 0.5, 1.0))
WAITING = (0, 3, 13)  # the inputs that a checker on the bar has
PART = np.float32(1.0 / 25.0)


@compiled
def yes(what):
    """1 or 0, as an input."""
    return UNIT if what else ZERO


@compiled
def druid_behind(state, side, own):
    """Whether the other side's druid has yet to pass a point, of which `side` has the own number `own`."""
    other = 1 - side
    if (np.uint64(state["off"][other]) >> np.uint64(4 * DRUID)) & FIFTEEN != NONE:
        return False
    if (np.uint64(state["bar"][other]) >> np.uint64(4 * DRUID)) & FIFTEEN != NONE:
        return True
    cell = np.uint64(DRUID + 1 + 8 * other)
    for farther in range(1, own):  # the other comes from where our own numbers are small
        stack = state["stack"][farther if side == 0 else 25 - farther]
        for level in range(np.int64(stack >> S60)):
            if (stack >> np.uint64(4 * level)) & FIFTEEN == cell:
                return True
    return False


@compiled
def levels(state, side, point):
    """(bottom, top, whether it is trapped there): the levels of a point on which checkers of `side` lie.

    An array is handed on as seldom as can be here and below, since each time references to it are counted.
    """
    height = np.int64(state["stack"][point] >> S60)
    if not holds(state["trapped"], point):
        return 0, height, False
    return (1, height, False) if holds(state["top"][side], point) else (0, 1, True)


@compiled
def see_team(state, side, first, index, value, n):
    """Write the 15 checkers of a side, the first of them at input `first`; returns how many inputs there are."""
    near, far, traps = threats(state, 1 - side)
    moves = mobility(state, side)
    seen = np.uint64(state["bar"][side])  # how many of each class were written, four bits a class
    for kind in range(CLASSES):
        for i in range(np.int64((seen >> np.uint64(4 * kind)) & FIFTEEN)):
            row = (UNIT, UNIT, share(moves, 25 + kind))
            for k in range(3):
                if row[k] != ZERO:
                    index[n] = first + CHECKER * (PLACES[kind] + i) + WAITING[k]
                    value[n] = row[k]
                    n += 1
    ours = np.uint64(state["top"][side]) | (state["trapped"] & state["top"][1 - side])
    for own in range(24, 0, -1):
        point = own if side == 0 else 25 - own
        if not holds(ours, point):
            continue
        stack = state["stack"][point]
        bottom, top, held = levels(state, side, point)
        holding = bottom == 1
        alone = top - bottom == 1 and not held
        close, wide, caught = ZERO, ZERO, ZERO
        if alone:
            close, wide, caught = share(near, point), share(far, point), share(traps, point)
        risky = yes(alone and not holding and holds(MIDDLE, point) and druid_behind(state, side, own))
        distance, home, trapped, block = np.float32(own) * PART, yes(own <= 6), yes(held), yes(not alone and not held)
        for level in range(bottom, top):
            kind = np.int64((stack >> np.uint64(4 * level)) & SEVEN) - 1
            place = PLACES[kind] + np.int64((seen >> np.uint64(4 * kind)) & FIFTEEN)
            seen += ONE << np.uint64(4 * kind)
            above, below = QUARTER * np.float32(top - 1 - level), QUARTER * np.float32(level - bottom)
            holder = yes(holding and level == 1)
            able = share(moves, point) if level == top - 1 and not held else ZERO
            row = (distance, above, below, ZERO, home, ZERO, block, risky, trapped, holder, close, wide, caught, able)
            for k in range(CHECKER):
                if row[k] != ZERO:
                    index[n] = first + CHECKER * place + k
                    value[n] = row[k]
                    n += 1
    off = np.uint64(state["off"][side])
    for kind in range(CLASSES):
        before = np.int64((seen >> np.uint64(4 * kind)) & FIFTEEN)
        for i in range(np.int64((off >> np.uint64(4 * kind)) & FIFTEEN)):
            index[n] = first + CHECKER * (PLACES[kind] + before + i) + 5
            value[n] = UNIT
            n += 1
    return n


@compiled
def see_oldest(state, viewer, index, value):
    """Write the active ones of the first 428 inputs; returns how many."""
    n = 0
    for place in range(2):
        side = np.int64(viewer) if place == 0 else 1 - np.int64(viewer)
        n = see_team(state, side, CHECKER * TEAM * place, index, value, n)
        waits, off = waiting(state, side), np.int64(0)
        left = np.int64(state["off"][side])
        while left > 0:
            off += left & 15
            left >>= 4
        away = (np.uint64(state["top"][side]) & ~HOME[side]) | (state["trapped"] & state["top"][1 - side])
        fifteenth = np.float32(1.0 / 15.0)
        all_home = yes(waits == 0 and away == NONE)
        row = (np.float32(waits) * fifteenth, np.float32(off) * fifteenth, all_home, yes(off == 0))
        for k in range(4):
            if row[k] != ZERO:
                index[n] = TEAMS + 4 * place + k
                value[n] = row[k]
                n += 1
    return n


@compiled
def see(state, viewer, index, value):
    """Write the active inputs, as `features` of the contract does; returns how many."""
    n = see_oldest(state, viewer, index, value)
    for place in range(2):
        side = np.int64(viewer) if place == 0 else 1 - np.int64(viewer)
        ours, single = np.uint64(state["top"][side]), np.uint64(state["single"][side])
        while ours != NONE:
            point = lowest(ours)
            ours &= ours - ONE
            index[n] = STRENGTHS + 24 * place + (point if viewer == 0 else 25 - point) - 1
            value[n] = UNIT
            if holds(single, point):
                value[n] = GUARDED if holds(state["kind"][GUARD], point) else LITTLE
            n += 1
    if state["turn"] == viewer:
        index[n] = TURN
        value[n] = UNIT
        n += 1
    return n
