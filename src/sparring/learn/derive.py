"""Settings that depend on the game, found by looking at it: how long its games are, how many moves a position has."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.errors import GameError
from sparring.games.game import Game
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.nets.tower import planes_of
from sparring.search.fleet import random_lengths

SHORT = 8.0  # minutes below which a small net learns more, because it learns from more
SMALL, USUAL = (2, 32), (3, 64)  # blocks, width
FEW_POINTS = 16  # of a board that a small net is enough for


@dataclass(frozen=True)
class Looks:
    """What random games show. length: their median in plies. moves: legal ones, on average."""

    length: float
    moves: float


def look(game: Game, games: int = 500) -> Looks:
    """Look at random games, always the same ones."""
    lengths = random_lengths(game, games)
    rng = np.random.default_rng(1)
    counts: list[int] = []
    for _ in range(20):
        state = game.states(1)[0]
        while (moves := game.legal_moves(state)) and len(counts) < 2000:
            counts.append(len(moves))
            game.play(state, int(rng.choice(moves)))
    return Looks(float(np.median(lengths)), float(np.mean(counts)))


def derive(game: Game, settings: AlphaZeroSettings) -> tuple[AlphaZeroSettings, list[str]]:
    """The settings with a number wherever there was 0 for "by the game"; and lines that say what was chosen and why."""
    looks = look(game)
    _, rows, columns = planes_of(game)
    small = 0 < settings.minutes < SHORT or 1 < rows * columns <= FEW_POINTS
    blocks, width = SMALL if small else USUAL
    simulations = settings.simulations or int(np.clip(2 ** round(np.log2(8 * looks.moves)), 16, 256))
    chosen: dict[str, Any] = {
        "blocks": blocks,
        "width": width,
        "simulations": simulations,
        "quick": max(simulations // 4, 2),
        "warm": max(round(looks.length / 2), 1),
        "opening": max(round(looks.length), 1),
    }
    free = {name: value for name, value in chosen.items() if not getattr(settings, name)}
    why = {
        "blocks": f"net of {free.get('blocks', settings.blocks)} blocks",
        "width": f"{free.get('width', settings.width)} channels",
        "simulations": f"{simulations} simulations (a position has {looks.moves:.0f} moves)",
        "quick": f"{free.get('quick')} on quick moves",
        "warm": f"{free.get('warm')} plies drawn by visits (a random game has {looks.length:.0f})",
        "opening": f"up to {free.get('opening')} random moves first",
    }
    said = ", ".join(why[name] for name in free)
    return dataclasses.replace(settings, **free), [f"By the game: {said}."] if said else []


def check_trainable(game: Game) -> None:
    """Raise GameError where a net cannot learn the game."""
    if game.FEATURES < 1:
        raise GameError(f"{game.path.name} has no features(), which say what a net sees; add FEATURES and features()")
    if game.VIEWER < 0 and tuple(-v for v in reversed(game.RESULTS)) != game.RESULTS:
        raise GameError(
            f"{game.path.name}: RESULTS {game.RESULTS} are not alike for both players, so a net needs VIEWER"
        )
