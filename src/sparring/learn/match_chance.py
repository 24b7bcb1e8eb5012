"""Learning the chance of winning a match from games of self-play: `MatchLearner`.

A generation: games are played by a net that knows chances of results; each is looked at from several scores, drawn at
random, and from every cube; the net of matches learns TD(λ) targets of a sample of these spots, and the table of scores
what the games were worth at their beginning. Both start from nothing but that a score is worth the share of points that
the other lacks, and cubes nothing.

What a game is worth is told by the chances that the net of positions saw, not by who won it, which scatters far more
(`match_games.returns`): a net of positions that is wrong about gammons teaches chances that are wrong about them.
"""

import itertools
import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from sparring.errors import RunError
from sparring.games.game import Game
from sparring.learn.match_games import CoursePlay, Courses, Scores, cubes_for, draw_scores, targets_of
from sparring.learn.pace import slowed
from sparring.nets.match_net import DEAD, INPUTS, MatchNet, first_scores, inputs_of, mirrored, swing
from sparring.nets.mlp import between
from sparring.nets.mlp_training import follow
from sparring.nets.weights import Net

PLAYING, DRAWING = 1, 2  # streams of the run's seed
RECENT = 3.0  # in the table of scores the n-th game weighs as n to this power, less one


@dataclass(frozen=True)
class MatchSettings:
    """How it learns."""

    points: int = 7
    """Of the longest matches, at least 2."""
    generations: int = 100
    games: int = 500
    """A generation."""
    views: int = 4
    """Scores from which each game is looked at."""
    sample: int = 100_000
    """Spots a generation that the net learns from."""
    hidden: tuple[int, ...] = (64,)
    trace: float = 1.0
    """λ of the targets, 0 (the next judgement alone) to 1 (the end of the game alone). Below 1, judgements that are too
    high confirm themselves: whoever waits for a better double is told that waiting is worth what he thinks it is."""
    rate: float = 0.003
    """Adam's, at first; it falls to a twentieth."""
    batch: int = 512
    average: float = 0.99
    """Of the weights: how much the average that judges and is kept holds on to what it was, a step."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.points < 2:
            raise RunError(f"points is {self.points}, but only in matches to 2 or more the cube matters")
        for name in ("generations", "games", "views", "sample", "batch"):
            if getattr(self, name) < 1:
                raise RunError(f"{name} is {getattr(self, name)}, but it must be at least 1")


class MatchLearner:
    """One run, the same on any number of threads. position: the net that plays and tells chances of results."""

    def __init__(self, game: Game, position: Net, settings: MatchSettings, threads: int = 1) -> None:
        self.game, self.position, self.settings = game, position, settings
        self.play = CoursePlay(game, position, threads)
        self.cubes = cubes_for(settings.points)
        self.scores = first_scores(settings.points)
        self.tally = np.zeros_like(self.scores)  # games that each score was learned from
        torch.set_num_threads(1)  # one order of additions, whatever the machine
        self.model, self.averaged = self._module(), self._module()
        self.adam = torch.optim.Adam(self.model.parameters(), lr=settings.rate)
        self.number = self.games = self.steps = 0

    @property
    def net(self) -> MatchNet:
        """What was learned so far."""
        linear = [part for part in self.averaged if isinstance(part, torch.nn.Linear)]
        layers = tuple((m.weight.detach().numpy().T.copy(), m.bias.detach().numpy().copy()) for m in linear)
        training: dict[str, Any] = {"games": self.games, "position": self.position.digest}
        return MatchNet(self.game.name, layers, self.scores.copy(), training | {"settings": asdict(self.settings)})

    def generation(self) -> dict[str, float]:
        """Play, look, learn. Returns generation, games, loss, and by how much a score moved at most."""
        self.number += 1
        seed = self.settings.seed
        courses = self.play.play(self.settings.games, (seed, PLAYING, self.number))
        rng = np.random.default_rng([seed, DRAWING, self.number])
        self.games += courses.games
        net, before = self.net, self.scores.copy()
        views = [self._view(courses, net, rng) for _ in range(self.settings.views)]
        self._settle([(at, opening) for at, opening, _, _ in views])
        inputs, targets = (np.concatenate([view[k] for view in views]) for k in (2, 3))
        order = rng.permutation(len(inputs))
        loss = self._learn(inputs[order], targets[order])
        if not math.isfinite(loss):
            raise RunError(f"the loss became {loss} in generation {self.number}; try a smaller rate")
        moved = float(np.abs(self.scores - before)[:, 1:, 1:].max())
        return {"generation": self.number, "games": self.games, "loss": loss, "moved": moved}

    # --- parts of a generation ---------------------------------------------------------------------------------------

    def _view(
        self, courses: Courses, net: MatchNet, rng: np.random.Generator
    ) -> tuple[Scores, np.ndarray, np.ndarray, np.ndarray]:
        """The games from scores drawn at random: those, what the games were worth there, and a sample to learn from,
        inputs (m, INPUTS) and targets (m,) float32."""
        at = draw_scores(courses.games, self.settings.points, rng)
        spots = at.spots(courses, self.cubes)
        inputs = inputs_of(net.scores, courses.chances[:, None], spots)
        targets, opening = targets_of(courses, at, self.cubes, net, inputs, self.settings.trace)
        live = np.flatnonzero(np.broadcast_to(spots.live, targets.shape))
        most = -(-self.settings.sample // self.settings.views)
        chosen = rng.choice(live, min(most, len(live)), replace=False)
        return at, opening, inputs.reshape(-1, INPUTS)[chosen], targets.ravel()[chosen].astype(np.float32)

    def _settle(self, views: list[tuple[Scores, np.ndarray]]) -> None:
        """Move the scores towards what games were worth there; later games, whose judge knew more, weigh more."""
        sums, counts = np.zeros_like(self.scores), np.zeros_like(self.scores)
        for at, opening in views:
            played = at.played.astype(int)
            for place, worth in (((played, at.mine, at.theirs), opening), ((played, at.theirs, at.mine), 1 - opening)):
                np.add.at(sums, place, worth)
                np.add.at(counts, place, 1)
        self.tally += counts
        there = counts > 0
        share = np.minimum(RECENT * counts[there] / self.tally[there], 1)
        self.scores[there] += share * (sums[there] / counts[there] - self.scores[there])

    def _learn(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """One pass over them in order; returns the mean squared error."""
        settings, total = self.settings, 0.0
        self.adam.param_groups[0]["lr"] = settings.rate * slowed((self.number - 1) / settings.generations)
        own, other = torch.from_numpy(inputs), torch.from_numpy(mirrored(inputs))
        much, wanted = torch.from_numpy(swing(inputs)), torch.from_numpy(targets)
        for at in range(0, len(inputs), settings.batch):
            piece = slice(at, at + settings.batch)
            added = (self.model(own[piece]) - self.model(other[piece]))[:, 0]
            loss = (own[piece, DEAD] + much[piece] * added - wanted[piece]).square().mean()
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            self.steps += 1
            follow(list(self.averaged.parameters()), list(self.model.parameters()), settings.average, self.steps)
            total += float(loss.detach()) * len(wanted[piece])
        return total / len(inputs)

    def _module(self) -> torch.nn.Sequential:
        """g, which is nothing at first: its last layer is zeros (weights seeded by the settings)."""
        sizes = (INPUTS, *self.settings.hidden, 1)
        rng = np.random.default_rng([self.settings.seed, 0])
        parts: list[torch.nn.Module] = []
        for i, (a, b) in enumerate(itertools.pairwise(sizes)):
            linear = torch.nn.Linear(a, b)
            last = i == len(sizes) - 2
            spread = 0.0 if last else math.sqrt(2 / a)
            with torch.no_grad():
                linear.weight.copy_(torch.from_numpy(rng.normal(size=(b, a)) * spread))
                linear.bias.zero_()
            parts += [linear] if last else [linear, between("leaky")]
        return torch.nn.Sequential(*parts)
