"""The half of AlphaZero that learns: steps of AdamW on batches of rows, and an average of the weights that plays."""

import copy
import math
from collections.abc import Iterator

import numpy as np
import torch
from torch.nn import functional

from sparring.errors import RunError
from sparring.games.game import Game
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.rows import Lessons
from sparring.nets.tower import Tower
from sparring.nets.tower_module import Targets, TowerModule, losses

WARM_UP = 100  # steps in which the learning rate rises to its highest
LAST = 0.05  # of the highest learning rate, at the end
CLIP = 2.0  # norm of the gradient, at most
WEIGHTS = {"policy": 1.0, "result": 1.0, "score": 2.0, "reply": 0.15, "left": 0.15}  # of the terms of the loss
MOMENTS = ("exp_avg", "exp_avg_sq", "step")


class Trainer:
    """A module, its optimiser and its average."""

    def __init__(self, game: Game, module: TowerModule, settings: AlphaZeroSettings, longest: int) -> None:
        self.game, self.module, self.settings, self.longest = game, module, settings, longest
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.module.to(self.device).train()
        self.average = copy.deepcopy(self.module).eval()
        fused = self.device.type in ("cpu", "cuda")
        self.adam = torch.optim.AdamW(self.module.parameters(), settings.rate, weight_decay=settings.decay, fused=fused)
        self.steps = 0
        self.leading = [t for t in self.module.state_dict().values() if t.is_floating_point()]
        self.following = [t for t in self.average.state_dict().values() if t.is_floating_point()]

    def step(self, lessons: Lessons, done: float) -> dict[str, torch.Tensor]:
        """Learn from a batch; done: share of the run that is over. Returns the terms of the loss, not yet read."""
        for group in self.adam.param_groups:
            group["lr"] = self.rate(done)
        inputs = torch.from_numpy(lessons.inputs).to(self.device)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            said = self.module(inputs)
        terms = losses(said, self._targets(lessons))
        loss = sum((WEIGHTS[name] * term for name, term in terms.items()), torch.zeros((), device=self.device))
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), CLIP)
        self.adam.step()
        self.steps += 1
        keep = min(self.settings.average, (1.0 + self.steps) / (10.0 + self.steps))  # a young average must not lag
        with torch.no_grad():
            torch._foreach_lerp_(self.following, self.leading, 1.0 - keep)
        return {name: term.detach() for name, term in terms.items()}

    def rate(self, done: float) -> float:
        """The learning rate: up in the first steps, then down on half a cosine (Loshchilov and Hutter 2017)."""
        cosine = 0.5 * (1.0 + math.cos(math.pi * min(done, 1.0)))
        return self.settings.rate * min(1.0, (self.steps + 1) / WARM_UP) * (LAST + (1.0 - LAST) * cosine)

    def tower(self) -> Tower:
        """The averaged net, for playing."""
        tower = self.average.fold(self.game)
        for name, array in tower.arrays.items():
            if not np.isfinite(array).all():
                raise RunError(f"training went wrong: {name} of the net is not finite; try a smaller --rate")
        return tower

    # --- checkpoints -------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, np.ndarray]:
        """All that goes on learning needs."""
        return {name: tensor.detach().cpu().numpy() for name, tensor in self._tensors()}

    def restore(self, arrays: dict[str, np.ndarray], steps: int) -> None:
        """The inverse of `arrays`; steps: how many were taken."""
        self.steps = steps
        for parameter in self.module.parameters():
            if not self.adam.state[parameter]:
                moments = {"exp_avg": torch.zeros_like(parameter), "exp_avg_sq": torch.zeros_like(parameter)}
                self.adam.state[parameter].update(moments, step=torch.zeros((), device=parameter.device))
        for name, tensor in self._tensors():
            with torch.no_grad():
                tensor.copy_(torch.from_numpy(arrays[name].copy()).reshape(tensor.shape))

    def _tensors(self) -> Iterator[tuple[str, torch.Tensor]]:
        for kind, module in (("module", self.module), ("average", self.average)):
            for name, tensor in module.state_dict().items():
                yield f"{kind}.{name}", tensor
        for name, parameter in self.module.named_parameters():
            for moment in MOMENTS:
                if self.adam.state[parameter]:
                    yield f"adam.{name}.{moment}", self.adam.state[parameter][moment]

    def _targets(self, lessons: Lessons) -> Targets:
        def there(array: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(array).to(self.device)

        reply = left = None
        if self.module.reply is not None:
            named = there(lessons.reply)
            reply = functional.one_hot(named.clamp(min=0), self.game.MOVES).float() * (named >= 0)[:, None]
        if self.module.left is not None:
            left = (there(lessons.left) / self.longest).clamp(max=1.0)
        policy, results, score = there(lessons.policy), there(lessons.outcome), there(lessons.score)
        return Targets(there(lessons.allowed) > 0, policy, results, score, torch.ones_like(score), reply, left)
