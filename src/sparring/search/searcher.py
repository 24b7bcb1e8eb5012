"""Alpha-beta for people and players: joins the kernels to a game and a judgement, keeps the limits, reads the lines."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.compiled import compile_for, plain
from sparring.errors import PlayerError, nearest
from sparring.games.game import Game
from sparring.rng import seeded
from sparring.search import judging
from sparring.search.context import MOST_HISTORY, MOST_PLIES, new_context
from sparring.search.judging import Judge
from sparring.search.scores import UNIT, largest, plies_to_end, result_scores, value_of
from sparring.search.selective import ALL_SKILLS, BITS
from sparring.search.table import new_table

DEEPEST = MOST_PLIES - 1
SMALL, LARGE = 1 << 16, 1 << 20  # entries of a table, of 16 bytes: 1 MiB and 16 MiB
SHALLOW = 10  # plies: games of such searches are so short that clearing a large table before each would tell


@dataclass(frozen=True)
class Limits:
    """When a search ends; whichever comes first. soft: no iteration is begun after that."""

    depth: int = DEEPEST  # plies
    nodes: int | None = None  # positions visited
    ms: float | None = None  # milliseconds
    soft_nodes: int | None = None
    soft_ms: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise PlayerError(f"depth is {self.depth}, but it must be 1 to {DEEPEST} plies")
        for name in ("nodes", "soft_nodes"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise PlayerError(f"{name} is {value}, but it must be at least 1")
        for name in ("ms", "soft_ms"):
            if (value := getattr(self, name)) is not None and not 0 < value <= 3_600_000 * 24:
                raise PlayerError(f"{name} is {value:g}, but it must be above 0 and at most 86400000 (a day)")


def usual_entries(limits: Limits) -> int:
    """How many entries a table has, of SMALL to LARGE, where nothing else is asked for.

    By nodes one for each of a move's, which is about three moves' worth, as two of three are seen by the quiescence
    search alone; with no limit but a depth of SHALLOW or less SMALL; else LARGE.
    """
    if limits.nodes is not None:
        return min(max(1 << (limits.nodes - 1).bit_length(), SMALL), LARGE)
    return SMALL if limits.ms is None and limits.depth <= SHALLOW else LARGE


@dataclass(frozen=True)
class Line:
    """A line of play. value: expected result for the player to move; end: plies to a forced win or loss, or None."""

    moves: tuple[int, ...]
    score: int
    value: float
    end: int | None


@dataclass(frozen=True)
class Thought:
    """What a search found: the best lines in order, and what it took.

    depth: plies of the last whole iteration. deepest: plies of the longest line looked at. full: share of the table
    that this search has written to.
    """

    lines: tuple[Line, ...]
    depth: int
    nodes: int
    deepest: int = 0
    full: float = 0.0

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
    knows = {
        "LARGEST": round(largest(game.RESULTS) * UNIT),
        "LEAD": round(game.PAWN * UNIT),
        "CHECKS": game.defines("threatened"),
        "FORESEES": game.defines("threatens"),
        "PASSES": game.defines("null_move"),
        "PRIZES": game.defines("prize"),
    }
    ordering = game.bind("search.ordering", **knows, **({"prefer": judge.prefer} if order else {}))
    names = (
        *("order", "order_by_policy", "order_quiet", "pick", "best_left", "take", "strike", "gives_check"),
        *("leave_quiet", "passed_over", "remember_cut", "extend_line"),
    )
    ordered = {name: getattr(ordering, name) for name in names}
    below = game.bind(
        "search.alphabeta",
        SCORES=result_scores(game.RESULTS),
        HAS_NOISY=game.defines("noisy"),
        judge=judge.kernel,
        **knows,
        **ordered,
    )
    return game.bind("search.deepening", tree=below.tree, **knows, **ordered)


def skills_without(names: Sequence[str]) -> int:
    """The techniques of a selective search as bits, without those named; PlayerError where there is none of a name."""
    skills = ALL_SKILLS
    for name in names:
        if name not in BITS:
            raise PlayerError(f"no technique {name!r} to do without.{nearest(name, BITS)} There are: {', '.join(BITS)}")
        skills &= ~BITS[name]
    return skills


class Searcher:
    """Alpha-beta over one game with one judgement, on one thread or on several that share a table."""

    def __init__(
        self,
        game: Game,
        judge: Judge | None = None,
        table_entries: int = SMALL,
        *,
        order: int = 0,
        grain: float = 0.0,
        threads: int = 1,
        skills: int = ALL_SKILLS,
        tells: bool = False,
    ) -> None:
        """judge: by default the game's `evaluate`, where it has one. table_entries: of 16 bytes each. order: where so
        many plies are left, or more, and the table knows no move, the judge's policy orders the moves; 0: nowhere.
        grain: judgements are rounded to multiples of this; 0: not. threads: on more than one, what is found differs
        from run to run. skills: techniques that it may use, as `skills_without` tells them. tells: `think` is
        always called with `tell` or `soft_ms`, so that iterations begin in Python, and nothing else is compiled."""
        judge = judge or judging.usual(game)
        if order and judge.prefer is None:
            raise PlayerError(f"order is {order}, but {judge.name} has no policy; only a MoveNet orders moves")
        if threads < 1:
            raise PlayerError(f"threads is {threads}, but it must be at least 1")
        self.game = game
        self.judge = judge
        self.kernels = kernels(game, judge, order)
        self.table = new_table(table_entries)
        self.contexts = [new_context(game, judge.dtype) for _ in range(threads)]
        for context in self.contexts:
            context["order"], context["grain"], context["skills"] = order, round(grain * UNIT), skills
            judge.fill(context[0]["judge"][0])
        self.begin_game()
        self.tells = tells
        # compiled now, so that the clock of the first search counts thinking only
        one, none = np.int64(1), np.zeros(1, np.uint64)
        if self.tells:
            compile_for(self.kernels.prepare, self.context[0], one, one, none)
            compile_for(self.kernels.root, self.context[0], self.table[0], one, one, one, one)
            compile_for(self.kernels.rank_root, self.context[0], one, one, one)
            compile_for(self.kernels.goes_on, self.context[0], one, one)
        if not self.tells or threads > 1:
            compile_for(self.kernels.think, self.context[0], self.table, one, one, none)

    @property
    def context(self) -> np.ndarray:
        """The memory of the first thread, shape (1,)."""
        return self.contexts[0]

    def begin_game(self) -> None:
        """Forget what was learned in another game."""
        self.kernels.begin_game(self.context[0], self.table)
        for context in self.contexts[1:]:
            self.kernels.forget(context[0])

    def stop(self) -> None:
        """End the running search (from another thread)."""
        for context in self.contexts:
            context["stop"] = 1

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
        moves: Sequence[int] = (),
        tell: Callable[[Thought], None] | None = None,
    ) -> Thought:
        """Search a position that is not over.

        past: uint64 keys of the game's earlier positions, oldest first. plies: moves played in the game so far, which
        a game's LIMIT counts. lines: how many of the best moves to rate exactly. seed: not 0: choose among equal moves
        at random. exact: results equal plain minimax to the depth (table entries of other depths only order moves).
        moves: only these are looked at; empty: all. tell: called after every iteration.
        """
        if (self.context[0]["exact"], self.context[0]["quiescence"]) != (exact, quiescence):
            self.begin_game()  # the table holds scores of another kind
        past = np.zeros(0, np.uint64) if past is None else past[-MOST_HISTORY:]
        for array in self.contexts:
            context = array[0]
            context["stack"][0] = state
            context["keys"][: len(past)] = past
            context["past"] = len(past)
            context["plies"] = plies
            context["exact"] = exact
            context["quiescence"] = quiescence
            context["most_nodes"] = limits.nodes or np.iinfo(np.int64).max
            context["soft_nodes"] = limits.soft_nodes or 0
            context["only"] = len(moves)
            context["only_moves"][: len(moves)] = moves
            context["stop"] = 0
        rng = seeded(seed) if seed else np.zeros(1, np.uint64)
        with self._deadline(limits.ms), self._helpers(limits.depth):
            if tell is None and limits.soft_ms is None and not self.tells:
                self.kernels.think(self.context[0], self.table, limits.depth, lines, rng)
            else:
                self._iterate(limits, lines, rng, tell)
        return self._thought(lines)

    def _iterate(self, limits: Limits, lines: int, rng: np.ndarray, tell: Callable[[Thought], None] | None) -> None:
        """As the kernel `think` does it, with a word after every iteration; the root's windows are moved in Python."""
        began, context, kernels = time.perf_counter(), self.context[0], self.kernels
        lines = min(lines, kernels.prepare(context, np.int64(len(self.table)), np.int64(limits.depth), rng))
        for depth in map(np.int64, range(1, limits.depth + 1)):
            for line in map(np.int64, range(lines)):
                if not plain(kernels.root_line)(context, self.table[0], depth, line):
                    break
            goes_on = kernels.goes_on(context, np.int64(lines), depth)
            if tell is not None and context["depth"] == depth:
                tell(self._thought(lines))
            if not goes_on:
                return
            if limits.soft_ms is not None and (time.perf_counter() - began) * 1000 >= limits.soft_ms:
                return

    @contextlib.contextmanager
    def _helpers(self, depth: int) -> Iterator[None]:
        """The other threads search the same position meanwhile, for what they leave in the table."""
        still, one = np.zeros(1, np.uint64), np.int64(1)
        work = [
            threading.Thread(
                target=self.kernels.think, args=(context[0], self.table, np.int64(depth), one, still), daemon=True
            )
            for context in self.contexts[1:]
        ]
        for thread in work:
            thread.start()
        try:
            yield
        finally:
            for context in self.contexts[1:]:
                context["stop"] = 1
            for thread in work:
                thread.join()

    @contextlib.contextmanager
    def _deadline(self, ms: float | None) -> Iterator[None]:
        if ms is None:
            yield
            return
        lock, over = threading.Lock(), False

        def fire() -> None:
            with lock:
                if not over:
                    self.stop()

        timer = threading.Timer(ms / 1000, fire)
        timer.start()
        try:
            yield
        finally:
            with lock:
                over = True
            timer.cancel()

    def _thought(self, lines: int) -> Thought:
        context, results = self.context[0], self.game.RESULTS
        found = []
        for i in range(min(lines, int(context["root_count"]))):
            length = max(int(context["root_line_length"][i]), 1)
            moves = tuple(int(m) for m in context["root_line"][i, :length])
            if context["root_line_length"][i] == 0:
                moves = (int(context["root_moves"][i]),)
            score = int(context["root_scores"][i])
            found.append(Line(moves, score, value_of(score, results, self.game.ODDS), plies_to_end(score, results)))
        found.sort(key=lambda line: -line.score)  # where an iteration was cut short, lines are of two depths
        nodes = sum(int(c[0]["nodes"]) for c in self.contexts)
        sample = self.table["data"][:1000]
        full = float(np.mean((sample != 0) & (sample >> 58 == context["age"])))
        return Thought(tuple(found), int(context["depth"]), nodes, int(context["deepest"]), full)
