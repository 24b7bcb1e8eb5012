"""Training a perceptron: Adam, the average of the weights, which plays and is saved, and what a checkpoint needs."""

from collections.abc import Mapping

import numpy as np
import torch

from sparring.games.game import Game
from sparring.nets.mlp import MLP
from sparring.nets.weights import Net

MOMENTS = ("exp_avg", "exp_avg_sq", "step")


class Trainer:
    """model: what Adam moves. averaged: follows it, and is the net that plays."""

    def __init__(self, net: Net, game: Game, rate: float, average: float) -> None:
        self.average = average
        self.model, self.averaged = MLP(net, game), MLP(net, game)
        self.weights: list[torch.Tensor] = list(self.model.parameters())
        self.followers: list[torch.Tensor] = list(self.averaged.parameters())
        self.adam = torch.optim.Adam(self.model.parameters(), lr=rate, fused=True)

    def step(self, loss: torch.Tensor, rate: float | None = None) -> None:
        """Move the weights against the loss. rate: Adam's, from now on."""
        if rate is not None:
            self.adam.param_groups[0]["lr"] = rate
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        self._follow()

    def _follow(self) -> None:
        """Follow the weights that Adam moved."""
        follow(self.followers, self.weights, self.average, float(self.adam.state[self.weights[0]]["step"]))

    def arrays(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs but the averaged net."""
        moments = {
            f"adam{i}.{name}": np.asarray(state[name].detach().numpy()).copy()
            for i, state in enumerate(self.adam.state[p] for p in self.weights)
            for name in MOMENTS
        }
        return moments | {f"adam{i}.weights": p.detach().numpy().copy() for i, p in enumerate(self.weights)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """The inverse of `arrays`."""
        for i, parameter in enumerate(self.weights):
            parameter.data.copy_(torch.from_numpy(arrays[f"adam{i}.weights"]))
            moments = {name: torch.from_numpy(arrays[f"adam{i}.{name}"].copy()) for name in MOMENTS}
            self.adam.state[parameter].update(moments)


def follow(followers: list[torch.Tensor], weights: list[torch.Tensor], average: float, steps: float) -> None:
    """Move averaged weights after the n-th step (Polyak and Juditsky 1992): noise of single steps evens out.

    average: the share of the old that stays. Faster at first, so that an average does not hold a young net back.
    """
    keep = min(average, (1.0 + steps) / (10.0 + steps))
    with torch.no_grad():
        torch._foreach_lerp_(followers, weights, 1.0 - keep)
