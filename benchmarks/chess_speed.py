"""How fast chess is: perft beside Stockfish's in one run, and the search with a net and without, one core.

python benchmarks/chess_speed.py [--net FILE ...] [--rounds R] [--nodes N] [--stockfish PATH]
Medians over the rounds, in which all take turns. Without Stockfish (Debian: apt install stockfish) its column is empty.
"""

import argparse
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable

import numpy as np

from sparring.games.game import Game, load
from sparring.games.walk import count_lines
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PERFT = ((START, 6), (KIWIPETE, 5))
SEARCHED = (
    START,
    KIWIPETE,
    "r1bq1rk1/ppp1nppp/2n1p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQ1RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
)


def seconds(work: Callable[[], object]) -> float:
    """By the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def stockfish(program: str, fen: str, depth: int) -> None:
    """Its perft, start included, which is some hundredths of a second."""
    said = f"position fen {fen}\ngo perft {depth}\nquit\n"
    subprocess.run([program], input=said, capture_output=True, text=True, check=True)


def main() -> None:
    """A line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    told = parser.parse_args()
    game, program = load("chess"), shutil.which(told.stockfish)
    for fen, depth in PERFT:
        beside(game, program, fen, depth, told.rounds)
    searchers = {name: Searcher(game, judging.by_rules(game, name), 1 << 20) for name in ("material", "evaluate")}
    searchers |= {path: Searcher(game, judging.strongest(game, path), 1 << 20) for path in told.net}
    rates: dict[str, list[float]] = {name: [] for name in searchers}
    for _ in range(told.rounds):
        for name, searcher in searchers.items():
            rates[name].append(rate(game, searcher, told.nodes))
    for name, found in rates.items():
        low, high = min(found), max(found)
        print(f"search, {name}: {statistics.median(found):.2f} M nodes/s ({low:.2f} to {high:.2f})", flush=True)


def beside(game: Game, program: str | None, fen: str, depth: int, rounds: int) -> None:
    """Perft of both by turns."""
    state, own, other = game.module.position(fen), [], []
    lines = count_lines(game, state, depth)
    for _ in range(rounds):
        own.append(seconds(lambda: count_lines(game, state, depth)))
        if program:
            other.append(seconds(lambda: stockfish(program, fen, depth)))
    ours = statistics.median(own)
    told = f"perft {depth} of {fen.split()[0][:22]}…: {lines:,} lines, {lines / ours / 1e6:.0f} M/s"
    if other:
        theirs = statistics.median(other)
        told += f", Stockfish {lines / theirs / 1e6:.0f} M/s, ratio {theirs / ours:.2f}"
    print(told, flush=True)


def rate(game: Game, searcher: Searcher, nodes: int) -> float:
    """Million nodes a second over all positions, an empty table at each."""
    visited, took = 0, 0.0
    for fen in SEARCHED:
        searcher.begin_game()
        state = np.array([game.module.position(fen)], game.STATE)[0]
        began = time.perf_counter()
        visited += searcher.think(state, Limits(nodes=nodes)).nodes
        took += time.perf_counter() - began
    return visited / took / 1e6


if __name__ == "__main__":
    main()
