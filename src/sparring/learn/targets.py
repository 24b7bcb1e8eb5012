"""What a position should have been judged as: TD(λ) targets from a finished game (Sutton 1988)."""

import numpy as np

from sparring.learn.selfplay import Played


def td_targets(game: Played, trace: float, discount: float = 1.0) -> np.ndarray:
    """Targets (n,) float32 as player 0 sees them, from the end backwards.

    The last position gets the result; position t gets γ·((1 - λ)·score[t + 1] + λ·target[t + 1]), with λ = trace and
    γ = discount; below 1 it makes a win that is near worth more than one that is far, and so rewards progress. Where
    the move played was random, what followed says little about the position: it gets its own search score, which cuts
    the chain there. Without the cut a net learns that the side which random moves hurt less nearly always wins.
    """
    n = len(game.scores)
    targets = np.empty(n, np.float32)
    ahead = game.value
    for t in range(n - 1, -1, -1):
        score = float(game.scores[t])
        target = score if game.loose[t] else ahead
        targets[t] = target
        ahead = discount * ((1.0 - trace) * score + trace * target)
    return targets
