"""What the next roll may do to a checker: hit it, trap it, let it move. Exact chances over the 36 rolls.

What is counted is what one checker can do by itself: it walks alone, by one die, by both in either order, or by up to
four of a double, and each of its steps is judged on the position as it stands. On a walk it may hit. Steps backward
count, but not as part of a longer walk. With checkers on the bar, one of those walks, or, when a single one waits,
another checker by the die that is left when that has entered; of a double, another by as many steps as are left when
all have entered. That the duty to play may forbid such a play is not looked at.

Sets of points are bits 1 to 24; as a place to walk from, the bar is the bit that a step of each length leads from into
the other's home: 25 for player 0, 0 for player 1. A sum over rolls is six sets, the bits of a number at each place;
in the sums of hits, place ANYWHERE counts the rolls that hit at all.
"""

import numpy as np

from sparring.bits import NONE, ONE, TWO, bit
from sparring.compiled import compiled
from sparring.games.stacks import BOARD, CLASSES, DRUID, EVEN, FIFTEEN, GUARD, MIDDLE, ODD
from sparring.games.tables import backward, entering, forward, landings, shifted

PLAIN, GUARDS, DRUIDS = np.int64(0), np.int64(1), np.int64(2)  # who may land and hit alike
NEAR, FAR = 6, 12  # points
D1, D2, D3, D4, D5, D6 = (np.int64(n) for n in range(1, 7))  # as arguments, literals would be compiled once each
NO_DIE, ONE_DIE, ALL_DICE = np.int64(0), np.int64(1), np.int64(4)
S3, S4, S5, S25 = (np.uint64(n) for n in (3, 4, 5, 25))
ANYWHERE = 0
EMPTY = (NONE, NONE, NONE, NONE, NONE, NONE)


# --- sums over rolls ---------------------------------------------------------------------------------------------


@compiled
def counted(sums, points, double):
    """The sums with 1 more at `points` for a double, else 2, as two of the 36 rolls are alike."""
    a, b, c, d, e, f = sums
    carry = points
    if double:
        a, carry = a ^ points, a & points
    b, carry = b ^ carry, b & carry
    c, carry = c ^ carry, c & carry
    d, carry = d ^ carry, d & carry
    e, carry = e ^ carry, e & carry
    return a, b, c, d, e, f ^ carry


@compiled
def share(sums, place):
    """The sum at a place, 0 to 36, as a share of the rolls."""
    a, b, c, d, e, f = sums
    at = np.uint64(place)
    low = ((a >> at) & ONE) | ((b >> at) & ONE) << ONE | ((c >> at) & ONE) << TWO
    high = ((d >> at) & ONE) << S3 | ((e >> at) & ONE) << S4 | ((f >> at) & ONE) << S5
    return np.float32(np.int64(low | high)) * np.float32(1.0 / 36.0)


@compiled
def anywhere(points):
    """The points, and with any of them ANYWHERE."""
    return points if points == NONE else points | bit(ANYWHERE)


# --- walks -------------------------------------------------------------------------------------------------------


@compiled
def waiting(state, side):
    """How many checkers a side has on the bar."""
    bar = np.int64(state["bar"][side])
    n = np.int64(0)
    while bar > 0:
        n += bar & 15
        bar >>= 4
    return n


@compiled
def walkers(state, side, group, a, b):
    """The points on whose top a checker of the group stands that may use both dice."""
    own = np.uint64(state["top"][side])
    if group == GUARDS:
        return own & state["kind"][GUARD]
    if group == DRUIDS:
        return own & state["kind"][DRUID]
    own &= ~np.uint64(state["kind"][GUARD] | state["kind"][DRUID])
    if (a | b) & 1:
        own &= ~np.uint64(state["kind"][EVEN])
    if a & b & 1 == 0:
        own &= ~np.uint64(state["kind"][ODD])
    return own


@compiled
def bar_walkers(state, side, group, a, b):
    """The bar, if a checker of the group is on it that may use both dice; else no place."""
    bar = np.uint64(state["bar"][side])
    able = NONE
    for kind in range(CLASSES):
        alike = GUARDS if kind == GUARD else DRUIDS if kind == DRUID else PLAIN
        hindered = (kind == EVEN and (a | b) & 1 == 1) or (kind == ODD and a & b & 1 == 0)
        if alike == group and not hindered:
            able |= (bar >> np.uint64(4 * kind)) & FIFTEEN
    if able == NONE:
        return NONE
    return bit(25) if side == 0 else ONE


@compiled
def ahead(places, side, die):
    """Where a step forward by the die leads."""
    far = np.uint64(die)
    return (places >> far) & BOARD if side == 0 else (places << far) & BOARD


@compiled
def retreats(state, side, die):
    """Where a general's step backward leads."""
    return shifted(backward(state, side, die), side, np.uint64(die))


@compiled
def entries_of_two(state, side, group, way, a, b):
    """(near, all): where a checker of the group arrives by two unlike dice when some wait on the bar.

    way: where it may land on the way. near: within NEAR points.
    """
    one = ahead(bar_walkers(state, side, group, a, a), side, a) | ahead(bar_walkers(state, side, group, b, b), side, b)
    if waiting(state, side) > 1:
        return one, one
    if entering(state, side, b) != NONE:
        one |= ahead(walkers(state, side, group, a, a), side, a)
        one |= retreats(state, side, a) if group == PLAIN else NONE
    if entering(state, side, a) != NONE:
        one |= ahead(walkers(state, side, group, b, b), side, b)
        one |= retreats(state, side, b) if group == PLAIN else NONE
    start = bar_walkers(state, side, group, a, b)
    both = ahead(ahead(start, side, a) & way, side, b) | ahead(ahead(start, side, b) & way, side, a)
    return one | both if a + b <= NEAR else one, one | both


@compiled
def all_enter(state, side, die):
    """Whether every checker on the bar may enter with the die."""
    able = entering(state, side, die)
    bar = np.uint64(state["bar"][side])
    for kind in range(CLASSES):
        if (bar >> np.uint64(4 * kind)) & FIFTEEN != NONE and able & bit(kind) == NONE:
            return False
    return True


@compiled
def chain(places, side, way, die, used, last):
    """(near, far, all) that is reached from places by further dice of a double, when `used` of them were used."""
    near = far = every = NONE
    for dice in range(used + 1, last + 1):
        to = ahead(places, side, die)
        near |= to if dice * die <= NEAR else NONE
        far |= to if dice * die <= FAR else NONE
        every |= to
        places = to & way
    return near, far, every


@compiled
def entries_of_double(state, side, group, way, die):
    """(near, far, all): where a checker of the group arrives by equal dice when some wait on the bar."""
    waits = waiting(state, side)
    entry = ahead(bar_walkers(state, side, group, die, die), side, die)
    if waits > 3 or not all_enter(state, side, die):
        return entry, entry, entry
    near, far, every = chain(entry & way, side, way, die, ONE_DIE, 5 - waits)
    entry |= retreats(state, side, die) if group == PLAIN else NONE
    more = chain(walkers(state, side, group, die, die), side, way, die, NO_DIE, 4 - waits)
    return near | more[0] | entry, far | more[1] | entry, every | more[2] | entry


# --- what it means -----------------------------------------------------------------------------------------------


@compiled
def threats(state, side):
    """(near, far, traps), sums over the next roll of `side`: points where it hits a lone checker from within so many
    points, and points where its druid traps one.
    """
    if state["single"][1 - side] == 0:
        return EMPTY, EMPTY, EMPTY
    return threats_on_the_board(state, side) if state["bar"][side] == 0 else threats_from_the_bar(state, side)


@compiled
def targets(state, side):
    """(lone checkers that any of `side` hits, those that only a guard hits, those its druid hits, those it traps)."""
    lone = np.uint64(state["single"][1 - side])
    guarded = lone & state["kind"][GUARD]
    caught = lone & MIDDLE & ~np.uint64(state["trapped"])
    return lone & ~guarded, guarded, lone & ~guarded & ~caught, caught


@compiled
def threats_from_the_bar(state, side):
    """As `threats`, while checkers of `side` are on the bar."""
    near = far = traps = EMPTY
    hit, guarded, druids_hit, caught = targets(state, side)
    open_, guards_way = landings(state, side)
    for a in range(1, 7):
        for b in range(1, a + 1):
            hit_near = hit_far = trapped = NONE
            for group in range(3):
                aims, way = hit, open_
                if group == GUARDS:
                    aims, way = hit | guarded, open_ | guards_way
                elif group == DRUIDS:
                    aims, way = druids_hit, open_ | (guards_way & MIDDLE)
                if a == b:
                    close, wide, every = entries_of_double(state, side, group, way, a)
                else:
                    close, wide = entries_of_two(state, side, group, way, a, b)
                    every = wide
                hit_near |= close & aims
                hit_far |= wide & aims
                trapped |= every & caught if group == DRUIDS else NONE
            near = counted(near, hit_near, a == b)
            far = counted(far, anywhere(hit_far), a == b)
            traps = counted(traps, trapped, a == b)
    return near, far, traps


@compiled
def by_each(even, odd, side):
    """Where each of the six dice leads; even and odd: the places from which an even and an odd die may."""
    return (
        *(ahead(odd, side, D1), ahead(even, side, D2), ahead(odd, side, D3)),
        *(ahead(even, side, D4), ahead(odd, side, D5), ahead(even, side, D6)),
    )


@compiled
def by_two(to, way, side, a, b):
    """Where two dice lead, one after the other; to: where each of the six leads."""
    return ahead(to[a - 1] & way, side, b) | ahead(to[b - 1] & way, side, a)


@compiled
def threats_on_the_board(state, side):
    """As `threats`, while no checker of `side` is on the bar. Almost all positions are such, and this is quick."""
    near = far = traps = EMPTY
    hit, guarded, druids_hit, caught = targets(state, side)
    open_, guards_way = landings(state, side)
    own = np.uint64(state["top"][side])
    guards, druid = own & state["kind"][GUARD], own & state["kind"][DRUID]
    even, odd = own & state["kind"][EVEN], own & state["kind"][ODD]
    free = own & ~(guards | druid | even | odd)
    if guards_way == NONE:  # then guards go where others go
        free, guards = free | guards, NONE
    to, to_wounded, to_guards = by_each(free, free, side), by_each(even, odd, side), by_each(guards, guards, side)
    to_druid = by_each(druid, druid, side)
    druids_way, guards_way = open_ | (guards_way & MIDDLE), open_ | guards_way
    for a in range(1, 7):
        back_a = retreats(state, side, a)
        for b in range(1, a + 1):
            if a == b:
                close, wide, _ = chain(free | (odd if a & 1 else even), side, open_, a, NO_DIE, ALL_DICE)
                close, wide = close | back_a, wide | back_a
                by_guards = chain(guards, side, guards_way, a, NO_DIE, ALL_DICE)
                by_druid = chain(druid, side, druids_way, a, NO_DIE, ALL_DICE)
            else:
                one = to[a - 1] | to[b - 1] | to_wounded[a - 1] | to_wounded[b - 1] | back_a | retreats(state, side, b)
                both = by_two(to, open_, side, a, b)
                if (a ^ b) & 1 == 0:
                    both |= by_two(to_wounded, open_, side, a, b)
                close, wide = one | both if a + b <= NEAR else one, one | both
                one, both = to_guards[a - 1] | to_guards[b - 1], by_two(to_guards, guards_way, side, a, b)
                by_guards = one | both if a + b <= NEAR else one, one | both, one | both
                one, both = to_druid[a - 1] | to_druid[b - 1], by_two(to_druid, druids_way, side, a, b)
                by_druid = one | both if a + b <= NEAR else one, one | both, one | both
            hit_near = (close & hit) | (by_guards[0] & (hit | guarded)) | (by_druid[0] & druids_hit)
            hit_far = (wide & hit) | (by_guards[1] & (hit | guarded)) | (by_druid[1] & druids_hit)
            near = counted(near, hit_near, a == b)
            far = counted(far, anywhere(hit_far), a == b)
            traps = counted(traps, by_druid[2] & caught, a == b)
    return near, far, traps


@compiled
def mobility(state, side):
    """A sum over the next roll of `side`: points whose top checker a die may move, and classes + 25 that may enter."""
    sums = EMPTY
    waits = waiting(state, side)
    moved = (NONE, NONE, NONE, NONE, NONE, NONE)
    for die in range(6, 0, -1):  # the last comes first
        able = forward(state, side, die) | backward(state, side, die)
        moved = (able, moved[0], moved[1], moved[2], moved[3], moved[4])
    for a in range(1, 7):
        for b in range(1, a + 1):
            able = moved[a - 1] | moved[b - 1]
            if waits > 0:
                enter_a, enter_b = entering(state, side, a), entering(state, side, b)
                if a == b:
                    able = able if waits < 4 and all_enter(state, side, a) else NONE
                elif waits > 1:
                    able = NONE
                else:
                    able = (moved[a - 1] if enter_b != NONE else NONE) | (moved[b - 1] if enter_a != NONE else NONE)
                able |= (enter_a | enter_b) << S25
            sums = counted(sums, able, a == b)
    return sums
