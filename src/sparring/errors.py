"""Faults that a person can mend. Each prints as one line and ends a command with exit code 1."""

import difflib
from collections.abc import Iterable


class SparringError(Exception):
    """A fault in what was asked or given, not in Sparring: its text names the value and what would be right."""


class GameError(SparringError):
    """A rules file breaks the contract of `sparring.games.contract`."""


class PlayerError(SparringError):
    """A player's spec string names something that does not exist or does not fit the game."""


class WeightsError(SparringError):
    """A file of weights is damaged, or belongs to another game, feature version or architecture."""


class EngineError(SparringError):
    """An engine that runs nets on batches cannot be started, or is asked for more than it has memory for."""


class RunError(SparringError):
    """A training run's folder does not fit what was asked, or cannot be read or written."""


class MatchError(SparringError):
    """A match or a statistic was asked for with numbers that make no sense."""


class RecordError(SparringError):
    """A file of recorded games cannot be read or written, or holds what is no game of its kind."""


def nearest(word: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?` for the closest known word, or an empty string where none is close."""
    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.5)
    return f" Did you mean {close[0]!r}?" if close else ""
