"""Clocks: the time that a player has left, and how much of it to think by."""

import re
from dataclasses import dataclass

from sparring.errors import PlayerError

OVERHEAD = 30.0  # milliseconds that pass between a move's choice and the stop of the clock
HORIZON = 25  # so many moves share what is left, where no time control says how many
OF_INCREMENT = 0.8  # share of the increment, less the overhead, that is spent at once
SOFT = 0.6  # share of a move's time after which no new iteration begins: it would take as long as all before
STRETCH = 3.0  # a hard move takes up to so many times its share
MOST_OF_LEFT = 0.7
LEAST = 1.0  # milliseconds; a search always finds some move
LONGEST = 3_600_000.0  # milliseconds that a player may be given at all, and the longest for a move


@dataclass(frozen=True)
class Clock:
    """left: milliseconds until a player loses on time. increment: milliseconds added after each of its moves.

    to_go: its moves until it gets more time; 0: it gets no more.
    """

    left: float
    increment: float = 0.0
    to_go: int = 0


@dataclass(frozen=True)
class Budget:
    """Milliseconds for a move. soft: begin no new iteration after that. hard: stop then."""

    soft: float
    hard: float


def budget(clock: Clock, overhead: float = OVERHEAD) -> Budget:
    """How long to think. overhead: milliseconds that the move's way to the clock takes.

    Whatever the clock shows, `hard` plus the overhead is less than what is left, as long as that is above the overhead.
    """
    usable = max(clock.left - overhead, 0.0)
    share = usable / min(clock.to_go or HORIZON, HORIZON) + OF_INCREMENT * max(clock.increment - overhead, 0.0)
    hard = min(max(min(STRETCH * share, MOST_OF_LEFT * usable), LEAST), LONGEST)
    return Budget(min(max(SOFT * share, LEAST), hard), hard)


@dataclass(frozen=True)
class TimeControl:
    """A clock at the start of a game. seconds: at first. increment: seconds added after each move."""

    seconds: float
    increment: float = 0.0

    def __str__(self) -> str:
        return f"{self.seconds:g}+{self.increment:g}"

    def clock(self) -> Clock:
        """As it stands before the first move."""
        return Clock(1000 * self.seconds, 1000 * self.increment)


def read_control(text: str) -> TimeControl:
    """Seconds and increment, as in 8+0.08, or 60; PlayerError where it is neither."""
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)(?:\+(\d+\.?\d*|\.\d+))?", text.strip())
    if not found:
        raise PlayerError(f"the clock is {text!r}, but it must be seconds and seconds a move, as in 8+0.08")
    control = TimeControl(float(found[1]), float(found[2] or 0))
    if not 0 < 1000 * control.seconds <= LONGEST or 1000 * control.increment > LONGEST:
        raise PlayerError(f"the clock is {text!r}, but it must show more than 0 and at most {LONGEST / 1000:g} seconds")
    return control
