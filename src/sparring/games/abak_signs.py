"""What an expert of Abak counts, each for one side, in a position before the other or he himself rolls.

`abak_expert.py` weighs these numbers. Why each matters stands in its function. Several count only while the sides are
in contact (`near`), that is as long as some checkers have yet to pass each other.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, count, holds, lowest
from sparring.compiled import compiled
from sparring.games.shots import share, threats, waiting
from sparring.games.stacks import (
    BOARD,
    DRUID,
    EVEN,
    FIFTEEN,
    FOUR,
    GENERAL,
    GUARD,
    HOME,
    MIDDLE,
    ODD,
    S60,
    SEVEN,
    pips,
)
from sparring.games.tables import forward

VALUE = np.array([1.0, 1.6, 2.2, 2.0, 1.0, 1.0])  # of a checker, by class, to whoever may lose or trap it


# --- what the rules count with -----------------------------------------------------------------------------------


@compiled
def own(side, point):
    """A point as a side numbers it."""
    return point if side == 0 else 25 - point


@compiled
def walls(state, side):
    """Points where the other's checkers, guards aside, may not land."""
    lone = np.uint64(state["single"][side])
    return np.uint64(state["top"][side]) & (~lone | np.uint64(state["kind"][GUARD]))


@compiled
def zone(side, low, high):
    """Points with own numbers low to high."""
    points = NONE
    for number in range(low, high + 1):
        points |= bit(own(side, number))
    return points


@compiled
def rear(state, side):
    """Own number of the point of the farthest checker: 25 on the bar, 0 when all are off."""
    if state["bar"][side] != 0:
        return 25
    checkers = np.uint64(state["top"][side]) | (np.uint64(state["trapped"]) & np.uint64(state["top"][1 - side]))
    for number in range(24, 0, -1):
        if holds(checkers, own(side, number)):
            return number
    return 0


@compiled
def contact(state):
    """Whether some checkers have yet to pass each other."""
    return rear(state, 0) + rear(state, 1) > 25


@compiled
def checkers_on(state, side, points):
    """How many free checkers a side has on a set of points."""
    points = points & np.uint64(state["top"][side])
    n = 0
    while points != NONE:
        point = lowest(points)
        points &= points - ONE
        n += np.int64(state["stack"][point] >> S60) - np.int64(holds(state["trapped"], point))
    return n


@compiled
def gone_home(state, side):
    """How many checkers a side has borne off."""
    off, n = np.uint64(state["off"][side]), 0
    while off != NONE:
        n += np.int64(off & FIFTEEN)
        off = off >> FOUR
    return n


@compiled
def class_on(state, point, level):
    """The class of the checker at a level of a stack, from 0 at the bottom."""
    return np.int64((state["stack"][point] >> np.uint64(4 * level)) & SEVEN) - 1


# --- the race ----------------------------------------------------------------------------------------------------


@compiled
def to_go(state, side):
    """Pips to go: the race is what decides once all have passed, and a lead lets one play safe before."""
    return float(pips(state, side))


@compiled
def borne_off(state, side):
    """Checkers borne off: each saves more than its pips, since a roll takes off two at most."""
    return float(gone_home(state, side))


@compiled
def stragglers(state, side, near):
    """In a race, checkers outside home: nothing is borne off before the last has come in."""
    return 0.0 if near else float(checkers_on(state, side, BOARD & ~HOME[side]))


@compiled
def unsaved(state, side):
    """Rolls that are lacking to bear off one before the other is done: the game is about to cost two points."""
    if state["off"][side] != 0:
        return 0.0
    left, outside = 15 - gone_home(state, 1 - side), 0
    points = np.uint64(state["top"][side]) & ~HOME[side]
    while points != NONE:
        point = lowest(points)
        points &= points - ONE
        outside += (own(side, point) - 6) * checkers_on(state, side, bit(point))
    outside += 19 * waiting(state, side)
    return min(max(outside / 8.0 + 1.0 - left / 2.0, 0.0), 4.0)


# --- lone checkers -----------------------------------------------------------------------------------------------


@compiled
def dangers(state, side):
    """(losses, hits, traps) that a side has to expect from the other's next roll.

    Losses: pips that hits cost, of dear classes more. Hits: each also costs half a roll to enter. Traps: by the druid.
    """
    _, hit, trap = threats(state, 1 - side)
    losses = hits = traps = 0.0
    points = np.uint64(state["single"][side])
    while points != NONE:
        point = lowest(points)
        points &= points - ONE
        chance = share(hit, point)
        value = VALUE[class_on(state, point, np.int64(state["stack"][point] >> S60) - 1)]
        losses += chance * (25 - own(side, point)) * value
        hits += chance
        traps += share(trap, point) * value
    return losses, hits, traps


@compiled
def on_bar(state, side):
    """Checkers on the bar: nothing else moves before they have entered."""
    return float(waiting(state, side))


@compiled
def shut_out(state, side):
    """With checkers on the bar: the chance that a roll enters none, by how many points of the other's home are shut."""
    shut = count(walls(state, 1 - side) & HOME[1 - side]) / 6.0
    return shut * shut if state["bar"][side] != 0 else 0.0


# --- points ------------------------------------------------------------------------------------------------------


@compiled
def home_points(state, side, near):
    """Points held at home: they keep those out who were hit."""
    return float(count(walls(state, side) & HOME[side])) if near else 0.0


@compiled
def best_points(state, side, near):
    """Of these, the 4- and the 5-point: behind them the other's back men want to stand."""
    return float(count(walls(state, side) & zone(side, 4, 5))) if near else 0.0


@compiled
def outer_points(state, side, near):
    """Points 7 to 9: with those at home they make a wall, and are where checkers come to rest on their way."""
    return float(count(walls(state, side) & zone(side, 7, 9))) if near else 0.0


@compiled
def prime(state, side):
    """The square of the longest row of points held before the other's farthest checker: six cannot be passed."""
    wall = walls(state, side)
    last = 25 - rear(state, 1 - side)  # as this side counts it
    longest = run = 0
    for number in range(last + 1, 25):
        run = run + 1 if holds(wall, own(side, number)) else 0
        longest = max(longest, min(run, 6))
    return float(longest * longest)


@compiled
def anchor(state, side, near):
    """A point held in the other's home: there is always a place to enter."""
    return 1.0 if near and walls(state, side) & zone(side, 19, 24) != NONE else 0.0


@compiled
def high_anchor(state, side, near):
    """An anchor on 20 to 22: from there one gets away, too."""
    return 1.0 if near and walls(state, side) & zone(side, 20, 22) != NONE else 0.0


@compiled
def posts(state, side, near):
    """Lone guards: one checker does the work of two."""
    return float(count(walls(state, side) & np.uint64(state["single"][side]))) if near else 0.0


# --- back men and shape ------------------------------------------------------------------------------------------


@compiled
def back_men(state, side, near):
    """Checkers in the other's home: they have the whole way before them, through everything that stands there."""
    return float(checkers_on(state, side, zone(side, 19, 24))) if near else 0.0


@compiled
def caged(state, side, near):
    """The square of how many of the six points before the farthest checker are shut: it may not get away."""
    last = rear(state, side)
    shut = count(walls(state, 1 - side) & zone(side, max(last - 6, 1), max(last - 1, 1)))
    return float(shut * shut) if near else 0.0


@compiled
def heaps(state, side):
    """Checkers above the third on their points: they build nothing."""
    points, n = np.uint64(state["top"][side]), 0
    while points != NONE:
        n += max(checkers_on(state, side, points & (~points + ONE)) - 3, 0)
        points &= points - ONE
    return float(n)


@compiled
def full_points(state, side):
    """Own points as high as they may be: no more can land there."""
    return float(count(np.uint64(state["full"]) & np.uint64(state["top"][side])))


@compiled
def builders(state, side, near):
    """Points from 7 to 12 with free checkers: the next roll makes a point with what stands there."""
    return float(count(np.uint64(state["top"][side]) & zone(side, 7, 12))) if near else 0.0


# --- classes -----------------------------------------------------------------------------------------------------


@compiled
def buried(state, side, near):
    """Guards, general, druid and wounded that lie under others: they do nothing there, and have to be dug out."""
    points, total = np.uint64(state["top"][side]), 0.0
    while points != NONE:
        point = lowest(points)
        points &= points - ONE
        for level in range(np.int64(holds(state["trapped"], point)), np.int64(state["stack"][point] >> S60) - 1):
            total += 1.0 if class_on(state, point, level) > 0 else 0.0
    return total if near else 0.5 * total


@compiled
def late_wounded(state, side):
    """Pips that the wounded have to go to their home: they use only every other number, so they should go first."""
    total = 0
    for point in range(1, 25):
        stack = state["stack"][point]
        for level in range(np.int64(stack >> S60)):
            mine = np.int64((stack >> np.uint64(4 * level + 3)) & ONE) == side
            if mine and class_on(state, point, level) >= EVEN:
                total += max(own(side, point) - 6, 0)
    return float(total)


@compiled
def wrong_feet(state, side):
    """Wounded on top at home on points that no number of theirs bears off exactly."""
    numbers = zone(side, 1, 1) | zone(side, 3, 3) | zone(side, 5, 5)
    wrong = (np.uint64(state["kind"][EVEN]) & numbers) | (np.uint64(state["kind"][ODD]) & ~numbers)
    return float(count(wrong & HOME[side] & np.uint64(state["top"][side])))


@compiled
def held(state, side):
    """Checkers that the other's druid holds, by class: they are out of the game until it leaves."""
    points, total = np.uint64(state["trapped"]) & np.uint64(state["top"][1 - side]), 0.0
    while points != NONE:
        total += VALUE[class_on(state, lowest(points), 0)]
        points &= points - ONE
    return total


@compiled
def hunting(state, side, near):
    """A druid free to move, with lone checkers of the other before it in the middle: it will trap one."""
    druid = np.uint64(state["kind"][DRUID]) & np.uint64(state["top"][side])
    if not near or druid == NONE:
        return 0.0
    number = own(side, lowest(druid))
    prey = np.uint64(state["single"][1 - side]) & MIDDLE
    return float(count(prey & zone(side, max(number - 12, 1), max(number - 1, 1))))


@compiled
def general_back(state, side, near):
    """A general on top while the sides are in contact: it can step backward at what has passed it."""
    return 1.0 if near and np.uint64(state["kind"][GENERAL]) & np.uint64(state["top"][side]) != NONE else 0.0


@compiled
def moves_by_dice(state, side):
    """(freedom, dead dice): steps that the six numbers allow in all, and how many of them allow none.

    Who has few steps must soon break what he has built; the wounded and high stacks make that likelier than elsewhere.
    """
    steps = dead = 0
    for die in range(1, 7):
        able = count(forward(state, side, die)) if state["bar"][side] == 0 else 1
        steps += able
        dead += np.int64(able == 0)
    return float(steps), float(dead)


# --- all together ------------------------------------------------------------------------------------------------


@compiled
def numbers(state, side):
    """What each rule counts for a side, floats in the order of RULES in `abak_expert.py`."""
    near = contact(state)
    losses, hits, traps = dangers(state, side)
    freedom, dead = moves_by_dice(state, side)
    return (
        *(to_go(state, side), borne_off(state, side), stragglers(state, side, near), unsaved(state, side)),
        *(losses, hits, traps, on_bar(state, side), shut_out(state, side)),
        *(home_points(state, side, near), best_points(state, side, near), outer_points(state, side, near)),
        *(prime(state, side), anchor(state, side, near), high_anchor(state, side, near), posts(state, side, near)),
        *(back_men(state, side, near), caged(state, side, near), heaps(state, side), full_points(state, side)),
        *(builders(state, side, near), buried(state, side, near), late_wounded(state, side), wrong_feet(state, side)),
        *(held(state, side), hunting(state, side, near), general_back(state, side, near), freedom, dead),
    )
