"""The positions that a net learns from: a ring of rows, repeats merged, turned into batches of inputs and targets.

Values in a row are as player 0 sees them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sparring.compiled import compile_for, compiled
from sparring.games.contract import SYMMETRIES, key, legal, transform, transform_move
from sparring.games.game import Game
from sparring.nets.tower import planes_of
from sparring.records import copy_record
from sparring.search.fleet import join
from sparring.search.leaves import eyes_for, place_of, write_inputs

ENDS = 3  # set by `join`: how many RESULTS there are
FADING = np.float32(8.0)  # a merged row is the mean of about so many of its newest repeats
ONE, GONE = np.float32(1.0), np.float32(0.0)


def row_dtype(game: Game) -> np.dtype:
    """dtype of a row.

    policy: of the search, in the order of the legal moves. outcome: chances of the RESULTS, and the score. left: plies
    to the end. reply: the move played next, or -1. merged: how many visits of this position it stands for; 0: the row
    is gone, a newer one has taken it in.
    """
    return np.dtype(
        [
            ("state", game.STATE, (1,)),
            ("policy", "f4", (game.MOST_MOVES,)),
            ("outcome", "f4", (len(game.RESULTS) + 1,)),
            ("left", "f4"),
            ("reply", "i4"),
            ("merged", "f4"),
        ],
        align=True,
    )


@compiled
def turn(row, image, moves, places):
    """Put a row under a symmetry. moves: int32, MOST_MOVES. places: float32, MOVES."""
    state = row["state"][0]
    n = legal(state, moves)
    for i in range(n):
        places[transform_move(moves[i], image)] = row["policy"][i]
    if row["reply"] >= 0:
        row["reply"] = transform_move(np.int64(row["reply"]), image)
    transform(state, image)
    n = legal(state, moves)
    for i in range(n):
        row["policy"][i] = places[moves[i]]


@compiled
def usual_image(state, work):
    """The symmetry under which a position's key is smallest, and that key."""
    best, least = 0, key(state)
    for k in range(1, SYMMETRIES):
        copy_record(state, work)
        transform(work, k)
        other = key(work)
        if other < least:
            best, least = k, other
    return best, least


@compiled
def add(ring, total, places, new, n, work, moves, room):
    """Put new[:n] into the ring; a position that is in it already is merged into its newer row. Returns the new total.

    places: int64, a power of two: where in the count of all rows a position stands that ends in these bits.
    """
    size = ring.shape[0]
    for j in range(n):
        row = ring[total % size]
        copy_record(new[j], row)
        image, own = usual_image(row["state"][0], work[0])
        if image != 0:
            turn(row, image, moves, room)
        slot = place_of(own, np.int64(places.shape[0]))
        before = places[slot]
        places[slot] = total
        if 0 <= before < total and total - before < size:
            other = ring[before % size]
            if other["merged"] > GONE and key(other["state"][0]) == own:
                take_in(row, other)
        total += 1
    return total


@compiled
def put_back(ring, total, places, rows):
    """Put rows back as they were, in their order; older ones of their positions are gone. Returns the new total."""
    size = ring.shape[0]
    for j in range(rows.shape[0]):
        row = ring[total % size]
        copy_record(rows[j], row)
        own = key(row["state"][0])
        slot = place_of(own, np.int64(places.shape[0]))
        before = places[slot]
        places[slot] = total
        if 0 <= before < total and total - before < size:
            other = ring[before % size]
            if other["merged"] > GONE and key(other["state"][0]) == own:
                other["merged"] = GONE
        total += 1
    return total


@compiled
def take_in(row, other):
    """The mean of a row and what was known of its position before; `other` is gone afterwards."""
    weight = min(other["merged"], FADING - ONE)
    share = ONE / (weight + ONE)
    for i in range(row["policy"].shape[0]):
        row["policy"][i] = share * row["policy"][i] + (ONE - share) * other["policy"][i]
    for i in range(ENDS + 1):
        row["outcome"][i] = share * row["outcome"][i] + (ONE - share) * other["outcome"][i]
    row["left"] = share * row["left"] + (ONE - share) * other["left"]
    row["merged"] = weight + ONE
    other["merged"] = GONE


@compiled
def write_batch(
    ring, rows, images, work, moves, room, index, value, inputs, policy, allowed, outcome, score, left, reply
):
    """Inputs and targets of rows of the ring, each under a symmetry and as the net's eyes see it.

    rows, images: int64 (m,). work: one row. inputs: float32 (m, inputs). policy, allowed: float32 (m, MOVES), the
    second 1 for legal moves. outcome: float32 (m, results). score, left: float32 (m,). reply: int64 (m,).
    """
    for j in range(rows.shape[0]):
        copy_record(ring[rows[j]], work[0])
        row = work[0]
        if images[j] != 0:
            turn(row, images[j], moves, room)
        state = row["state"][0]
        for m in range(policy.shape[1]):
            policy[j, m] = GONE
            allowed[j, m] = GONE
        for i in range(legal(state, moves)):
            policy[j, moves[i]] = row["policy"][i]
            allowed[j, moves[i]] = ONE
        flipped = eyes_for(state) == 1
        for end in range(ENDS):
            outcome[j, ENDS - 1 - end if flipped else end] = row["outcome"][end]
        score[j] = -row["outcome"][ENDS] if flipped else row["outcome"][ENDS]
        left[j] = row["left"]
        reply[j] = row["reply"]
        write_inputs(state, inputs, j, index, value)


@dataclass(frozen=True)
class Lessons:
    """A batch to learn from: see `write_batch`. The arrays are written over by the next batch."""

    inputs: np.ndarray
    policy: np.ndarray
    allowed: np.ndarray
    outcome: np.ndarray
    score: np.ndarray
    left: np.ndarray
    reply: np.ndarray


class Rows:
    """The ring and its batches for one game."""

    def __init__(self, game: Game, capacity: int) -> None:
        self.game = game
        self.kernels = game.bind("learn.rows", **join(game).names)
        self.ring = np.zeros(capacity, row_dtype(game))
        self.total = 0  # rows ever added
        self.places = np.full(1 << max(capacity - 1, 1).bit_length(), -1, np.int64)
        self.state = np.zeros(1, game.STATE)
        self.row = np.zeros(1, row_dtype(game))
        self.moves = np.zeros(game.MOST_MOVES, np.int32)
        self.room = np.zeros(game.MOVES, np.float32)
        self.index = np.zeros(game.MOST_FEATURES, np.int32)
        self.value = np.zeros(game.MOST_FEATURES, np.float32)

    def __len__(self) -> int:
        return min(self.total, len(self.ring))

    def add(self, new: np.ndarray) -> None:
        """Add rows; those whose position is there already take it in."""
        buffers = (self.state, self.moves, self.room)
        self.total = int(self.kernels.add(self.ring, self.total, self.places, new, len(new), *buffers))

    def segment(self, first: int) -> dict[str, np.ndarray]:
        """The rows from number `first` on, for a file."""
        first = max(first, self.total - len(self.ring))
        places = np.arange(first, self.total) % len(self.ring)
        return {"rows": as_bytes(self.ring)[places], "begins": np.array([first])}  # bytes: a position's padding too

    def put_back(self, segments: Iterable[dict[str, np.ndarray]]) -> None:
        """Fill an empty ring with segments in their order; it is then as it was."""
        for segment in segments:
            self.total = int(segment["begins"][0]) if self.total == 0 else self.total
            rows = np.ascontiguousarray(segment["rows"]).view(self.ring.dtype).reshape(-1)
            self.total = int(self.kernels.put_back(self.ring, self.total, self.places, rows))

    def compile(self, into: "Lessons") -> None:
        """Before the first use."""
        one = np.zeros(1, np.int64)
        new = self.ring[:0]
        self.add(new)
        work = (self.row, self.moves, self.room, self.index, self.value)
        targets = (into.policy, into.allowed, into.outcome, into.score, into.left, into.reply)
        inputs = into.inputs.reshape(len(into.inputs), -1)
        compile_for(self.kernels.write_batch, self.ring, one, one, *work, inputs, *targets)

    def choose(self, count: int, window: int, rng: np.random.Generator) -> np.ndarray:
        """Places of `count` rows among the newest `window`, each as likely; rows that are gone are passed over."""
        window = min(window, len(self))
        found = np.zeros(0, np.int64)
        while len(found) < count:
            drawn = (self.total - 1 - rng.integers(window, size=count + count // 2)) % len(self.ring)
            found = np.concatenate([found, drawn[self.ring["merged"][drawn] > 0]])
        return found[:count]

    def lessons(self, rows: np.ndarray, images: np.ndarray, into: "Lessons") -> None:
        """Write a batch: see `write_batch`."""
        inputs = into.inputs.reshape(len(rows), -1)
        work = (self.row, self.moves, self.room, self.index, self.value)
        targets = (into.policy, into.allowed, into.outcome, into.score, into.left, into.reply)
        self.kernels.write_batch(self.ring, rows.astype(np.int64), images.astype(np.int64), *work, inputs, *targets)


def as_bytes(array: np.ndarray) -> np.ndarray:
    """An array of records as bytes, (n, bytes), the same memory."""
    return array.view(np.uint8).reshape(len(array), -1)


def new_lessons(game: Game, size: int) -> Lessons:
    """Room for a batch."""
    inputs = np.zeros((size, *planes_of(game)), np.float32)
    policy, allowed = (np.zeros((size, game.MOVES), np.float32) for _ in range(2))
    outcome = np.zeros((size, len(game.RESULTS)), np.float32)
    score, left = (np.zeros(size, np.float32) for _ in range(2))
    return Lessons(inputs, policy, allowed, outcome, score, left, np.zeros(size, np.int64))
