"""The command `sparring`: reads the options, runs the command, turns faults into one line and exit code 1."""

import contextlib
import dataclasses
import importlib
import io
import os
import re
import signal
import sys
from collections.abc import Iterator
from typing import Annotated, Any, Union

import tyro

from sparring import __version__
from sparring.app import learners
from sparring.app.options import COMMANDS, Train
from sparring.errors import SparringError, nearest

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    with noting_ctrl_c() as pressed:
        try:
            return answer(words)
        except Exception:
            if pressed:
                return interrupted()
            raise


def answer(words: list[str]) -> int:
    """Run one command, its user's faults told in a line."""
    if words in (["--version"], ["-V"]):
        print(f"sparring {__version__}")
        return 0
    try:
        name, options = read(words)
        run = importlib.import_module(f"sparring.app.commands.{name}").run
        return run(options) or 0
    except SparringError as fault:
        print(f"sparring: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return interrupted()
    except BrokenPipeError:  # whoever read our output has gone
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as fault:
        where = f" ({fault.filename})" if fault.filename else ""
        print(f"sparring: {fault.strerror or fault}{where}", file=sys.stderr)
        return 1


def interrupted() -> int:
    """Say so; returns the exit code."""
    print("sparring: interrupted", file=sys.stderr)
    return INTERRUPTED


@contextlib.contextmanager
def noting_ctrl_c() -> Iterator[list[int]]:
    """Yields a list that is no longer empty once Ctrl+C was pressed.

    Inside the compiler the interrupt may get lost and come out as a fault of another kind.
    """
    pressed: list[int] = []

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not in the main thread
        yield pressed
        return
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def read(words: list[str]) -> tuple[str, Any]:
    """The command's name and options. Help is printed; a fault becomes one line that says what would be right."""
    if not words:
        words = ["--help"]
    if not words[0].startswith("-") and words[0] not in COMMANDS:
        there = f"There are: {', '.join(COMMANDS)}"
        raise SparringError(f"no command {words[0]!r}.{nearest(words[0], COMMANDS)} {there}")
    learner = learners.asked(words[1:] if words[0] == "train" else [])
    asked = {**COMMANDS, "train": Train[learners.settings_of(learner)]}  # type: ignore[misc]
    kinds = tuple(Annotated[kind, tyro.conf.subcommand(name)] for name, kind in asked.items())
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            options = tyro.cli(Union[kinds], prog="sparring", args=words, config=(tyro.conf.OmitArgPrefixes,))  # type: ignore[call-overload]  # noqa: UP007
    except SystemExit as end:
        if end.code in (0, None):
            raise
        if words[0] != "train":
            raise SparringError(one_line(said.getvalue(), words[0])) from None
        others = learners.others_option(words, learner)
        raise SparringError(others or one_line(said.getvalue(), f"train --learner {learner}")) from None
    if words[0] == "train":
        options = dataclasses.replace(options, learner=learner)
    return words[0], options


def one_line(box: str, command: str) -> str:
    """tyro's framed message as a line."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", box)
    lines = [
        line.strip("│ \t") for line in plain.splitlines() if line.strip("│ \t") and not line.startswith(("╭", "╰"))
    ]
    text = " ".join(line for line in lines if not re.fullmatch("─+", line))
    text = re.sub(r"\s+", " ", text.split("For full helptext")[0]).strip(" ─") or "the options cannot be read"
    return f"{text} See: sparring {command} --help"
