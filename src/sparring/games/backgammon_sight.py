"""What our own nets for backgammon see: Tesauro's 198 inputs, what a player counts on the board, and races apart.

Of each player, the viewer first, 50 inputs from 198 on (add 50 for the other). Those before PIPS are 0 in a race.

    0-23    at each own point with a lone checker, the chance that the other's next roll hits it (`shots.py`, far)
    24      the chance that it hits any
    25-42   at each own point 7 to 24 with a checker, the share of the 36 rolls that one there may play whole by itself
    43      by what share of rolls the other holds a checker where he holds it best: on the bar or points 24 to 16
    44      its square
    45      the chance that one checker on the bar would stay there
    46      the same if there is one
    47      pips / 100
    48      pips that bring every checker home / 100
    49      1 if none is borne off

At 298, 1 unless it is a race: the two have passed each other. In a race Tesauro's first 196 inputs stand once more from
299 on, so that layer 1 has weights of their own for it, which are another net's.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, lowest
from sparring.compiled import compiled
from sparring.games import backgammon_features, stacks
from sparring.games.backgammon_features import see
from sparring.games.shots import ANYWHERE, share, threats
from sparring.games.stacks import FIFTEEN, S60

TESAUROS = backgammon_features.INPUTS
SIDE = 50
ANY, WHOLE, HELD, STAYS, PIPS = 24, 25, 43, 45, 47
CONTACT = TESAUROS + 2 * SIDE
RACE = CONTACT + 1
INPUTS = RACE + 2 * backgammon_features.SIDE
MOST_ACTIVE = 2 * backgammon_features.MOST_ACTIVE + 2 * (15 + 1 + 15 + 7) + 1
UNIT, HUNDREDTH, PART = np.float32(1.0), np.float32(0.01), np.float32(1.0 / 36.0)
REACH, TWELVE = 12, np.uint64(0xFFF)  # two dice


def _whole() -> np.ndarray:
    """By which of the next 12 points are closed (bit 0: the next one), how many of 36 rolls a checker plays whole.

    One way over the first die's point or the second's must be open, and the last point; of a double two steps count.
    """
    found = np.zeros(1 << REACH, np.uint8)
    for closed in range(1 << REACH):
        open_ = [not (closed >> at) & 1 for at in range(REACH)]
        for a in range(1, 7):
            for b in range(1, 7):
                found[closed] += (open_[a - 1] or open_[b - 1]) and open_[a + b - 1]
    return found


PLAYED_WHOLE = _whole()


@compiled
def is_race(state):
    """Whether no checker has to pass any of the other player's."""
    low, high = np.uint64(state["top"][0]), np.uint64(state["top"][1])  # the one moves down, the other up
    if (state["bar"][0] | state["bar"][1]) != 0:
        return False
    return low == NONE or high == NONE or low >> np.uint64(lowest(high)) == NONE


@compiled
def closed_to(state, side):
    """Points that are closed to a side, as bits, counted from where its checkers enter (bit 1)."""
    other = 1 - side
    closed = np.uint64(state["top"][other]) & ~np.uint64(state["single"][other])
    if side == 1:
        return closed
    turned = NONE
    while closed != NONE:
        turned |= bit(25 - lowest(closed))
        closed &= closed - ONE
    return turned


@compiled
def plays_whole(closed, own):
    """How many of 36 rolls a checker on its own point plays whole; closed: by `closed_to`."""
    return np.int64(PLAYED_WHOLE[np.int64((closed >> np.uint64(26 - own)) & TWELVE)])


@compiled
def see_risks(state, side, first, index, value, n):
    """The inputs before WHOLE of a side; returns how many inputs are active now."""
    lone = np.uint64(state["single"][side])
    if lone == NONE:
        return n
    _, sums, _ = threats(state, 1 - side)
    while lone != NONE:
        point = lowest(lone)
        lone &= lone - ONE
        risk = share(sums, point)
        if risk > 0:
            index[n] = first + (point if side == 0 else 25 - point) - 1
            value[n] = risk
            n += 1
    index[n] = first + ANY
    value[n] = share(sums, ANYWHERE)
    return n + 1


@compiled
def see_blockade(state, side, first, index, value, n):
    """The inputs WHOLE to before PIPS of a side; returns how many inputs are active now."""
    closed = closed_to(state, side)
    points = np.uint64(state["top"][side])
    while points != NONE:
        point = lowest(points)
        points &= points - ONE
        own = point if side == 0 else 25 - point
        if own > 6:
            index[n] = first + WHOLE + own - 7
            value[n] = np.float32(plays_whole(closed, own)) * PART
            n += 1
    fewest = np.int64(36)
    for own in range(16, 26):
        fewest = min(fewest, plays_whole(closed, own))
    index[n], index[n + 1], index[n + 2] = first + HELD, first + HELD + 1, first + STAYS
    value[n] = UNIT - np.float32(fewest) * PART
    value[n + 1] = value[n] * value[n]
    shut = np.int64(0)
    for entry in range(1, 7):
        shut += np.int64((closed >> np.uint64(entry)) & ONE)
    value[n + 2] = np.float32(shut * shut) * PART
    n += 3
    if state["bar"][side] != 0:
        index[n] = first + STAYS + 1
        value[n] = value[n - 1]
        n += 1
    return n


@compiled
def see_pips(state, side, first, index, value, n):
    """The inputs from PIPS on of a side; returns how many inputs are active now."""
    far = np.int64(np.uint64(state["bar"][side]) & FIFTEEN) * 19
    points = np.uint64(state["top"][side])
    while points != NONE:
        point = lowest(points)
        points &= points - ONE
        own = point if side == 0 else 25 - point
        far += max(own - 6, 0) * np.int64(state["stack"][point] >> S60)
    index[n], index[n + 1] = first + PIPS, first + PIPS + 1
    value[n] = np.float32(stacks.pips(state, side)) * HUNDREDTH
    value[n + 1] = np.float32(far) * HUNDREDTH
    n += 2
    if state["off"][side] == 0:
        index[n] = first + PIPS + 2
        value[n] = UNIT
        n += 1
    return n


@compiled
def see_all(state, viewer, index, value):
    """Write the active inputs, as `features` of the contract does; returns how many."""
    n = see(state, viewer, index, value)
    both = n - 1  # but for whose turn it is
    race = is_race(state)
    for place in range(2):
        side = np.int64(viewer) if place == 0 else 1 - np.int64(viewer)
        first = TESAUROS + SIDE * place
        if not race:
            n = see_risks(state, side, first, index, value, n)
            n = see_blockade(state, side, first, index, value, n)
        n = see_pips(state, side, first, index, value, n)
    if not race:
        index[n] = CONTACT
        value[n] = UNIT
        return n + 1
    for i in range(both):
        index[n] = RACE + index[i]
        value[n] = value[i]
        n += 1
    return n
