"""Alpha-beta for people and players: joins the kernels to a game and a judgement, keeps the limits, reads the lines."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.compiled import compile_for
from sparring.errors import PlayerError
from sparring.games.game import Game
from sparring.rng import seeded
from sparring.search import judging
from sparring.search.context import MOST_HISTORY, MOST_PLIES, new_context, new_table
from sparring.search.judging import Judge
from sparring.search.scores import UNIT, largest, plies_to_end, result_scores, value_of

DEEPEST = MOST_PLIES - 1


@dataclass(frozen=True)
class Limits:
    """When a search ends; whichever comes first."""

    depth: int = DEEPEST  # plies
    nodes: int | None = None  # positions visited
    ms: float | None = None  # milliseconds

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise PlayerError(f"depth is {self.depth}, but it must be 1 to {DEEPEST} plies")
        if self.nodes is not None and self.nodes < 1:
            raise PlayerError(f"nodes is {self.nodes}, but it must be at least 1")
        if self.ms is not None and not 0 < self.ms <= 3_600_000:
            raise PlayerError(f"ms is {self.ms:g}, but it must be above 0 and at most 3600000 (an hour)")


@dataclass(frozen=True)
class Line:
    """A line of play. value: expected result for the player to move; end: plies to a forced win or loss, or None."""

    moves: tuple[int, ...]
    score: int
    value: float
    end: int | None


@dataclass(frozen=True)
class Thought:
    """What a search found: the best lines in order, and what it took."""

    lines: tuple[Line, ...]
    depth: int
    nodes: int

    @property
    def move(self) -> int:
        """The best move."""
        return self.lines[0].moves[0]


def kernels(game: Game, judge: Judge, order: int = 0) -> ModuleType:
    """The kernels of the search joined to a game and a judgement. order: whether its policy orders moves."""
    if game.defines("chance"):
        raise PlayerError(f"{game.name} has dice; alpha-beta searches only games without chance")
    if game.MOVES >= 65535:
        raise PlayerError(f"{game.name} has {game.MOVES} move numbers; the search takes fewer than 65535")
    top = round(largest(game.RESULTS) * UNIT)
    below = game.bind(
        "search.alphabeta",
        SCORES=result_scores(game.RESULTS),
        LARGEST=top,
        HAS_NOISY=game.defines("noisy"),
        judge=judge.kernel,
        **({"prefer": judge.prefer} if order else {}),
    )
    taken = {name: getattr(below, name) for name in ("tree", "extend_line", "order_by_policy", "pick")}
    return game.bind("search.deepening", LARGEST=top, **taken)


class Searcher:
    """Alpha-beta over one game with one judgement, for one thread."""

    def __init__(
        self,
        game: Game,
        judge: Judge | None = None,
        table_entries: int = 1 << 16,
        *,
        order: int = 0,
        grain: float = 0.0,
    ) -> None:
        """judge: by default the game's `evaluate`, where it has one. table_entries: of 16 bytes each. order: where so
        many plies are left, or more, and the table knows no move, the judge's policy orders the moves; 0: nowhere.
        grain: judgements are rounded to multiples of this; 0: not."""
        judge = judge or judging.usual(game)
        if order and judge.prefer is None:
            raise PlayerError(f"order is {order}, but {judge.name} has no policy; only a MoveNet orders moves")
        self.game = game
        self.judge = judge
        self.kernels = kernels(game, judge, order)
        self.context = new_context(game, judge.dtype)
        self.context["order"], self.context["grain"] = order, round(grain * UNIT)
        self.table = new_table(table_entries)
        judge.fill(self.context[0]["judge"][0])
        self.begin_game()
        one = np.int64(1)  # compiled now, so that the clock of the first search counts thinking only
        compile_for(self.kernels.think, self.context[0], self.table, one, one, np.zeros(1, np.uint64))

    def begin_game(self) -> None:
        """Forget what was learned in another game."""
        self.kernels.begin_game(self.context[0], self.table)

    def stop(self) -> None:
        """End the running search (from another thread)."""
        self.context["stop"] = 1

    def think(
        self,
        state: np.void,
        limits: Limits,
        *,
        past: np.ndarray | None = None,
        plies: int = 0,
        lines: int = 1,
        seed: int = 0,
        exact: bool = False,
        quiescence: bool = True,
    ) -> Thought:
        """Search a position that is not over.

        past: uint64 keys of the game's earlier positions, oldest first. plies: moves played in the game so far, which
        a game's LIMIT counts. lines: how many of the best moves to rate exactly. seed: not 0: choose among equal moves
        at random. exact: results equal plain minimax to the depth (table entries of other depths only order moves).
        """
        context = self.context[0]
        if (context["exact"], context["quiescence"]) != (exact, quiescence):
            self.begin_game()  # the table holds scores of another kind
        past = np.zeros(0, np.uint64) if past is None else past[-MOST_HISTORY:]
        context["stack"][0] = state
        context["keys"][: len(past)] = past
        context["past"] = len(past)
        context["plies"] = plies
        context["exact"] = exact
        context["quiescence"] = quiescence
        context["most_nodes"] = limits.nodes or np.iinfo(np.int64).max
        context["stop"] = 0
        rng = seeded(seed) if seed else np.zeros(1, np.uint64)
        with self._deadline(limits.ms):
            self.kernels.think(context, self.table, limits.depth, lines, rng)
        return self._thought(lines)

    @contextlib.contextmanager
    def _deadline(self, ms: float | None) -> Iterator[None]:
        if ms is None:
            yield
            return
        lock, over = threading.Lock(), False

        def fire() -> None:
            with lock:
                if not over:
                    self.context["stop"] = 1

        timer = threading.Timer(ms / 1000, fire)
        timer.start()
        try:
            yield
        finally:
            with lock:
                over = True
            timer.cancel()

    def _thought(self, lines: int) -> Thought:
        context = self.context[0]
        found = []
        for i in range(min(lines, int(context["root_count"]))):
            length = max(int(context["root_line_length"][i]), 1)
            moves = tuple(int(m) for m in context["root_line"][i, :length])
            if context["root_line_length"][i] == 0:
                moves = (int(context["root_moves"][i]),)
            score = int(context["root_scores"][i])
            results = self.game.RESULTS
            found.append(Line(moves, score, value_of(score, results), plies_to_end(score, results)))
        return Thought(tuple(found), int(context["depth"]), int(context["nodes"]))
