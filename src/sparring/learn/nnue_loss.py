"""What an NNUE net is trained for: the expected share of the points, assisted by the chance of what happened.

loss = (s − t)² − α · log p(z). s: the share the net expects. t = λ · (the share that the result z was worth) +
(1 − λ) · (the share that the search's score stands for). α = 0 is the squared error alone, α = ∞ the last term alone.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional


@dataclass(frozen=True)
class Objective:
    """alpha: α, 0 or more, math.inf too. blend: λ, 0 to 1."""

    alpha: float
    blend: float


@dataclass(frozen=True)
class Losses:
    """Means over a batch, (): the loss, (s − t)², and −log p(z), which is 0 for a net with a single output."""

    loss: torch.Tensor
    square: torch.Tensor
    surprise: torch.Tensor


def losses(
    logits: torch.Tensor, wanted: torch.Tensor, result: torch.Tensor, shares: torch.Tensor, objective: Objective
) -> Losses:
    """What a batch is off by.

    logits: (n, results), or (n, 1) the log odds of the expected share, which learn by the squared error alone.
    wanted: (n,) float32, the share that the score stands for. result: (n,) int64, what happened, an index into shares.
    shares: (results,) float32, what each result is worth.
    """
    target = objective.blend * shares[result] + (1.0 - objective.blend) * wanted
    square = functional.mse_loss(expected(logits, shares), target)
    if logits.shape[1] == 1:
        return Losses(square, square.detach(), torch.zeros_like(square))
    surprise = functional.cross_entropy(logits, result)
    loss = surprise if math.isinf(objective.alpha) else square + objective.alpha * surprise
    return Losses(loss, square.detach(), surprise.detach())


def expected(logits: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    """The share of the points that a net expects, (n,)."""
    if logits.shape[1] == 1:
        return torch.sigmoid(logits[:, 0])
    return torch.softmax(logits, 1) @ shares


def along(course: tuple[float, ...], done: float) -> float:
    """A number that is one over the whole run, or goes evenly from the first to the last. done: share of the run."""
    if len(course) == 1:
        return course[0]
    place = float(np.clip(done, 0.0, 1.0)) * (len(course) - 1)
    return float(np.interp(place, range(len(course)), course))
