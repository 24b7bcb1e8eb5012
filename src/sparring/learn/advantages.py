"""What a decision was worth: generalised advantages, and rewards shaped by a potential.

Trajectories stand one after the other in flat arrays, each the decisions of one player in one game; `lengths` says how
many decisions each has. Nothing is worth anything after the last one: there the value and the potential are 0.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.errors import RunError


def gae(
    rewards: np.ndarray, values: np.ndarray, lengths: np.ndarray, discount: float, trace: float
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and value targets (n,) float32 (Schulman, Moritz, Levine, Jordan and Abbeel 2016).

    rewards: (n,), of each decision; a game's result stands at its last. values: (n,), what the critic said before each.
    lengths: int64. discount: γ, of a decision. trace: λ; 0 looks one decision ahead, 1 to the end of the game.
    A decision is credited with δ + γ·λ·(the next one's credit), where δ = reward + γ·(the next value) − value; the
    target is value + credit. Reckoned in float64.
    """
    check_lengths(lengths, rewards=rewards, values=values)
    known = np.ascontiguousarray(values, np.float64)
    advantages = np.empty(len(known))
    gained = np.ascontiguousarray(rewards, np.float64)
    backwards(gained, known, np.ascontiguousarray(lengths, np.int64), float(discount), float(trace), advantages)
    return advantages.astype(np.float32), (advantages + known).astype(np.float32)


@compiled
def backwards(rewards, values, lengths, discount, trace, advantages):
    """Fill `advantages`, each trajectory from its end. All float64, lengths int64."""
    end = 0
    for k in range(len(lengths)):
        begin = end
        end += lengths[k]
        value_ahead = 0.0
        credit_ahead = 0.0
        for i in range(end - 1, begin - 1, -1):
            surprise = rewards[i] + discount * value_ahead - values[i]
            credit_ahead = surprise + discount * trace * credit_ahead
            advantages[i] = credit_ahead
            value_ahead = values[i]


def shaped(rewards: np.ndarray, potentials: np.ndarray, lengths: np.ndarray, discount: float) -> np.ndarray:
    """Rewards (n,) float32 and for each decision γ·φ(next decision) − φ(this): pay for a rising potential φ.

    potentials: φ (n,), of the position before each decision. Whatever φ is, the best policy stays the best: over a
    game all of it adds up to −φ(first decision), which no policy can change (Ng, Harada and Russell 1999).
    """
    check_lengths(lengths, rewards=rewards, potentials=potentials)
    now = np.asarray(potentials, np.float64)
    following = np.zeros(len(now))
    following[:-1] = now[1:]
    ends = np.cumsum(lengths[lengths > 0]) - 1
    following[ends] = 0.0
    return (np.asarray(rewards, np.float64) + discount * following - now).astype(np.float32)


def check_lengths(lengths: np.ndarray, **columns: np.ndarray) -> None:
    """RunError unless every column has as many numbers as all trajectories together."""
    decisions = int(np.sum(lengths))
    for name, column in columns.items():
        if column.shape != (decisions,) or (len(lengths) and np.min(lengths) < 0):
            raise RunError(f"{name} has shape {column.shape}, but the trajectories have {decisions} decisions together")
