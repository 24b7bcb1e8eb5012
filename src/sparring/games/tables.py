"""The board that backgammon and its kin are played on: 24 points, stacks of checkers of several classes, dice, a bar.

A game is this machine with a set-up and a limit to the height of its stacks (`stacks.py`). Of six classes of checkers
soldiers move as in backgammon; what the others do is told at each function here, and in `abak.py` all together.

A turn is a roll and then moves of one player, each a step of one checker by one die. Moves are numbered: 0 to 35 are
rolls, 6 * (a - 1) + b - 1, where a >= b, but in the opening roll a is player 0's die and b is player 1's; then PASS;
then steps, FIRST_STEP + 6 * source + die - 1. Sources 0 to 23 are own points 1 to 24; BAR + class; BACKWARD + own
point - 1 is a general's step backward.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, count, holds, lowest
from sparring.compiled import compiled
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.stacks import (
    BOARD,
    CLASSES,
    DRUID,
    EVEN,
    FIFTEEN,
    FOUR,
    GENERAL,
    GUARD,
    HOME,
    MIDDLE,
    ODD,
    SEVEN,
    gone,
    land,
    pop,
)
from sparring.records import copy_record, spare
from sparring.rng import scramble

RESULTS = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)

PASS = 36
FIRST_STEP = 37
BAR, BACKWARD = 24, 30  # sources
MOVES = FIRST_STEP + 6 * (BACKWARD + 24)
MOST_MOVES = 36  # two dice of fifteen checkers and a general's steps backward; or an opening roll's thirty outcomes

STEPPED, RETREATED = 1, 2  # in "general"

S24, S25, S32, S48 = (np.uint64(n) for n in (24, 25, 32, 48))


# --- what a die allows -------------------------------------------------------------------------------------------


@compiled
def shifted(points, side, far):
    """The points `far` steps (uint64) behind `points`, as `side` moves."""
    return (points << far) & BOARD if side == 0 else (points >> far) & BOARD


@compiled
def landings(state, side):
    """(points where any checker of `side` may land, those where of all classes only a guard may: a lone guard's)."""
    lone = state["single"][1 - side]
    guards = lone & state["kind"][GUARD] & BOARD
    closed = (state["top"][1 - side] & ~lone) | guards | state["full"]
    return BOARD & ~closed, guards


@compiled
def bearing_off(state, side, die):
    """Points from which the die bears off, whatever their top checkers: its own, or the farthest if that is nearer.

    None while a checker is not at home, or is trapped.
    """
    own = np.uint64(state["top"][side])
    if (own & ~HOME[side]) | (state["trapped"] & state["top"][1 - side]) | state["bar"][side] != NONE:
        return NONE
    exact = bit(die) if side == 0 else bit(25 - die)
    if own & exact != NONE:
        return exact
    if side == 0:
        if own >> np.uint64(die) != NONE:
            return NONE
        while own & (own - ONE) != NONE:
            own &= own - ONE
        return own
    if own & (exact - ONE) != NONE:
        return NONE
    return own & (~own + ONE)


@compiled
def forward(state, side, die):
    """Points whose top checker may step forward by the die, or bear off. What is on the bar must enter first."""
    own = np.uint64(state["top"][side])
    far = np.uint64(die)
    open_, guarded = landings(state, side)
    able = own & shifted(open_, side, far)
    if guarded != NONE:
        able |= own & state["kind"][GUARD] & shifted(guarded, side, far)
        able |= own & state["kind"][DRUID] & shifted(guarded & MIDDLE, side, far)
    able |= bearing_off(state, side, die)
    able &= ~np.uint64(state["kind"][EVEN if die & 1 else ODD])
    if state["general"] == RETREATED:
        able &= ~np.uint64(state["kind"][GENERAL])
    return able


@compiled
def backward(state, side, die):
    """The general's point if it may step backward by the die, else no point. What is on the bar must enter first.

    Another own checker must be outside home, and the general must not have moved on the board this turn.
    """
    own = np.uint64(state["top"][side])
    general = own & state["kind"][GENERAL]
    if general == NONE or state["general"] != 0:
        return NONE
    away = own & ~HOME[side]
    others = (away & ~general) | (away & ~state["single"][side]) | (state["trapped"] & state["top"][1 - side])
    if others | state["bar"][side] == NONE:
        return NONE
    return general & shifted(landings(state, side)[0], 1 - side, np.uint64(die))


@compiled
def entering(state, side, die):
    """Classes that are on the bar and may enter with the die, as bits."""
    bar = np.uint64(state["bar"][side])
    open_, guarded = landings(state, side)
    point = 25 - die if side == 0 else die
    able = NONE
    for kind in range(CLASSES):
        waits = (bar >> np.uint64(4 * kind)) & FIFTEEN != NONE
        fits = kind != (EVEN if die & 1 else ODD)
        if waits and fits and holds(open_ | guarded if kind == GUARD else open_, point):
            able |= bit(kind)
    return able


@compiled
def sources(state, die):
    """What the player whose turn it is may step with by the die, as bits.

    1 to 24: points, forward; 25 to 30: the bar, by class; 33 to 56: points + 32, backward.
    """
    side = np.int64(state["turn"])
    if state["bar"][side] != 0:
        return entering(state, side, die) << S25
    return forward(state, side, die) | (backward(state, side, die) << S32)


# --- steps, and the duty to play them ----------------------------------------------------------------------------


@compiled
def step_number(side, source, die):
    """The move that steps from one of `sources`."""
    if source <= 24:
        place = (source if side == 0 else 25 - source) - 1
    elif source <= 30:
        place = source - 25 + BAR
    else:
        place = (source - 32 if side == 0 else 57 - source) - 1 + BACKWARD
    return FIRST_STEP + 6 * place + die - 1


@compiled
def step(state, source, die):
    """Move the checker of one of `sources` by the die, which is then no longer left."""
    side = np.int64(state["turn"])
    ahead = -die if side == 0 else die
    if source <= 24:
        to = source + ahead
        cell = pop(state, source)
        if np.int64(cell & SEVEN) - 1 == GENERAL:
            state["general"] = STEPPED
    elif source <= 30:
        to = 25 - die if side == 0 else die
        cell = np.uint64(source - 24 + 8 * side)
        state["bar"][side] -= ONE << (FOUR * ((cell & SEVEN) - ONE))
    else:
        to = source - 32 - ahead
        cell = pop(state, source - 32)
        state["general"] = RETREATED
    if 1 <= to <= 24:
        land(state, to, cell)
    else:
        state["off"][side] += ONE << (FOUR * ((cell & SEVEN) - ONE))
    state["left"][0 if die == state["dice"][0] else 1] -= 1


@compiled
def playable(state):
    """How many of the dice left can be played at most. Looks depth-first, and stops at the first line with all."""
    left = np.int64(state["left"][0]) + np.int64(state["left"][1])
    best = np.int64(0)
    for k in range(2):
        if state["left"][k] > 0 and best < left:
            die = np.int64(state["dice"][k])
            able = sources(state, die)
            if left == 1:
                return np.int64(able != NONE)
            while able != NONE and best < left:
                after = spare(state)
                copy_record(state, after)
                step(after, lowest(able), die)
                able &= able - ONE
                best = max(best, 1 + playable(after))
    return best


@compiled
def leaves_enough(state, source, die, others, other, need):
    """Whether after a step the other dice left, `need` of them, can all be played.

    others: the sources by the other die, `other`, before the step. Where enough of them are left that the step does not
    touch, that is known at once: each steps where none of the others lands.
    """
    here = bit(source)
    if source <= 24 and here & state["trapped"] == NONE:
        side = np.int64(state["turn"])
        there = shifted(here, 1 - side, np.uint64(die))
        alike = shifted(there, side, np.uint64(other))
        untouched = others & BOARD & ~(here | there | alike | np.uint64(state["trapped"]))
        if count(untouched) >= need:
            return True
    after = spare(state)
    copy_record(state, after)
    step(after, source, die)
    return playable(after) == need


# --- the contract ------------------------------------------------------------------------------------------------


@compiled
def mover(state):
    """Who plays or, between turns, CHANCE."""
    return CHANCE if state["rolling"] else np.int64(state["turn"])


@compiled
def chance(state, outcomes, probabilities):
    """The 21 rolls; to begin, the 30 pairs of unlike dice, one of each player."""
    n = 0
    for a in range(6):
        for b in range(6):
            if a != b if state["opening"] else a >= b:
                outcomes[n] = 6 * a + b
                probabilities[n] = 1.0 / 30.0 if state["opening"] else (1.0 if a == b else 2.0) / 36.0
                n += 1
    return n


@compiled
def legal(state, moves):
    """Steps after which as many dice can be played as at all; PASS where there is none."""
    side = np.int64(state["turn"])
    left = np.int64(state["left"][0]) + np.int64(state["left"][1])
    if left == 0:
        moves[0] = PASS
        return 1
    n = 0
    for k in range(2):
        if state["left"][k] > 0:
            die = np.int64(state["dice"][k])
            able = sources(state, die)
            other = np.int64(state["dice"][1 - k])
            others = sources(state, other) if left > 1 else NONE
            while able != NONE:
                source = lowest(able)
                able &= able - ONE
                if left == 1 or leaves_enough(state, source, die, others, other, left - 1):
                    moves[n] = step_number(side, source, die)
                    n += 1
    return n


@compiled
def roll(state, a, b):
    """Begin a turn with dice a and b; in the opening roll a is player 0's and b player 1's."""
    if state["opening"]:
        state["turn"] = 0 if a > b else 1
        state["opening"] = 0
    state["rolling"] = 0
    state["dice"][0] = max(a, b)
    state["dice"][1] = min(a, b)
    state["left"][0] = 4 if a == b else 1
    state["left"][1] = 0 if a == b else 1
    most = playable(state)
    if a == b:
        state["left"][0] = most
    elif most < 2:  # of two dice that cannot both be played, the larger
        larger = most == 1 and sources(state, np.int64(max(a, b))) != NONE
        state["left"][0] = most if larger else 0
        state["left"][1] = 0 if larger else most


@compiled
def play(state, move):
    """Roll, or step; after the turn's last step the other player's roll is next, unless the game is over."""
    if state["rolling"]:
        roll(state, np.int64(move // 6 + 1), np.int64(move % 6 + 1))
        return
    side = np.int64(state["turn"])
    if move != PASS:
        place, die = (move - FIRST_STEP) // 6, (move - FIRST_STEP) % 6 + 1
        if place < BAR:
            source = place + 1 if side == 0 else 24 - place
        elif place < BACKWARD:
            source = place - BAR + 25
        else:
            source = place - BACKWARD + 33 if side == 0 else 56 - (place - BACKWARD)
        step(state, np.int64(source), np.int64(die))
    if state["left"][0] + state["left"][1] == 0:
        state["dice"][0] = 0
        state["dice"][1] = 0
        state["general"] = 0
        if not gone(state, side):
            state["turn"] = 1 - side
            state["rolling"] = 1


@compiled
def result(state):
    """1 point; 2 if the loser has borne off none; 3 if then a loser's checker is on the bar or in the winner's home."""
    if state["rolling"] or state["dice"][0] > 0:
        return ONGOING
    winner = np.int64(state["turn"])
    loser = 1 - winner
    points = 1
    if state["off"][loser] == 0:
        points = 3 if state["bar"][loser] != 0 or state["top"][loser] & HOME[winner] != NONE else 2
    return 2 + points if winner == 0 else 3 - points


@compiled
def key(state):
    """What is on the points and the bar, the dice left, and whose turn it is."""
    turn = np.int64(state["left"][0]) | np.int64(state["left"][1]) << 3
    turn |= np.int64(state["dice"][0]) << 4 | np.int64(state["dice"][1]) << 7 | np.int64(state["turn"]) << 10
    turn |= np.int64(state["rolling"]) << 11 | np.int64(state["opening"]) << 12 | np.int64(state["general"]) << 13
    word = np.uint64(state["bar"][0]) | np.uint64(state["bar"][1]) << S24 | np.uint64(turn) << S48
    return scramble(state["mark"] + scramble(word))
