"""A match's result in the form in which engine authors publish theirs, and who forfeited games."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from sparring.arena.batch import DEAD, RULES, TIME
from sparring.arena.stats import GameCounts, PairCounts, Sprt, estimate_elo, sprt

WORDS = {TIME: "on time", RULES: "by illegal moves", DEAD: "by being dead or silent"}


class Asked(Protocol):
    """What this page needs of a contest: both players, and the bounds of its test, if it has one."""

    @property
    def a(self) -> Any:
        """The first player."""

    @property
    def b(self) -> Any:
        """The second."""

    @property
    def test(self) -> tuple[float, float] | None:
        """Two values of normalised Elo."""


class Ended(Protocol):
    """And of how it went: games played now, all pairs, and how many of them were played before."""

    counts: PairCounts
    games: GameCounts
    before: int
    sprt: Sprt | None


def published(contest: Asked, played: Ended) -> list[str]:
    """Elo with half its 95 % interval, the state of the sequential test, games and pairs, worst pairs first."""
    counts, games, elo = played.counts, played.games, estimate_elo(played.counts)
    lines = [f"Elo   | {elo.elo:.2f} ± {elo.error:.2f} (95 %)"]
    if contest.test:
        test = played.sprt or sprt(counts, *contest.test)
        low, high = contest.test
        lines.append(f"LLR   | {test.llr:.2f} ({test.lower:.2f}, {test.upper:.2f}) [{low:.2f}, {high:.2f}]")
    now = f"; of those played now {games.games}:" if played.before else ""
    lines.append(f"Games | N: {counts.games}{now} W: {games.wins} L: {games.losses} D: {games.draws}")
    lines.append(f"Penta | [{', '.join(map(str, counts.cells))}]")
    return lines


def forfeits(contest: Asked, faults: Counter[tuple[str, str]]) -> list[str]:
    """Who forfeited how many games, and how. faults: games by the player's label and the kind of fault."""
    lines = []
    for label in (contest.a.label, contest.b.label):
        own = {kind: n for (who, kind), n in faults.items() if who == label}
        if own:
            parts = ", ".join(f"{own[kind]} {words}" for kind, words in WORDS.items() if kind in own)
            games = "1 game" if sum(own.values()) == 1 else f"{sum(own.values())} games"
            lines.append(f"{label} forfeited {games}: {parts}")
    return lines
