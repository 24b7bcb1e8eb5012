"""Batches for an NNUE net: rows drawn from all over the data, unpacked, as both players see them, ready ahead of time.

Row k of a pass is row `shuffled(k)` of the data, a permutation that is reckoned instead of kept. So a batch depends on
the seed and its number alone: on no thread, and on nothing that a run that goes on would have to remember.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import features, frame, mover, phase, unpack
from sparring.games.game import Game
from sparring.nets.nnue import NnueShape
from sparring.rng import scramble, seeded

AHEAD = 4  # batches a thread that wait to be trained on
ROUNDS = 6  # of the permutation
NONE = -1  # stands where a position has fewer inputs than others


@dataclass(frozen=True)
class Batch:
    """n positions to train on; its arrays are used again once the next batches have been taken.

    own, other: int32 (n, MOST_FEATURES), inputs as the player to move and the other player see them, within their
    frame's bucket, then NONE. phase: int64 (n,), which outputs. score: int16 (n,). result: int64 (n,).
    """

    own: np.ndarray
    other: np.ndarray
    phase: np.ndarray
    score: np.ndarray
    result: np.ndarray

    def __len__(self) -> int:
        return len(self.phase)

    def part(self, n: int) -> "Batch":
        """The first n positions; they share memory."""
        return Batch(self.own[:n], self.other[:n], self.phase[:n], self.score[:n], self.result[:n])


def empty_batch(game: Game, n: int) -> Batch:
    """Room for n positions."""
    own, other = (np.full((n, game.MOST_FEATURES), NONE, np.int32) for _ in range(2))
    return Batch(own, other, np.zeros(n, np.int64), np.zeros(n, np.int16), np.zeros(n, np.int64))


class Loader:
    """Makes batches for nets of one shape on threads of its own. `close` it, or use it in a `with`."""

    def __init__(self, game: Game, shape: NnueShape, threads: int = 1) -> None:
        self.game, self.threads = game, threads
        self.kernels = game.bind("learn.nnue_loader")
        self.maps = tables_of(game, shape)
        self.pool = ThreadPoolExecutor(threads, "loader")
        self.rooms: deque[Batch] = deque()

    def __enter__(self) -> "Loader":
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown(cancel_futures=True)

    def whole(self, rows: np.ndarray) -> Batch:
        """All of the rows, in their order, in memory of their own."""
        batch = empty_batch(self.game, len(rows))
        self._fill(rows, np.arange(len(rows)), batch)
        return batch

    def batches(self, rows: np.ndarray, size: int, first: int, count: int, seed: tuple[int, ...]) -> Iterator[Batch]:
        """Batches `first` to `first + count - 1` of an endless walk through the rows, each of which has `size`.

        Each pass has every row once, in an order of its own. A batch's memory is used again after the next was asked
        for; rows must not change meanwhile.
        """
        waiting: deque[Future[Batch]] = deque()
        own: list[Batch] = []
        try:
            for k in range(first, first + count):
                while len(waiting) < AHEAD * self.threads and len(waiting) + k < first + count:
                    room = self._room(size)
                    waiting.append(self.pool.submit(self._make, rows, size, k + len(waiting), seed, room))
                batch = waiting.popleft().result()
                own.append(batch)
                yield batch
                self.rooms.append(own.pop())
        finally:
            for future in waiting:
                self.rooms.append(future.result())

    def _room(self, size: int) -> Batch:
        while self.rooms:
            room = self.rooms.popleft()
            if len(room) == size:
                return room
        return empty_batch(self.game, size)

    def _make(self, rows: np.ndarray, size: int, k: int, seed: tuple[int, ...], room: Batch) -> Batch:
        places = np.arange(k * size, (k + 1) * size, dtype=np.int64)
        passes, at = np.divmod(places, len(rows))
        chosen = np.zeros(size, np.int64)
        for number in range(int(passes[0]), int(passes[-1]) + 1):
            mask = passes == number
            part = np.ascontiguousarray(at[mask])
            shuffle(part, len(rows), seeded(*seed, number), part)
            chosen[mask] = part
        self._fill(rows, chosen, room)
        return room

    def _fill(self, rows: np.ndarray, chosen: np.ndarray, batch: Batch) -> None:
        work, index = np.zeros(1, self.game.STATE), np.zeros(self.game.MOST_FEATURES, np.int32)
        value = np.zeros(self.game.MOST_FEATURES, np.float32)
        into = (batch.own, batch.other, batch.phase, batch.score, batch.result)
        self.kernels.fill(rows, chosen, work, index, value, *self.maps, *into)


def tables_of(game: Game, shape: NnueShape) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each frame its bucket's first input and its flip, of each phase its outputs; int64."""
    frames, phases = max(game.FRAMES, 1), max(game.PHASES, 1)
    buckets, flips, outputs = np.zeros(frames, np.int64), np.zeros(frames, np.int64), np.zeros(phases, np.int64)
    if shape.buckets:
        buckets[:] = shape.buckets
    if shape.flips:
        flips[:] = shape.flips
    if shape.phases:
        outputs[:] = shape.phases
    return buckets * game.FEATURES, flips, outputs


@compiled
def fill(rows, chosen, work, index, value, firsts, flips, outputs, own, other, out_phase, score, result):
    """Write row chosen[i] of `rows` into line i of a batch's arrays. work: one STATE. index, value: MOST_FEATURES."""
    state = work[0]
    for i in range(chosen.shape[0]):
        row = rows[chosen[i]]
        unpack(row["packed"], state)
        who = np.int64(mover(state))
        see(state, who, index, value, firsts, flips, own[i])
        see(state, 1 - who, index, value, firsts, flips, other[i])
        out_phase[i] = outputs[phase(state)]
        score[i] = row["score"]
        result[i] = row["result"]


@compiled
def see(state, viewer, index, value, firsts, flips, line):
    """Write the inputs that `viewer` sees, then NONE."""
    n = features(state, viewer, index, value)
    seen = frame(state, viewer)
    first, flip = firsts[seen], flips[seen]
    for j in range(n):
        line[j] = first + (index[j] ^ flip)
    for j in range(n, line.shape[0]):
        line[j] = NONE


@compiled
def shuffle(places, n, key, out):
    """Where each of `places` (0 to n - 1) goes in a permutation of n that depends on key[0]; int64.

    A Feistel network over the smallest even number of bits that holds n (Luby and Rackoff 1988); a number that comes to
    lie above n goes on through it until it does not (Black and Rogaway 2002).
    """
    half = np.int64(1)
    while (np.int64(1) << (2 * half)) < n:
        half += 1
    mask = (np.int64(1) << half) - 1
    for i in range(places.shape[0]):
        x = np.int64(places[i])
        while True:
            left, right = x >> half, x & mask
            for k in range(ROUNDS):
                word = scramble(key[0] + np.uint64(right) * np.uint64(16) + np.uint64(k))
                left, right = right, left ^ (np.int64(word >> np.uint64(1)) & mask)
            x = (left << half) | right
            if x < n:
                break
        out[i] = x
