"""The torch module of a MoveNet that is trained, and the way to and from a `MoveNet`."""

import itertools
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from sparring.games.game import Game
from sparring.nets.move_net import LEAK, MoveNet, MoveShape
from sparring.nets.tower_module import Outputs, as_array


class MoveNetModule(nn.Module):
    """Inputs (m, MoveShape.inputs) to `Outputs`, without the heads that a tower may have beside."""

    def __init__(self, shape: MoveShape, seed: int) -> None:
        super().__init__()
        self.shape = shape
        policy, value = shape.sizes["policy"], shape.sizes["value"]
        self.policy = nn.ModuleList(nn.Linear(before, after) for before, after in itertools.pairwise(policy))
        self.value = nn.ModuleList(nn.Linear(before, after) for before, after in itertools.pairwise(value))
        self.initialise(seed)

    def initialise(self, seed: int) -> None:
        """He initialisation (He et al. 2015), zero biases; outputs begin near zero, which is to favour nothing."""
        random = np.random.default_rng([seed, 2])
        with torch.no_grad():
            for name, layer in self.layers().items():
                after, before = self.shape.layers[name]
                last = layer in (self.policy[-1], self.value[-1])
                spread = 0.1 / np.sqrt(before) if last else np.sqrt(2.0 / before)
                layer.weight.copy_(torch.from_numpy((random.normal(size=(after, before)) * spread).astype(np.float32)))
                layer.bias.zero_()

    def forward(self, inputs: torch.Tensor) -> Outputs:
        """What the module says of the positions."""
        shape = self.shape
        overview = inputs[:, : shape.overview]
        prospects = inputs[:, shape.overview :].reshape(len(inputs), shape.moves, shape.prospects)
        first, *later = self.policy
        of_overview, of_prospects = first.weight.split([shape.overview, shape.prospects], 1)  # type: ignore[operator]
        shared = functional.linear(overview, of_overview, first.bias)  # type: ignore[arg-type]
        logits = _through(later, functional.linear(prospects, of_prospects) + shared[:, None])
        first, *later = self.value
        ends = _through(later, first(overview)).float()
        return Outputs(logits[..., 0].float(), ends[:, :-1], ends[:, -1].tanh())

    # --- to and from arrays ----------------------------------------------------------------------------------------

    def layers(self) -> dict[str, nn.Linear]:
        """The layers by their names in a `MoveNet`."""
        parts: list[Any] = [*self.policy, *self.value]
        return dict(zip(self.shape.layers, parts, strict=True))

    def fold(self, game: Game, training: dict[str, Any] | None = None) -> MoveNet:
        """The net as it judges when it is not being trained."""
        arrays = {f"{name}.weight": as_array(layer.weight) for name, layer in self.layers().items()}
        arrays |= {f"{name}.bias": as_array(layer.bias) for name, layer in self.layers().items()}
        return MoveNet(game.name, game.FEATURES_VERSION, self.shape, arrays, training or {})

    @staticmethod
    def of(net: MoveNet) -> "MoveNetModule":
        """A module that judges as the net does, to train on from there."""
        module = MoveNetModule(net.shape, 0)
        with torch.no_grad():
            for name, layer in module.layers().items():
                weight, bias = net.layer(name)
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))
        return module


def _through(layers: list[nn.Module], sums: torch.Tensor) -> torch.Tensor:
    """The outputs of a perceptron from the sums of its first layer."""
    for layer in layers:
        sums = layer(functional.leaky_relu(sums, LEAK))
    return sums
