"""What a player of whole turns found in a position of a game with dice: the best plays, for people and for programs."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from sparring.app.course import line_names, turn_name
from sparring.app.sheet import Rows, table
from sparring.app.words import plies_told, standing
from sparring.arena.player import Entry
from sparring.games.game import Game
from sparring.search.rollouts import Rolled
from sparring.search.turns import Ranked


def points(value: float) -> str:
    """To three digits, as backgammon players tell equities; zero has a plus."""
    return f"{round(value, 3) + 0.0:+.3f}"


@dataclass(frozen=True)
class Plays:
    """by: who judged. ranked: the best turns, best first. most: how many of them people want to see.

    looked: how many turns were judged on the way; 0 if nobody counted. seconds: that it took. rolled: rollouts of the
    first turns, if there were any; those turns stand in their order.
    """

    game: Game
    state: np.void
    by: Entry
    ranked: list[Ranked]
    most: int
    looked: int
    seconds: float
    rolled: list[Rolled] = field(default_factory=list)

    @property
    def move(self) -> int:
        """The first move of the best turn."""
        return self.ranked[0].steps[0]

    @property
    def name(self) -> str:
        """Of the player to move."""
        return self.game.players[int(self.game.mover(self.state))]

    @property
    def judged(self) -> bool:
        """Whether who judged knows chances of results, so that values are points."""
        return bool(self.ranked[0].outcome.any())

    @cached_property
    def names(self) -> list[str]:
        """Of the turns, best first; all moves one after the other where two would be called alike."""
        names: list[str] = []
        for turn in self.ranked:
            name = turn_name(self.game, self.state, turn.steps)
            names.append(" ".join(line_names(self.game, self.state, turn.steps)) if name in names else name)
        return names

    def with_rollouts(self, rolled: list[Rolled]) -> "Plays":
        """These plays, the first of them in the order of their rollouts."""
        order = sorted(range(len(rolled)), key=lambda i: -rolled[i].equity)
        ranked = [self.ranked[i] for i in order] + self.ranked[len(order) :]
        return replace(self, ranked=ranked, rolled=[rolled[i] for i in order])

    def equities(self) -> list[float]:
        """Of each turn: by its rollout where there is one."""
        return [rolled.equity for rolled in self.rolled] + [t.value for t in self.ranked[len(self.rolled) :]]

    def expects(self) -> str:
        """To follow the move: the whole turn, and its worth."""
        whole = f" ({self.names[0]})" if len(self.ranked[0].steps) > 1 else ""
        if not self.judged or self.game.result(self.ranked[0].state) >= 0:
            return whole
        value = self.equities()[0]
        return f"{whole}: expects {points(value)} for {self.name} ({standing(self.game, value)})"

    def beside(self) -> list[str]:
        """Nothing more to follow the move."""
        return []

    def rows(self) -> Rows:
        """Worth, how far behind the best, and the chances of each result in percent."""
        equities = self.equities()
        columns: dict[str, list[str]] = {"equity" if self.judged else "worth": [points(t.value) for t in self.ranked]}
        if self.rolled:
            rest = [""] * (len(self.ranked) - len(self.rolled))
            columns["rollout"] = [points(rolled.equity) for rolled in self.rolled] + rest
            columns["±"] = [f"{rolled.error:.3f}" for rolled in self.rolled] + rest
        columns["behind"] = ["", *(f"{equity - equities[0]:.3f}" for equity in equities[1:])]
        if self.judged:
            chances = [r.chances for r in self.rolled] + [t.outcome for t in self.ranked[len(self.rolled) :]]
            for k, value in self._results():
                columns[f"{value:+g}"] = [f"{100 * c[k]:.1f}" for c in chances]
        return {label: dict(zip(self.names, texts, strict=True)) for label, texts in columns.items()}

    def hint(self) -> list[str]:
        """Who says so, and the best plays."""
        return [f"{self.by.text}, for {self.name}:", *self._told()]

    def report(self) -> list[str]:
        """The same, with the time it took."""
        told = f"{self.looked:,} turns judged in {self.seconds:.2g} s"
        depth = f"{plies_told(self.ranked[0].plies)} ahead" if self.ranked[0].plies else "without looking ahead"
        head = [f"{self.by.label}, {depth}: {told}"]
        if self.rolled:
            games, turns = self.rolled[0].games, np.mean([rolled.turns for rolled in self.rolled])
            head.append(f"Rollouts of {games:,} games each, {turns:.1f} turns long on average, with the luck taken out")
        return [*head, f"Best for {self.name}, who is to move (chances of results in %):", *self._told()]

    def _told(self) -> list[str]:
        return [f"  {line}" for line in table(self.names[: self.most], self.rows())]

    def _results(self) -> list[tuple[int, float]]:
        """(its place in an outcome, its value) of each result as the player to move sees them, the best first."""
        sign = 1 if int(self.game.mover(self.state)) == 0 else -1
        return list(enumerate(sign * v + 0.0 for v in self.game.RESULTS[::sign]))[::-1]

    def as_json(self) -> dict[str, Any]:
        """Everything; the first step of each line stands first."""
        found = []
        for i, (turn, name, equity) in enumerate(zip(self.ranked, self.names, self.equities(), strict=True)):
            row: dict[str, Any] = {
                "turn": name,
                "moves": line_names(self.game, self.state, turn.steps),
                "plies": turn.plies,
                "value": turn.value,
            }
            row["behind"] = self.equities()[0] - equity
            if self.judged:
                row["outcome"] = self._outcome(turn.outcome)
            if i < len(self.rolled):
                rolled = self.rolled[i]
                row["rollout"] = {"games": rolled.games, "value": rolled.equity, "error": rolled.error}
                row["rollout"] |= {"outcome": self._outcome(rolled.chances)}
            found.append(row)
        lines = [{"moves": row["moves"], "value": row["value"], "plies_to_end": None} for row in found[: self.most]]
        return {"lines": lines, "turns": found, "turns_judged": self.looked}

    def _outcome(self, chances: np.ndarray) -> list[dict[str, float]]:
        return [{"result": value, "chance": float(chances[k])} for k, value in self._results()]
