"""From rows to steps of training: what a batch teaches, how fast to learn at which point of a run."""

import torch
from torch.nn import functional

from sparring.games.game import Game
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.pace import slowed
from sparring.learn.rows import Lessons
from sparring.nets.tower_module import Targets, TowerModule
from sparring.nets.tower_training import Trainer

WARM_UP = 100  # steps in which the learning rate rises to its highest
FACTORS = {"score": 2.0, "reply": 0.15, "left": 0.15}  # of the terms of the loss; the others count once


def new_trainer(module: TowerModule, settings: AlphaZeroSettings) -> Trainer[TowerModule]:
    """A trainer as the settings want it, on a GPU where there is one."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Trainer(module, settings.rate, settings.decay, FACTORS, settings.average, device=device)


def rate_at(settings: AlphaZeroSettings, steps: int, done: float) -> float:
    """The learning rate: up in the first steps, then down. done: share of the run that is over."""
    return settings.rate * min(1.0, (steps + 1) / WARM_UP) * slowed(done)


def targets_of(lessons: Lessons, module: TowerModule, game: Game, longest: int) -> Targets:
    """A batch as the loss wants it. longest: plies of the longest game."""
    policy, allowed, results = (torch.from_numpy(a) for a in (lessons.policy, lessons.allowed, lessons.outcome))
    score = torch.from_numpy(lessons.score)
    reply = left = None
    if module.reply is not None:
        named = torch.from_numpy(lessons.reply)
        reply = functional.one_hot(named.clamp(min=0), game.MOVES).float() * (named >= 0)[:, None]
    if module.left is not None:
        left = (torch.from_numpy(lessons.left) / longest).clamp(max=1.0)
    return Targets(allowed > 0, policy, results, score, torch.ones_like(score), reply, left)
