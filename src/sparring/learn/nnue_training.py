"""Steps down an NNUE net's loss, batch by batch; weights stay where the net still fits into whole numbers."""

import collections
import copy
from collections.abc import Callable, Iterator

import numpy as np
import torch

from sparring.errors import RunError
from sparring.games.game import Game
from sparring.learn.nnue_loader import Batch, Loader
from sparring.learn.nnue_loss import Losses, Objective, along, losses
from sparring.learn.nnue_rows import shares, wanted
from sparring.learn.nnue_settings import NnueSettings
from sparring.learn.pace import slowed
from sparring.nets.nnue_module import NnueModule
from sparring.nets.tower_training import Trainer

WARM_UP = 100  # steps in which the learning rate rises to its highest
LONGEST = 1.0  # gradients are shortened to this norm
SHARED = 8192  # rows of a batch from which threads share it: with fewer they mostly wait for each other
LEAST_BLEND, HALVED = 0.15, 150_000  # λ where no course was asked for: its end, and positions that bring it halfway
STAGES = 3  # batches on their way to a GPU


class NnueTrainer(Trainer[NnueModule]):
    """A module in training, and the average of its weights, which plays."""

    def __init__(self, module: NnueModule, settings: NnueSettings, game: Game, threads: int = 1) -> None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
        rest = {"averaging": settings.average, "longest": LONGEST, "device": device}
        super().__init__(module, settings.rate, settings.decay, **rest)  # type: ignore[arg-type]
        if device == "cpu" and settings.batch >= SHARED:
            torch.set_num_threads(threads)  # nobody plays meanwhile
        self.game = game
        self.shares = torch.from_numpy(shares(game)).to(device)

    def settle(self) -> None:
        """Clip the weights, after each step."""
        self.module.clip()

    def compile(self, batch: Batch) -> None:
        """Compile what a step runs, on a copy of the module."""
        inputs = OnDevice(batch, self.game, self.device)
        module = copy.deepcopy(self.module)
        logits = module(inputs.own, inputs.other, inputs.phase)
        losses(logits, inputs.wanted, inputs.result, self.shares, Objective(0.1, 1.0)).loss.backward()

    def learn(self, inputs: "OnDevice", objective: Objective, rate: float) -> Losses:
        """One step on a batch."""
        self.module.train()
        logits = self.module(inputs.own, inputs.other, inputs.phase)
        terms = losses(logits, inputs.wanted, inputs.result, self.shares, objective)
        self.descend(terms.loss, rate)
        return terms


class OnDevice:
    """A batch as tensors on the device that trains. wanted: float32 (n,), the share that the score stands for."""

    def __init__(self, batch: Batch, game: Game, device: str) -> None:
        parts = (batch.own, batch.other, batch.phase, batch.result, wanted(batch.score, game))
        tensors = [torch.from_numpy(part) for part in parts]
        if device != "cpu":
            tensors = [t.pin_memory().to(device, non_blocking=True) for t in tensors]
        self.own, self.other, self.phase, self.result, self.wanted = tensors


def ahead(batches: Iterator[Batch], game: Game, device: str) -> Iterator[OnDevice]:
    """Batches on their way to the device while earlier ones are trained on."""
    waiting: collections.deque[OnDevice] = collections.deque()
    stages = 1 if device == "cpu" else STAGES  # on a CPU a tensor is the batch's own memory, used again for the next
    for batch in batches:
        waiting.append(OnDevice(batch, game, device))
        if len(waiting) >= stages:
            yield waiting.popleft()
    yield from waiting


class Course:
    """How a run goes: learning rate, α, λ and nodes by the share of it that is done.

    closing_from: the share of it at which its closing part begins, in which learning slows down; it is set once known.
    positions: of self-play so far.
    """

    def __init__(self, settings: NnueSettings) -> None:
        self.settings = settings
        self.closing_from = 1.0
        self.positions = 0

    def rate(self, steps: int, done: float) -> float:
        """Up in the first steps, level, then down in the closing part."""
        late = (done - self.closing_from) / (1.0 - self.closing_from) if done > self.closing_from else 0.0
        return self.settings.rate * min(1.0, (steps + 1) / WARM_UP) * slowed(late)

    def objective(self, done: float) -> Objective:
        """What is learned."""
        blend = self.settings.blend
        share = along(blend, done) if blend else LEAST_BLEND + (1 - LEAST_BLEND) * 0.5 ** (self.positions / HALVED)
        return Objective(along(self.settings.alpha, done), share)

    def nodes(self, done: float) -> int:
        """Nodes of a search in self-play."""
        logs = tuple(float(np.log(n)) for n in self.settings.nodes)
        return round(float(np.exp(along(logs, done))))


class Lesson:
    """What some steps of training came to. loss, square, surprise: means over them."""

    def __init__(self) -> None:
        self.steps = self.positions = 0
        self.sums: list[torch.Tensor] = []

    def add(self, terms: Losses, positions: int) -> None:
        """Count a step."""
        parts = (terms.loss.detach(), terms.square, terms.surprise)
        self.sums = [a + b for a, b in zip(self.sums, parts, strict=True)] if self.sums else list(parts)
        self.steps += 1
        self.positions += positions

    @property
    def means(self) -> tuple[float, float, float]:
        """Loss, square, surprise."""
        loss, square, surprise = (float(s) / self.steps for s in self.sums) if self.steps else (0.0, 0.0, 0.0)
        return loss, square, surprise


def train(
    trainer: NnueTrainer,
    loader: Loader,
    rows: np.ndarray,
    steps: tuple[int, int],
    seed: tuple[int, ...],
    course: Course,
    done: Callable[[float], float | None],
) -> Lesson:
    """Steps of training on rows, of the batches first to first + count - 1 of a walk through them (steps).

    done: told the share of these steps that is over, the share of the run that is, or None to end now. Raises RunError
    where the loss is no number.
    """
    first, count = steps
    size = min(course.settings.batch, len(rows))
    lesson = Lesson()
    batches = ahead(loader.batches(rows, size, first, count, seed), trainer.game, trainer.device)
    for k, inputs in enumerate(batches):
        now = done(k / count)
        if now is None:
            break
        lesson.add(trainer.learn(inputs, course.objective(now), course.rate(trainer.steps, now)), size)
    if not all(np.isfinite(value) for value in lesson.means):
        raise RunError(f"the loss became {lesson.means[0]}; try a smaller --rate in another folder")
    return lesson
