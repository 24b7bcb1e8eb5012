"""Time a generation of Tigers and Sheep as published: 500 games at depth 3, two epochs over the window.

python benchmarks/generation.py [--generations 15] [--published] prints medians over the generations whose window is
full, and the process's peak memory. The run is kept nowhere. --published: a 52-64-32-1 net with a tanh head, openings
of 10 random moves, no quiescence, no averaging, as the reference program has it; else the defaults.
"""

import argparse
import json
import resource
import statistics
import tempfile

from sparring.games.game import load
from sparring.learn.run import RunFolder, commit, machine
from sparring.learn.td import TdLearner
from sparring.learn.td_settings import TdSettings

PUBLISHED = {"head": "tanh", "hidden": (64, 32), "opening": 10, "quiescence": False, "average": 0.0}


def main() -> None:
    """Run, print, and forget."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--generations", type=int, default=15)
    options.add_argument("--threads", type=int, default=0)
    options.add_argument("--published", action="store_true")
    options.add_argument("--start", default="", help="a trained net: games are longer than an untrained one's")
    asked = options.parse_args()
    settings = TdSettings(**(PUBLISHED if asked.published else {}), generations=asked.generations)
    with tempfile.TemporaryDirectory() as folder:
        learner = TdLearner(load("tigers-and-sheep"), settings, RunFolder(f"{folder}/run"), asked.threads, asked.start)
        rows = []
        while learner.number < asked.generations:
            row = learner.generation()
            learner.finish(row)
            rows.append(row)
    full = rows[settings.window :]
    figures = {}
    for name in ("seconds", "seconds_play", "seconds_train", "positions", "new_positions"):
        values = [row[name] for row in full]
        figures[name] = {"median": statistics.median(values), "least": min(values), "most": max(values)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"figures": figures, "peak_mib": peak, "machine": machine(), "commit": commit()}, indent=1))


if __name__ == "__main__":
    main()
