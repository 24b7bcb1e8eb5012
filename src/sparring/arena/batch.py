"""What a match asks a player, and what a player answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from sparring.arena.stakes import Stakes
from sparring.search.clock import Clock


@dataclass(frozen=True)
class Clocks:
    """Both clocks when a player is asked for a move. player: 0 or 1, who he is in the game."""

    own: Clock
    other: Clock
    player: int

    @property
    def in_order(self) -> tuple[Clock, Clock]:
        """That of player 0 first."""
        return (self.own, self.other) if self.player == 0 else (self.other, self.own)


TIME, RULES, DEAD = "time", "rules", "dead"  # why a game is forfeited: no time left, an illegal move, no move at all


@dataclass(frozen=True)
class Forfeit:
    """Instead of a move: the player loses the game. reason: why, with his name. kind: TIME, RULES or DEAD."""

    reason: str
    kind: str


@dataclass(frozen=True)
class Batch:
    """Positions to move in, one for each of a player's games that waits for it.

    states: (n,) STATE. past: for each the uint64 keys of its game's earlier positions. plies: moves played so far.
    seeds: (n,) uint64, not 0, for choices at random; they depend on the game and the ply alone. lanes: (n,) which of
    the player's games it is, 0 to Player.lanes - 1. stakes: what each game is played for; empty without a cube.
    players: which of the game's players he is, where he is asked about the cube and not for a move. origins: each
    game's first position. moves: its moves since, outcomes of chance too. clocks: None where his own does not run. A
    player is told these three in matches, and may find them empty elsewhere.
    """

    states: np.ndarray
    past: list[np.ndarray]
    plies: list[int]
    seeds: np.ndarray
    lanes: list[int]
    stakes: list[Stakes] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    origins: list[np.void] = field(default_factory=list)
    moves: Sequence[Sequence[int]] = field(default_factory=list)
    clocks: list[Clocks | None] = field(default_factory=list)


class Player(Protocol):
    """Whoever plays. One instance a thread.

    In place of a move `choose` may give a `Forfeit`. May have `close()`, called when the match is over; `scores`, a
    list[int | None] of what he thought of each position of his last batch, in steps of `search.scores.CENT`, None where
    he does not know; and where there is a cube `offer(batch) -> list[bool]`, whether he doubles before his roll, and
    `accept(batch) -> list[bool]`, whether he takes a double; without them he never doubles and always takes.
    """

    lanes: int  # how many games it can play at once

    def begin(self, lane: int) -> None:
        """A new game starts in that lane."""

    def choose(self, batch: Batch) -> list[Any]:
        """A legal move for each position."""

    def stop(self) -> None:
        """End a running `choose` soon, with any move (from another thread)."""
