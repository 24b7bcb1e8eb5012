"""The torch module of a tower that is trained: batch norm, losses, the way to and from a `Tower`."""

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from sparring.games.game import Game
from sparring.nets.tower import Shape, Tower

MOMENTUM = 0.05  # of batch norm's running statistics
UNLAWFUL = -1e9  # logit of an illegal move


class Outputs(NamedTuple):
    """What a module says of m positions, float32.

    policy: logits (m, MOVES). results: logits (m, results). score: (m,) in −1 … 1. reply: logits (m, MOVES) of the move
    after this one. left: (m,) moves left in the game, as a share of the longest game. The last two are None where the
    module has no such heads.
    """

    policy: torch.Tensor
    results: torch.Tensor
    score: torch.Tensor
    reply: torch.Tensor | None = None
    left: torch.Tensor | None = None


class Targets(NamedTuple):
    """What m positions should have got, float32 but for legal.

    legal: (m, MOVES) bool. policy: (m, MOVES), chances of the legal moves; a row of zeros teaches no policy. results:
    (m, results), chances of the ends as the eyes that look see them. score: (m,) in −1 … 1. weight: (m,), how much the
    row counts. reply: (m, MOVES) chances; a row of zeros where nobody replied. left: (m,) in 0 … 1.
    """

    legal: torch.Tensor
    policy: torch.Tensor
    results: torch.Tensor
    score: torch.Tensor
    weight: torch.Tensor
    reply: torch.Tensor | None = None
    left: torch.Tensor | None = None


class Normed(nn.Module):
    """A convolution over neighbours, then batch norm (Ioffe and Szegedy 2015)."""

    def __init__(self, channels: int, width: int, kernel: tuple[int, int]) -> None:
        super().__init__()
        pads = (kernel[0] // 2, kernel[1] // 2)
        self.convolution = nn.Conv2d(channels, width, kernel, padding=pads, bias=False)
        self.norm = nn.BatchNorm2d(width, momentum=MOMENTUM)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(m, channels, rows, columns) to (m, width, rows, columns)."""
        return self.norm(self.convolution(x))

    def folded(self) -> tuple[np.ndarray, np.ndarray]:
        """Weight and bias of the one convolution that does the same with the running statistics."""
        weight, norm = self.convolution.weight.detach().double(), self.norm
        mean, spread = statistics(norm)
        scale = norm.weight.detach().double() / spread
        bias = norm.bias.detach().double() - mean * scale
        return as_array(weight * scale[:, None, None, None]), as_array(bias)

    def unfold(self, weight: np.ndarray, bias: np.ndarray) -> None:
        """Become that convolution; batch norm changes nothing, but for the bias."""
        with torch.no_grad():
            self.convolution.weight.copy_(torch.from_numpy(weight))
            self.norm.bias.copy_(torch.from_numpy(bias))
            self.norm.weight.fill_(1)
            self.norm.running_var.fill_(1 - self.norm.eps)  # type: ignore[union-attr]
            self.norm.running_mean.zero_()  # type: ignore[union-attr]

    def settle(self, x: torch.Tensor) -> None:
        """Take x's statistics for the running ones, and change scale and bias so that the output stays the same."""
        norm = self.norm
        with torch.no_grad():
            mean, spread = statistics(norm)
            y = self.convolution(x).double()
            new_mean, new_variance = y.mean((0, 2, 3)), y.var((0, 2, 3), correction=0)
            scale = norm.weight.double() / spread
            norm.bias.copy_(norm.bias + (new_mean - mean) * scale)
            norm.weight.copy_(scale * (new_variance + norm.eps).sqrt())
            norm.running_mean.copy_(new_mean)  # type: ignore[union-attr]
            norm.running_var.copy_(new_variance)  # type: ignore[union-attr]


def statistics(norm: nn.BatchNorm2d) -> tuple[torch.Tensor, torch.Tensor]:
    """Running mean and standard deviation, double."""
    assert norm.running_mean is not None and norm.running_var is not None
    return norm.running_mean.double(), (norm.running_var.double() + norm.eps).sqrt()


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """float32, contiguous, on the CPU."""
    return np.ascontiguousarray(tensor.detach().cpu().numpy().astype(np.float32))


class TowerModule(nn.Module):
    """Inputs (m, planes, rows, columns) to `Outputs`.

    reply, left: whether it has the two heads that are only there to be trained: to foresee the opponent's answer
    (Tian and Zhu 2015) and how long the game will last teaches the tower what helps the others.
    """

    def __init__(self, shape: Shape, seed: int, reply: bool = False, left: bool = False) -> None:
        super().__init__()
        self.shape = shape
        self.stem = Normed(shape.planes + 1, shape.width, shape.kernel)
        self.inner = nn.ModuleList(Normed(shape.width, shape.width, shape.kernel) for _ in range(2 * shape.blocks))
        self.heads = nn.Conv2d(shape.width, shape.policy + shape.value, 1)
        self.policy = nn.Linear(shape.policy * shape.points, shape.moves)
        self.value = nn.Linear(shape.value * shape.points, shape.hidden)
        self.result = nn.Linear(shape.hidden, shape.results + 1)
        self.reply = nn.Linear(shape.policy * shape.points, shape.moves) if reply else None
        self.left = nn.Linear(shape.hidden, 1) if left else None
        self.initialise(seed)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def initialise(self, seed: int) -> None:
        """He initialisation (He et al. 2015), zero biases; outputs begin near zero, which is to favour nothing."""
        random = np.random.default_rng([seed, 1])
        ends = {self.policy, self.result, self.reply, self.left}
        with torch.no_grad():
            for part in self.modules():
                if isinstance(part, nn.Conv2d | nn.Linear):
                    fan = part.weight[0].numel()
                    spread = 0.1 / np.sqrt(fan) if part in ends else np.sqrt(2.0 / fan)
                    drawn = (random.normal(size=tuple(part.weight.shape)) * spread).astype(np.float32)
                    part.weight.copy_(torch.from_numpy(drawn))
                    if part.bias is not None:
                        part.bias.zero_()

    def forward(self, inputs: torch.Tensor) -> Outputs:
        """What the module says of the positions."""
        x = functional.relu(self.stem(with_edge(inputs)))
        for first, second in self.pairs():
            x = functional.relu(x + second(functional.relu(first(x))))
        heads = functional.relu(self.heads(x))
        moves = heads[:, : self.shape.policy].flatten(1)
        hidden = functional.relu(self.value(heads[:, self.shape.policy :].flatten(1)))
        ends = self.result(hidden).float()
        reply = self.reply(moves).float() if self.reply is not None else None
        left = self.left(hidden).float().sigmoid()[:, 0] if self.left is not None else None
        return Outputs(self.policy(moves).float(), ends[:, :-1], ends[:, -1].tanh(), reply, left)

    def pairs(self) -> list[tuple[Normed, Normed]]:
        """The two convolutions of each block."""
        inner: list[Any] = list(self.inner)
        return list(zip(inner[::2], inner[1::2], strict=True))

    # --- to and from arrays ----------------------------------------------------------------------------------------

    def normed(self) -> dict[str, Normed]:
        """The convolutions over neighbours, by their names in a `Tower`."""
        parts = [self.stem, *(part for pair in self.pairs() for part in pair)]
        return dict(zip(self.shape.convolutions, parts, strict=True))

    def plain(self) -> dict[str, nn.Conv2d | nn.Linear]:
        """The layers without batch norm that a `Tower` has, by their names there."""
        return {"heads": self.heads, "policy": self.policy, "value": self.value, "result": self.result}

    def fold(self, game: Game, training: dict[str, Any] | None = None) -> Tower:
        """The tower as it judges when it is not being trained."""
        layers = {name: part.folded() for name, part in self.normed().items()}
        layers |= {name: (as_array(part.weight), as_array(part.bias)) for name, part in self.plain().items()}  # type: ignore[arg-type]
        found = {
            f"{n}.{kind}": a for n, pair in layers.items() for kind, a in zip(("weight", "bias"), pair, strict=True)
        }
        arrays = {name: found[name].reshape(shape) for name, shape in self.shape.arrays.items()}
        return Tower(game.name, game.FEATURES_VERSION, self.shape, arrays, training or {})

    @staticmethod
    def of(tower: Tower, inputs: np.ndarray, seed: int, reply: bool = False, left: bool = False) -> "TowerModule":
        """A module that judges as the tower does, to train on from there.

        inputs: some hundred positions, whose statistics batch norm begins with; seed: of the heads that are only
        trained, which a tower does not keep.
        """
        module = TowerModule(tower.shape, seed, reply, left)
        for name, part in module.normed().items():
            part.unfold(*tower.layer(name))
        with torch.no_grad():
            for name, layer in module.plain().items():
                weight, bias = tower.layer(name)
                layer.weight.copy_(torch.from_numpy(weight).reshape(layer.weight.shape))
                layer.bias.copy_(torch.from_numpy(bias))  # type: ignore[union-attr]
            module.eval()
            x = functional.relu(settled(module.stem, with_edge(torch.from_numpy(inputs))))
            for first, second in module.pairs():
                x = functional.relu(x + settled(second, functional.relu(settled(first, x))))
        return module.train()


def settled(part: Normed, x: torch.Tensor) -> torch.Tensor:
    """The output for x, once the part's statistics are those of x."""
    part.settle(x)
    return part(x)


def with_edge(inputs: torch.Tensor) -> torch.Tensor:
    """The inputs and a plane of ones behind them, channels last."""
    ones = inputs.new_ones(()).expand(len(inputs), 1, *inputs.shape[2:])
    return torch.cat([inputs, ones], 1).contiguous(memory_format=torch.channels_last)


def losses(said: Outputs, wanted: Targets) -> dict[str, torch.Tensor]:
    """Terms of the loss, each a mean over rows by their weight.

    policy: cross-entropy among the legal moves. result: cross-entropy of the ends' chances. score: squared error.
    reply, left: of the heads that are only trained, where module and targets have them.
    """

    def mean(rows: torch.Tensor) -> torch.Tensor:
        return (rows * wanted.weight).sum() / wanted.weight.sum()

    def cross_entropy(logits: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
        return mean(-(chances * functional.log_softmax(logits, 1)).sum(1))

    terms = {
        "policy": cross_entropy(said.policy.masked_fill(~wanted.legal, UNLAWFUL), wanted.policy),
        "result": cross_entropy(said.results, wanted.results),
        "score": mean((said.score - wanted.score).square()),
    }
    if said.reply is not None and wanted.reply is not None:
        terms["reply"] = cross_entropy(said.reply, wanted.reply)
    if said.left is not None and wanted.left is not None:
        terms["left"] = mean((said.left - wanted.left).square())
    return terms
