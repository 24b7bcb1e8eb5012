"""The torch module of an NNUE net that is trained, and the way to and from an `Nnue`."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from sparring.games.game import Game
from sparring.nets.nnue import Nnue, NnueShape, check_shape
from sparring.nets.nnue_quantised import CLIP, first_dense
from sparring.nets.nnue_sparse import first_layer
from sparring.nets.tower_module import as_array

ACTIVE = 32  # inputs that are usually active
ONE_BY_ONE = 64  # outputs over all sets up to which reckoning them all costs less than sorting positions by set


class PhaseLinear(nn.Module):
    """A layer with a set of weights for each phase: weight (sets, out, in), bias (sets, out)."""

    def __init__(self, sets: int, after: int, before: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(sets, after, before))
        self.bias = nn.Parameter(torch.zeros(sets, after))

    def forward(self, x: torch.Tensor, phase: torch.Tensor) -> torch.Tensor:
        """(n, out) of x (n, in); phase: which set, int64 (n,)."""
        return by_phase(x, phase, self.weight, self.bias)


def by_phase(x: torch.Tensor, phase: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """`PhaseLinear` with these weights."""
    sets, after, before = weight.shape
    if sets == 1:
        return functional.linear(x, weight[0], bias[0])
    if sets * after <= ONE_BY_ONE or x.device.type != "cpu":
        every = functional.linear(x, weight.reshape(-1, before), bias.reshape(-1)).view(-1, sets, after)
        return every.gather(1, phase.view(-1, 1, 1).expand(-1, 1, after))[:, 0]
    order = torch.argsort(phase)
    counts = torch.bincount(phase, minlength=sets).tolist()
    parts = zip(x[order].split(counts), weight, bias, strict=True)
    sorted_out = torch.cat([functional.linear(part, w, b) for part, w, b in parts])
    return sorted_out[torch.argsort(order)]


class NnueModule(nn.Module):
    """own, other: int32 (n, most), rows of the first layer's weights, -1 behind the last; phase: int64 (n,), the set of
    weights behind it (`nnue.inputs_seen`). Returns logits (n, NnueShape.outputs).

    Where the first layer has several sets of weights, each is the sum of what all share and of its own, so that a rare
    set learns from the others (the "factoriser" of nnue-pytorch).
    """

    def __init__(self, shape: NnueShape, seed: int = 0) -> None:
        super().__init__()
        self.shape = shape
        sets = shape.input_buckets
        self.features = nn.Parameter(torch.zeros(sets * shape.inputs, shape.hidden))
        self.shared = nn.Parameter(torch.zeros(shape.inputs, shape.hidden)) if sets > 1 else None
        self.features_bias = nn.Parameter(torch.zeros(shape.hidden))
        dense = {name: PhaseLinear(shape.output_buckets, *sizes) for name, sizes in shape.dense.items()}
        self.dense = nn.ModuleDict(dense)
        self.initialise(seed)

    def initialise(self, seed: int) -> None:
        """Units of the first layer begin around a quarter, where SCReLU has a slope; outputs begin near zero.

        All sets of weights begin alike, so that a rare phase does not lag behind by chance.
        """
        random = np.random.default_rng([seed, 3])
        shape = self.shape

        def normal(sizes: tuple[int, ...], spread: float) -> torch.Tensor:
            return torch.from_numpy((random.normal(size=sizes) * spread).astype(np.float32))

        with torch.no_grad():
            first = normal((shape.inputs, shape.hidden), 0.25 / np.sqrt(min(ACTIVE, shape.inputs)))
            (self.features if self.shared is None else self.shared).copy_(first)
            self.features_bias.fill_(0.25)
            for name, (after, before) in shape.dense.items():
                spread = (0.5 if name == "output" else 1.5) / np.sqrt(before)
                self.layer(name).weight.copy_(normal((after, before), spread).expand(shape.output_buckets, -1, -1))
                self.layer(name).bias.fill_(0.0 if name == "output" else 0.25)

    def layer(self, name: str) -> PhaseLinear:
        """One of the layers behind the first, by its name in `NnueShape.dense`."""
        found = self.dense[name]
        assert isinstance(found, PhaseLinear)
        return found

    def first_weight(self) -> torch.Tensor:
        """Of the first layer, set after set: (sets × inputs, hidden)."""
        if self.shared is None:
            return self.features
        shape = self.shape
        return (self.features.view(-1, shape.inputs, shape.hidden) + self.shared).view(-1, shape.hidden)

    def forward(self, own: torch.Tensor, other: torch.Tensor, phase: torch.Tensor) -> torch.Tensor:
        """What the module says of the positions."""
        x = first_layer(self.first_weight(), self.features_bias, own, other)
        for name in self.shape.dense:
            halved = name == "layer1" and self.shape.block_sparse
            x = self.by_halves(x, phase) if halved else self.layer(name)(x, phase)
            x = x if name == "output" else x.clamp(0, 1).square()
        return x

    def by_halves(self, x: torch.Tensor, phase: torch.Tensor) -> torch.Tensor:
        """Layer 1 where each half of its outputs reads one half of the units of both views."""
        layer, views = self.layer("layer1"), x.view(len(x), 2, 2, -1)  # view, half
        parts = zip((0, 1), layer.weight.chunk(2, 1), layer.bias.chunk(2, 1), strict=True)
        return torch.cat([by_phase(views[:, :, half].flatten(1), phase, w, b) for half, w, b in parts], 1)

    def clip(self) -> None:
        """Bring weights that do not fit into a quantised net back to what does (`nnue_quantised`); after each step."""
        with torch.no_grad():
            whole = self.first_weight()
            self.features.add_(whole.clamp(-CLIP, CLIP) - whole)
            self.features_bias.clamp_(-CLIP, CLIP)
            self.layer(first_dense(self.shape)).weight.clamp_(-CLIP, CLIP)

    # --- to and from arrays ----------------------------------------------------------------------------------------

    def named(self) -> dict[str, torch.Tensor]:
        """The weights by their names in an `Nnue`."""
        found: dict[str, torch.Tensor] = {"features.weight": self.first_weight(), "features.bias": self.features_bias}
        for name in self.shape.dense:
            found |= {f"{name}.weight": self.layer(name).weight, f"{name}.bias": self.layer(name).bias}
        return found

    def net(self, game: Game, training: dict[str, Any] | None = None) -> Nnue:
        """The net as arrays; WeightsError where it cannot look at the game."""
        check_shape(self.shape, game, "the net")
        arrays = {name: as_array(parameter) for name, parameter in self.named().items()}
        return Nnue(game.name, game.FEATURES_VERSION, self.shape, arrays, training or {})

    @staticmethod
    def of(net: Nnue) -> "NnueModule":
        """A module that judges as the net does, to train on from there."""
        module = NnueModule(net.shape)
        with torch.no_grad():
            if module.shared is not None:
                module.shared.zero_()
            for name, weight in (module.named() | {"features.weight": module.features}).items():
                weight.copy_(torch.from_numpy(np.array(net.arrays[name])))
        return module
