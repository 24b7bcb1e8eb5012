"""A perfect player of Connect Four: the exact score of any position, and of each of its moves.

Scores are for the player to move: 22 minus the stones that the winner will have played, above 0 if that player wins,
below if the opponent does, 0 for a draw. So 18 is a win with the fourth stone, -1 a loss to the opponent's last.
"""

import functools
import pathlib
import threading
from collections.abc import Callable

import numpy as np

from sparring.arena.yardsticks import NO_MOVE
from sparring.arena.yardsticks.connect_four_search import (
    BOARD,
    ENTRY,
    UNKNOWN,
    WORK,
    remember,
    solve,
    spread,
    winning_points,
)
from sparring.compiled import compile_for, plain
from sparring.errors import GameError, SparringError
from sparring.games.connect_four import BOTTOM, STATE
from sparring.threads import on_threads

BOOK = pathlib.Path(__file__).parent / "data" / "connect_four_book.npz"
SLICE = 1 << 20  # nodes between looks at whether to stop: below a tenth of a second
QUICK = 20  # stones from which on a position takes less than a thousandth of a second, mostly
HANDFUL = 32
Tell = Callable[[int], None]  # called with how many positions are done


class Stopped(Exception):
    """`Solver.stop` was called."""


class Solver:
    """Exact scores. What was found out for one position is kept for the next, in one table for all threads."""

    def __init__(self, table_mb: int = 64, book: bool = True) -> None:
        """table_mb: MiB of memory, rounded down to a power of two; more helps only with few stones on the board.

        book: begin with the scores of openings that come with the package.
        """
        if not 1 <= table_mb <= 1 << 16:
            raise SparringError(f"the solver's table has {table_mb} MiB, but it must be 1 to {1 << 16}")
        bits = (int(table_mb) << 20).bit_length() - 4  # eight bytes an entry
        self.table = np.zeros(1 << bits, ENTRY)
        self.buckets = 64 - (bits - 1)  # as in WORK
        self.nodes = 0  # visited so far
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        work = np.zeros(1, WORK)
        work["buckets"] = self.buckets
        if book and BOOK.is_file():
            remember(work[0], self.table[0], *opening_book())
        nothing = np.zeros(0, STATE), np.zeros(0, np.int8)  # compiled now, so that the first question is not slower
        compile_for(solve, work[0], self.table[0], *nothing, SLICE)

    def stop(self) -> None:
        """End soon what another thread has asked: it gets `Stopped`."""
        self._stopping.set()

    def score(self, state: np.void) -> int:
        """The score of a position."""
        return int(self.scores_of(np.array([state], STATE))[0])

    def columns(self, state: np.void, threads: int = 1) -> list[int | None]:
        """The score of each column for the player to move; None where the column is full."""
        found = self.columns_of(np.array([state], STATE), threads)[0]
        return [None if score == NO_MOVE else int(score) for score in found]

    def scores_of(self, states: np.ndarray, threads: int = 1, tell: Tell | None = None) -> np.ndarray:
        """The scores of positions (n,): int8 (n,). GameError where one is over or impossible."""
        check(states)
        return self._solve(states, threads, tell or (lambda done: None))

    def columns_of(self, states: np.ndarray, threads: int = 1, tell: Tell | None = None) -> np.ndarray:
        """The score of each column of positions (n,) for the player to move: int8 (n, 7), NO_MOVE where it is full.

        GameError where a position is over or impossible.
        """
        check(states)
        after, scores = np.zeros((len(states), 7), STATE), np.zeros((len(states), 7), np.int8)
        spread(states, after, scores)
        unknown = scores == UNKNOWN
        ends = np.cumsum(unknown.sum(axis=1)[in_order(states)])  # columns to solve up to each position's last
        told = (lambda done: tell(int(np.searchsorted(ends, done, "right")))) if tell else (lambda done: None)
        scores[unknown] = -self._solve(after[unknown], threads, told)
        return scores

    def _solve(self, states: np.ndarray, threads: int, tell: Tell) -> np.ndarray:
        """Scores of positions that nobody has won."""
        self._stopping.clear()
        scores, done = np.zeros(len(states), np.int8), 0
        parts = iter(portions(states))

        def work_on_some(thread: int) -> None:
            nonlocal done
            work = np.zeros(1, WORK)[0]
            try:
                for at in parts:
                    scores[at] = self._finish(work, states[at])
                    with self._lock:
                        done += len(at)
                        tell(done)
            finally:
                with self._lock:
                    self.nodes += int(work["nodes"])

        if threads == 1:
            work_on_some(0)
            return scores
        on_threads(threads, work_on_some, self.stop)
        return scores

    def _finish(self, work: np.void, states: np.ndarray) -> np.ndarray:
        scores = np.full(len(states), UNKNOWN, np.int8)
        work["buckets"], work["at"], work["low"], work["high"], work["ply"] = self.buckets, 0, 1, 0, -1
        while not solve(work, self.table[0], states, scores, SLICE):
            if self._stopping.is_set():
                raise Stopped
        return scores


def in_order(states: np.ndarray) -> np.ndarray:
    """Numbers of positions, those with few stones first, as they may take longest."""
    return np.argsort(states["placed"], kind="stable")


def portions(states: np.ndarray) -> list[np.ndarray]:
    """Numbers of positions as a thread takes them, in order: one that may take long, or a handful of others."""
    order = in_order(states)
    few = int((states["placed"] < QUICK).sum())
    return [*order[:few, np.newaxis], *(order[i : i + HANDFUL] for i in range(few, len(order), HANDFUL))]


@functools.cache
def opening_book() -> tuple[np.ndarray, np.ndarray]:
    """All positions of one ply whose player cannot win at once, mirror images once, and their scores."""
    with np.load(BOOK) as file:
        own, other, scores = file["own"], file["other"], file["scores"]
    states = np.zeros(len(scores), STATE)
    states["own"], states["other"], states["placed"] = own, other, np.bitwise_count(own | other)
    return states, scores


def check(states: np.ndarray) -> None:
    """GameError where a position of (n,) STATE cannot come about, or is over."""
    own, other, placed = states["own"], states["other"], states["placed"]
    full = own | other
    points = plain(winning_points)  # on arrays
    won, lost = points(own) & own != 0, points(other) & other != 0
    counts = (np.bitwise_count(own) != placed // 2) | (np.bitwise_count(other) != (placed + 1) // 2)
    faults = (
        (own & other != 0, "impossible: both players have a stone on one point"),
        (full & ~BOARD != 0, "impossible: a stone lies outside of the board"),
        (full + BOTTOM & full != 0, "impossible: a stone floats"),
        (counts, "impossible: the players' stones do not fit the number of moves"),
        (won & lost, "impossible: both players have four in a row"),
        (won, "impossible: the player to move has four in a row already"),
        (lost, "over: the player who moved last has four in a row"),
        (placed == 42, "over: the board is full"),
    )
    for found, what in faults:
        if found.any():
            number = int(np.argmax(found))
            raise GameError(f"the position{f' of number {number}' if len(states) > 1 else ''} is {what}")
