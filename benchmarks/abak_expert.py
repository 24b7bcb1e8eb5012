"""What each rule of Abak's expert is worth, and a search for better weights, by matches of the expert with itself.

    python -m benchmarks.abak_expert rules  [--games 4000] [--seed 1]
    python -m benchmarks.abak_expert search [--games 2000] [--steps 60] [--seed 1]

`rules` plays the expert against itself with one rule left out at a time: the points a game that are lost without it.
`search` climbs: a step changes six weights by up to half, keeping their signs, plays the changed against the best so
far, and keeps it where it wins more points than one standard error; the end is measured against the beginning. Both
games of a pair have the same dice. One thread; the same seed prints the same.
"""

import argparse
import time
from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.games.abak_expert import RULES, WEIGHTS, weighed
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.tables import RESULTS, chance, mover, play, result
from sparring.records import copy_record
from sparring.rng import draw_index, seeded
from sparring.search.turns import room_dtype

GAME = load("abak")
all_turns = GAME.bind("search.turns").all_turns
LONGEST = 2000  # turns after which a game counts nothing
CHANGED, MOST = 6, 0.5  # weights a step changes, and by which share at most


@compiled
def points(here, room, weights, outcomes, chances, rng):
    """Points that player 0 wins, when player i judges by weights[i] (2, rules, 2)."""
    state = here[0]
    for _ in range(LONGEST):
        while result(state) == ONGOING and mover(state) == CHANCE:
            n = chance(state, outcomes, chances)
            play(state, np.int64(outcomes[draw_index(rng, chances, n)]))
        n, who, best, top = all_turns(state, room), mover(state), 0, -1e18
        for i in range(n):
            end = result(room["states"][i])
            value = 1e9 if end != ONGOING else weighed(room["states"][i], who, weights[who])
            if value > top:
                best, top = i, value
        copy_record(room["states"][best], state)
        if result(state) != ONGOING:
            return RESULTS[result(state)]
    return 0.0


class Arena:
    """Matches of two sets of weights."""

    def __init__(self) -> None:
        self.room: Any = np.zeros(1, room_dtype(GAME))[0]
        self.dice = np.zeros(GAME.MOST_MOVES, np.int32), np.zeros(GAME.MOST_MOVES)

    def match(self, a: np.ndarray, b: np.ndarray, games: int, *seed: int) -> tuple[float, float]:
        """(points a game for a, standard error) of pairs with the same dice."""
        pairs = []
        for i in range(games // 2):
            first = points(GAME.states(1), self.room, np.array([a, b]), *self.dice, seeded(*seed, i))
            second = points(GAME.states(1), self.room, np.array([b, a]), *self.dice, seeded(*seed, i))
            pairs.append((first - second) / 2)
        return float(np.mean(pairs)), float(np.std(pairs) / len(pairs) ** 0.5)


def rules(games: int, seed: int) -> None:
    """What each rule is worth."""
    arena = Arena()
    for k, (name, *_) in enumerate(RULES):
        without = WEIGHTS.copy()
        without[k] = 0
        mean, error = arena.match(WEIGHTS, without, games, seed)
        print(f"{name:14} {mean:+.3f} ± {error:.3f} points a game", flush=True)


def search(games: int, steps: int, seed: int) -> None:
    """Better weights."""
    arena, random, began = Arena(), np.random.default_rng(seed), time.perf_counter()
    best = WEIGHTS.copy()
    for step in range(1, steps + 1):
        tried = best.copy()
        for k in random.choice(tried.size, CHANGED, replace=False):
            tried.flat[k] *= 1 + random.uniform(-MOST, MOST)
        mean, error = arena.match(tried, best, games, seed, step)
        kept = mean > error
        best = tried if kept else best
        minutes = (time.perf_counter() - began) / 60
        print(f"{step:3} {minutes:5.1f} min {mean:+.3f} ± {error:.3f} {'kept' if kept else ''}", flush=True)
    mean, error = arena.match(best, WEIGHTS, 10 * games, seed, 0)
    print(f"in the end {mean:+.3f} ± {error:.3f} points a game against the first weights")
    for (name, *_), (ours, theirs) in zip(RULES, best, strict=True):
        print(f'    ("{name}", {ours:.2g}, {theirs:.2g}),')


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rules", "search"))
    parser.add_argument("--games", type=int)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "rules":
        rules(asked.games or 4000, asked.seed)
    else:
        search(asked.games or 2000, asked.steps, asked.seed)


if __name__ == "__main__":
    main()
