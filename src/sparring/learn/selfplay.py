"""Self-play of whole games inside compiled code: both sides are the same search with the same net."""

import itertools
import math
import threading
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.errors import GameError
from sparring.games.contract import LIMIT, ODDS, ONGOING, REPETITION, key, legal, mover, play, quiet, result
from sparring.games.game import Game
from sparring.games.walk import DRAWN, occurrences
from sparring.nets.weights import Net
from sparring.rng import draw_below, draw_unit, seeded
from sparring.search import judging, searcher
from sparring.search.context import new_context
from sparring.search.selective import ALL_SKILLS
from sparring.search.table import new_table
from sparring.threads import on_threads

UNIT = 1_000_000.0  # scores to a value of 1
LARGEST = 1.0  # set by `join`: the largest value of a result


def think(ctx, table, depth, lines, rng):  # set by `join`: the search
    raise NotImplementedError


def begin_game(ctx, table):  # set by `join`
    raise NotImplementedError


@compiled
def play_game(ctx, table, states, scores, loose, moves, rng, depth, opening, explore):
    """Play one game; returns (the end, number of positions n): an index into RESULTS, or DRAWN.

    states (STATE), scores (float32), loose (uint8): buffers longer than the longest game. Filled at 0..n-1 with each
    position, its search score as player 0's expected result, and whether the move played there was a random one.
    states[n] is the last position. rng: the game's own generator. opening: so many random moves first. explore: the
    chance of a random move later.
    """
    begin_game(ctx, table)
    still = np.zeros(1, np.uint64)  # no choice at random among equal moves
    n = 0
    while True:
        state = states[n]
        end = result(state)
        if end != ONGOING:
            return end, n
        ctx["keys"][n] = key(state)
        if REPETITION > 0 and occurrences(ctx["keys"], n, quiet(state)) >= REPETITION - 1:
            return DRAWN, n
        if n + 1 >= states.shape[0]:
            return DRAWN, n
        if LIMIT > 0 and n >= LIMIT:
            return DRAWN, n
        ctx["stack"][0] = state
        ctx["past"] = n
        ctx["plies"] = n
        value = think(ctx, table, depth, 1, still) / UNIT
        value = max(min(value, LARGEST), -LARGEST)
        if ODDS > 0:
            value = math.tanh(ODDS * value)
        scores[n] = value if mover(state) == 0 else -value
        move = np.int64(ctx["root_moves"][0])
        loose[n] = 0
        if n < opening or draw_unit(rng) < explore:
            loose[n] = 1
            move = np.int64(moves[draw_below(rng, legal(state, moves))])
        states[n + 1] = state
        play(states[n + 1], move)
        n += 1


@dataclass(frozen=True)
class Played:
    """A finished game of n positions, values as player 0 sees them.

    states: (n,) STATE. scores: (n,) float32, of the search. loose: (n,) uint8, 1 where the move played was random.
    value: of the end. end: its index in RESULTS.
    """

    states: np.ndarray
    scores: np.ndarray
    loose: np.ndarray
    value: float
    end: int


@dataclass(frozen=True)
class Style:
    """How both sides play.

    depth: plies. opening: random moves first. explore: the chance of one later. quiescence: whether the search follows
    noisy moves at its horizon.
    """

    depth: int
    opening: int
    explore: float
    quiescence: bool = False


class SelfPlay:
    """Plays games by the hundred on threads. Game i of a generation is the same whichever thread plays it."""

    def __init__(self, game: Game, net: Net, threads: int, longest: int, table_entries: int = 1 << 13) -> None:
        self.game = game
        self.longest = longest
        self.judge = judging.by_net(game, net)
        self.kernels = _join(game, self.judge)
        self.contexts = [new_context(game, self.judge.dtype) for _ in range(threads)]
        self.tables = [new_table(table_entries) for _ in range(threads)]
        self.stopping = threading.Event()

    def stop(self) -> None:
        """End `play` soon (from another thread); the games of the generation are lost, as they can be played again."""
        self.stopping.set()
        for context in self.contexts:
            context["stop"] = 1

    def play(self, net: Net, games: int, seed: tuple[int, ...], style: Style) -> list[Played]:
        """Play `games` games with the net, game i seeded by (*seed, i); in order of their numbers."""
        played: list[Played | None] = [None] * games
        numbers = itertools.count()
        judge = judging.by_net(self.game, net)

        def work(worker: int) -> None:
            context, table = self.contexts[worker], self.tables[worker]
            judge.fill(context[0]["judge"][0])
            context["stop"] = 0
            context["most_nodes"] = np.iinfo(np.int64).max
            context["exact"] = 0
            context["skills"] = ALL_SKILLS
            context["quiescence"] = style.quiescence
            states = np.zeros(self.longest + 1, self.game.STATE)
            scores = np.zeros(self.longest + 1, np.float32)
            loose = np.zeros(self.longest + 1, np.uint8)
            moves = np.zeros(self.game.MOST_MOVES, np.int32)
            while (i := next(numbers)) < games and not self.stopping.is_set():
                rng = seeded(*seed, i)
                states[0] = self.game.dealt(int(rng[0]) >> 1)[0]  # the upper half of first positions is for matches
                buffers = (states, scores, loose, moves, rng)
                how = (style.depth, style.opening, style.explore)
                end, n = self.kernels.play_game(context[0], table, *buffers, *how)
                end = self._drawn(n) if end == DRAWN else end
                value = self.game.RESULTS[end]
                played[i] = Played(states[:n].copy(), scores[:n].copy(), loose[:n].copy(), value, end)

        on_threads(len(self.contexts), work, self.stop)
        return [game for game in played if game is not None]

    def _drawn(self, n: int) -> int:
        if 0.0 not in self.game.RESULTS:
            raise GameError(
                f"{self.game.path.name}: a game of self-play was not over after {n} moves, and RESULTS has no 0.0 for "
                "a draw; add 0.0 and set LIMIT, or train with a larger --longest"
            )
        return self.game.RESULTS.index(0.0)


def _join(game: Game, judge: judging.Judge) -> ModuleType:
    search = searcher.kernels(game, judge)
    return game.bind(
        "learn.selfplay",
        think=search.think,
        begin_game=search.begin_game,
        LARGEST=max(abs(v) for v in game.RESULTS),
    )
