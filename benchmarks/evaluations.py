"""Evaluations a second on one core: all plays of a roll of backgammon by a net of 198-80-6, and by GNU Backgammon's.

    python -m benchmarks.evaluations [--rounds 7] [--rolls 1000] [--hidden 80] [--seed 1] [--json]

Both are asked for the best play of the same rolls, in turn: ours lists the plays and judges each, and so does GNU
Backgammon's 0-ply, by its own nets, which see 250 inputs (214 in races) through 128 hidden units, and its bear-off
tables. Counted are the plays, distinct by where they end, of rolls that have more than one; both list the same number.
Positions are those of games that pubeval plays with itself, new ones every round, for GNU Backgammon remembers what it
has evaluated. Medians of the rounds, with the least and the most, by the time of the processor. Needs gnubg-nn.

Ours runs all rolls in one compiled call, as self-play does; GNU Backgammon gets a call from Python for each roll. How
long such calls take where it remembers every play is told too: all that is not evaluating, and some looking up.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time
from typing import Any

import numpy as np

from sparring.arena import outside
from sparring.compiled import compiled
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game, load
from sparring.learn.run import machine
from sparring.nets.mlp import new_net
from sparring.rng import draw_index, seeded
from sparring.search.turns import judge_by

RULES = pathlib.Path(__file__).with_name("backgammon_198.py")
ACTIVE = 26.0  # inputs that are set at once, for the untrained net's spread
OURS, LISTED, GNUBG, KNOWN = "ours", "ours, plays only listed", "GNU Backgammon", "GNU Backgammon, remembered"


class Rolls:
    """Rolls of one round, as both sides want them. plays: how many there are in all."""

    def __init__(self, game: Game, package: Any, wanted: int, rng: np.ndarray) -> None:
        pubeval = outside.OutsideJudge(game, package, 0, pubeval=True)
        outcomes, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
        states: list[np.void] = []
        self.asked: list[tuple[outside.Board, int, int]] = []
        self.plays = 0
        state = game.states(1)[0]
        while len(states) < wanted:
            if game.result(state) != ONGOING:
                state = game.states(1)[0]
            while game.mover(state) == CHANCE:
                n = game.chance(state, outcomes, chances)
                game.play(state, int(outcomes[draw_index(rng, chances, n)]))
            pubeval.kernels.lay_out(state, int(game.mover(state)), pubeval.board)
            board, (high, low) = pubeval.board.tolist(), state["dice"].tolist()
            plays = int(pubeval.all_turns(state, pubeval.room))
            if plays > 1:
                theirs = len(package.moves(board, high, low))
                assert theirs == plays, f"GNU Backgammon lists {theirs} plays, ours are {plays}: {game.draw(state)}"
                states.append(state.copy())
                self.asked.append((board, high, low))
                self.plays += plays
            state = game.after(state, *pubeval.choose(state))
        self.states = np.array(states, game.STATE)


def measure(package: Any, rounds: int, rolls: int, hidden: int, seed: int) -> dict[str, list[float]]:
    """Plays a second in each round, by who evaluates them."""
    game, rng = load(str(RULES)), seeded(seed)
    judge = judge_by(game, new_net(game, (hidden,), "results", ACTIVE, seed, "leaky"))
    best_turn, all_turns = judge.kernels["best_turn"], judge.kernels["all_turns"]
    room, work = judge.room()

    @compiled
    def judge_rolls(states, room, work):
        total = 0
        for i in range(states.shape[0]):
            total += best_turn(states[i], room, work)[1]
        return total

    @compiled
    def list_rolls(states, room):
        total = 0
        for i in range(states.shape[0]):
            total += all_turns(states[i], room)
        return total

    def theirs() -> None:
        for board, high, low in once.asked:
            package.best_move(board, high, low, n=0)

    found: dict[str, list[float]] = {}
    for i in range(rounds + 1):
        once = Rolls(game, package, rolls, rng)
        ways = {
            OURS: lambda: judge_rolls(once.states, room, work),  # noqa: B023, run before the next round
            LISTED: lambda: list_rolls(once.states, room),  # noqa: B023
            GNUBG: theirs,
            KNOWN: theirs,
        }
        for way, run in ways.items():
            began = time.process_time()
            counted = run()
            seconds = time.process_time() - began
            assert counted in (None, once.plays)
            if i:  # the first round compiles
                found.setdefault(way, []).append(once.plays / seconds)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rolls", type=int, default=1000, help="a round")
    parser.add_argument("--hidden", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print numbers for a program")
    asked = parser.parse_args()
    if not outside.installed():
        sys.exit("evaluations.py: GNU Backgammon's nets are not installed: pip install gnubg-nn")
    package = outside.needed(load("backgammon"), "gnubg")
    found = measure(package, asked.rounds, asked.rolls, asked.hidden, asked.seed)
    ratios = [a / b for a, b in zip(found[OURS], found[GNUBG], strict=True)]
    if asked.json:
        print(json.dumps({"evaluations_per_second": found, "ratio": statistics.median(ratios), "machine": machine()}))
        return
    print(f"plays of backgammon a second, 198-{asked.hidden}-6, {asked.rounds} rounds of {asked.rolls} rolls")
    for way, rates in found.items():
        print(f"{way:28} {statistics.median(rates):12,.0f}   {min(rates):,.0f} to {max(rates):,.0f}")
    print(f"ratio {statistics.median(ratios):.1f}, {min(ratios):.1f} to {max(ratios):.1f} in the single rounds")


if __name__ == "__main__":
    main()
