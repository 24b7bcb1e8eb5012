"""What alpha-beta found in a position: its best lines, for people and for programs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.app.course import line_names
from sparring.app.sheet import Rows
from sparring.app.words import depth_told, pawns_of, plies_told, signed, standing, worth
from sparring.arena.player import Entry
from sparring.games.game import Game
from sparring.search.searcher import Thought

SHOWN = 8  # moves of a line


@dataclass(frozen=True)
class Lines:
    """by: who searched. seconds: that it took."""

    game: Game
    state: np.void
    by: Entry
    thought: Thought
    seconds: float

    @property
    def move(self) -> int:
        """The best move."""
        return self.thought.move

    @property
    def name(self) -> str:
        """Of the player to move."""
        return self.game.players[int(self.game.mover(self.state))]

    def expects(self) -> str:
        """To follow the move: value and depth; nothing where the move ends the game."""
        line = self.thought.lines[0]
        if line.end is None:
            value = f"{signed(line.value)} for {self.name} ({standing(self.game, line.value)})"
            return f": expects {value}, {depth_told(self.thought)}"
        return f": expects to {'win' if line.score > 0 else 'lose'} in {plies_told(line.end)}" if line.end > 1 else ""

    def beside(self) -> list[str]:
        """Nothing more to follow the move."""
        return []

    def rows(self) -> Rows:
        """Nothing about single moves."""
        return {}

    def hint(self) -> list[str]:
        """Depth and lines."""
        return [f"{self.by.text}, {depth_told(self.thought)}, for {self.name}:", *self._told()]

    def report(self) -> list[str]:
        """Depth, speed and lines."""
        nodes, rate = self.thought.nodes, self.thought.nodes / max(self.seconds, 1e-9) / 1e6
        speed = f"{nodes:,} positions, {rate:.1f} million a second"
        head = [f"{self.by.label}, {depth_told(self.thought)}: {speed}", f"Best for {self.name}, who is to move:"]
        return [*head, *self._told()]

    def _told(self) -> list[str]:
        found = []
        width = max(24, *(len(worth(self.game, line)) for line in self.thought.lines))
        for line in self.thought.lines:
            names = line_names(self.game, self.state, line.moves[: SHOWN + 1])
            rest = " ".join(names[1:SHOWN]) + (" …" if len(names) > SHOWN else "")
            found.append(f"  {names[0]:6} {worth(self.game, line):{width}} {'then ' + rest if rest else ''}".rstrip())
        return found

    def as_json(self) -> dict[str, Any]:
        """Lines, depth and positions visited."""
        named = [(line_names(self.game, self.state, line.moves), line) for line in self.thought.lines]
        lines: list[dict[str, Any]] = []
        for names, line in named:
            told = {"moves": names, "value": line.value, "plies_to_end": line.end}
            in_pawns = line.end is None and self.game.ODDS and self.game.PAWN
            lines.append(told | ({"pawns": pawns_of(self.game, line)} if in_pawns else {}))
        return {"lines": lines, "depth": self.thought.depth, "nodes": self.thought.nodes}
