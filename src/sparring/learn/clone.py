"""Cloning: a net learns to make the moves that a teacher made, and to foresee how those games ended."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from sparring.errors import RunError
from sparring.learn.pace import slowed
from sparring.learn.ppo_loss import check_loss
from sparring.nets.tower_module import Targets, TowerModule, losses
from sparring.nets.tower_training import Trainer, pairs

SHUFFLING = 4  # stream of the run's seed
CHUNK = 4096  # positions looked at, or judged, at once
MOST_KEPT = 1 << 30  # bytes of inputs that stay in memory; more are made anew for every batch
FACTORS = {"policy": 1.0, "result": 0.5, "score": 0.5}  # of the terms of the loss
AVERAGING = 0.99  # how much of the averaged weights a step leaves
WARM_UP = 20  # steps in which the step size rises to its highest
Look = Callable[[np.ndarray], np.ndarray]


class Lessons:
    """What a teacher did: n decisions.

    states: (n,) STATE. moves: (n,). results: (n,) index of the RESULTS as the player to move saw the game end, its
    loss first; −1 where it was cut off. look: of positions (m,) STATE what the net sees, float32 (m, inputs). lawful:
    which moves are legal there, bool (m, MOVES). inputs: of all positions, where they are known. scores: (n,) float32,
    what the net's score should have been, −1 to 1; None: the results, evenly spread over −1 to 1.
    RunError where there are none, or where a move is illegal.
    """

    def __init__(
        self,
        states: np.ndarray,
        moves: np.ndarray,
        results: np.ndarray,
        look: Look,
        lawful: Look,
        inputs: np.ndarray | None = None,
        scores: np.ndarray | None = None,
    ) -> None:
        if not len(states):
            raise RunError("the recording holds no decision to learn from; record some games that come to an end")
        self.states, self.look, self.lawful, self.inputs = states, look, lawful, inputs
        self.moves, self.results = moves.astype(np.int64), results.astype(np.int64)
        self.scores = scores
        self._check()
        if inputs is None and look(states[:1]).nbytes * len(states) <= MOST_KEPT:
            self.inputs = np.concatenate([look(states[part]) for part in chunks(len(states))])

    def __len__(self) -> int:
        return len(self.states)

    def seen(self, rows: np.ndarray | slice) -> np.ndarray:
        """What the net sees of some positions."""
        return self.look(self.states[rows]) if self.inputs is None else self.inputs[rows]

    def targets(self, rows: np.ndarray | slice, ends: int) -> Targets:
        """What the net should have said of them. ends: how many RESULTS there are."""
        legal = torch.from_numpy(self.lawful(self.states[rows]))
        move, result = torch.from_numpy(self.moves[rows]), torch.from_numpy(self.results[rows])
        known = (result >= 0)[:, None]
        if self.scores is None:
            score = torch.where(known[:, 0], result * (2 / max(ends - 1, 1)) - 1, 0.0).float()
        else:
            score = torch.from_numpy(self.scores[rows].astype(np.float32))
        return Targets(
            legal,
            functional.one_hot(move, legal.shape[1]).float(),
            functional.one_hot(result.clamp(min=0), ends).float() * known,
            score,
            torch.ones_like(score),
        )

    def _check(self) -> None:
        for part in chunks(len(self)):
            legal, moves = self.lawful(self.states[part]), self.moves[part]
            named = (moves >= 0) & (moves < legal.shape[1])
            fine = named & legal[np.arange(len(moves)), np.where(named, moves, 0)]
            if not fine.all():
                i = int(np.argmin(fine))
                where = f"decision {part.start + i} of the recording is move {moves[i]}"
                allowed = ", ".join(map(str, np.flatnonzero(legal[i])))
                raise RunError(f"{where}, which is illegal there (legal: {allowed}); a teacher must move by the rules")


def chunks(n: int) -> list[slice]:
    """0 to n in parts."""
    return [slice(at, min(at + CHUNK, n)) for at in range(0, n, CHUNK)]


class Cloning:
    """Supervised training of a module on `train`, until it foresees the moves of `held` no better.

    rate: Adam's highest step size, which falls along half a cosine wave over `epochs` passes. batch: decisions a step.
    patience: passes without a better cross-entropy on the held-out moves, after which it is `done`. seed: of the order.
    factors: of the loss's terms: policy, result, score. The averaged weights are what is measured and kept. Batch norm
    is in training here, and follows what it sees.
    """

    def __init__(
        self,
        module: Any,
        train: Lessons,
        held: Lessons,
        rate: float = 2e-3,
        batch: int = 2048,
        epochs: int = 20,
        patience: int = 3,
        seed: int = 1,
        factors: Mapping[str, float] = FACTORS,
        device: str = "cpu",
    ) -> None:
        self.train, self.held, self.rate, self.batch, self.epochs = train, held, rate, batch, epochs
        self.patience, self.seed = patience, seed
        self.trainer = Trainer(module, rate, factors=factors, averaging=AVERAGING, device=device)
        self.number = 0  # passes done
        self.best_number, self.best_loss = 0, float("inf")
        self.best_weights = self._weights()

    @property
    def done(self) -> bool:
        """Whether passing over the recording again would not help."""
        return ended(self.number, self.best_number, self.epochs, self.patience)

    def epoch(self) -> dict[str, float]:
        """A pass over the recording, and what it was worth.

        epoch; loss: mean over the steps, and of its terms as loss_policy and so on; held_loss: cross-entropy of the
        held-out moves; accuracy: share of them that are the likeliest; held_result, held_score: of how those games
        ended. RunError at the first step whose loss is no number or exploded; `best` is unharmed by it.
        """
        self.number += 1
        order = np.random.default_rng([self.seed, SHUFFLING, self.number]).permutation(len(self.train))
        parts = np.array_split(order, max(round(len(order) / self.batch), 1))
        sums: dict[str, float] = {}
        for i, part in enumerate(parts):
            gone = (self.number - 1 + i / len(parts)) / self.epochs
            for name, term in self._step(part, gone).items():
                sums[name] = sums.get(name, 0.0) + term / len(parts)
        said = self.measure()
        if said["held_loss"] < self.best_loss:
            self.best_number, self.best_loss, self.best_weights = self.number, said["held_loss"], self._weights()
        loss = sums.pop("loss")
        return {"epoch": self.number, "loss": loss, **{f"loss_{name}": v for name, v in sums.items()}, **said}

    def measure(self) -> dict[str, float]:
        """How well the averaged weights foresee the held-out games."""
        module, held, found = self.trainer.average, self.held, np.zeros(4)
        with torch.no_grad():
            for part in chunks(len(held)):
                wanted = held.targets(part, module.shape.results)
                said = module(self._inputs(held, part))
                wanted = Targets(*(None if t is None else t.to(said.policy.device) for t in wanted))  # type: ignore[arg-type]
                terms = losses(said, wanted)
                likeliest = said.policy.masked_fill(~wanted.legal, -torch.inf).argmax(1)
                right = (likeliest == wanted.policy.argmax(1)).double().mean()
                each = (terms["policy"], right, terms["result"], terms["score"])
                found += np.array([float(term) for term in each]) * (len(wanted.legal) / len(held))
        return dict(zip(("held_loss", "accuracy", "held_result", "held_score"), found.tolist(), strict=True))

    def best(self) -> Any:
        """A module of its own with the weights of the best pass; before the first pass as it came."""
        module = copy.deepcopy(self.trainer.average)
        with torch.no_grad():
            for name, tensor in pairs(module):
                tensor.copy_(torch.from_numpy(self.best_weights[name]))
        return module

    # --- for a checkpoint --------------------------------------------------------------------------------------------

    def state(self) -> dict[str, np.ndarray]:
        """All that the next pass depends on but the recording, by name."""
        counts = {"epoch": np.array([self.number, self.best_number], np.int64), "held": np.array([self.best_loss])}
        return self.trainer.state() | {f"best.{name}": array for name, array in self.best_weights.items()} | counts

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from a `state`."""
        self.trainer.restore(arrays)
        self.number, self.best_number = (int(n) for n in arrays["epoch"])
        self.best_loss = float(arrays["held"][0])
        self.best_weights = {name: arrays[f"best.{name}"].copy() for name in self.best_weights}

    # --- parts of a pass ---------------------------------------------------------------------------------------------

    def _step(self, rows: np.ndarray, gone: float) -> dict[str, float]:
        trainer = self.trainer
        rate = self.rate * min(1.0, (trainer.steps + 1) / WARM_UP) * slowed(gone)
        targets = self.train.targets(rows, trainer.module.shape.results)
        terms = {n: float(t) for n, t in trainer.step(self._inputs(self.train, rows), targets, rate).items()}
        where = f", in pass {self.number} over the recording; try a smaller --clone-rate in another folder"
        check_loss(terms["loss"], trainer.steps, where)
        return {name: terms[name] for name in ("policy", "result", "score", "loss")}

    def _inputs(self, lessons: Lessons, rows: np.ndarray | slice) -> torch.Tensor:
        """As the module wants them."""
        module, seen = self.trainer.module, torch.from_numpy(np.ascontiguousarray(lessons.seen(rows)))
        if isinstance(module, TowerModule):
            seen = seen.reshape(-1, module.shape.planes, module.shape.rows, module.shape.columns)
        return seen.to(self.trainer.device)

    def _weights(self) -> dict[str, np.ndarray]:
        return {name: t.detach().cpu().contiguous().numpy().copy() for name, t in pairs(self.trainer.average)}


def ended(number: int, best: int, epochs: int, patience: int) -> bool:
    """Whether cloning is over after `number` passes, of which the best was number `best`."""
    return number >= epochs or number - best >= patience
