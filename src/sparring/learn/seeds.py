"""Which deals are played for what: numbers of first positions, in ranges that share none.

What a net was trained or chosen on says too much in its favour. So training, held-out recordings, the gate's screens
and confirmations, and measurements each have their own numbers. All lie below 2**63; matches between players have
those from there on.
"""

import dataclasses
import itertools
import re
from dataclasses import dataclass

import numpy as np

from sparring.errors import RunError

ABOVE = 2**63
EMPTY = (0, -1)  # first and last


@dataclass(frozen=True)
class Span:
    """Deals `first` to `last`, both included. name: what they are for."""

    name: str
    first: int
    last: int

    @property
    def count(self) -> int:
        """How many."""
        return self.last - self.first + 1

    @property
    def text(self) -> str:
        """As a person writes it."""
        return f"{self.first}-{self.last}"

    def take(self, at: int, n: int) -> np.ndarray:
        """The n numbers from place `at` on, uint64; after the last the first comes again.

        RunError where n are more than there are: a deal that is played twice in one go counts twice.
        """
        if n > self.count:
            option = f"--{self.name}-seeds {self.text}"
            raise RunError(f"{option} are {self.count} deals, but {n} are needed at a time; give a longer range")
        return np.array([self.first + (at + i) % self.count for i in range(n)], np.uint64)


def read_span(name: str, text: str) -> Span:
    """A range as "0-999999"; RunError names it by its option."""
    found = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", text, re.ASCII)
    if not found:
        raise RunError(f"--{name}-seeds is {text!r}, but it must be a range of whole numbers such as 0-999999")
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise RunError(f"--{name}-seeds is {text}, but its end {last} lies before its beginning {first}")
    if last >= ABOVE:
        raise RunError(
            f"--{name}-seeds is {text}, but {last} is not below 2**63 = {ABOVE}, where the deals of matches begin"
        )
    return Span(name, first, last)


@dataclass(frozen=True)
class Seeds:
    """The ranges of one run, none of which touches another.

    training: recorded and self-played games that are learned from. held: recorded games that only say how well the
    clone does. screening, confirming: of the gate. evaluating: of what is measured along the way. Those that a learner
    does not need are empty.
    """

    training: Span = Span("training", *EMPTY)
    held: Span = Span("held", *EMPTY)
    screening: Span = Span("screening", *EMPTY)
    confirming: Span = Span("confirming", *EMPTY)
    evaluating: Span = Span("evaluating", *EMPTY)

    def __post_init__(self) -> None:
        spans = [span for field in dataclasses.fields(self) if (span := getattr(self, field.name)).count]
        for one, other in itertools.combinations(sorted(spans, key=lambda span: span.first), 2):
            if other.first <= one.last:
                shared = f"{other.first}-{min(one.last, other.last)}"
                what = f"--{one.name}-seeds {one.text} and --{other.name}-seeds {other.text}"
                raise RunError(f"{what} overlap in {shared}; what is trained, chosen and measured on must differ")

    @staticmethod
    def read(**texts: str) -> "Seeds":
        """From texts such as training="0-999999", one for each range that is needed."""
        return Seeds(**{name: read_span(name, text) for name, text in texts.items()})
