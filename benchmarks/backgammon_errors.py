"""What a player of backgammon loses a play, by GNU Backgammon's equities: far finer than a match of equal length.

    python -m benchmarks.backgammon_errors NET ... [--rolls 4000] [--plies 1] [--seed 5] [--set rolls.npz]

The rolls come from games of GNU Backgammon's 0-ply player with itself, in which one play of twenty is a random one.
Every play of such a roll gets GNU Backgammon's cubeless money equity, `--plies` ahead; a player loses the difference
between the best of them and the one that it chooses. NET: a net's file or a run's folder, `gnubg` (its 0-ply) or
`pubeval`. Printed are thousandths of a point, the mean with its standard error and by kind of position. To judge the
rolls takes minutes: they are kept in `--set`. Needs gnubg-nn; one thread.
"""

import argparse
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.equity import POINTS
from sparring.arena.outside import OutsideJudge, chances, needed
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.nets import weights
from sparring.search.turns import judge_by, room_dtype

GAME = load("backgammon")
TAKEN, LOOSE = 0.12, 0.05  # share of the plays that are judged, and that are random
DECIDED = 100.0  # pubeval's values go far beyond points
Value = Callable[[np.void, int], float]
KINDS = {"race": ("c_race", "c_bearoff"), "crashed": ("c_crashed",), "contact": ("c_contact",)}  # of the package


@dataclass(frozen=True)
class Rolls:
    """Rolls and all their plays. counts: (rolls,) how many plays. movers: (rolls,) whose. kinds: (rolls,) str.

    ends: (plies,) STATE, where each play ends. equities: (plays,) points a game for the mover.
    """

    counts: np.ndarray
    movers: np.ndarray
    kinds: np.ndarray
    ends: np.ndarray
    equities: np.ndarray


class Judged:
    """GNU Backgammon's judgements of positions after a turn."""

    def __init__(self, plies: int) -> None:
        self.package: Any = needed(GAME, "gnubg")
        self.plies = plies
        self.judge = OutsideJudge(GAME, self.package, 0)
        self.laid = np.zeros((2, 25), np.int64)

    def board(self, end: np.void, mover: int) -> list[list[int]]:
        """As the package wants it of one who rolls next."""
        self.judge.kernels.lay_out(end, 1 - mover, self.laid)
        return self.laid.tolist()

    def equity(self, end: np.void, mover: int) -> float:
        """Points a game for the mover."""
        return float(-chances(self.package.probabilities(self.board(end, mover), self.plies)) @ POINTS)

    def kind(self, end: np.void, mover: int) -> str:
        """One of KINDS, or "over" and the like."""
        kind = self.package.classify(self.board(end, mover))
        return next((name for name, all_ in KINDS.items() if kind in [getattr(self.package, k) for k in all_]), "other")


def worths(ends: np.ndarray, mover: int, value: Value, scale: float = 1.0) -> list[float]:
    """What ends of a turn are worth to the mover, and won and lost games their points times the scale."""
    found = []
    for end in ends:
        result = int(GAME.result(end))
        won = 0.0 if result == ONGOING else GAME.RESULTS[result] * (1 if mover == 0 else -1)
        found.append(scale * won if won else value(end, mover))
    return found


def judged_rolls(n: int, plies: int, seed: int) -> Rolls:
    """Play until n rolls are judged."""
    gnubg, random = Judged(plies), np.random.default_rng(seed)
    all_turns, room = GAME.bind("search.turns").all_turns, np.zeros(1, room_dtype(GAME))[0]
    numbers, odds = np.zeros(GAME.MOST_MOVES, np.int32), np.zeros(GAME.MOST_MOVES)
    found: list[tuple[np.ndarray, list[float], int, str]] = []
    state = GAME.states(1)[0]
    while len(found) < n:
        if GAME.result(state) != ONGOING:
            state = GAME.states(1)[0]
        mover = int(GAME.mover(state))
        if mover == CHANCE:
            outcomes = int(GAME.chance(state, numbers, odds))
            GAME.play(state, int(random.choice(numbers[:outcomes], p=odds[:outcomes])))
            continue
        plays = int(all_turns(state, room))
        ends = room["states"][:plays].copy()
        if plays > 1 and random.random() < TAKEN:
            found.append((ends, worths(ends, mover, gnubg.equity), mover, gnubg.kind(ends[0], mover)))
        if random.random() < LOOSE:
            state = ends[random.integers(plays) :][:1].copy()[0]
            continue
        for move in gnubg.judge.choose(state):
            GAME.play(state, move)
    all_ends, points, movers, kinds = zip(*found, strict=True)
    counts = np.array([len(ends) for ends in all_ends])
    return Rolls(counts, np.array(movers), np.array(kinds), np.concatenate(all_ends), np.concatenate(points))


def kept_rolls(file: pathlib.Path | None, n: int, plies: int, seed: int) -> Rolls:
    """Those in the file; judged and written there if there is none."""
    if file is not None and file.exists():
        with np.load(file) as kept:
            ends = np.frombuffer(kept["ends"].tobytes(), GAME.STATE)
            return Rolls(kept["counts"], kept["movers"], kept["kinds"], ends, kept["equities"])
    rolls = judged_rolls(n, plies, seed)
    if file is not None:
        arrays = vars(rolls) | {"ends": np.frombuffer(rolls.ends.tobytes(), np.uint8)}
        np.savez(file, **arrays)
    return rolls


def values_by(player: str) -> Value:
    """How a player values a position after a turn, for its mover."""
    if player == "gnubg":
        return Judged(0).equity
    if player == "pubeval":
        plain = Judged(0)
        return lambda end, mover: plain.package.pub_eval_score(plain.board(end, mover))
    judge = judge_by(GAME, weights.load_perceptron(player), near=False)
    record, outcome = judge.weights(), np.zeros(len(POINTS), np.float32)

    def value(end: np.void, mover: int) -> float:
        judge.kernels["outlook"](end, mover, False, record, outcome)
        return float(outcome @ POINTS)

    return value


def losses(rolls: Rolls, value: Value) -> np.ndarray:
    """(rolls,) what the player loses, in thousandths of a point."""
    found, at = np.zeros(len(rolls.counts)), 0
    for i, (count, mover) in enumerate(zip(rolls.counts.tolist(), rolls.movers.tolist(), strict=True)):
        ends, equities = rolls.ends[at : at + count], rolls.equities[at : at + count]
        at += count
        best = int(np.argmax(worths(ends, mover, value, scale=DECIDED)))
        found[i] = 1000.0 * (equities.max() - equities[best])
    return found


def main() -> None:
    """Print a line a player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+")
    parser.add_argument("--rolls", type=int, default=4000)
    parser.add_argument("--plies", type=int, default=1)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--set", type=pathlib.Path)
    asked = parser.parse_args()
    rolls = kept_rolls(asked.set, asked.rolls, asked.plies, asked.seed)
    shares = {kind: rolls.kinds == kind for kind in KINDS}
    print(f"{len(rolls.counts)} rolls, {len(rolls.ends)} plays; thousandths of a point lost a play")
    print(f"{'player':40} {'all':>14} " + " ".join(f"{f'{k} ({s.sum()})':>15}" for k, s in shares.items()))
    for player in asked.players:
        lost = losses(rolls, values_by(player))
        error = lost.std() / len(lost) ** 0.5
        print(f"{player:40} {lost.mean():7.2f} ± {error:4.2f} ", end="")
        print(" ".join(f"{lost[share].mean():15.2f}" for share in shares.values()), flush=True)


if __name__ == "__main__":
    main()
