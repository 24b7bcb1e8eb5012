"""Kernels of `sparring check` for what nets and searches ask of a game: `Game.bind("games.check_views")`."""

import numpy as np

from sparring.compiled import compiled
from sparring.games import faults
from sparring.games.check_asides import bad_asides
from sparring.games.check_desk import (
    COPY,
    HERE,
    IMAGE,
    UNTOUCHED,
    bad_list,
    blame,
    clear,
    disturbed,
    note,
    overrun,
)
from sparring.games.contract import (
    CHANCE,
    FEATURES,
    MOVES,
    ONGOING,
    OVERVIEW,
    PROSPECTS,
    RESULTS,
    SYMMETRIES,
    VIEWER,
    evaluate,
    features,
    key,
    legal,
    mover,
    noisy,
    overview,
    play,
    prospects,
    result,
    transform,
    transform_move,
)
from sparring.records import hash_record
from sparring.rng import draw_below

EVALUATES = False  # whether the game has an evaluate() of its own
TURNS = 64  # a symmetry of a board is back at the identity long before
CLOSE = 1e-5
ZERO = np.uint64(0)
NONE, IMAGES = np.int64(0), np.int64(2)  # as arguments, literals would be compiled once each


@compiled
def inputs(slots, viewer, row, index, value, desk):
    """Fill a row of inputs: 0 and 1 for the viewers of the position, 2 for its image. Returns whether they are sound.

    `sums` becomes their number, the sum of their values and that of the squares.
    """
    slot = IMAGE if row == IMAGES else HERE
    clear(index[row])
    n = int(features(slots[slot], viewer, index[row], value[row]))
    rule = faults.IN_FEATURES
    if disturbed(slots, desk, rule) or bad_list(index[row], n, NONE, np.int64(FEATURES), desk, rule):
        return False
    sums = desk["sums"][row]
    sums[0], sums[1], sums[2] = n, 0.0, 0.0
    for i in range(n):
        v = float(value[row, i])
        if not np.isfinite(v):
            desk["a"], desk["x"] = index[row, i], v
            blame(desk, rule, faults.NUMBER)
            return False
        sums[1] += v
        sums[2] += v * v
    return True


@compiled
def bad_features(slots, index, value, desk):
    """Whether to stop: what nets see is broken. Also notes whether the two viewers see different things."""
    first = VIEWER if VIEWER >= 0 else 0
    last = VIEWER if VIEWER >= 0 else 1
    meaning = 0.0
    for viewer in range(first, last + 1):
        if not inputs(slots, viewer, viewer, index, value, desk):
            return desk["problem"] != faults.NOTHING
        weighed = 0.0
        for i in range(int(desk["sums"][viewer, 0])):
            weighed += float(value[viewer, i]) * (1.0 + index[viewer, i])
            note(desk, faults.IN_FEATURES, np.uint64(index[viewer, i]), float(value[viewer, i]) * (i + 1))
        if viewer > first and weighed != meaning:
            desk["told_apart"] += 1
        meaning = weighed
    return False


@compiled
def bad_row(row, number, move, desk, rule):
    """Whether to stop: a row that small nets read holds no finite numbers. move: whose row, for prospects."""
    for i in range(number):
        x = float(row[i])
        problem = faults.UNWRITTEN if x == UNTOUCHED else faults.NOTHING if np.isfinite(x) else faults.NUMBER
        if problem != faults.NOTHING:
            desk["a"], desk["b"], desk["x"] = i, move, x
            return blame(desk, rule, problem)
        note(desk, rule, ZERO, x * (i + 1))
    return False


@compiled
def beyond(rows, desk, rule):
    """Whether to stop: something was written into the guards, the first row and the last."""
    for i in range(0, rows.shape[0], rows.shape[0] - 1):
        for x in rows[i]:
            if x != UNTOUCHED:
                return blame(desk, rule, faults.OVERRUN)
    return False


@compiled
def bad_sight(slots, moves, n, desk):
    """Whether to stop: what small nets read of the position, or of one of its n legal moves, is broken."""
    rows, rule = desk["overview"], faults.IN_OVERVIEW
    rows[:] = UNTOUCHED
    if OVERVIEW > 0:
        overview(slots[HERE], rows[1])
        if disturbed(slots, desk, rule) or beyond(rows, desk, rule) or bad_row(rows[1], OVERVIEW, NONE, desk, rule):
            return desk["problem"] != faults.NOTHING
    rows, rule = desk["prospects"], faults.IN_PROSPECTS
    if PROSPECTS == 0:
        return False
    rows[:] = 0.0
    for i in range(PROSPECTS):
        rows[0, i] = UNTOUCHED
        rows[MOVES + 1, i] = UNTOUCHED
    prospects(slots[HERE], rows[1 : MOVES + 1])
    if disturbed(slots, desk, rule) or beyond(rows, desk, rule):
        return desk["problem"] != faults.NOTHING
    desk["stamp"] += 1
    for i in range(n):
        desk["seen"][moves[0, i]] = desk["stamp"]
    for move in range(MOVES):
        row = rows[move + 1]
        if bad_row(row, PROSPECTS, move, desk, rule):
            return True
        for x in row:
            if x != 0.0 and desk["seen"][move] != desk["stamp"]:
                desk["b"] = move
                return blame(desk, rule, faults.ILLEGAL)
    return False


@compiled
def judged(slots, slot, desk):
    """evaluate(), checked; puts it into desk["value"]. Returns whether to stop."""
    x = float(evaluate(slots[slot]))
    desk["value"] = x
    if disturbed(slots, desk, faults.IN_EVALUATE):
        return True
    if not RESULTS[0] <= x <= RESULTS[-1]:
        desk["x"] = x
        return blame(desk, faults.IN_EVALUATE, faults.NUMBER)
    return False


@compiled
def bad_noisy(slots, moves, n, desk):
    """Whether to stop: `noisy` writes a move that is not among the n legal ones."""
    clear(moves[1])
    count = int(noisy(slots[HERE], moves[1]))
    rule = faults.IN_NOISY
    if disturbed(slots, desk, rule) or bad_list(moves[1], count, NONE, np.int64(MOVES), desk, rule):
        return desk["problem"] != faults.NOTHING
    desk["stamp"] += 1
    for i in range(n):
        desk["seen"][moves[0, i]] = desk["stamp"]
    for i in range(count):
        note(desk, rule, np.uint64(moves[1, i]), 0.0)
        if desk["seen"][moves[1, i]] != desk["stamp"]:
            desk["a"] = moves[1, i]
            return blame(desk, rule, faults.ILLEGAL)
    return False


@compiled
def unlike_image(slots, moves, n, index, value, who, end, desk):
    """Whether to stop: a random symmetry of the position is no symmetry."""
    k = 1 + draw_below(desk["dice"], SYMMETRIES - 1)
    desk["a"] = k
    slots[COPY] = slots[HERE]
    transform(slots[COPY], NONE)
    if hash_record(slots[COPY]) != desk["marks"][HERE] and blame(desk, faults.IN_TRANSFORM, faults.IDENTITY):
        return True
    slots[IMAGE] = slots[HERE]
    transform(slots[IMAGE], k)
    if overrun(slots, desk, faults.IN_TRANSFORM):
        return True
    note(desk, faults.IN_TRANSFORM, np.uint64(key(slots[IMAGE])), 0.0)
    slots[COPY] = slots[IMAGE]
    turns = 1
    while turns < TURNS and key(slots[COPY]) != key(slots[HERE]):
        transform(slots[COPY], k)
        turns += 1
    problem = faults.NOTHING
    if turns == TURNS:
        problem = faults.NO_WAY_BACK
    elif mover(slots[IMAGE]) != who:
        problem = faults.IMAGE_MOVER
    elif result(slots[IMAGE]) != end:
        problem = faults.IMAGE_RESULT
    if problem != faults.NOTHING:
        return blame(desk, faults.IN_TRANSFORM, problem)
    if end != ONGOING or who == CHANCE:
        return False
    if EVALUATES:
        x = desk["value"]
        if judged(slots, IMAGE, desk):
            return True
        if abs(desk["value"] - x) > CLOSE and blame(desk, faults.IN_TRANSFORM, faults.IMAGE_VALUE):
            return True
    if FEATURES > 0 and unlike_inputs(slots, index, value, k, desk):
        return True
    return unlike_moves(slots, moves, n, k, desk)


@compiled
def unlike_inputs(slots, index, value, k, desk):
    """Whether to stop: the image in IMAGE has other inputs than the position, apart from where they stand."""
    first = VIEWER if VIEWER >= 0 else 0
    last = VIEWER if VIEWER >= 0 else 1
    for viewer in range(first, last + 1):
        if not inputs(slots, viewer, IMAGES, index, value, desk):
            return desk["problem"] != faults.NOTHING
        for i in range(3):
            here = desk["sums"][viewer, i]
            if abs(desk["sums"][2, i] - here) > CLOSE * (1.0 + abs(here)):
                desk["a"] = k
                return blame(desk, faults.IN_TRANSFORM, faults.IMAGE_FEATURES)
    return False


@compiled
def unlike_moves(slots, moves, n, k, desk):
    """Whether to stop: moves of the image in IMAGE are not the images of the moves, or lead elsewhere."""
    clear(moves[1])
    count = int(legal(slots[IMAGE], moves[1]))
    desk["stamp"] += 1
    for i in range(n):
        m = int(transform_move(moves[0, i], k))
        if m < 0 or m >= MOVES:
            desk["a"] = m
            return blame(desk, faults.IN_TRANSFORM_MOVE, faults.VALUE)
        note(desk, faults.IN_TRANSFORM_MOVE, np.uint64(m), 0.0)
        desk["seen"][m] = desk["stamp"]
    same = count == n
    for i in range(min(count, n)):
        same = same and 0 <= moves[1, i] < MOVES and desk["seen"][moves[1, i]] == desk["stamp"]
    if not same:
        return blame(desk, faults.IN_TRANSFORM, faults.IMAGE_MOVES)
    move = moves[0, draw_below(desk["dice"], n)]
    slots[COPY] = slots[HERE]
    play(slots[COPY], move)
    transform(slots[COPY], k)
    play(slots[IMAGE], transform_move(move, k))
    if key(slots[COPY]) != key(slots[IMAGE]):
        desk["b"] = move
        return blame(desk, faults.IN_TRANSFORM, faults.IMAGE_PLAY)
    return False


@compiled
def check_position(slots, moves, n, index, value, who, end, desk):
    """Whether to stop: a rule that nets and searches ask is broken here."""
    if end == ONGOING:
        if FEATURES > 0 and bad_features(slots, index, value, desk):
            return True
        if who != CHANCE:
            if bad_noisy(slots, moves, n, desk):
                return True
            if OVERVIEW + PROSPECTS > 0 and bad_sight(slots, moves, n, desk):
                return True
            if EVALUATES:
                if judged(slots, HERE, desk):
                    return True
                note(desk, faults.IN_EVALUATE, ZERO, desk["value"])
    if bad_asides(slots, moves, n, index, value, who, end, desk):
        return True
    return SYMMETRIES > 1 and unlike_image(slots, moves, n, index, value, who, end, desk)
