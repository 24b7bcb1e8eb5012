"""Where an NNUE net's rows come from: games with itself, the newest of which it learns from; or files."""

import pathlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sparring.errors import RunError
from sparring.games.game import Game
from sparring.learn.generate import Generator, Made, Style, usual_style
from sparring.learn.nnue_rows import as_bytes, empty_rows, from_bytes, read_rows
from sparring.learn.nnue_settings import NnueSettings
from sparring.search.judging import Judge

PLAYING, HOLDING = 1, 2  # streams of the run's seed
SHARE = 0.6  # of all rows made so far that are learned from
LEAST = 400_000  # rows that are kept in any case
MOST_HELD = 100_000  # rows to measure by, the newest
FROM_FILE = 50_000  # rows of a file that are held out, at most
FIRST = 4_000  # rows of the first generation, where nothing is known of the speed yet
LEAST_NEW = 1_000  # rows of a later generation, at least
TRUSTED = 0.12  # mean gap between chances foreseen and come, below which scores may end games early
WINNING = 1_200  # score that does, of games where judgements are sums


class Window:
    """Rows of the last generations. rows: to learn from; held: to measure by, of other games.

    parts: generation to (rows, held). total: rows made so far.
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most, self.total = game, most, 0
        self.parts: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.rows = self.held = empty_rows(game)

    def add(self, generation: int, rows: np.ndarray, held: np.ndarray) -> None:
        """Take a generation in and let go of those that have become too old."""
        self.total += len(rows)
        self.parts[generation] = rows, held
        most = min(max(int(SHARE * self.total), LEAST), self.most)
        while len(self.parts) > 1 and sum(len(own) for own, _ in self.parts.values()) > most:
            del self.parts[min(self.parts)]
        self._join()

    def restore(self, parts: dict[int, tuple[np.ndarray, np.ndarray]], total: int) -> None:
        """The window as it was."""
        self.parts, self.total = parts, total
        self._join()

    def _join(self) -> None:
        empty = empty_rows(self.game)
        self.rows = np.concatenate([empty, *(rows for rows, _ in self.parts.values())])
        self.held = np.concatenate([empty, *(held for _, held in self.parts.values())])[-MOST_HELD:]


class Games:
    """Self-play: each generation adds the rows of new games to the window."""

    def __init__(self, game: Game, settings: NnueSettings, threads: int) -> None:
        self.game, self.settings = game, settings
        self.window = Window(game, settings.window)
        self.generator = Generator(game, threads)
        self.speed = 0.0  # nodes a second
        self.yielded = 0.0  # rows kept for each thousand nodes
        self.games = 0

    @property
    def rows(self) -> np.ndarray:
        """To learn from."""
        return self.window.rows

    @property
    def held(self) -> np.ndarray:
        """To measure by."""
        return self.window.held

    def play(self, judge: Judge, number: int, nodes: int, seconds: float, gap: float) -> dict[str, Any]:
        """Games of generation `number`, as many as go into some seconds; fields of its row.

        gap: between chances that the judge foresees and what comes.
        """
        began, seed = time.perf_counter(), self.settings.seed
        wanted, style = self.wanted(seconds), self.style(nodes, gap)
        made = self.generator.generate(judge, wanted, (seed, PLAYING, number), style)
        apart = max(round(wanted * self.settings.held), 1)
        held = self.generator.generate(judge, apart, (seed, HOLDING, number), style)
        took = time.perf_counter() - began
        if not len(made.rows):
            raise RunError(f"{made.games} games were played and not one of their positions can be learned from")
        self.window.add(number, made.rows, held.rows)
        count = len(made.rows) + len(held.rows)
        spent = made.nodes + held.nodes
        self.speed, self.yielded = spent / took, 1000 * count / max(spent, 1)
        self.games += made.games
        return {
            "new": len(made.rows),
            "nodes": nodes,
            "plies": made.searched / max(made.games, 1),
            "made_per_second": count / took,
            "nodes_per_second": spent / took,
            **ends_of(self.game, made),
            "seconds_play": took,
        }

    def some(self, judge: Judge) -> np.ndarray:
        """A few rows, which count for nothing."""
        return self.generator.generate(judge, 1, (self.settings.seed, HOLDING, 0), self.style(1, 1.0)).rows

    def wanted(self, seconds: float) -> int:
        """Rows that a generation of so many seconds asks for."""
        if self.settings.positions:
            return self.settings.positions
        if not self.speed or not self.settings.minutes:
            return FIRST
        return max(round(self.speed * seconds * self.yielded / 1000 / (1 + self.settings.held)), LEAST_NEW)

    def style(self, nodes: int, gap: float) -> Style:
        """How games are played: to their very end, until the net's chances can be trusted."""
        style = replace(usual_style(self.game, nodes), opening=self.settings.opening)
        if gap > TRUSTED:
            return replace(style, fair=None, winning=None, level=None)
        return replace(style, winning=WINNING) if style.winning else style

    # --- for a checkpoint ------------------------------------------------------------------------------------------

    def buffer(self, number: int) -> dict[str, np.ndarray]:
        """A generation's rows for its file; empty where it played none."""
        if number not in self.window.parts:
            return {}
        rows, held = self.window.parts[number]
        return {"rows": as_bytes(rows), "held": as_bytes(held)}

    def state(self) -> dict[str, Any]:
        """What the next generation depends on besides the buffers of generations `parts`."""
        kept = {"parts": list(self.window.parts), "total": self.window.total, "games": self.games}
        return kept | {"speed": self.speed, "yielded": self.yielded}

    def restore(self, state: dict[str, Any], load: Callable[[int], dict[str, np.ndarray]]) -> None:
        """Go on from a `state`. load: a generation's buffer."""
        buffers = {int(g): load(int(g)) for g in state["parts"]}
        parts = {g: (from_bytes(b["rows"], self.game), from_bytes(b["held"], self.game)) for g, b in buffers.items()}
        self.window.restore(parts, int(state["total"]))
        self.games = int(state["games"])
        self.speed, self.yielded = float(state["speed"]), float(state["yielded"])

    def stop(self) -> None:
        """End a running `play` soon."""
        self.generator.stop()


class Files:
    """Rows of files. The last rows of each are held out, in one piece: positions of a game mostly stand together."""

    def __init__(self, game: Game, settings: NnueSettings) -> None:
        rows, held = [], []
        for path in settings.data:
            found = read_rows(pathlib.Path(path), game)
            last = min(round(len(found) * settings.held), FROM_FILE)
            rows.append(found[: len(found) - last])
            held.append(found[len(found) - last :])
        self.rows = rows[0] if len(rows) == 1 else np.concatenate(rows)
        self.held = np.concatenate(held)
        if not len(self.rows) or not len(self.held):
            count = len(self.rows) + len(self.held)
            raise RunError(f"{', '.join(settings.data)}: {count} positions are too few to learn from and to measure by")


def ends_of(game: Game, made: Made) -> dict[str, int]:
    """How the games ended, as rows of a run tell it."""
    values = np.array(game.RESULTS)
    counts: Sequence[int] = made.ends
    kinds = {"wins_first": values > 0, "wins_second": values < 0, "draws": values == 0}
    return {name: int(sum(n for n, yes in zip(counts, mask, strict=True) if yes)) for name, mask in kinds.items()}
