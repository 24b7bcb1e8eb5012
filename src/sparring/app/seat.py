"""Who sits at a board, and what a person there types."""

import contextlib
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(eq=False)
class Seat:
    """Who plays a side. name: as the game calls it. who: `you`, or the player's kind. player: None for a person."""

    name: str
    who: str
    player: Any = None

    def __str__(self) -> str:
        return f"{self.name} ({self.who})" if self.who else self.name


def read(prompt: str) -> str:
    """A line of a person's; EOFError when there are no more. What comes through a pipe is shown as if it were typed."""
    if sys.stdin is None or sys.stdin.closed:
        raise EOFError
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # arrow keys and earlier lines in `input`
    try:
        text = input(prompt).strip()
    except OSError as fault:  # the terminal is gone
        raise EOFError from fault
    if not sys.stdin.isatty():
        print(text)
    return text
