"""What a match asks a player, and what a player answers."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from sparring.arena.stakes import Stakes


@dataclass(frozen=True)
class Batch:
    """Positions to move in, one for each of a player's games that waits for it.

    states: (n,) STATE. past: for each the uint64 keys of its game's earlier positions. plies: moves played so far.
    seeds: (n,) uint64, not 0, for choices at random; they depend on the game and the ply alone. lanes: (n,) which of
    the player's games it is, 0 to Player.lanes - 1. stakes: what each game is played for; empty without a cube.
    players: which of the game's players he is, where he is asked about the cube and not for a move.
    """

    states: np.ndarray
    past: list[np.ndarray]
    plies: list[int]
    seeds: np.ndarray
    lanes: list[int]
    stakes: list[Stakes] = field(default_factory=list)
    players: list[int] = field(default_factory=list)


class Player(Protocol):
    """Whoever plays. One instance a thread.

    May have `offer(batch) -> list[bool]` too, whether he doubles before his roll, and `accept(batch) -> list[bool]`,
    whether he takes a double; without them he never doubles and always takes.
    """

    lanes: int  # how many games it can play at once

    def begin(self, lane: int) -> None:
        """A new game starts in that lane."""

    def choose(self, batch: Batch) -> list[int]:
        """A legal move for each position."""

    def stop(self) -> None:
        """End a running `choose` soon, with any move (from another thread)."""
