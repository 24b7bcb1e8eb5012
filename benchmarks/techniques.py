"""What each technique of the selective search is worth: matches of the whole search against it without that one.

python benchmarks/techniques.py [--net FILE] [--nodes N | --ms T] [--games G] [--only NAME ...]
Chess, made openings of six random moves, pairs; each match is an SPRT of 0 against 10 normalised Elo for the technique.
"""

import argparse
import os

from sparring.arena.match import play_pairs
from sparring.arena.player import parse_player
from sparring.arena.stats import Decision, PairCounts, estimate_elo, sprt
from sparring.games.game import load
from sparring.search.selective import SKILLS

LOW, HIGH = 0.0, 10.0


def main() -> None:
    """A line a technique."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="shipped", help="file of a net, or a function of the rules as eval=NAME")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--ms", type=float, default=0.0)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(SKILLS))
    told = parser.parse_args()
    game = load("chess")
    judge = told.net if told.net.startswith("eval=") else f"net={told.net}"
    limit = f"ms={told.ms:g}" if told.ms else f"nodes={told.nodes}"
    for name in told.only:
        whole = parse_player(f"alphabeta:{judge},{limit}", game)
        without = parse_player(f"alphabeta:{judge},{limit},without={name}", game)
        counts = PairCounts()
        pairs = range(told.games // 2)
        for pair in play_pairs(game, whole, without, pairs, opening=6, seed=told.seed, threads=os.cpu_count() or 1):
            counts += PairCounts.of([pair.score])
            if sprt(counts, LOW, HIGH).decision is not Decision.CONTINUE:
                break
        found, elo = sprt(counts, LOW, HIGH), estimate_elo(counts)
        bounds = f"{elo.elo:+.1f} [{elo.low:+.1f}, {elo.high:+.1f}]"
        print(f"{name:14} {bounds:24} {counts.games:5} games, LLR {found.llr:+.2f}, {found.decision}", flush=True)


if __name__ == "__main__":
    main()
