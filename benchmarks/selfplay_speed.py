"""How fast AlphaZero's self-play goes alone, nothing learned beside it: moves, simulations and evaluations a second.

    python -m benchmarks.selfplay_speed [GAME] [--net FILE] [--seconds 6] [--rounds 5] [--threads N] [--lookahead N]

With the settings that a run has by default, the net that comes with the package or another tower, and a cache that
begins empty and is warm after a round that does not count. Medians of the rounds, with the least and the most, by the
time that passed, and by the processor's time over the threads, which is what an idle machine would give.
"""

import argparse
import statistics
import time

from sparring.arena.player import SHIPPED
from sparring.games.game import load
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.derive import derive
from sparring.learn.fleet import ASKED, KNOWN, PLIES, SIMULATIONS
from sparring.learn.run import cores
from sparring.learn.treeplay import Crew, GameFleet, Shared
from sparring.nets import engines, weights
from sparring.search.gauge import longest_game


def measure(name: str, net: str, seconds: float, rounds: int, threads: int, lookahead: int) -> dict[str, list[float]]:
    """Counts a second in each round: moves, simulations, evaluations, and the share that the cache answered."""
    game = load(name)
    tower = weights.load_tower(SHIPPED / f"{game.name}_tower.safetensors" if net == "shipped" else net)
    settings, _ = derive(game, AlphaZeroSettings(lookahead=lookahead))
    shared = Shared(game, settings, longest_game(game))
    fleets = [GameFleet(shared, settings.lanes, k) for k in range(threads)]
    maker, line = engines.choose(tower, settings.lanes)
    print(line)
    for fleet in fleets:
        fleet.use(maker(tower), tower.digest)
        fleet.round()
    found: dict[str, list[float]] = {}
    for i in range(rounds + 1):
        before, began, worked = sum(f.counts.copy() for f in fleets), time.perf_counter(), time.process_time()
        with Crew(fleets, lambda rows: None):
            time.sleep(seconds)
        counts = sum(f.counts.copy() for f in fleets) - before
        passed, worked = time.perf_counter() - began, (time.process_time() - worked) / threads
        if i:
            for what, place in (("moves", PLIES), ("simulations", SIMULATIONS), ("evaluations", ASKED)):
                found.setdefault(f"{what}/s", []).append(counts[place] / passed)
                found.setdefault(f"{what}/s of the processor", []).append(counts[place] / worked)
            found.setdefault("% from the cache", []).append(100 * counts[KNOWN] / (counts[KNOWN] + counts[ASKED]))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="connect-four")
    parser.add_argument("--net", default="shipped")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--lookahead", type=int, default=-1)
    asked = parser.parse_args()
    found = measure(asked.game, asked.net, asked.seconds, asked.rounds, asked.threads, asked.lookahead)
    for what, rates in found.items():
        print(f"{what:32} {statistics.median(rates):10,.0f}   {min(rates):,.0f} to {max(rates):,.0f}")


if __name__ == "__main__":
    main()
