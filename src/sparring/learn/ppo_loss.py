"""Proximal policy optimisation: the terms of the loss of one minibatch (Schulman et al. 2017).

Illegal moves have no chance, and take no part in the gradient: their logarithms, which would be −∞, never meet their
chances, which are 0.
"""

from typing import NamedTuple

import torch
from torch.nn import functional

from sparring.errors import RunError
from sparring.nets.tower_module import UNLAWFUL, Outputs

MOST_LOSS = 1e4  # a larger one is no learning any more
TINY = 1e-8  # keeps advantages that are all alike from being divided by 0


class PpoBatch(NamedTuple):
    """m decisions, as the player who made them saw them.

    inputs: as the module wants them. legal: (m, MOVES) bool. move: (m,) int64, that was played. before: (m,), the
    logarithm of its chance under the policy that played it. advantage: (m,). target: (m,) of the score. result: (m,)
    int64, index of the RESULTS that the game ended with, loss first; −1 where it was cut off and teaches no result.
    """

    inputs: torch.Tensor
    legal: torch.Tensor
    move: torch.Tensor
    before: torch.Tensor
    advantage: torch.Tensor
    target: torch.Tensor
    result: torch.Tensor


def losses(said: Outputs, batch: PpoBatch, clip: float) -> dict[str, torch.Tensor]:
    """Terms of the loss and diagnostics, each a mean over the rows; advantages are taken as they are.

    policy: minus the clipped surrogate. value: squared error of the score. result: cross-entropy of how the games ended
    that came to an end. entropy: of the chances of legal moves, in nats (the loss takes it off: see `whole`).
    Diagnostics, without a gradient: kl, how far the policy has gone from the one that played, by the estimator
    (ratio − 1) − log ratio, which is never below 0 and right on average (Schulman 2020); clipped, the share of rows
    whose ratio left 1 ± clip.
    """
    logs = log_chances(said.policy, batch.legal)
    change = logs.gather(1, batch.move[:, None])[:, 0] - batch.before
    ratio = change.exp()
    with torch.no_grad():
        kl = (ratio - 1 - change).mean()
        clipped = ((ratio - 1).abs() > clip).float().mean()
    return {
        "policy": -surrogate(ratio, batch.advantage, clip).mean(),
        "value": (said.score - batch.target).square().mean(),
        "result": result_loss(said.results, batch.result),
        "entropy": entropies(logs, batch.legal).mean(),
        "kl": kl,
        "clipped": clipped,
    }


def result_loss(logits: torch.Tensor, result: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy over the rows that have a result; 0 where none has."""
    rows = functional.cross_entropy(logits, result, ignore_index=-1, reduction="sum")
    return rows / (result >= 0).sum().clamp(min=1)


def whole(terms: dict[str, torch.Tensor], value: float, result: float, entropy: float) -> torch.Tensor:
    """The loss: the policy's term, and the others by these factors; entropy is a bonus."""
    return terms["policy"] + value * terms["value"] + result * terms["result"] - entropy * terms["entropy"]


def check_loss(loss: float, step: int, where: str = "") -> None:
    """RunError where a step's loss is no number or exploded. where: the end of its line."""
    if not abs(loss) <= MOST_LOSS:  # as it stands this holds of what is no number, too
        raise RunError(f"the loss became {loss:g} at step {step}{where}")


def surrogate(ratio: torch.Tensor, advantage: torch.Tensor, clip: float) -> torch.Tensor:
    """The clipped objective of each row: a ratio outside 1 ± clip gains nothing, but its loss is felt."""
    return torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)


def log_chances(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Logarithms of the moves' chances, (m, MOVES); of illegal moves very low, not −∞, and without gradient."""
    return functional.log_softmax(logits.masked_fill(~legal, UNLAWFUL), 1)


def entropies(logs: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Entropy (m,) of the legal moves' chances."""
    return -(logs.exp() * logs.masked_fill(~legal, 0.0)).sum(1)


def normalised(advantage: torch.Tensor) -> torch.Tensor:
    """Advantages with mean 0 and standard deviation 1 (divisor m, so that one row alone becomes 0)."""
    return (advantage - advantage.mean()) / (advantage.std(correction=0) + TINY)
