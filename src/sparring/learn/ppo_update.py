"""From games to steps of PPO: what was done, how much better it was than expected, some passes over it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.learn.advantages import gae, shaped
from sparring.learn.cloner import Module
from sparring.learn.ppo_loss import PpoBatch, check_loss, log_chances, losses, normalised, whole
from sparring.learn.ppo_settings import PpoSettings
from sparring.learn.seats import Played, Seats
from sparring.nets.tower_training import Trainer

CHUNK = 4096  # positions judged at once


@dataclass(frozen=True)
class Experience:
    """What the learner did in some games. decisions: all of its rows as PPO learns from them, but for the inputs, of
    which there are none, and with advantages as they are."""

    played: Played
    decisions: PpoBatch


def judged(seats: Seats, rows: np.ndarray, module: Module) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Which moves were legal (m, MOVES), the log-probability of the one made (m,), the score (m,), by the module."""
    module.eval()  # a tower's statistics stay as they are: chances must not depend on who else is in the batch
    legal = torch.from_numpy(seats.lawful(rows["state"][:, 0]))
    before, score = torch.zeros(len(rows)), torch.zeros(len(rows))
    with torch.no_grad():
        for at in range(0, len(rows), CHUNK):
            part = slice(at, at + CHUNK)
            said = module(torch.from_numpy(seats.seen(rows[part]).reshape(-1, *seats.shape)))
            chances = log_chances(said.policy, legal[part])
            move = torch.from_numpy(rows["move"][part].astype(np.int64))
            before[part] = chances.gather(1, move[:, None])[:, 0]
            score[part] = said.score
    return legal, before, score


def experience(seats: Seats, played: Played, module: Module, game: Game, settings: PpoSettings) -> Experience:
    """The learner's decisions with their advantages. Games that were cut off without a result are worth 0."""
    rows = played.rows
    legal, before, score = judged(seats, rows, module)
    end = played.games["end"][rows["game"]]
    sign = np.where(rows["player"] == 0, 1.0, -1.0)
    last = np.cumsum(played.lengths) - 1
    rewards = np.zeros(len(rows))
    rewards[last] = (sign * np.array([*game.RESULTS, 0.0])[end])[last]  # ONGOING is -1, the last: no result
    if settings.shaping:
        potentials = rows["potential"].astype(np.float64) * settings.shaping
        rewards = shaped(rewards, potentials, played.lengths, settings.discount)
    advantage, target = gae(rewards, score.numpy(), played.lengths, settings.discount, settings.trace)
    seen = np.where(rows["player"] == 0, end, len(game.RESULTS) - 1 - end)
    decisions = PpoBatch(
        torch.zeros(0),
        legal,
        torch.from_numpy(rows["move"].astype(np.int64)),
        before,
        torch.from_numpy(advantage),
        torch.from_numpy(target),
        torch.from_numpy(np.where(end == ONGOING, ONGOING, seen).astype(np.int64)),
    )
    return Experience(played, decisions)


def improve(
    trainer: Trainer[Any], done: Experience, seats: Seats, settings: PpoSettings, rate: float, rng: np.random.Generator
) -> dict[str, float]:
    """Passes over the experience; the mean of every term and number of the loss, and how many passes there were.

    RunError at the first step whose loss is no number or exploded; the module is then of no use.
    """
    rows, module = done.played.rows, trainer.module
    module.eval()
    totals: dict[str, float] = {}
    steps, passes = 0, 0
    for _ in range(settings.epochs):
        passes += 1
        order, moved = rng.permutation(len(rows)), []
        for part in np.array_split(order, max(round(len(rows) / settings.batch), 1)):
            batch = batch_of(done, seats, part)
            terms = losses(module(batch.inputs), batch, settings.clip)
            loss = whole(terms, settings.value_weight, settings.result_weight, settings.entropy)
            check_loss(float(loss.detach()), trainer.steps + 1)
            trainer.descend(loss, rate)
            for name, term in terms.items():
                totals[name] = totals.get(name, 0.0) + float(term.detach())
            moved.append(float(terms["kl"].detach()))
            steps += 1
        if settings.most_kl and float(np.mean(moved)) > settings.most_kl:
            break
    return {name: total / max(steps, 1) for name, total in totals.items()} | {"passes": float(passes)}


def batch_of(done: Experience, seats: Seats, part: np.ndarray) -> PpoBatch:
    """The decisions of those numbers, with inputs, their advantages normalised."""
    at = torch.from_numpy(part)
    inputs = torch.from_numpy(np.ascontiguousarray(seats.seen(done.played.rows[part]))).reshape(-1, *seats.shape)
    chosen = PpoBatch(inputs, *(column[at] for column in done.decisions[1:]))
    return chosen._replace(advantage=normalised(chosen.advantage))
