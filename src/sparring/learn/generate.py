"""Games that are played for their positions: thousands an hour on threads, each the same whoever plays it.

How they are played is what most engines do that learn from themselves: some random moves, then a search of a few
thousand nodes a move; games end early where their scores leave no doubt.
"""

import itertools
import threading
from dataclasses import dataclass, field

import numpy as np

from sparring.errors import GameError, RunError
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.games.walk import DRAWN
from sparring.learn import generate_play
from sparring.learn.nnue_rows import MOST_SCORE, empty_rows
from sparring.rng import seeded
from sparring.search import searcher
from sparring.search.adjudication import LEVEL, LEVEL_FROM, LEVEL_PLIES
from sparring.search.context import MOST_HISTORY, new_context
from sparring.search.judging import Judge
from sparring.search.selective import ALL_SKILLS
from sparring.search.table import new_table
from sparring.threads import on_threads

CALL_NODES = 400_000  # of one kernel call: a fifth of a second, after which Ctrl+C is heard


@dataclass(frozen=True)
class Style:
    """How games are played and which positions are kept. Scores are judgements times 10 000, in chess centipawns.

    nodes: of a search, after which it begins no new iteration. hard: nodes that end one anywhere. brief: nodes for a
    position that is not kept, as it is in check or its best move takes something; 0: as many as for others. opening:
    random moves at the start, from least to most. fair: openings beyond this score are thrown away. winning,
    winning_plies: who is ahead by this score for so many moves on end has won. level, level_plies, level_from: a score
    of no more than this for so many moves on end, from a move on, is a draw. extreme: positions beyond this score are
    not kept. None: never.
    """

    nodes: int = 5_000
    hard: int = 40_000
    brief: int = 0
    opening: tuple[int, int] = (8, 9)
    fair: int | None = 1_000
    winning: int | None = 2_500
    winning_plies: int = 4
    level: int | None = LEVEL
    level_plies: int = LEVEL_PLIES
    level_from: int = LEVEL_FROM
    extreme: int | None = 3_000

    def __post_init__(self) -> None:
        least, most = self.opening
        if not 0 <= least <= most:
            raise RunError(f"an opening has {least} to {most} random moves, but it must be 0 or more, ascending")
        if not 1 <= self.nodes <= self.hard:
            raise RunError(f"a search has {self.nodes} nodes, {self.hard} at most; it must be 1 or more, ascending")
        if not 0 <= self.brief <= self.nodes:
            raise RunError(f"a brief search has {self.brief} nodes, but it must be 0 to {self.nodes}, those of others")


def usual_style(game: Game, nodes: int = 5_000, hard: int = 0, brief: int = 0) -> Style:
    """Where judgements are sums of material, what is usual in chess; else games are played to their end.

    hard: 0: eight times the nodes.
    """
    hard = hard or 8 * nodes
    if game.ODDS > 0:
        return Style(nodes, hard, brief)
    return Style(nodes, hard, brief, fair=9_000, winning=None, level=None, extreme=10_000)


@dataclass(frozen=True)
class PlayedGame:
    """A game from its opening on: the position after the random moves, then moves and scores, (n,) both.

    scores: int16, as player 0 sees them, in the unit of rows. result: an index into RESULTS.
    """

    start: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    result: int


@dataclass(frozen=True)
class Made:
    """Rows of whole games (`nnue_rows.row_dtype`), in the games' order, and how they came.

    games: how many. next: the number of the first game that is not among them. ends: games that ended in each of
    RESULTS. searched: positions. repeated: rows left out as their position was there before. thrown: openings thrown
    away. nodes: of all searches. played: the games, if asked for.
    """

    rows: np.ndarray
    games: int
    next: int
    ends: tuple[int, ...]
    searched: int
    repeated: int
    thrown: int
    nodes: int
    played: tuple[PlayedGame, ...] = ()


@dataclass(frozen=True)
class _Finished:
    rows: np.ndarray
    hashes: np.ndarray
    end: int
    searched: int
    thrown: int
    nodes: int
    played: PlayedGame | None


class Generator:
    """Plays games of one kind on threads. Game i of a seed is the same on any thread, whatever was played before."""

    def __init__(self, game: Game, threads: int, *, longest: int = 600, table_entries: int = 1 << 15) -> None:
        """longest: positions of a game, which is a draw after them. table_entries: of 16 bytes, for each thread."""
        if not 1 < longest <= MOST_HISTORY:
            raise RunError(f"the longest game has {longest} positions, but it must be 2 to {MOST_HISTORY}")
        if any(-value not in game.RESULTS for value in game.RESULTS):
            raise GameError(f"{game.path.name}: RESULTS is {game.RESULTS}, which differs between the players")
        self.game = game
        self.threads = threads
        self.longest = longest
        self.tables = [new_table(table_entries) for _ in range(threads)]
        self.lanes = [np.zeros(1, generate_play.LANE) for _ in range(threads)]
        self.stopping = threading.Event()
        self.gathered = 0  # positions of the running `generate`

    def stop(self) -> None:
        """End `generate` soon and for good (from another thread): it returns the games that are finished."""
        self.stopping.set()
        for lane in self.lanes:
            lane["halt"] = 1

    def generate(
        self,
        judge: Judge,
        positions: int,
        seed: tuple[int, ...],
        style: Style | None = None,
        *,
        first: int = 0,
        keep_games: bool = False,
    ) -> Made:
        """Play games first, first + 1, … of the seed until they have so many positions to keep, each only once."""
        style = style or usual_style(self.game)
        kernels = _join(self.game, judge)
        gathering = _Gathering(self.game, kernels.keep_new, first, positions, self.longest)
        numbers = itertools.count(first)

        def halt() -> None:
            for lane in self.lanes:
                lane["halt"] = 1

        def work(worker: int) -> None:
            lane = self.lanes[worker]
            _prepare(lane, style)
            context = new_context(self.game, judge.dtype)
            judge.fill(context[0]["judge"][0])
            context["exact"], context["quiescence"], context["skills"] = 0, 1, ALL_SKILLS
            desk = _Desk(self.game, kernels, context[0], self.tables[worker], lane[0], self.longest)
            while not (gathering.full or self.stopping.is_set()):
                number = next(numbers)
                finished = desk.play(seeded(*seed, number), keep_games)
                if finished is not None:
                    gathering.add(number, finished)
                    self.gathered = gathering.count
                if gathering.full:
                    halt()

        self.gathered = 0
        for lane in self.lanes:
            lane["halt"] = self.stopping.is_set()
        on_threads(self.threads, work, self.stop)
        return gathering.made()


class _Desk:
    """Where one thread plays its games: buffers that last for all of them."""

    def __init__(self, game, kernels, context, table, lane, longest) -> None:
        self.game, self.kernels, self.context, self.table, self.lane = game, kernels, context, table, lane
        self.states = np.zeros(longest + 1, game.STATE)
        self.scores = np.zeros(longest + 1, np.int32)
        self.played = np.zeros(longest + 1, np.int32)
        self.moves = np.zeros(game.MOST_MOVES, np.int32)
        self.rows = empty_rows(game, longest + 1)
        self.hashes = np.zeros(longest + 1, np.uint64)

    def play(self, rng: np.ndarray, keep_game: bool) -> _Finished | None:
        """Play a game to its end; None where it was halted before."""
        game, lane, search = self.game, self.lane, (self.context, self.table)
        self.states[0] = game.dealt(int(rng[0]) >> 1)[0]  # the upper half of first positions is for matches
        self.kernels.new_game(*search, lane, self.states, self.moves, rng)
        buffers = (self.states, self.scores, self.played, self.moves, rng)
        end = ONGOING
        while end == ONGOING:
            if lane["halt"]:
                return None
            end = int(self.kernels.play_on(*search, lane, *buffers, CALL_NODES))
        if end == DRAWN:
            end = _draw_of(game, int(lane["plies"]))
        facts = (self.states, self.scores, self.played)
        n = int(self.kernels.keep_rows(self.context, lane, *facts, end, self.rows, self.hashes))
        first, last = int(lane["opening"]), int(lane["plies"])
        played = self._game(first, last, end) if keep_game else None
        counts = (last - first, int(lane["thrown"]), int(lane["nodes"]))
        return _Finished(self.rows[:n].copy(), self.hashes[:n].copy(), end, *counts, played)

    def _game(self, first: int, last: int, end: int) -> PlayedGame:
        cents = np.rint(self.scores[first:last] / generate_play.CENT)
        scores = np.clip(cents, -MOST_SCORE, MOST_SCORE).astype(np.int16)
        return PlayedGame(self.states[first : first + 1].copy(), self.played[first:last].copy(), scores, end)


@dataclass
class _Gathering:
    """Finished games in the order of their numbers, until they have enough positions."""

    game: Game
    keep_new: object
    next: int
    positions: int
    longest: int
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.first, self.full = self.next, self.positions <= 0
        self.waiting: dict[int, _Finished] = {}
        self.games: list[_Finished] = []
        self.rows: list[np.ndarray] = []
        self.count = self.repeated = 0
        size = 2 * (self.positions + self.longest)
        self.seen = np.zeros(1 << size.bit_length(), np.uint64)

    def add(self, number: int, finished: _Finished) -> None:
        """Take a game in, and those after it that waited for it."""
        with self.lock:
            self.waiting[number] = finished
            while not self.full and self.next in self.waiting:
                one = self.waiting.pop(self.next)
                kept = int(self.keep_new(self.seen, one.rows, one.hashes, len(one.rows)))  # type: ignore[operator]
                self.repeated += len(one.rows) - kept
                self.rows.append(one.rows[:kept])
                self.games.append(one)
                self.count += kept
                self.next += 1
                self.full = self.count >= self.positions

    def made(self) -> Made:
        """What there is."""
        ends = np.bincount([one.end for one in self.games], minlength=len(self.game.RESULTS))
        searched, thrown, nodes = (sum(getattr(one, n) for one in self.games) for n in ("searched", "thrown", "nodes"))
        return Made(
            np.concatenate([empty_rows(self.game), *self.rows]),
            len(self.games),
            self.next,
            tuple(int(n) for n in ends),
            searched,
            self.repeated,
            thrown,
            nodes,
            tuple(one.played for one in self.games if one.played is not None),
        )


def _join(game: Game, judge: Judge):
    search = searcher.kernels(game, judge)
    return game.bind("learn.generate_play", think=search.think, begin_game=search.begin_game)


def _prepare(lane: np.ndarray, style: Style) -> None:
    """Write the style into a lane, whose scores are the search's."""
    lane["depth"] = searcher.DEEPEST
    lane["soft"], lane["hard"], lane["brief"] = style.nodes, style.hard, style.brief
    lane["least"], lane["most"] = style.opening
    for name in ("winning_plies", "level_plies", "level_from"):
        lane[name] = getattr(style, name)
    for name in ("fair", "winning", "extreme"):
        value = getattr(style, name)
        lane[name] = generate_play.NEVER if value is None else value * generate_play.CENT
    lane["level"] = -1 if style.level is None else style.level * generate_play.CENT


def _draw_of(game: Game, plies: int) -> int:
    """The result that stands for a draw; GameError where the game knows none."""
    if 0.0 not in game.RESULTS:
        why = f"a game was not over after {plies} moves, and RESULTS has no 0.0 for a draw"
        raise GameError(f"{game.path.name}: {why}; add 0.0 and set LIMIT")
    return game.RESULTS.index(0.0)
