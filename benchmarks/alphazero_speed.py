"""How fast AlphaZero plays Connect Four against itself here: ours beside OpenSpiel's and pgx + mctx's, in one run.

    python -m benchmarks.alphazero_speed [--net FILE] [--folder FOLDER] [--seconds 15] [--rounds 3] [--json]

Measured: positions a second, that is moves chosen by a search of 64 simulations over a residual net of 3 blocks of 64
channels, on one core, from the empty board on; self-play alone, no learning. Each program is a process pinned to
that core; when all are warm they are measured in turn, again and again, so that whatever else the machine does meets
all of them. Medians; by the time that passed and by the processor's time, which agree when nothing else runs. Ratios
are by the processor's time, against the fastest of the others as published, and against it with its net compiled.

A search may ask its net less often than it simulates: the table says how often. OpenSpiel has a cache, of 65536
positions; pgx + mctx has none and always asks; ours is measured with its cache and without. All caches begin each
measurement empty. A net that has learned nothing plays more varied games than a trained one, which hits the cache more
often: --net measures a trained net of ours too, in our self-play and in OpenSpiel's (jax.jit). To pgx + mctx all nets
of that size are the same. OpenSpiel's own net of 3×64 costs less than half of the others' (openspiel.py says why).

The others are installed by pip into an environment of their own, about 850 MB, in FOLDER if one is named, where later
runs find it, else in a temporary folder. Needs Linux for the pinning; elsewhere the processes are not pinned.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import SparringError, WeightsError
from sparring.games.game import load
from sparring.learn.run import commit, machine
from sparring.nets.weights import check_fits, load_tower

HERE = pathlib.Path(__file__).resolve().parent / "beside"
REQUIREMENTS = HERE / "requirements.txt"
OURS, OTHERS = "ours.py", ("openspiel.py", "pgx_mctx.py")
SIZE = (3, 64)  # blocks and width of all nets
CHANGED = "under jax.jit"  # a way to play with this in its name is not as published
TRAINED = "trained net"  # one with this in its name is with the net that was given
ONE_THREAD = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "OMP_NUM_THREADS": "1",
}


class Failed(Exception):
    """A program that could not be measured, and why, in one line."""


@dataclass
class Row:
    """What was measured of one way to play. rounds: a count by name, each round."""

    name: str
    ours: bool
    rounds: list[dict[str, float]] = field(default_factory=list)

    def of(self, above: str, below: str) -> float:
        """Median of a count over another."""
        return statistics.median(counts[above] / counts[below] for counts in self.rounds)

    def spread(self, above: str, below: str) -> tuple[float, float]:
        """Least and most."""
        found = [counts[above] / counts[below] for counts in self.rounds]
        return min(found), max(found)

    def figures(self) -> dict[str, Any]:
        """All that is reported."""
        return {
            "name": self.name,
            "ours": self.ours,
            "positions_per_second": self.of("positions", "wall"),
            "positions_per_cpu_second": self.of("positions", "cpu"),
            "spread_per_cpu_second": self.spread("positions", "cpu"),
            "share_of_core": self.of("cpu", "wall"),
            "simulations_per_position": self.of("simulations", "positions"),
            "evaluations_per_position": self.of("evaluations", "positions"),
            "evaluations_per_cpu_second": self.of("evaluations", "cpu"),
            "rounds": self.rounds,
        }


class Program:
    """One of the programs in beside/, running."""

    def __init__(self, python: str, script: str, *arguments: str) -> None:
        self.script = script
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the program)
        self.process = subprocess.Popen(
            [python, str(HERE / script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            bufsize=1,
            env={**os.environ, **ONE_THREAD},
        )
        self.ready: dict[str, Any] = {}

    def answer(self) -> dict[str, Any]:
        """Its next line; Failed with its last words where it has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        self.log.seek(0)
        words = [text.strip() for text in self.log if text.strip()]
        raise Failed(f"{self.script}: {words[-1] if words else f'ended with {self.process.returncode}'}")

    def measure(self, name: str, seconds: float) -> dict[str, float]:
        """Counts of one measurement."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{name}\t{seconds}\n")
        return self.answer()

    def end(self) -> None:
        """Stop it."""
        self.process.kill()
        self.process.communicate()
        self.log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="", help="a trained 3×64 net of ours, measured beside a random one")
    parser.add_argument("--folder", default="", help="where the others are installed and found again")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each way to play, at least 1")
    parser.add_argument("--core", type=int, default=0, help="number of the core that all sit on")
    parser.add_argument("--json", action="store_true", help="print numbers for a program")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds must be at least 1 and --seconds above 0")
    notes: list[str] = []
    with contextlib.ExitStack() as stack:
        spare = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        net = trained_net(options.net, spare) if options.net else {}
        folder = pathlib.Path(options.folder) if options.folder else spare / "others"
        programs = list(started(folder, options.core, net, notes, stack))
        rows = measured(programs, options, notes)
    report(rows, notes, options)


def say(line: str) -> None:
    """What goes on, for people who wait."""
    print(line, file=sys.stderr, flush=True)


def trained_net(path: str, spare: pathlib.Path) -> dict[str, list[str]]:
    """What programs are told of the trained net, by script; ends the program where it does not fit."""
    try:
        tower = load_tower(path)
        check_fits(tower, load("connect-four"), path)
        if (tower.shape.blocks, tower.shape.width) != SIZE:
            raise WeightsError(f"{path} is {tower.shape.name}, but all that is compared here is 3×64")
    except SparringError as fault:
        sys.exit(f"alphazero_speed.py: {fault}")
    np.savez(spare / "net.npz", features=tower.features, **tower.arrays)
    return {OURS: [str(pathlib.Path(path).resolve())], OTHERS[0]: [str(spare / "net.npz")]}


def installed(folder: pathlib.Path) -> str:
    """The Python of an environment that has the others; Failed with pip's last word."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    done = subprocess.run([*pip, "-r", str(REQUIREMENTS)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise Failed(f"pip: {words[-1] if words else 'failed'}")
    return str(python)


def started(
    folder: pathlib.Path, core: int, net: dict[str, list[str]], notes: list[str], stack: contextlib.ExitStack
) -> Iterator[Program]:
    """The programs, warm, one after the other; those that fail are noted. net: as of `trained_net`."""
    pythons = {OURS: sys.executable}
    try:
        say(f"installing {REQUIREMENTS.name} into {folder}")
        pythons |= dict.fromkeys(OTHERS, installed(folder))
    except Failed as why:
        notes.append(f"not measured, {', '.join(OTHERS)}: {why}")
    for script, python in pythons.items():
        say(f"warming up {script}")
        program = Program(python, script, str(core), *net.get(script, []))
        stack.callback(program.end)
        try:
            program.ready = program.answer()
        except Failed as why:
            notes.append(f"not measured, {why}")
            continue
        notes.extend(f"{name}: {about}" for name, about in program.ready["about"].items())
        yield program


def measured(programs: list[Program], options: argparse.Namespace, notes: list[str]) -> list[Row]:
    """All ways to play, round after round, in turn."""
    ways = [(program, Row(name, program.script == OURS)) for program in programs for name in program.ready["names"]]
    for number in range(options.rounds):
        for program, row in ways:
            say(f"round {number + 1} of {options.rounds}: {row.name}")
            try:
                row.rounds.append(program.measure(row.name, options.seconds))
            except Failed as why:
                notes.append(f"{row.name}: {why}")
    return [row for _, row in ways if row.rounds]


def best(rows: list[Row], beside: Row, changed: bool) -> Row | None:
    """The fastest of the others that a row is compared with; changed: those too that are not as published.

    With a trained net: of all, with whatever net; with a random one: of those without a trained one.
    """
    found = [row for row in rows if not row.ours and (changed or CHANGED not in row.name)]
    alike = [row for row in found if TRAINED in beside.name or TRAINED not in row.name]
    return max(alike, key=lambda row: row.of("positions", "cpu"), default=None)


def report(rows: list[Row], notes: list[str], options: argparse.Namespace) -> None:
    """A table, or JSON."""
    figures = []
    for row in rows:
        found = row.figures()
        for name, changed in (("times_published", False), ("times_best", True)):
            against = best(rows, row, changed)
            found[name] = row.of("positions", "cpu") / against.of("positions", "cpu") if against else None
        figures.append(found)
    if options.json:
        asked = {"seconds": options.seconds, "core": options.core, "net": options.net}
        versions = [line for line in REQUIREMENTS.read_text().splitlines() if "==" in line]
        where = {"machine": machine(), "commit": commit(), "others": versions, "options": asked}
        print(json.dumps({"rows": figures, "notes": notes, **where}, indent=1))
        return
    heads = ("positions/s", "per CPU s", "least–most", "sims", "asks", "asks/CPU s", "× published", "× best")
    print(f"{'':46}" + "".join(f"{head:>14}" for head in heads))
    for one in figures:
        low, high = one["spread_per_cpu_second"]
        ratios = [f"{one[name]:.2f}" if one[name] else "–" for name in ("times_published", "times_best")]
        cells = (
            f"{one['positions_per_second']:,.1f}",
            f"{one['positions_per_cpu_second']:,.1f}",
            f"{low:,.4g}–{high:,.4g}",
            f"{one['simulations_per_position']:.1f}",
            f"{one['evaluations_per_position']:.1f}",
            f"{one['evaluations_per_cpu_second']:,.0f}",
            *ratios,
        )
        print(f"{one['name']:46}" + "".join(f"{cell:>14}" for cell in cells))
    print(
        "sims, asks: simulations and evaluations by the net, a position. ×: by CPU time, of the fastest of the others,"
    )
    print("as published, or as changed too; of rows with a random net: without those with a trained one.")
    for note in notes:
        print(note)


if __name__ == "__main__":
    main()
