"""A training run's folder: settings, rows, nets and checkpoints, each file whole or absent.

config.json        settings, version, commit, seed, machine
metrics.jsonl      a row a generation
status.json        where the run stands: running, stopped, failed or finished, and its newest row
nets/              gen-000010.safetensors …, and latest.safetensors
checkpoints/       all that the next generation needs, the newest few
buffer/            the positions of each generation in the window
"""

import contextlib
import functools
import json
import os
import pathlib
import platform
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from sparring import __version__
from sparring.errors import RunError, WeightsError
from sparring.games.game import Game
from sparring.nets import storage, weights
from sparring.nets.weights import AnyNet

KEPT_CHECKPOINTS = 3


class RunFolder:
    """The files of one run. Faults of the disk become RunErrors that say what is safe."""

    def __init__(self, path: str | pathlib.Path) -> None:
        self.path = pathlib.Path(path)
        self.notes: list[str] = []  # what a person should know about how the run was found

    def open(
        self,
        game: Game,
        settings: dict[str, Any],
        may_change: tuple[str, ...],
        start: str,
        usual: dict[str, Any] | None = None,
        learner: str = "td",
    ) -> None:
        """Make the folder, or see that what stands there is a run of the same learner, game and settings.

        may_change: settings that need not agree. usual: what a setting is that an older run's file does not name.
        learner: its name behind --learner.
        """
        wanted = {"learner": learner, "game": game.name, "features": game.FEATURES_VERSION, "start": start}
        wanted |= {"settings": settings}
        wanted |= {"state": str(game.module.STATE.descr), "rules": game.rules_digest, "players": list(game.players)}
        file = self.path / "config.json"
        if not file.exists():
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise RunError(f"{self.path} is there and is no training run; give --out another folder")
            with self._guarded():
                made = {**wanted, "version": __version__, "commit": commit(), "machine": machine(), "began": now()}
                storage.write_whole(file, (json.dumps(made, indent=1) + "\n").encode())
            return
        self.check_learner(learner)
        found = self.config()
        if found.get("rules") != wanted["rules"]:
            self.notes.append(f"{game.path.name} has changed since this run began; its older games had the old rules")
        for name in ("game", "features", "start", "state"):
            if found.get(name) != wanted[name]:
                what = f"{self.path} holds a run with {name} {found.get(name)!r}, not {wanted[name]!r}"
                raise RunError(f"{what}; give --out another folder")
        for name, value in json.loads(json.dumps(settings)).items():
            before = found["settings"].get(name, json.loads(json.dumps((usual or {}).get(name))))
            if name not in may_change and before != value:
                old = f"--{name.replace('_', '-')} {before}, not {value}"
                mend = "continue it with its own settings or give --out another folder"
                raise RunError(f"{self.path} holds a run with {old}; {mend}")

    def check_learner(self, learner: str) -> None:
        """RunError where the folder holds a run of another learner. One that names none is of td."""
        if (self.path / "config.json").exists() and (before := self.config().get("learner", "td")) != learner:
            mend = f"add --learner {before}, or give --out another folder"
            raise RunError(f"{self.path} holds a run of {before}; {mend}")

    def config(self) -> dict[str, Any]:
        """What config.json says."""
        try:
            return dict(json.loads((self.path / "config.json").read_text(encoding="utf-8")))
        except FileNotFoundError as fault:
            raise RunError(f"{self.path} is no training run: it has no config.json") from fault
        except (OSError, ValueError, TypeError) as fault:
            raise RunError(f"{self.path / 'config.json'} cannot be read: {fault}") from fault

    # --- rows ------------------------------------------------------------------------------------------------------

    def rows(self) -> list[dict[str, Any]]:
        """The rows of metrics.jsonl; a last line that was cut short is left out."""
        file = self.path / "metrics.jsonl"
        found = []
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return found

    def keep_rows(self, generation: int) -> None:
        """Drop the rows after `generation`: they will be written again."""
        rows = [r for r in self.rows() if r["generation"] <= generation]
        with self._guarded():
            text = "".join(json.dumps(r) + "\n" for r in rows)
            storage.write_whole(self.path / "metrics.jsonl", text.encode())

    def add_row(self, row: dict[str, Any]) -> None:
        """Append a row."""
        with self._guarded(), (self.path / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def save_status(self, state: str, generation: int, done: float) -> None:
        """Say where the run stands, for whoever looks from outside. done: share of it. Whole or not at all."""
        row: dict[str, Any] = next(reversed(self.rows()), {})
        told = {"state": state, "generation": generation, "done": round(done, 4), "updated": now(), "row": row}
        with self._guarded():
            storage.write_whole(self.path / "status.json", (json.dumps(told, indent=1) + "\n").encode())

    # --- nets, buffer, checkpoints -----------------------------------------------------------------------------------

    def net_path(self, generation: int | None = None) -> pathlib.Path:
        """Where a generation's net is kept; None: the newest."""
        return self.path / "nets" / ("latest.safetensors" if generation is None else f"gen-{generation:06}.safetensors")

    def save_net(self, net: AnyNet, generation: int | None = None) -> None:
        """Keep a net."""
        with self._guarded():
            weights.save(net, self.net_path(generation))

    def save_buffer(self, generation: int, arrays: dict[str, np.ndarray], oldest: int) -> None:
        """Keep a generation's positions; drop those before `oldest` that no checkpoint needs any more."""
        with self._guarded():
            storage.write_whole(self._buffer(generation), storage.pack(arrays, {"generation": str(generation)}))
            self._drop("buffer", oldest - KEPT_CHECKPOINTS)

    def load_buffer(self, generation: int) -> dict[str, np.ndarray]:
        """A generation's positions."""
        file = self._buffer(generation)
        return storage.unpack(storage.read(file), str(file))[0]

    def save_checkpoint(self, generation: int, arrays: dict[str, np.ndarray], metadata: dict[str, str]) -> None:
        """Keep all that the next generation needs."""
        with self._guarded():
            storage.write_whole(self._checkpoint(generation), storage.pack(arrays, metadata))
            self._drop("checkpoints", generation - KEPT_CHECKPOINTS + 1)

    def checkpoints(self) -> Iterator[tuple[int, dict[str, np.ndarray], dict[str, str]]]:
        """Sound checkpoints, newest first; a damaged one is passed over with a note."""
        for file in sorted((self.path / "checkpoints").glob("[0-9]*.safetensors"), reverse=True):
            try:
                yield int(file.stem), *storage.unpack(storage.read(file), str(file))
            except WeightsError as fault:
                self.notes.append(f"{fault}; going back to the checkpoint before it")

    def check_none_damaged(self) -> None:
        """RunError where there are checkpoints; for a learner that could take up none of them."""
        if any((self.path / "checkpoints").glob("*.safetensors")):
            raise RunError(f"{self.path}: no checkpoint is whole: {'; '.join(self.notes)}")

    def _buffer(self, generation: int) -> pathlib.Path:
        return self.path / "buffer" / f"{generation:06}.safetensors"

    def _checkpoint(self, generation: int) -> pathlib.Path:
        return self.path / "checkpoints" / f"{generation:06}.safetensors"

    def _drop(self, folder: str, before: int) -> None:
        for file in (self.path / folder).glob("[0-9]*.safetensors"):
            if int(file.stem) < before:
                file.unlink(missing_ok=True)

    def _guarded(self) -> contextlib.AbstractContextManager[None]:
        return guarded(self.path)


@contextlib.contextmanager
def guarded(path: pathlib.Path) -> Iterator[None]:
    """Turn a fault of the disk into a RunError that names the folder and says what is safe."""
    try:
        yield
    except OSError as fault:
        what = f"cannot write in {path}: {fault.strerror}"
        raise RunError(f"{what}; what was finished is safe, the same command goes on from there") from fault


@functools.cache
def commit() -> str:
    """The commit of the sources, where they are a checkout; else an empty string."""
    here = pathlib.Path(__file__).resolve().parent
    try:
        command = ["git", "-C", str(here), "rev-parse", "HEAD"]
        found = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def machine() -> dict[str, Any]:
    """Processor, cores, system and versions that figures depend on."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.split(":", 1)[1].strip()
                break
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    return {"processor": processor, "cores": cores(), "system": platform.system(), "versions": versions}


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def now() -> str:
    """Date and time, local, to the second."""
    return time.strftime("%Y-%m-%d %H:%M:%S")
