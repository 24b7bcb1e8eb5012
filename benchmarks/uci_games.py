"""Plays our engine, as the program that GUIs start, against Stockfish or another engine by a fast clock.

    python benchmarks/uci_games.py --games 500 --tc 1+0.01 --net NET

Reports losses on time and illegal moves of both, of which ours must be 0, and the score. Each worker plays one game at
a time, whose players never think at once: with as many workers as cores, clocks are fair.
"""

import argparse
import json
import shlex
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from sparring.app.pgn_file import PgnFile
from sparring.arena.match import play_pairs
from sparring.arena.player import Entry, parse_player
from sparring.arena.stats import PairCounts, describe
from sparring.games.game import load


def options() -> argparse.Namespace:
    """What to play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=500, help="even")
    parser.add_argument("--tc", default="1+0.01", help="seconds and seconds a move")
    parser.add_argument("--net", default="", help="file of our net; by default the one that comes with the package")
    parser.add_argument("--engine", default="stockfish", help="the opponent's program")
    parser.add_argument("--elo", type=int, default=1800, help="UCI_Elo of the opponent; 0: its full strength")
    parser.add_argument("--inside", action="store_true", help="ours plays inside this process, not as a program")
    parser.add_argument("--threads", type=int, default=1, help="games at once")
    parser.add_argument("--opening", type=int, default=6, help="random moves first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pgn", default="", help="file that games are appended to")
    return parser.parse_args()


def players(asked: argparse.Namespace) -> tuple[Entry, Entry]:
    """Ours and the other."""
    game = load("chess")
    ours = f"uci:{shlex.quote(sys.executable)} -m sparring uci"
    ours += f" --net {shlex.quote(asked.net)}" if asked.net else ""
    if asked.inside:
        ours = f"alphabeta:net={asked.net}" if asked.net else "alphabeta:judge=material"
    program = shutil.which(asked.engine) or shutil.which(f"/usr/games/{asked.engine}") or asked.engine
    weaker = f",option.UCI_LimitStrength=true,option.UCI_Elo={asked.elo}" if asked.elo else ""
    return (
        parse_player(f"{ours}{',' if ':' in ours else ':'}tc={asked.tc}", game),
        parse_player(f"uci:{program},tc={asked.tc},option.Hash=16{weaker}", game),
    )


def main() -> int:
    """Plays and reports; 1 if ours lost on time, played what is not legal, or died."""
    asked = options()
    game, (ours, other) = load("chess"), players(asked)
    file = PgnFile(Path(asked.pgn), game, ours, other) if asked.pgn else None
    faults, scores, moves, began = Counter[str](), list[float](), 0, time.perf_counter()
    pairs = range(asked.games // 2)
    for pair in play_pairs(game, ours, other, pairs, opening=asked.opening, seed=asked.seed, threads=asked.threads):
        scores.append(pair.score)
        if file:
            file.add(pair)
        for record in pair.games:
            moves += len(record.moves)
            if record.fault:
                who = "other" if record.points else "ours"
                faults[f"{who}: {record.fault.kind}"] += 1
                print(f"pair {pair.number}: {who}: {record.fault.reason}", file=sys.stderr, flush=True)
    counts, seconds = PairCounts.of(scores), time.perf_counter() - began
    print(f"{counts.games} games at {asked.tc}, {moves} moves, {seconds:.0f} s: {ours.label} against {other.label}")
    print(describe(counts))
    print(json.dumps({"games": counts.games, "moves": moves, "faults": dict(faults)}))
    return int(any(fault.startswith("ours") for fault in faults))


if __name__ == "__main__":
    sys.exit(main())
