"""Plays a bot for codingame.com against ours over pipes, as the site's referee does, and tells what went wrong.

    python benchmarks/codingame.py tron.py --games 200

The bot comes as every player of two, three and four. Its opponents are those of the rules file, a random one, and one
that is soon out. An overrun is an answer that took more than a second, or more than 100 ms after the first turn. On a
machine that does other work at the same time overruns say nothing about the bot.
"""

import argparse
import pathlib
import random
import statistics
import sys
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "app"))
from tron_referee import HEIGHT, WIDTH, Ours, Program, Random, referee

from sparring.games.game import load

SHOWN = 20  # faults


def main():
    """Play the games, print a line about each kind and what went wrong."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("bot")
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    if not pathlib.Path(options.bot).is_file():
        asked.error(f"there is no file {options.bot}")
    game, chance = load("light-cycles"), random.Random(options.seed)
    voronoi, floodfill = Ours(game, "voronoi"), Ours(game, "floodfill")
    won, played, wrong, first, slowest, memory = Counter(), Counter(), [], [], [], []
    for number in range(options.games):
        players = 2 + number % 3
        own = number // 3 % players
        others = [voronoi, floodfill, Random(number), Random(number, reckless=True)]
        rivals = [others[number // 9 % 4]] if players == 2 else chance.sample(others, players - 1)
        kind = (
            f"{players} players"
            if players > 2
            else f"against {('voronoi', 'floodfill', 'random', 'reckless')[number // 9 % 4]}"
        )
        seats = [*rivals[:own], Program(options.bot), *rivals[own:]]
        cells = chance.sample([(x, y) for y in range(HEIGHT) for x in range(WIDTH)], players)
        report = referee(seats, cells)
        played[kind] += 1
        won[kind] += report.winner == own
        first.append(report.first[own])
        memory.append(report.memory[own])
        slowest.append(report.slowest.get(own, 0.0))
        about = f"game {number} ({kind}, player {own})"
        wrong += [f"{about}: {words}" for player, words in report.faults if player == own]
        wrong += [f"{about}: overrun"] * (own in report.late)
        wrong += [f"{about}: {text.strip()}" for player, text in report.notes.items() if player == own]
    for kind in sorted(played):
        print(f"{kind}: won {won[kind]} of {played[kind]} ({won[kind] / played[kind]:.3f})")
    print(f"slowest turn: first {max(first) * 1e3:.0f} ms (median {statistics.median(first) * 1e3:.0f}), ", end="")
    print(f"later {max(slowest) * 1e3:.1f} ms (median of the games' slowest {statistics.median(slowest) * 1e3:.1f})")
    print(f"memory: {max(memory) / 1e6:.0f} MB at most")
    print(f"faults and overruns: {len(wrong)} in {options.games} games")
    for line in wrong[:SHOWN]:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
