"""The gate of a learner: it becomes the champion only by beating the champion, first in a few games, then surely."""

from sparring.intervals import wilson


def passes_screen(points: float, games: int, needed: float = 0.55) -> bool:
    """Whether the learner's score against the champion is worth a confirmation. points: of the learner."""
    return points / games >= needed


def promoted(points: float, games: int) -> bool:
    """Whether a confirmation makes the learner the champion: its 95 % Wilson interval lies above one half.

    Games of a screen must not be among them: they were good, or there would be no confirmation.
    """
    return wilson(points, games)[0] > 0.5
