"""The numbers of `sparring check`: how fast the rules are, what games look like, how long training would take."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sparring.compiled import INTERPRETED
from sparring.games.check_rules import NEVER
from sparring.games.game import Game
from sparring.rng import seeded

MEASURED = 0.2  # seconds
STARTS = 64  # first positions, in games that begin at random
GENERATIONS, GAMES_A_GENERATION = 100, 500  # what the estimate is for: enough to see a net play well
NET = 0.2e-6  # seconds for a small net (64 and 32 units) inside a search
LEARNING = 25e-6  # seconds to learn from a new position with such a net: two epochs in each of five generations
KEEPING = 0.1  # seconds to write a generation down


@dataclass(frozen=True)
class Numbers:
    """What a sound game looks like in random play. Rates are for one core of this machine.

    positions_per_second, games_per_second: rules alone. mean_length, longest: in moves, rolls of dice among them.
    mean_moves, most_moves: legal moves of a position where a player decides. shares: of games by the value of their
    result for player 0, draws by repetition and by the limit apart. record_bytes: the size of a position. learner: what
    to train the game with, or why not yet. training_seconds: an estimate (see `training_time`), None where there is no
    learner, or nothing is compiled.
    """

    positions_per_second: float
    games_per_second: float
    mean_length: float
    longest: int
    mean_moves: float
    most_moves: int
    shares: dict[float, float]
    by_repetition: float
    by_limit: float
    record_bytes: int
    features: int
    learner: str
    training_seconds: float | None


def measure(game: Game, kernels: ModuleType, desk: Any, seed: int) -> Numbers:
    """Time the game, and read the counts of its checked games off the desk. kernels: check_rules joined to the game."""
    finished = max(int(desk["finished"]), 1)
    mean_length = float(desk["plies"]) / finished
    mean_moves = float(desk["choices"]) / max(int(desk["decisions"]), 1)
    positions, games = _rules_rate(game, seed)
    ends = desk["ends"] / finished
    learner, trainable = learner_for(game)
    seconds = training_time(mean_length, mean_moves, _seen_rate(game, kernels, seed)) if trainable else None
    return Numbers(
        positions_per_second=positions,
        games_per_second=games,
        mean_length=mean_length,
        longest=int(desk["longest"]),
        mean_moves=mean_moves,
        most_moves=int(desk["most_choices"]),
        shares={value: float(share) for value, share in zip(game.RESULTS, ends, strict=False)},
        by_repetition=float(ends[-2]),
        by_limit=float(ends[-1]),
        record_bytes=game.STATE.itemsize,
        features=game.FEATURES,
        learner=learner,
        training_seconds=None if INTERPRETED else seconds,
    )


def learner_for(game: Game) -> tuple[str, bool]:
    """What to train the game with in alpha-beta, and whether that exists."""
    if game.FEATURES == 0:
        return "features() is missing: it says what a net sees", False
    if game.defines("chance"):
        return "TD(lambda) knows no dice", False
    return "TD(lambda)", True


def training_time(mean_length: float, mean_moves: float, nodes_per_second: float) -> float:
    """Seconds for 100 generations of 500 games in which each move is searched three plies deep, on all cores.

    Searched are twice the positions that alpha-beta must look at, b² + b - 1 for b moves (Knuth and Moore 1975), as
    moves are never in the best order. Each takes what a position takes in random play with its features asked for, and
    a net. To that come learning from each position of a game, and keeping each generation. Trained players make longer
    games than random ones, and matches are left out, so it is a rough guide.
    """
    nodes = max(2.0 * (mean_moves * mean_moves + mean_moves - 1.0), 1.0)
    playing = nodes * (1.0 / nodes_per_second + NET) / (os.cpu_count() or 1)
    return GENERATIONS * (GAMES_A_GENERATION * mean_length * (playing + LEARNING) + KEEPING)


def _rules_rate(game: Game, seed: int) -> tuple[float, float]:
    """Positions and games a second of random play."""
    walk = game.bind("games.walk")
    keys = np.zeros(max(game.LIMIT, NEVER) + 1, np.uint64)

    def play(states: np.ndarray, moves: np.ndarray, probabilities: np.ndarray, rng: np.ndarray) -> int:
        counts = np.zeros((2, len(states)), np.int64)
        return int(walk.random_games(states, moves, probabilities, rng, keys, len(keys) - 1, counts[0], counts[1]))

    return _rate(game, seed, play)


def _seen_rate(game: Game, kernels: ModuleType, seed: int) -> float:
    """Positions a second of random play with the features of each asked for."""
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)

    def play(states: np.ndarray, moves: np.ndarray, probabilities: np.ndarray, rng: np.ndarray) -> int:
        return int(kernels.see_games(states, moves, probabilities, index, value, rng, game.LIMIT or NEVER))

    return _rate(game, seed, play)[0]


def _rate(game: Game, seed: int, play: Callable[..., int]) -> tuple[float, float]:
    """Positions and games a second of `play`, which plays the games from given positions."""
    moves, probabilities = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    rng, first = seeded(seed), game.states(STARTS)
    play(first[:1].copy(), moves, probabilities, rng)
    positions, games, batch, seconds = 0, 0, 1, 0.0
    while seconds < MEASURED:
        states = np.resize(first, batch)
        before = time.perf_counter()
        positions += play(states, moves, probabilities, rng)
        seconds += time.perf_counter() - before
        games += batch
        batch = min(2 * batch, 10_000)
    return positions / seconds, games / seconds
