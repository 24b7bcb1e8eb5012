"""Write the rules of a two-player game once, in plain Python, and get a strong bot by self-play.

The names below are all that most programs need; they are loaded when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "load": "games.game",
    "Searcher": "search.searcher",
    "Limits": "search.searcher",
    "parse_player": "arena.player",
    "play_pairs": "arena.match",
    "PairCounts": "arena.stats",
    "describe": "arena.stats",
}
__all__ = ["Limits", "PairCounts", "Searcher", "__version__", "describe", "load", "parse_player", "play_pairs"]

if TYPE_CHECKING:
    from sparring.arena.match import play_pairs
    from sparring.arena.player import parse_player
    from sparring.arena.stats import PairCounts, describe
    from sparring.games.game import load
    from sparring.search.searcher import Limits, Searcher


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sparring' has no attribute {name!r}")
    return getattr(importlib.import_module(f"sparring.{_HOMES[name]}"), name)
