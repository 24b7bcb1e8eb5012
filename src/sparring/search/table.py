"""The transposition table: entries of 16 bytes that several threads may read and write at once.

An entry's key is kept as key ^ data (Hyatt and Mann, "A lock-less transposition table", 2002): an entry of which two
threads wrote one half each fits no position.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.records import beside

ENTRY = np.dtype([("key", "u8"), ("data", "i8")], align=True)
"""data, from the lowest bit: score + 2**31 (32 bits), move (16), depth + 128 (8), bound (2), age of the search (5)."""

MOST_ENTRIES = 1 << 24
AGES = 32
EXACT, AT_LEAST, AT_MOST = 0, 1, 2  # what a score is: bounds
NO_MOVE = np.int64(65535)
SPREAD = np.uint64(0x9E3779B97F4A7C15)
S40 = np.uint64(40)
HALF = 1 << 31
WORD = (1 << 32) - 1


def new_table(entries: int) -> np.ndarray:
    """An empty transposition table; `entries` is rounded down to a power of two of at most MOST_ENTRIES."""
    return np.zeros(1 << min(max(entries.bit_length() - 1, 4), 24), ENTRY)


@compiled
def entry_of(table, entries, hashed):
    """The entry of a key in the table, whose length is a power of two; `table` is its first entry."""
    return beside(table, np.int64((hashed * SPREAD) >> S40) & (entries - 1))


@compiled
def data_of(entry, hashed):
    """What the entry holds about the key's position; 0 if it holds nothing of it."""
    data = entry["data"]
    if data != 0 and entry["key"] ^ np.uint64(data) == hashed:
        return np.int64(data)
    return np.int64(0)


@compiled
def score_in(data):
    """The score, proven plies counted from the entry's own position."""
    return (data & WORD) - HALF


@compiled
def move_in(data):
    """The best move, or NO_MOVE."""
    return (data >> 32) & 65535


@compiled
def depth_in(data):
    """Plies it was searched to."""
    return ((data >> 48) & 255) - 128


@compiled
def bound_in(data):
    """EXACT, AT_LEAST or AT_MOST."""
    return (data >> 56) & 3


@compiled
def write_entry(entry, hashed, age, depth, score, bound, move):
    """Keep a result unless a deeper one of this search about another position stands there."""
    before = np.int64(entry["data"])
    same = before != 0 and entry["key"] ^ np.uint64(before) == hashed
    if before != 0 and not same and before >> 58 == age and depth_in(before) > depth + 2:
        return
    if move == NO_MOVE and same:
        move = move_in(before)
    data = np.int64(score + HALF) | (move << 32) | ((depth + 128) << 48) | (bound << 56) | (age << 58)
    entry["data"] = data
    entry["key"] = hashed ^ np.uint64(data)
