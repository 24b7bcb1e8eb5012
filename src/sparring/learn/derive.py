"""Settings that depend on the game, found by looking at it: how long its games are, how many moves a position has."""

import dataclasses
from typing import Any

import numpy as np

from sparring.errors import GameError
from sparring.games.game import Game
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.nets.tower import planes_of
from sparring.search.gauge import random_lengths, usual_lookahead, usual_moves

SHORT = 8.0  # minutes below which a small net learns more, because it learns from more
SMALL, USUAL = (2, 32), (3, 64)  # blocks, width
FEW_POINTS = 16  # of a board that a small net is enough for


def derive(game: Game, settings: AlphaZeroSettings) -> tuple[AlphaZeroSettings, list[str]]:
    """The settings with a number wherever there was 0 for "by the game"; and lines that say what was chosen and why."""
    moves, length = usual_moves(game), float(np.median(random_lengths(game)))
    _, rows, columns = planes_of(game)
    small = 0 < settings.minutes < SHORT or 1 < rows * columns <= FEW_POINTS
    blocks, width = SMALL if small else USUAL
    simulations = settings.simulations or int(np.clip(2 ** round(np.log2(8 * moves)), 16, 256))
    chosen: dict[str, Any] = {
        "blocks": blocks,
        "width": width,
        "simulations": simulations,
        "quick": max(simulations // 4, 2),
        "lookahead": usual_lookahead(game),
        "warm": max(round(length / 2), 1),
        "opening": max(round(length), 1),
    }
    own = {name: -1 if name == "lookahead" else 0 for name in chosen}  # what stands for "by the game"
    free = {name: value for name, value in chosen.items() if getattr(settings, name) == own[name]}
    why = {
        "blocks": f"net of {free.get('blocks', settings.blocks)} blocks",
        "width": f"{free.get('width', settings.width)} channels",
        "simulations": f"{simulations} simulations (a position has {moves:.0f} moves)",
        "quick": f"{free.get('quick')} on quick moves",
        "lookahead": f"a look {free.get('lookahead')} plies ahead",
        "warm": f"{free.get('warm')} plies drawn by visits (a random game has {length:.0f})",
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
