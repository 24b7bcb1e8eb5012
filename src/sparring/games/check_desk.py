"""The desk of `sparring check`: what a checked game writes down, and the checks that need no rule.

A function that returns "whether to stop" has found a fault of a new kind, or one after which the game cannot go on;
what it found is then noted on the desk.
"""

from typing import TYPE_CHECKING

import numpy as np

from sparring.compiled import compiled
from sparring.games import faults
from sparring.games.contract import RULES
from sparring.records import hash_record
from sparring.rng import scramble

if TYPE_CHECKING:
    from sparring.games.game import Game

HERE, COPY, IMAGE, BLANK = (np.int64(i) for i in (1, 3, 5, 7))
"""Positions in `slots`, guards between them; BLANK holds zeros. No literals: each would be compiled anew."""

UNTOUCHED = -1234567  # fills buffers, so that what a rule wrote can be told
GUARD = 64  # how much longer buffers are than the rules may use
TRACED = 1024  # the plies of a game that leave a trace
ENTRIES = 1 << 17  # of the table of positions, a power of two

ENTRY = np.dtype(
    [
        *(("key", "u8"), ("mark", "u8"), ("who", "i4"), ("end", "i4")),  # mark: a sum over its legal moves
        *(("game", "i8"), ("ply", "i4"), ("times", "i4")),  # the last game it was in, + 1; where first there; how often
    ]
)
"""A position that was met; game is 0 where there is none."""


def desk_dtype(game: "Game") -> np.dtype:
    """One record with all that the kernels are told and write down."""
    rules, kinds = len(RULES) + 1, len(faults.PROBLEMS)  # and the bots
    seen, prospects = max(game.OVERVIEW, 1), max(game.PROSPECTS, 1)
    return np.dtype(
        [
            *(("seed", "u8"), ("rng", "u8", (1,)), ("dice", "u8", (1,)), ("game", "i8"), ("ply", "i8")),
            ("patience", "i8"),  # a game is left after so many moves
            *(("problem", "i8"), ("rule", "i8"), ("a", "i8"), ("b", "i8"), ("c", "i8"), ("x", "f8")),  # the fault
            ("known", "i1", (rules, kinds)),  # kinds of faults that are not told again
            ("marks", "u8", (8,)),  # hashes of the slots, to see whether a rule changed one
            *(("stamp", "i8"), ("seen", "i8", (max(game.MOVES, game.FEATURES),))),  # seen[i] == stamp: i is in the set
            *(("table", ENTRY, (ENTRIES,)), ("entries", "i8"), ("times", "i8")),  # times: occurrences of this position
            *(("sums", "f8", (3, 3)), ("value", "f8"), ("told_apart", "i8")),  # inputs by row: number, sum, squares
            *(
                ("overview", "f4", (3, seen)),
                ("prospects", "f4", (game.MOVES + 2, prospects)),
            ),  # a guard row at each end
            *(("finished", "i8"), ("plies", "i8"), ("longest", "i8"), ("ends", "i8", (len(game.RESULTS) + 2,))),
            *(("decisions", "i8"), ("choices", "i8"), ("most_choices", "i8")),
            *(("tracing", "i8"), ("trace", "u8", (TRACED, rules)), ("worth", "f8", (TRACED, rules))),
        ],
        align=True,
    )


@compiled
def blame(desk, rule, problem):
    """Note a fault, about which a, b, c and x tell more. Returns whether it is the first of its kind."""
    if desk["known"][rule, problem]:
        return False
    desk["rule"], desk["problem"] = rule, problem
    return True


@compiled
def note(desk, rule, seen, number):
    """Add what a rule gave to the trace of the game: a uint64, and a number that may differ in the last digits."""
    ply = desk["ply"]
    if desk["tracing"] and ply < TRACED:
        desk["trace"][ply, rule] = scramble(desk["trace"][ply, rule] ^ seen)
        desk["worth"][ply, rule] += number


@compiled
def disturbed(slots, desk, rule):
    """Whether to stop: the rule changed the position, or a guard beside it."""
    if hash_record(slots[HERE]) != desk["marks"][HERE]:
        blame(desk, rule, faults.CHANGED)
        return True
    return overrun(slots, desk, rule)


@compiled
def overrun(slots, desk, rule):
    """Whether to stop: a guard changed."""
    for i in range(0, BLANK, 2):
        if hash_record(slots[i]) != desk["marks"][i]:
            blame(desk, rule, faults.OUTSIDE)
            return True
    return False


@compiled
def clear(numbers):
    """Fill a buffer with what no rule writes."""
    for i in range(numbers.shape[0]):
        numbers[i] = UNTOUCHED


@compiled
def bad_list(numbers, n, least, below, desk, rule):
    """Whether a buffer fails to hold n different numbers below `below`, n at least `least`."""
    most = numbers.shape[0] - GUARD
    desk["a"] = n
    for i in range(most, numbers.shape[0]):
        if numbers[i] != UNTOUCHED:
            blame(desk, rule, faults.OVERRUN)
            return True
    if n < least or n > most:
        blame(desk, rule, faults.COUNT)
        return True
    desk["stamp"] += 1
    for i in range(n):
        number = int(numbers[i])
        problem = faults.NOTHING
        if number == UNTOUCHED:
            problem = faults.UNWRITTEN
        elif number < 0 or number >= below:
            problem = faults.RANGE
        elif desk["seen"][number] == desk["stamp"]:
            problem = faults.TWICE
        if problem != faults.NOTHING:
            desk["a"] = n if problem == faults.UNWRITTEN else number
            desk["b"] = i
            blame(desk, rule, problem)
            return True
        desk["seen"][number] = desk["stamp"]
    return False


@compiled
def bad_chances(outcomes, probabilities, n, desk):
    """Whether the chances of the n outcomes are no probabilities."""
    total = 0.0
    for i in range(n):
        p = probabilities[i]
        if not 0.0 <= p <= 1.0:
            desk["a"], desk["x"] = outcomes[i], p
            blame(desk, faults.IN_CHANCE, faults.NUMBER)
            return True
        total += p
    if abs(total - 1.0) > 1e-9:
        desk["x"] = total
        blame(desk, faults.IN_CHANCE, faults.SUM)
        return True
    return False
