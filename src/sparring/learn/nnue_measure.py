"""How good a net is on positions it never learned from: its loss, and whether its chances can be trusted."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from sparring.games.game import Game
from sparring.learn.nnue_loader import Loader
from sparring.learn.nnue_loss import Objective, expected, losses
from sparring.learn.nnue_rows import shares, wanted

BINS = 10
PART = 16_384  # rows looked at together, which bounds the memory


@dataclass(frozen=True)
class Bin:
    """Positions of about the same forecast: how many, the mean of it, and how often it came."""

    count: int
    predicted: float
    observed: float


def calibration(predicted: np.ndarray, came: np.ndarray, bins: int = BINS) -> list[Bin]:
    """Forecasts (n,), 0 to 1, against what came (n,), in bins of equal counts, lowest first.

    Equal forecasts stand in one bin, so there may be fewer than `bins`.
    """
    order = np.argsort(predicted, kind="stable")
    cuts = [len(order) * k // bins for k in range(1, bins)]
    ordered = predicted[order]
    edges = sorted({0, len(order), *(int(np.searchsorted(ordered, ordered[c])) for c in cuts if c < len(order))})
    found = []
    for begin, end in itertools.pairwise(edges):
        part = order[begin:end]
        found.append(Bin(len(part), float(predicted[part].mean()), float(came[part].mean())))
    return found


def gap(bins: Sequence[Bin]) -> float:
    """How far forecasts are off, on average over positions (the expected calibration error, Naeini et al. 2015)."""
    total = sum(b.count for b in bins)
    return sum(b.count * abs(b.predicted - b.observed) for b in bins) / max(total, 1)


def chances_of(judge: Callable[..., torch.Tensor], loader: Loader, rows: np.ndarray) -> torch.Tensor:
    """The logits (n, outputs) of rows; judge: an NNUE module."""
    found, device = [], next(judge.parameters()).device  # type: ignore[attr-defined]
    with torch.no_grad():
        for at in range(0, len(rows), PART):
            batch = loader.whole(rows[at : at + PART])
            inputs = (torch.from_numpy(a).to(device) for a in (batch.own, batch.other, batch.phase))
            found.append(judge(*inputs).float().cpu())
    return torch.cat(found)


def measured(
    judge: Callable[..., torch.Tensor], loader: Loader, rows: np.ndarray, objective: Objective
) -> dict[str, Any]:
    """Fields of a generation's row, of positions held out.

    held_loss, held_square, held_surprise: as `nnue_loss` has them. held_result: (s − share of the result)², the same
    measure whatever λ and α. calibration: of each result, or of the expected share, [count, predicted, observed] a bin.
    held_gap: the widest mean gap of them.
    """
    game = loader.game
    logits = chances_of(judge, loader, rows)
    result = torch.from_numpy(rows["result"].astype(np.int64))
    worth, score = torch.from_numpy(shares(game)), torch.from_numpy(wanted(rows["score"], game))
    terms = losses(logits, score, result, worth, objective)
    share = expected(logits, worth)
    bins = forecasts(logits, share, result, worth, game)
    return {
        "held": len(rows),
        "held_loss": float(terms.loss),
        "held_square": float(terms.square),
        "held_surprise": float(terms.surprise),
        "held_result": float(((share - worth[result]) ** 2).mean()),
        "held_gap": max(gap(one) for one in bins.values()),
        "calibration": {name: [[b.count, b.predicted, b.observed] for b in one] for name, one in bins.items()},
    }


def forecasts(
    logits: torch.Tensor, share: torch.Tensor, result: torch.Tensor, worth: torch.Tensor, game: Game
) -> dict[str, list[Bin]]:
    """The calibration of each result by its value, as text, or of the expected share (`expected`)."""
    if logits.shape[1] == 1:
        return {"expected": calibration(share.numpy(), worth[result].numpy())}
    chances, came = torch.softmax(logits, 1).numpy(), result.numpy()
    return {
        f"{value:g}": calibration(chances[:, k], (came == k).astype(np.float64)) for k, value in enumerate(game.RESULTS)
    }
