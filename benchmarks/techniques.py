"""What each technique of the selective search is worth: matches of the whole search against it without that one.

python benchmarks/techniques.py [--net FILE] [--nodes N | --ms T] [--games G] [--only NAME ...] [--ladder FILE]
Chess, made openings of six random moves, pairs, adjudicated; each match is an SPRT of 0 against 10 normalised Elo for
the technique. Ctrl+C loses nothing: the same command goes on, and with more --games it plays what it lacks. The ladder
does not know of which search its games are: begin another file when the search has changed.
"""

import argparse
import os
import pathlib

from sparring.app.contest import Contest, play_contest
from sparring.arena.player import parse_player
from sparring.arena.stats import estimate_elo
from sparring.arena.under_way import Terms
from sparring.games.game import load
from sparring.search.selective import SKILLS

TEST = (0.0, 10.0)


def main() -> None:
    """A line a technique."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="shipped", help="file of a net, or a function of the rules as eval=NAME")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--ms", type=float, default=0.0)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(SKILLS))
    parser.add_argument("--ladder", default="runs/techniques.sqlite")
    told = parser.parse_args()
    game, ladder = load("chess"), pathlib.Path(told.ladder)
    ladder.parent.mkdir(parents=True, exist_ok=True)
    judge = told.net if told.net.startswith("eval=") else f"net={told.net}"
    limit = f"ms={told.ms:g}" if told.ms else f"nodes={told.nodes}"
    whole = parse_player(f"alphabeta:{judge},{limit}", game)
    terms = Terms(opening=6, adjudicate=True)
    for name in told.only:
        without = parse_player(f"alphabeta:{judge},{limit},without={name}", game)
        contest = Contest(game, whole, without, told.games // 2, terms, told.seed, TEST)
        played = play_contest(contest, os.cpu_count() or 1, ladder, show=False)
        elo, found = estimate_elo(played.counts), played.sprt
        bounds = f"{elo.elo:+.1f} [{elo.low:+.1f}, {elo.high:+.1f}]"
        tested = f"LLR {found.llr:+.2f}, {found.decision}" if found else ""
        print(f"{name:14} {bounds:24} {played.counts.games:5} games, {tested}", flush=True)
        if not played.finished:
            break


if __name__ == "__main__":
    main()
