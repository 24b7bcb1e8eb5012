"""The torch module that is trained: layers, head, loss, and the way to and from a `Net`."""

import itertools

import numpy as np
import torch
from torch import nn

from sparring.games.game import Game
from sparring.nets.weights import LEAK, Net, results_seen


def new_net(game: Game, hidden: tuple[int, ...], head: str, active: float, seed: int, activation: str = "relu") -> Net:
    """An untrained net: He initialisation (He et al. 2015), zero biases.

    active: how many inputs are usually set at once; the fan-in of layer 1, most of whose inputs are 0.
    """
    rng = np.random.default_rng([seed, 0])
    sizes = (game.FEATURES, *hidden, 1 if head == "tanh" else len(game.RESULTS))
    layers = []
    for i, (a, b) in enumerate(itertools.pairwise(sizes)):
        spread = np.sqrt(2.0 / (active if i == 0 else a))
        layers.append(((rng.normal(size=(a, b)) * spread).astype(np.float32), np.zeros(b, np.float32)))
    return Net(game.name, game.FEATURES_VERSION, head, tuple(layers), {"generation": 0, "seed": seed}, activation)


def between(activation: str) -> nn.Module:
    """What stands between two layers."""
    return {"relu": nn.ReLU(), "leaky": nn.LeakyReLU(LEAK), "sigmoid": nn.Sigmoid()}[activation]


class MLP(nn.Module):
    """Inputs (m, FEATURES) to outputs before the head, (m, 1) or (m, results)."""

    def __init__(self, net: Net, game: Game) -> None:
        super().__init__()
        self.head = net.head
        self.linear = [nn.Linear(a, b) for a, b in zip(net.sizes, net.sizes[1:], strict=False)]
        self.layered = nn.Sequential(
            *[part for module in self.linear for part in (module, between(net.activation))][:-1]
        )
        with torch.no_grad():
            for module, (weights, bias) in zip(self.linear, net.layers, strict=True):
                module.weight.copy_(torch.from_numpy(weights.T.copy()))
                module.bias.copy_(torch.from_numpy(bias.copy()))
        self.results: torch.Tensor
        self.register_buffer("results", torch.tensor(results_seen(game), dtype=torch.float32))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Outputs before the head."""
        return self.layered(inputs)

    def value(self, out: torch.Tensor) -> torch.Tensor:
        """Expected results (m,) from outputs."""
        return torch.tanh(out[:, 0]) if self.head == "tanh" else torch.softmax(out, 1) @ self.results

    def loss(self, out: torch.Tensor, wanted: torch.Tensor, happened: torch.Tensor, alpha: float) -> torch.Tensor:
        """Mean loss: (value − wanted)² / 2, and for a distribution (value − wanted)² + alpha · cross-entropy."""
        miss = (self.value(out) - wanted).square().mean()
        return miss / 2 if self.head == "tanh" else miss + alpha * nn.functional.cross_entropy(out, happened)

    def outcome_loss(self, out: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
        """Mean cross-entropy to the chances (m, results) that the results should have had."""
        return nn.functional.cross_entropy(out, chances)

    def layers(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """The weights as a `Net` holds them."""
        return tuple((m.weight.detach().numpy().T.copy(), m.bias.detach().numpy().copy()) for m in self.linear)
