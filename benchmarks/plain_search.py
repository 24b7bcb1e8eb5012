"""How fast rules in Python run inside a search: plain alpha-beta on Connect Four against the same search written in C.

    python benchmarks/plain_search.py [--depth 13] [--rounds 5] [--json]

Compiles plain_search.c with the system's cc and runs its three forms and ours in turn, so that whatever else the
machine does meets all of them. Every form visits the same positions. A ratio above 1: ours is faster.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from sparring.games.game import load
from sparring.search.plain import solve_from

SOURCE = pathlib.Path(__file__).with_suffix(".c")
FLAGS = ("-O3", "-march=native", "-fno-tree-slp-vectorize")
FORMS = {
    "stack": "C, made for the game, explicit stack",
    "game": "C, made for the game, recursive, its last ply apart",
    "record": "C, record, list of moves, copy and play",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=13, help="plies, 2 to 42")
    parser.add_argument("--rounds", type=int, default=5, help="how often each form runs")
    parser.add_argument("--json", action="store_true", help="print numbers for a program")
    options = parser.parse_args()
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        sys.exit("plain_search.py: no C compiler; install one or name it in CC")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "plain_search"
        subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
        speeds = measure(program, options.depth, options.rounds)
    report(speeds, options)


def measure(program: pathlib.Path, depth: int, rounds: int) -> dict[str, list[float]]:
    """Millions of positions a second, by form, a number a round."""
    game = load("connect-four")
    start = game.states()[0]
    score, nodes = solve_from(game, start, depth)  # compiles, or loads what was compiled
    speeds: dict[str, list[float]] = {"ours": [], **{form: [] for form in FORMS}}
    for _ in range(rounds):
        began = time.perf_counter()
        found = solve_from(game, start, depth)
        speeds["ours"].append(nodes / (time.perf_counter() - began) / 1e6)
        assert found == (score, nodes)
        for form in FORMS:
            ran = subprocess.run([program, form, str(depth)], check=True, capture_output=True, text=True)
            its_score, its_nodes, seconds = ran.stdout.split()
            assert (int(its_score), int(its_nodes)) == (score, nodes), f"{form} visits other positions"
            speeds[form].append(nodes / float(seconds) / 1e6)
    return speeds


def report(speeds: dict[str, list[float]], options: argparse.Namespace) -> None:
    """Medians, and our speed over each of the others', round by round."""
    medians = {form: statistics.median(values) for form, values in speeds.items()}
    ratios = {
        form: statistics.median(a / b for a, b in zip(speeds["ours"], speeds[form], strict=True)) for form in FORMS
    }
    if options.json:
        print(json.dumps({"depth": options.depth, "million_positions_per_second": medians, "ratio": ratios}))
        return
    print(f"Connect Four to {options.depth} plies, {options.rounds} rounds, {platform.machine()}")
    print(f"  {medians['ours']:6.0f} M positions/s              ours: rules in Python, compiled")
    for form, says in FORMS.items():
        print(f"  {medians[form]:6.0f} M positions/s  ratio {ratios[form]:4.2f}  {says}")


if __name__ == "__main__":
    main()
