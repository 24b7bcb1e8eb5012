"""Abak's match equity table, from how often a net that plays itself wins one, two and three points.

    python -m benchmarks.abak_match_table NET [--games 100000] [--length 25] [--seed 1] [--threads 1] [--out FILE]

Both sides take the turn after which the net sees the most points. The table (`arena/match_equity.py`) is written to
src/sparring/arena/equity_tables/abak.txt unless --out names another file, with the counts in its notes. The same seed
writes the same file, on any number of threads.
"""

import argparse
import pathlib

import numpy as np

from sparring.arena.match_equity import compute_table
from sparring.arena.match_table import TABLES
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.learn.turn_play import TurnPlay
from sparring.nets import weights
from sparring.nets.weights import Net

LONGEST = 3000  # turns after which a game counts nothing
PART = 500  # games at once: their positions are kept until they are over


def count(net: Net, games: int, seed: int, threads: int) -> tuple[np.ndarray, int]:
    """(how often each result came, lost by three … won by three by player 0; games cut off)."""
    play = TurnPlay(load("abak"), net, threads, LONGEST)
    counts, cut_off = np.zeros(6, np.int64), 0
    for part, at in enumerate(range(0, games, PART)):
        ends = play.play(net, min(PART, games - at), (seed, part), 0.0, 0.0).ends
        counts += np.bincount(ends[ends != ONGOING], minlength=6)
        cut_off += int((ends == ONGOING).sum())
        print(f"{at + len(ends)} games: {' '.join(map(str, counts))}", flush=True)
    return counts, cut_off


def notes(net: Net, counts: np.ndarray, cut_off: int, seed: int) -> str:
    """What the table's first lines say."""
    sizes = counts[3:] + counts[2::-1]
    shares = ", ".join(f"{n} ({n / sizes.sum():.2%})" for n in sizes)
    return "\n".join(
        [
            "Match equity table for Abak, written by benchmarks/abak_match_table.py.",
            f"{sizes.sum()} games of net {net.digest} against itself, seed {seed}, {cut_off} more without a result.",
            f"Won by one, two and three points: {shares}.",
            "By backward recursion with Janowski's model of the cube (sparring/arena/match_equity.py).",
            "Rows: points the player lacks; columns: points the opponent lacks. Last row: after the Crawford game.",
        ]
    )


def main() -> None:
    """Read the options, play, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--length", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=TABLES / "abak.txt")
    asked = parser.parse_args()
    net = weights.load_perceptron(asked.net)
    counts, cut_off = count(net, asked.games, asked.seed, asked.threads)
    compute_table(counts, asked.length, name="abak").save(asked.out, notes(net, counts, cut_off, asked.seed))
    print(f"written: {asked.out}")


if __name__ == "__main__":
    main()
