"""What our own nets for backgammon see, once more, slow and obvious: by places of checkers and all 36 rolls."""

import numpy as np
from reference_abak_features import ROLLS, arrivals, risks, strikes
from reference_tables import Table

POINTS = range(1, 25)


def tesauro(table: Table, viewer: int) -> np.ndarray:
    """The 198 inputs of TD-Gammon."""
    found = []
    for side in (viewer, 1 - viewer):
        for own in POINTS:
            n = sum(c[0] == side for c in table.at(side, own))
            found += [float(n >= 1), float(n >= 2), float(n >= 3), max(n - 3, 0) / 2]
        found += [len(table.on_bar(side)) / 2, table.everywhere(side).count(0) / 15]
    return np.array([*found, float(table.turn == viewer), float(table.turn != viewer)], np.float32)


def race(table: Table) -> bool:
    return max(table.everywhere(0), default=0) + max(table.everywhere(1), default=0) < 25


def hit_at_all(table: Table, side: int) -> float:
    def hits(roll: tuple[int, int]) -> bool:
        arrived = arrivals(table, 1 - side, roll)
        return any(walked <= 12 and strikes(table, 1 - side, c, at) for c, at, walked in arrived)

    return sum(map(hits, ROLLS)) / 36


def plays_whole(table: Table, side: int, own: int) -> float:
    """By one of the two dice first, then to the end; of a double two steps."""

    def open_(to: int) -> bool:
        return to < 1 or len(table.free(side, to, 1 - side)) < 2

    return sum((open_(own - a) or open_(own - b)) and open_(own - a - b) for a, b in ROLLS) / 36


def counted(table: Table, side: int) -> list[float]:
    """The fifty of a side."""
    found = np.zeros(50)
    places = table.everywhere(side)
    if not race(table):
        threat = risks(table, side)
        lone = [own for own in POINTS if len(table.at(side, own)) == 1 and table.at(side, own)[0][0] == side]
        for own in lone:
            found[own - 1] = threat[own][1]
        found[24] = hit_at_all(table, side) if lone else 0
        for own in set(places) & set(range(7, 25)):
            found[25 + own - 7] = plays_whole(table, side, own)
        found[43] = 1 - min(plays_whole(table, side, own) for own in range(16, 26))
        found[44] = found[43] ** 2
        shut = sum(len(table.free(side, own, 1 - side)) >= 2 for own in range(19, 25))
        found[45] = shut**2 / 36
        found[46] = found[45] if 25 in places else 0
    found[47] = sum(places) / 100
    found[48] = sum(max(own - 6, 0) for own in places) / 100
    found[49] = 0 not in places
    return found.tolist()


def features(table: Table, viewer: int) -> np.ndarray:
    plain = tesauro(table, viewer)
    again = plain[:196] if race(table) else np.zeros(196)
    more = [*counted(table, viewer), *counted(table, 1 - viewer), float(not race(table)), *again]
    return np.concatenate([plain, more]).astype(np.float32)
