"""An engine that speaks the Universal Chess Interface, as a process: started, told, asked, ended.

Every wait has an end: a program that dies, or says nothing, becomes an `EngineFault` and never a match that stands
still.
"""

import contextlib
import os
import pathlib
import queue
import re
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sparring.errors import PlayerError, nearest
from sparring.search.scores import SCALE

HANDSHAKE = 10.0  # seconds until a program has said that it speaks the protocol
REPLY = 60.0  # seconds for `readyok`: ours compiles at its first start
AFTER_STOP = 2.0  # seconds for a move after `stop`
GOODBYE = 1.0  # seconds between `quit` and the end of the process
SCORE = re.compile(r" score (cp|mate) (-?\d+)\b")
ASIDE = re.compile(r" (lowerbound|upperbound)\b| multipv (?!1\b)")  # in lines whose score says less


class EngineFault(PlayerError):
    """A program died, said nothing in time, or does not speak the protocol."""


def command_of(path: str) -> list[str]:
    """The program and its arguments; PlayerError where there is no such program."""
    parts = [path] if shutil.which(path) else shlex.split(path)
    found = shutil.which(os.path.expanduser(parts[0])) if parts else None
    if found is None:
        raise PlayerError(f"no program {path!r} that can be run")
    return [str(pathlib.Path(found).absolute()), *parts[1:]]  # not resolved: a link may be an environment of its own


@dataclass(frozen=True)
class Reply:
    """What an engine answered to `go`. move, ponder: as it writes them; ponder may be empty. info: its last line of
    that kind with a score of its best line that is more than a bound, or an empty string."""

    move: str
    ponder: str = ""
    info: str = ""

    @property
    def score(self) -> int | None:
        """Centipawns for the player to move; a mate is worth the largest result. None: it told no score."""
        found = SCORE.search(self.info)
        if found is None:
            return None
        return int(found[2]) if found[1] == "cp" else SCALE if int(found[2]) > 0 else -SCALE


class UciEngine:
    """One process. All but `stop` is called from one thread."""

    def __init__(self, command: Sequence[str], options: Sequence[tuple[str, str]] = ()) -> None:
        """Start it and set its options. EngineFault where it does not answer; PlayerError where it lacks an option."""
        self.command, self.name = list(command), pathlib.Path(command[0]).name
        try:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C in the terminal is ours
            )
        except OSError as fault:
            raise EngineFault(f"{self.name} cannot be started: {fault.strerror}") from fault
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.stopped = threading.Event()
        try:
            self._shake_hands(options)
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def new_game(self) -> None:
        """Forget the last game."""
        self.say("ucinewgame")
        self.settle()

    def settle(self) -> None:
        """Wait until it has done all it was told."""
        self.say("isready")
        for _ in self.heard("readyok", REPLY, "isready"):
            pass

    def think(self, position: str, go: str, seconds: float) -> Reply:
        """Ask for a move. seconds: until it is told to stop; EngineFault where that does not help.

        position, go: the lines. The time that it takes is the caller's to measure.
        """
        self.stopped.clear()
        self.say(position)
        self.say(go)
        info, late = "", False
        end = time.monotonic() + seconds
        while True:
            line = self._line(end)
            if not late and (line is None or self.stopped.is_set()):
                late, end = True, time.monotonic() + AFTER_STOP
                self.say("stop")
            elif line is None:
                raise EngineFault(f"{self.name} gave no move within {seconds:g} seconds, nor when told to stop")
            if line is None:
                continue
            if line.startswith("info") and SCORE.search(line) and not ASIDE.search(line):
                info = line
            elif line.startswith("bestmove"):
                words = [*line.split()[1:], "", "", ""]
                return Reply(words[0], words[2] if words[1] == "ponder" else "", info)

    def stop(self) -> None:
        """End a running `think` (from another thread)."""
        self.stopped.set()
        self.lines.put("")  # wakes it
        with contextlib.suppress(EngineFault):
            self.say("stop")

    def close(self) -> None:
        """End the process, by force if need be."""
        with contextlib.suppress(EngineFault):
            self.say("quit")
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]
        try:
            self.process.wait(GOODBYE if self.alive else 0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(GOODBYE)
        self.process.stdout.close()  # type: ignore[union-attr]

    def say(self, line: str) -> None:
        """Tell it a line; EngineFault where it is gone."""
        try:
            self.process.stdin.write(f"{line}\n".encode())  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError) as fault:
            raise EngineFault(f"{self.name} has ended{self._code()}") from fault

    def heard(self, last: str, seconds: float, what: str) -> Iterator[str]:
        """The lines it says until one begins with the word `last`; EngineFault where that does not come in time."""
        end = time.monotonic() + seconds
        while True:
            line = self._line(end)
            if line is None:
                raise EngineFault(f"{self.name} did not answer {what!r} within {seconds:g} seconds")
            if line.split()[:1] == [last]:
                return
            yield line

    def _shake_hands(self, options: Sequence[tuple[str, str]]) -> None:
        """Learn its options, and set those that were asked for."""
        self.say("uci")
        known = set[str]()
        for line in self.heard("uciok", HANDSHAKE, "uci"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            if words[:2] == ["option", "name"]:
                cut = words.index("type") if "type" in words else len(words)
                known.add(" ".join(words[2:cut]))
        lower = {name.lower() for name in known}
        for name, value in options:
            if name.lower() not in lower:
                there = f"It has: {', '.join(sorted(known))}" if known else "It has none"
                raise PlayerError(f"{self.name} has no option {name!r}.{nearest(name, known)} {there}")
            self.say(f"setoption name {name} value {value}")
        self.settle()

    def _line(self, end: float) -> str | None:
        """The next line; None where none comes until then (time.monotonic). EngineFault where the program has ended."""
        try:
            line = self.lines.get(timeout=max(end - time.monotonic(), 0.0))
        except queue.Empty:
            return None
        if line is None:
            self.lines.put(None)  # for whoever asks next
            raise EngineFault(f"{self.name} has ended{self._code()}")
        return line

    def _code(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(0.2)
            return f" by signal {-code}" if code < 0 else f" with exit code {code}"
        return ""

    def _read(self) -> None:
        """Its lines, as they come; None when there will be no more."""
        with contextlib.suppress(OSError, ValueError):
            for line in self.process.stdout:  # type: ignore[union-attr]
                self.lines.put(line.decode(errors="replace").strip())
        self.lines.put(None)
