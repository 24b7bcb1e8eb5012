"""What each program here does: sit on one core, get ready, and measure whenever it is asked to. Standard library only.

serve(prepare) answers lines of stdin with lines of JSON on stdout. The first it says by itself: {"names": [...],
"about": {...}}. To "NAME<tab>SECONDS" it answers {"positions", "wall", "cpu", ...}: moves chosen by a whole search,
seconds that passed, seconds of the processor that this process used.
"""

import json
import os
import sys
import time
from collections.abc import Callable

WARM_UP = 2.0  # seconds that each way is run for before the first measurement

Counts = dict[str, float]  # positions, simulations, evaluations
Run = Callable[[float], Counts]  # plays until time.perf_counter() is so late
Ways = dict[str, Callable[[], Run]]  # by name, what makes ready for a measurement that is not part of it


def serve(prepare: Callable[[], tuple[Ways, dict[str, str]]]) -> None:
    """Get ready, then measure until stdin ends. prepare: ways to play, and what to say about them.

    sys.argv[1]: the number of the core to sit on.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(sys.argv[1])})
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever libraries print does not get between the answers
    ways, about = prepare()
    for way in ways.values():
        measure(way, WARM_UP)
    print(json.dumps({"names": list(ways), "about": about}), file=answers)
    for line in sys.stdin:
        name, seconds = line.rstrip("\n").split("\t")
        print(json.dumps(measure(ways[name], float(seconds))), file=answers)


def measure(way: Callable[[], Run], seconds: float) -> Counts:
    """Counts of one run, and how long it took."""
    run = way()
    wall, cpu = time.perf_counter(), time.process_time()
    counts = run(wall + seconds)
    return {**counts, "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
