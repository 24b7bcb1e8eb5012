"""Kernels of `sparring check` for what games may tell nets and searches besides: `Game.bind("games.check_asides")`.

ASKED says which of these rules the game defines: bit i for NAMES[i]. The others have the contract's defaults, and are
not asked.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games import faults
from sparring.games.check_desk import COPY, HERE, IMAGE, bad_list, blame, clear, disturbed, note
from sparring.games.contract import (
    FEATURES,
    FRAMES,
    ONGOING,
    PACKED,
    PHASES,
    SLOTS,
    VIEWER,
    changes,
    ended,
    exchange,
    features,
    frame,
    legal,
    mover,
    noisy,
    null_move,
    pack,
    phase,
    play,
    prize,
    slot,
    threatened,
    threatens,
    unpack,
)
from sparring.records import hash_record, scratch
from sparring.rng import draw_below

NAMES = (
    *("ended", "changes", "frame", "phase", "unpack", "threatened", "threatens", "null_move", "prize"),
    *("exchange", "slot"),
)
ASKED = 0
ENDED, CHANGES, FRAME, PHASE, UNPACK, THREATENED, THREATENS = (1 << i for i in range(7))
NULL_MOVE, PRIZE, EXCHANGE, SLOT = (1 << i for i in range(7, len(NAMES)))

BEFORE, AFTER, GONE, COME = (np.int64(i) for i in range(4))  # rows of the buffer of inputs
NONE, LEADS = np.int64(0), np.int64(100)  # as arguments, literals would be compiled once each


@compiled
def out_of_range(number, below, desk, rule):
    """Whether to stop: a rule returned what is not among 0 to below - 1."""
    note(desk, rule, np.uint64(number + 1), 0.0)
    desk["a"] = number
    return not 0 <= number < below and blame(desk, rule, faults.VALUE)


@compiled
def seen_by(slots, which, viewer, row, index, value):
    """Write the inputs of a position into a row; returns how many."""
    return int(features(slots[which], viewer, index[row], value[row]))


@compiled
def unlike(index, value, n, m, desk):
    """Whether the n inputs of row BEFORE and the m of row AFTER differ."""
    if n != m:
        return True
    desk["stamp"] += 1
    for i in range(n):
        desk["seen"][index[BEFORE, i]] = desk["stamp"]
    for i in range(m):
        if desk["seen"][index[AFTER, i]] != desk["stamp"]:
            return True
        for j in range(n):
            if index[BEFORE, j] == index[AFTER, i] and value[BEFORE, j] != value[AFTER, i]:
                return True
    return False


@compiled
def misnamed(index, row, n, other, m, named, desk):
    """Whether the first `named` inputs of row + 2 are not exactly those of `row` (n) that row `other` (m) lacks."""
    desk["stamp"] += 2
    gone, kept = desk["stamp"], desk["stamp"] - 1
    for i in range(n):
        desk["seen"][index[row, i]] = gone
    lacking = n
    for i in range(m):
        if desk["seen"][index[other, i]] == gone:
            desk["seen"][index[other, i]] = kept
            lacking -= 1
    wrong = abs(named - lacking)
    for i in range(named):
        wrong += desk["seen"][index[row + 2, i]] != gone
    return wrong > 0


@compiled
def bad_changes(slots, viewer, index, value, desk):
    """Whether to stop: from HERE to COPY, `changes` does not name what `features` shows."""
    rule = faults.IN_CHANGES
    n = seen_by(slots, HERE, viewer, BEFORE, index, value)
    m = seen_by(slots, COPY, viewer, AFTER, index, value)
    clear(index[GONE])
    clear(index[COME])
    gone, come = changes(slots[HERE], slots[COPY], viewer, index[GONE], index[COME])
    if disturbed(slots, desk, rule) or bad_list(index[GONE], gone, NONE, np.int64(FEATURES), desk, rule):
        return desk["problem"] != faults.NOTHING
    if bad_list(index[COME], come, NONE, np.int64(FEATURES), desk, rule):
        return desk["problem"] != faults.NOTHING
    for i in range(gone):
        note(desk, rule, np.uint64(index[GONE, i]), 0.0)
    for i in range(come):
        note(desk, rule, np.uint64(index[COME, i]), 1.0)
    desk["a"], desk["b"] = gone, come
    wrong = misnamed(index, BEFORE, n, AFTER, m, gone, desk)
    if wrong or misnamed(index, AFTER, m, BEFORE, n, come, desk):
        return blame(desk, rule, faults.UNLIKE)
    return False


@compiled
def bad_packing(slots, who, index, value, desk):
    """Whether to stop: what was packed and unpacked is not what both viewers saw."""
    packed = scratch(PACKED)
    pack(slots[HERE], packed)
    if disturbed(slots, desk, faults.IN_PACK):
        return True
    slots[IMAGE] = slots[COPY]  # a position with something else in it, all of which must be written over
    unpack(packed, slots[IMAGE])
    if disturbed(slots, desk, faults.IN_UNPACK):
        return True
    note(desk, faults.IN_UNPACK, hash_record(slots[IMAGE]), 0.0)
    again = int(mover(slots[IMAGE]))
    for side in range(2):
        then = VIEWER if VIEWER >= 0 else who ^ side
        now = VIEWER if VIEWER >= 0 else again ^ side
        n = seen_by(slots, HERE, then, BEFORE, index, value)
        m = seen_by(slots, IMAGE, now, AFTER, index, value)
        same = frame(slots[HERE], then) == frame(slots[IMAGE], now) and phase(slots[HERE]) == phase(slots[IMAGE])
        if not same or unlike(index, value, n, m, desk):
            return blame(desk, faults.IN_UNPACK, faults.UNLIKE)
    return False


@compiled
def bad_sights(slots, moves, n, index, value, who, desk):
    """Whether to stop: what nets are told besides is broken."""
    first = VIEWER if VIEWER >= 0 else 0
    last = VIEWER if VIEWER >= 0 else 1
    if ASKED & PHASE and out_of_range(int(phase(slots[HERE])), PHASES, desk, faults.IN_PHASE):
        return True
    slots[COPY] = slots[HERE]
    play(slots[COPY], moves[0, draw_below(desk["dice"], n)])
    for viewer in range(first, last + 1):
        if ASKED & FRAME and out_of_range(int(frame(slots[HERE], viewer)), FRAMES, desk, faults.IN_FRAME):
            return True
        if ASKED & CHANGES and bad_changes(slots, viewer, index, value, desk):
            return True
    if ASKED & UNPACK and bad_packing(slots, who, index, value, desk):
        return True
    return ASKED & (PHASE | FRAME) != 0 and disturbed(
        slots, desk, faults.IN_FRAME if ASKED & FRAME else faults.IN_PHASE
    )


@compiled
def bad_pass(slots, who, index, value, desk):
    """Whether to stop: a pass does more, or less, than to let the other player move."""
    rule = faults.IN_NULL_MOVE
    slots[COPY] = slots[HERE]
    if threatened(slots[HERE]):
        return False
    passed = bool(null_move(slots[COPY]))
    note(desk, rule, hash_record(slots[COPY]), 0.0)
    if disturbed(slots, desk, rule):
        return True
    if not passed:
        return hash_record(slots[COPY]) != desk["marks"][HERE] and blame(desk, rule, faults.CHANGED)
    if mover(slots[COPY]) != 1 - who:
        return blame(desk, rule, faults.IMAGE_MOVER)
    if ASKED & CHANGES:
        for viewer in range(2):
            gone, come = changes(slots[HERE], slots[COPY], viewer, index[GONE], index[COME])
            if gone + come > 0:
                return blame(desk, rule, faults.UNLIKE)
    return False


@compiled
def bad_foresight(slots, moves, n, desk):
    """Whether to stop: `threatens` contradicts `threatened` after one of the n legal moves."""
    rule = faults.IN_THREATENS
    for i in range(n):
        move = moves[0, i]
        said = bool(threatens(slots[HERE], move))
        note(desk, rule, np.uint64(said), 0.0)
        slots[COPY] = slots[HERE]
        play(slots[COPY], move)
        if ASKED & THREATENED and mover(slots[COPY]) < 2 and said != bool(threatened(slots[COPY])):
            desk["a"], desk["b"] = said, move
            return blame(desk, rule, faults.UNLIKE)
    return disturbed(slots, desk, rule)


@compiled
def bad_prizes(slots, moves, n, desk):
    """Whether to stop: what searches are told of the n legal moves is broken."""
    for i in range(n):
        move = moves[0, i]
        if ASKED & SLOT:
            desk["b"] = move
            if out_of_range(int(slot(slots[HERE], move)), SLOTS, desk, faults.IN_SLOT):
                return True
        if ASKED & EXCHANGE:
            good, better = bool(exchange(slots[HERE], move, NONE)), bool(exchange(slots[HERE], move, LEADS))
            note(desk, faults.IN_EXCHANGE, np.uint64(good), 0.0)
            if better and not good:
                desk["a"] = move
                return blame(desk, faults.IN_EXCHANGE, faults.UNSURE)
    if ASKED & SLOT and disturbed(slots, desk, faults.IN_SLOT):
        return True
    if ASKED & EXCHANGE and disturbed(slots, desk, faults.IN_EXCHANGE):
        return True
    if ASKED & PRIZE:
        for i in range(int(noisy(slots[HERE], moves[1]))):
            desk["a"], desk["b"] = int(prize(slots[HERE], moves[1, i])), moves[1, i]
            note(desk, faults.IN_PRIZE, np.uint64(desk["a"]), 0.0)
            if desk["a"] <= 0:
                return blame(desk, faults.IN_PRIZE, faults.VALUE)
        return disturbed(slots, desk, faults.IN_PRIZE)
    return False


@compiled
def bad_end(slots, moves, end, desk):
    """Whether to stop: `ended` contradicts the result, or moves are left after an end that it does not see."""
    early = int(ended(slots[HERE]))
    note(desk, faults.IN_ENDED, np.uint64(early + 1), 0.0)
    if disturbed(slots, desk, faults.IN_ENDED):
        return True
    desk["a"], desk["b"] = early, end
    if early not in (ONGOING, end):
        return blame(desk, faults.IN_ENDED, faults.UNLIKE)
    if early == ONGOING and end != ONGOING and legal(slots[HERE], moves[1]) > 0:
        return blame(desk, faults.IN_ENDED, faults.AT_END)
    return False


@compiled
def bad_asides(slots, moves, n, index, value, who, end, desk):
    """Whether to stop: a rule that the game need not have, but has, is broken here. n: legal moves in moves[0]."""
    if ASKED & ENDED and bad_end(slots, moves, end, desk):
        return True
    if ASKED == 0 or end != ONGOING or n == 0 or who > 1:
        return False
    if FEATURES > 0 and bad_sights(slots, moves, n, index, value, who, desk):
        return True
    if ASKED & THREATENED:
        note(desk, faults.IN_THREATENED, np.uint64(bool(threatened(slots[HERE]))), 0.0)
        if disturbed(slots, desk, faults.IN_THREATENED):
            return True
    if ASKED & THREATENS and bad_foresight(slots, moves, n, desk):
        return True
    if ASKED & NULL_MOVE and bad_pass(slots, who, index, value, desk):
        return True
    return bad_prizes(slots, moves, n, desk)
