"""The 477 inputs of Abak's nets once more, slow and obvious: every checker walks by every roll."""

from functools import cache
from itertools import product

import numpy as np
from reference_tables import Checker, Table, own_number

FIRST = {"S": 0, "G": 9, "N": 11, "D": 12, "E": 13, "O": 14}  # place of the first checker of a class
ROLLS = list(product(range(1, 7), repeat=2))


def walks(table: Table, side: int, checker: Checker, own: int, dice: list[int]) -> list[tuple[int, int]]:
    """(own number, points walked) of the places where a checker arrives by one or more of the dice, in order."""
    arrived, walked = [], 0
    for die in dice:
        if walked and not (own > 0 and table.may_land(checker, own)):
            break
        own, walked = own - die, walked + die
        if own < 1 or not table.may_use(checker, die):
            break
        arrived.append((own, walked))
    return arrived


def arrivals(table: Table, side: int, roll: tuple[int, int]) -> list[tuple[Checker, int, int]]:
    """(checker, own number, points walked) of all that single checkers of `side` can do by a roll."""
    a, b = roll
    waiting = table.on_bar(side)
    enter = {d: [c for c in waiting if table.may_use(c, d) and table.may_land(c, 25 - d)] for d in roll}
    if a == b:
        rest = 4 - len(waiting)
        entered = len(enter[a]) == len(waiting)
        from_board = [[a] * rest] if rest > 0 and entered else []
        from_bar = [[a] * (1 + rest if rest > 0 and entered else 1)]
    elif not waiting:
        from_board, from_bar = [[a, b], [b, a]], []
    elif len(waiting) == 1:
        from_board = [[d] for d, other in ((a, b), (b, a)) if enter[other]]
        from_bar = [[a, b], [b, a]]
    else:
        from_board, from_bar = [], [[a], [b]]
    tops = [(own, table.at(side, own)[-1]) for own in range(1, 25) if table.at(side, own)]
    found = []
    for own, checker in [(own, c) for own, c in tops if c[0] == side]:
        for dice in from_board:
            found += [(checker, *place) for place in walks(table, side, checker, own, dice)]
            if checker[1] == "N":
                for die in dice[:1]:
                    if may_step_as_if_rolled(table, side, checker, own, die, "-"):
                        found.append((checker, own + die, 0))
    for checker in waiting:
        for dice in from_bar:
            found += [(checker, *place) for place in walks(table, side, checker, 25, dice)]
    return found


def may_step_as_if_rolled(table: Table, side: int, checker: Checker, own: int, die: int, way: str) -> bool:
    turn, table.turn = table.turn, side
    may = table.may_use(checker, die) and table.may_step(checker, own, die, way)
    table.turn = turn
    return may


def strikes(table: Table, side: int, checker: Checker, own: int) -> str:
    """What the checker does where it arrives: "hits", "traps" or nothing."""
    enemies = table.free(side, own, 1 - side)
    if len(enemies) != 1:
        return ""
    holds = enemies[0][1] == "D" and len(table.at(side, own)) > 1
    if checker[1] == "D" and 7 <= own <= 18 and not holds:
        return "traps"
    return "" if enemies[0][1] == "G" and checker[1] != "G" else "hits"


def risks(table: Table, side: int) -> dict[int, tuple[float, float, float]]:
    """By own number of `side`: chances that the other hits there from within 6, from within 12 points, or traps."""
    other = 1 - side
    counts = {own: [0, 0, 0] for own in range(1, 25)}
    for roll in ROLLS:
        events = set()
        for checker, place, walked in arrivals(table, other, roll):
            what = strikes(table, other, checker, place)
            own = 25 - place
            if what == "traps":
                events.add((own, 2))
            elif what == "hits":
                events |= {(own, i) for i, most in enumerate((6, 12)) if walked <= most}
        for own, i in events:
            counts[own][i] += 1
    return {own: tuple(n / 36 for n in ns) for own, ns in counts.items()}


def mobility(table: Table, side: int, checker: Checker, own: int) -> float:
    """The chance that a checker on top, or on the bar, can be moved by one of the dice of the next roll."""
    waiting = table.on_bar(side)

    @cache
    def enters(c: Checker, die: int) -> bool:
        return table.may_use(c, die) and table.may_land(c, 25 - die)

    @cache
    def steps(die: int) -> bool:
        return any(may_step_as_if_rolled(table, side, checker, own, die, way) for way in "+-")

    able = 0
    for a, b in ROLLS:
        if own == 25:
            able += enters(checker, a) or enters(checker, b)
        elif a == b:
            able += len(waiting) < 4 and all(enters(c, a) for c in waiting) and steps(a)
        elif len(waiting) == 1:
            able += any(enters(waiting[0], x) and steps(y) for x, y in ((a, b), (b, a)))
        elif not waiting:
            able += steps(a) or steps(b)
    return able / 36


def druid_may_come(table: Table, side: int, own: int) -> bool:
    druid = (1 - side, "D")
    places = [p for p in range(1, 25) if druid in table.at(1 - side, p)] + [25] * (druid in table.bar)
    return any(place > 25 - own for place in places)


def of_checkers(table: Table, side: int) -> np.ndarray:
    inputs = np.zeros((15, 14))
    taken = {letter: 0 for letter in FIRST}
    threat = risks(table, side)

    def row(letter: str) -> np.ndarray:
        taken[letter] += 1
        return inputs[FIRST[letter] + taken[letter] - 1]

    for checker in table.on_bar(side):
        row(checker[1])[[0, 3, 13]] = 1, 1, mobility(table, side, checker, 25)
    for own in range(24, 0, -1):
        stack = table.at(side, own)
        free = table.free(side, own, side)
        ours = [i for i, c in enumerate(stack) if c[0] == side]
        for i in ours:
            letter = stack[i][1]
            held = i < len(stack) - 1 and stack[i + 1] == (1 - side, "D")
            holding = i > 0 and stack[i - 1][0] != side
            alone = len(free) == 1 and not held
            at = row(letter)
            at[:3] = own / 25, sum(j > i for j in ours) / 4, sum(j < i for j in ours) / 4
            at[4] = own <= 6
            at[6] = not held and len(free) >= 2
            at[7] = alone and 7 <= own <= 18 and not holding and druid_may_come(table, side, own)
            at[8] = held
            at[9] = holding
            if alone:
                at[10:13] = threat[own]
            if i == len(stack) - 1:
                at[13] = mobility(table, side, stack[i], own)
    for checker in table.off:
        if checker[0] == side:
            row(checker[1])[5] = 1
    return inputs.ravel()


def of_team(table: Table, side: int) -> list[float]:
    places = table.everywhere(side)
    off = places.count(0)
    return [places.count(25) / 15, off / 15, max(places) <= 6, off == 0]


def strengths(table: Table, side: int, viewer: int) -> list[float]:
    found = []
    for place in range(1, 25):
        point = own_number(viewer, place)
        free = table.free(side, own_number(side, point), side)
        found.append(1.0 if len(free) >= 2 else 0.0 if not free else 0.5 if free[0][1] == "G" else 0.1)
    return found


def features(table: Table, viewer: int) -> np.ndarray:
    sides = (viewer, 1 - viewer)
    inputs = [*(of_checkers(table, s) for s in sides), *(of_team(table, s) for s in sides)]
    inputs += [strengths(table, s, viewer) for s in sides]
    return np.concatenate([*inputs, [table.turn == viewer]]).astype(np.float32)
