"""Files of chess positions with scores and results, of three formats, read in blocks and written.

text           `FEN | score | result`, a line each (chess_textfile.py)
bulletformat   32 bytes each (chess_bulletformat.py)
viriformat     whole games, of which every position has a score (chess_viriformat.py)
"""

import pathlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np

from sparring.errors import RecordError
from sparring.games import chess_bulletformat as bullet
from sparring.games import chess_textfile as text
from sparring.games import chess_viriformat as viri
from sparring.games.chess_board import POSITION
from sparring.games.chess_faults import CUT, MOST_SHARE, UNREADABLE, Faults
from sparring.games.chess_format import kind_of
from sparring.games.chess_moves import MOST_MOVES

BLOCK = 1 << 16  # positions at a time
CHUNK = 1 << 22  # bytes at a time
EARLY = 10_000  # records after which a share of faults says something
# a record of bulletformat under the names that learners use


@dataclass(frozen=True)
class Block:
    """Positions of a file, (n,) each. states: POSITION. scores: int16, centipawns. results: uint8, 0 lost, 1 drawn, 2
    won. Both are White's. records: how many records of the file they came from, whole games in viriformat."""

    states: np.ndarray
    scores: np.ndarray
    results: np.ndarray
    records: int

    def __len__(self) -> int:
        return len(self.states)


@dataclass
class Reading:
    """A file that is read: what kind it is, and what was found so far.

    quiet: of games, leave out positions in check and those whose move takes something or promotes. size, done: bytes.
    """

    path: pathlib.Path
    quiet: bool = False
    kind: str = ""
    records: int = 0
    size: int = 0
    done: int = 0
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        self.path = pathlib.Path(self.path)
        self.kind = self.kind or kind_of(self.path)
        self.faults.unit = "line" if self.kind == "text" else "byte"
        self.size = self.path.stat().st_size

    def blocks(self) -> Iterator[Block]:
        """The positions, up to 65 536 at a time. RecordError where more than 1 % of the records cannot be."""
        read = {"text": _read_text, "bulletformat": _read_bullet, "viriformat": _read_viri}[self.kind]
        with self.path.open("rb") as file:
            for block in read(self, file):
                self.records += block.records
                self.done = file.tell()
                if self.records >= EARLY:
                    self._refuse_wrong()
                yield block
        self._refuse_wrong()

    def _refuse_wrong(self) -> None:
        wrong = self.faults.total - self.faults.counts.get(CUT, 0)
        if wrong > MOST_SHARE * self.records:
            told = "; ".join(self.faults.told())
            raise RecordError(f"{self.path} is no sound {self.kind}: of {self.records:,} records more than 1 %: {told}")


def read_data(path: pathlib.Path) -> np.ndarray:
    """What can be learned from a file: an array with the fields packed (PACKED), score and result of each position, as
    its player to move sees them. Of games the quiet positions alone. RecordError where the file is faulty."""
    found = [np.zeros(0, bullet.RECORD), *map(_as_records, Reading(path, quiet=True).blocks())]
    return np.concatenate(found)


def _as_records(block: Block) -> np.ndarray:
    records = np.zeros(len(block), bullet.RECORD)
    bullet.write_records(block.states, block.scores, block.results, records)
    return records


class _Room:
    """Arrays that a kernel writes a block into."""

    def __init__(self, most: int = BLOCK) -> None:
        self.states = np.zeros(most, POSITION)
        self.scores = np.zeros(most, np.int16)
        self.results = np.zeros(most, np.uint8)
        self.kinds = np.zeros(most, np.int64)
        self.places = np.zeros(most, np.int64)

    def block(self, n: int, records: int) -> Block:
        """The first n as a block of its own."""
        return Block(self.states[:n].copy(), self.scores[:n].copy(), self.results[:n].copy(), records)


def _read_bullet(reading: Reading, file: BinaryIO) -> Iterator[Block]:
    room, size = _Room(), bullet.RECORD.itemsize
    first = 0
    while chunk := file.read(BLOCK * size):
        whole = len(chunk) // size
        records = np.frombuffer(chunk, bullet.RECORD, whole)
        n, wrong = bullet.read_records(records, room.states, room.scores, room.results, room.kinds, room.places)
        reading.faults.add(room.kinds[:wrong], first + size * room.places[:wrong])
        first += whole * size
        if len(chunk) % size:
            reading.faults.add(np.array([CUT]), np.array([first]))
        yield room.block(n, whole)


def _read_text(reading: Reading, file: BinaryIO) -> Iterator[Block]:
    room, rest, line = _Room(), b"", 1
    while True:
        chunk = file.read(CHUNK)
        data, last = np.frombuffer(rest + chunk, np.uint8), not chunk
        at = 0
        while True:
            arrays = (room.states, room.scores, room.results, room.kinds, room.places)
            n, wrong, lines, read = text.read_lines(data[at:], last, line, *arrays)
            reading.faults.add(room.kinds[:wrong], room.places[:wrong])
            line, at = line + lines, at + read
            if n or wrong:
                yield room.block(n, n + wrong)
            if n + wrong < BLOCK:
                break
        rest = data[at:].tobytes()
        if last:
            return
        if len(rest) >= CHUNK:
            raise RecordError(f"{reading.path}, line {line}: no line of text is {len(rest):,} bytes long")


def _read_viri(reading: Reading, file: BinaryIO) -> Iterator[Block]:
    room, rest, first = _Room(), b"", 0
    heads, steps, desk = np.zeros(1, viri.HEAD), np.zeros(1, viri.STEP), np.zeros(MOST_MOVES, np.int32)
    ends = np.zeros(BLOCK, np.int64)
    while chunk := file.read(CHUNK):
        data = np.frombuffer(rest + chunk, np.uint8)
        at = 0
        while True:
            arrays = (room.states, room.scores, room.results, ends, room.kinds, room.places)
            n, games, wrong, read = viri.read_games(data[at:], heads, steps, reading.quiet, desk, *arrays)
            reading.faults.add(room.kinds[:wrong], first + at + room.places[:wrong])
            at += read
            if games == 0:
                break
            yield room.block(n, games)
        first, rest = first + at, data[at:].tobytes()
        if len(rest) >= 2 * CHUNK:
            break
    if rest:
        whole = len(rest) >= 2 * CHUNK
        reading.faults.add(np.array([UNREADABLE if whole else CUT]), np.array([first]))
        yield room.block(0, int(whole))


# --- writing -----------------------------------------------------------------------------------------------------


def write_positions(block: Block, kind: str) -> bytes:
    """Positions as they stand in a file of that kind, text or bulletformat."""
    if kind == "bulletformat":
        return _as_records(block).tobytes()
    if kind != "text":
        raise RecordError(f"positions alone are no {kind}, which holds whole games; write text or bulletformat")
    out = np.zeros(len(block) * text.LONGEST, np.uint8)
    return out[: text.write_lines(block.states, block.scores, block.results, out)].tobytes()


def write_lessons(lessons: np.ndarray, kind: str) -> bytes:
    """Rows with the fields packed, score and result, as `read_data` returns them, in a file of that kind."""
    records = np.zeros(len(lessons), bullet.RECORD)
    for name in ("packed", "score", "result"):
        records[name] = lessons[name]
    bullet.set_kings(records)
    if kind == "bulletformat":
        return records.tobytes()
    room = _Room(len(records))
    n, _ = bullet.read_records(records, room.states, room.scores, room.results, room.kinds, room.places)
    return write_positions(room.block(n, n), kind)


def write_games(
    starts: np.ndarray, moves: Sequence[np.ndarray], scores: Sequence[np.ndarray], results: np.ndarray
) -> bytes:
    """Games as they stand in viriformat.

    starts: POSITION (games,). moves, scores: of each game, of the same length; scores int16, White's. results: uint8
    (games,), 0 Black won, 1 drawn, 2 White won.
    """
    firsts = np.cumsum([0, *(len(one) for one in moves)])
    size = len(starts) * (viri.HEAD.itemsize + viri.STEP.itemsize) + int(firsts[-1]) * viri.STEP.itemsize
    out = np.zeros(size, np.uint8)
    flat = [np.concatenate([np.zeros(0, kind), *parts]) for kind, parts in ((np.int32, moves), (np.int16, scores))]
    work = (np.zeros(1, POSITION), np.zeros(1, viri.HEAD), np.zeros(1, viri.STEP))
    viri.write_games(starts, firsts, *flat, results.astype(np.uint8), *work, out)
    return out.tobytes()
