"""Judgements that need no net: the game's own `evaluate`, or none. `work` is not used."""

from sparring.compiled import compiled
from sparring.games.contract import evaluate


@compiled
def by_rules(work, stack, ply):
    """The game's hand-written judgement for the player to move in stack[ply]."""
    return evaluate(stack[ply])


@compiled
def by_nothing(work, stack, ply):
    """No judgement: only results count."""
    return 0.0
