"""A ladder: every result between two players, kept in one SQLite file, and the ratings that follow from them.

A batch of games is written in one transaction the moment it is finished, so a killed match loses only the batch
that was being played. Several processes may write at once. The file uses SQLite's rollback journal and not its
write-ahead log: writes are rare, no second file is left lying about, and a folder on another machine works.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

from sparring.arena.points import Points
from sparring.arena.ratings import Rating, rate
from sparring.arena.stats import GameCounts, PairCounts
from sparring.errors import SparringError

SCHEMA_VERSION = 1

APPLICATION_ID = int.from_bytes(b"Spar", "big")
"""Tells a ladder from any other SQLite file (SQLite's `application_id`)."""

SCHEMA = (
    "CREATE TABLE players (id INTEGER PRIMARY KEY, spec TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (spec, digest))",
    # The seed is text, since SQLite's integers do not hold 64 bits without sign.
    """CREATE TABLE matches (id INTEGER PRIMARY KEY, game TEXT NOT NULL,
       a INTEGER NOT NULL REFERENCES players, b INTEGER NOT NULL REFERENCES players,
       seed TEXT NOT NULL, settings TEXT NOT NULL, paired INTEGER NOT NULL,
       UNIQUE (game, a, b, seed, settings, paired))""",
    # Games that were not played in pairs fill the columns of the same score: losses ll, draws even, wins ww.
    """CREATE TABLE batches (match INTEGER NOT NULL REFERENCES matches, first INTEGER NOT NULL, units INTEGER NOT NULL,
       ll INTEGER NOT NULL, ld INTEGER NOT NULL, even INTEGER NOT NULL, wd INTEGER NOT NULL, ww INTEGER NOT NULL,
       recorded_at TEXT NOT NULL, PRIMARY KEY (match, first)) WITHOUT ROWID""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

POINTS = """CREATE TABLE IF NOT EXISTS points (match INTEGER NOT NULL REFERENCES matches, first INTEGER NOT NULL,
    units INTEGER NOT NULL, total REAL NOT NULL, squares REAL NOT NULL, PRIMARY KEY (match, first)) WITHOUT ROWID"""
"""Sums of points of the batches that have them; ladders in which nothing was won by points have no such table."""

REASONS = {
    "SQLITE_NOTADB": "is not a ladder, nor any other SQLite file",
    "SQLITE_CORRUPT": "is damaged; restore a copy of it, or move it away to start a new ladder",
    "SQLITE_FULL": "cannot grow: the disk is full; what was recorded before is safe",
    "SQLITE_IOERR": "cannot be read or written: the disk reports an error; what was recorded before is safe",
    "SQLITE_READONLY": "is read-only; nothing was recorded",
    "SQLITE_CANTOPEN": "cannot be opened; a ladder is a file in a folder that may be written to",
    "SQLITE_BUSY": "has been held by another process for too long; nothing was recorded",
}
"""What SQLite's result codes mean to the person whose file it is."""


class LadderError(SparringError):
    """A ladder's file cannot be read or written, or what is to be recorded contradicts it."""


@dataclass(frozen=True)
class Entrant:
    """A player as the ladder knows it."""

    spec: str
    """The spec string that the player is made from, as `alphabeta:net=runs/x/latest.safetensors`."""
    digest: str = ""
    """Short digest of the weights, which tells apart the nets that one path has held; empty where there are none."""

    def __str__(self) -> str:
        return f"{self.spec}#{self.digest}" if self.digest else self.spec


@dataclass(frozen=True)
class Match:
    """All batches of one match, added up."""

    game: str
    a: Entrant
    b: Entrant
    counts: PairCounts | GameCounts
    """As `a` sees them."""
    seed: int
    settings: str
    recorded_at: str
    """When the latest batch was recorded: ISO 8601, UTC, to the second."""
    points: Points
    """Over the pairs that were played for points, as `a` sees them."""


class Ladder:
    """The ladder in the file `path`, which is made, with its folders, where there is none.

    No connection is held between calls: a ladder may be shared by threads, and passed to other processes by its
    path. A call waits up to `patience_s` seconds for other writers. Every method raises `LadderError`, one line that
    names the file, when it is not a ladder, is one of a later version, or cannot be read or written.
    """

    def __init__(self, path: str | PathLike[str], patience_s: float = 30.0) -> None:
        self.path = Path(path)
        self.patience_s = patience_s
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LadderError(f"{self.path.parent}: the ladder's folder cannot be made: {error.strerror}.") from error
        with self._connection():
            pass

    def record(
        self,
        game: str,
        a: str | Entrant,
        b: str | Entrant,
        counts: PairCounts | GameCounts,
        seed: int,
        settings: str = "",
        first: int = 0,
        points: Points | None = None,
    ) -> bool:
        """Record a finished batch: pairs (or unpaired games) `first` and following of a match, as `a` sees them.

        Written whole or not at all, and on the disk when the call returns. The match is the one of this game, a, b,
        seed and settings. points: sums over the same pairs, where games are won by points. Returns False, and changes
        nothing, when all the batch's pairs are recorded already, as when a resumed match repeats a batch; a batch that
        overlaps others in part raises `LadderError`.
        """
        if counts.units == 0 or first < 0:
            raise LadderError(f"{self.path}: a batch of {counts.units} pairs from {first} on; it needs one, from 0 on.")
        paired = isinstance(counts, PairCounts)
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            match = _match_id(connection, game, _entrant(a), _entrant(b), seed, settings, paired)
            known = _overlap(connection, match, first, counts.units)
            if known == 0:
                connection.execute(
                    "INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (match, first, counts.units, *_columns(counts), datetime.now(UTC).isoformat(timespec="seconds")),
                )
                if points is not None:
                    connection.execute(POINTS)
                    row = (match, first, points.units, points.total, points.squares)
                    connection.execute("INSERT INTO points VALUES (?, ?, ?, ?, ?)", row)
                connection.execute("COMMIT")
        if 0 < known < counts.units:
            raise LadderError(
                f"{self.path}: {known} of the pairs {first} to {first + counts.units - 1} of {a} against {b}, "
                f"seed {seed}, are recorded already; record only the missing ones."
            )
        return known == 0

    def recorded(
        self, game: str, a: str | Entrant, b: str | Entrant, seed: int, settings: str = "", paired: bool = True
    ) -> list[range]:
        """The pairs (or unpaired games) of one match that are recorded, as ascending ranges with gaps between.

        What they leave out is what a resumed match still has to play.
        """
        a, b = _entrant(a), _entrant(b)
        with self._connection() as connection:
            rows = connection.execute(
                """SELECT first, units FROM batches JOIN matches ON matches.id = match
                   JOIN players AS pa ON pa.id = a JOIN players AS pb ON pb.id = b
                   WHERE game = ? AND pa.spec = ? AND pa.digest = ? AND pb.spec = ? AND pb.digest = ?
                   AND seed = ? AND settings = ? AND paired = ? ORDER BY first""",
                (game, a.spec, a.digest, b.spec, b.digest, str(seed), settings, paired),
            ).fetchall()
        ranges: list[range] = []
        for first, units in rows:
            start = ranges.pop().start if ranges and ranges[-1].stop == first else first
            ranges.append(range(start, first + units))
        return ranges

    def games(self) -> list[str]:
        """Names of the games that have results, in alphabetical order."""
        with self._connection() as connection:
            return [name for (name,) in connection.execute("SELECT DISTINCT game FROM matches ORDER BY game")]

    def matches(self, game: str) -> list[Match]:
        """Every match of `game`, in the order in which they began."""
        with self._connection() as connection:
            rows = connection.execute(
                """SELECT pa.spec, pa.digest, pb.spec, pb.digest, seed, settings, paired,
                   SUM(ll), SUM(ld), SUM(even), SUM(wd), SUM(ww), MAX(recorded_at), matches.id
                   FROM batches JOIN matches ON matches.id = match
                   JOIN players AS pa ON pa.id = a JOIN players AS pb ON pb.id = b
                   WHERE game = ? GROUP BY matches.id ORDER BY matches.id""",
                (game,),
            ).fetchall()
            points = _points(connection)
        return [
            Match(
                game=game,
                a=Entrant(spec_a, digest_a),
                b=Entrant(spec_b, digest_b),
                counts=PairCounts(*columns) if paired else GameCounts(columns[4], columns[2], columns[0]),
                seed=int(seed),
                settings=settings,
                recorded_at=recorded_at,
                points=points.get(match, Points()),
            )
            for spec_a, digest_a, spec_b, digest_b, seed, settings, paired, *columns, recorded_at, match in rows
        ]

    def standings(self, game: str, anchor: str | Entrant | None = None, anchor_elo: float = 0.0) -> list[Rating]:
        """Ratings over all matches of `game`, best first; see `sparring.arena.ratings.rate`.

        A player is named by its spec string, with `#digest` behind it where it has one.
        """
        results = [(str(m.a), str(m.b), m.counts.points, m.counts.games) for m in self.matches(game)]
        return rate(results, None if anchor is None else str(anchor), anchor_elo)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection to a checked ladder; closing it rolls back whatever was not committed."""
        try:
            with closing(sqlite3.connect(self.path, timeout=self.patience_s, isolation_level=None)) as connection:
                if _is_blank(connection):
                    _create(connection)
                self._check(connection)
                yield connection
        except sqlite3.Error as error:
            # The first two words are the primary code: SQLITE_IOERR of SQLITE_IOERR_WRITE.
            code = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
            raise LadderError(f"{self.path}: {REASONS.get(code, f'failed as a ladder: {error}')}.") from error

    def _check(self, connection: sqlite3.Connection) -> None:
        if _pragma(connection, "application_id") != APPLICATION_ID:
            raise LadderError(f"{self.path}: is an SQLite file, but not a ladder.")
        version = _pragma(connection, "user_version")
        if version != SCHEMA_VERSION:
            raise LadderError(
                f"{self.path}: is a ladder of version {version}, this Sparring reads version {SCHEMA_VERSION}; "
                "install a newer Sparring, or use another file."
            )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _is_blank(connection: sqlite3.Connection) -> bool:
    tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    return tables == 0 and _pragma(connection, "application_id") == 0


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have made the ladder between the look at the file and the lock.
    if _is_blank(connection):
        for statement in SCHEMA:
            connection.execute(statement)
    connection.execute("COMMIT")


def _points(connection: sqlite3.Connection) -> dict[int, Points]:
    """Sums of points, by match."""
    if not connection.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'points'").fetchone()[0]:
        return {}
    rows = connection.execute("SELECT match, SUM(units), SUM(total), SUM(squares) FROM points GROUP BY match")
    return {match: Points(*sums) for match, *sums in rows}


def _entrant(player: str | Entrant) -> Entrant:
    return player if isinstance(player, Entrant) else Entrant(player)


def _columns(counts: PairCounts | GameCounts) -> tuple[int, ...]:
    if isinstance(counts, PairCounts):
        return counts.cells
    return counts.losses, 0, counts.draws, 0, counts.wins


def _match_id(
    connection: sqlite3.Connection, game: str, a: Entrant, b: Entrant, seed: int, settings: str, paired: bool
) -> int:
    """The row of a match, made, with its players', where there is none."""
    players = []
    for player in (a, b):
        identity = (player.spec, player.digest)
        connection.execute("INSERT OR IGNORE INTO players (spec, digest) VALUES (?, ?)", identity)
        row = connection.execute("SELECT id FROM players WHERE spec = ? AND digest = ?", identity).fetchone()
        players.append(row[0])
    key = (game, *players, str(seed), settings, paired)
    connection.execute(
        "INSERT OR IGNORE INTO matches (game, a, b, seed, settings, paired) VALUES (?, ?, ?, ?, ?, ?)", key
    )
    row = connection.execute(
        "SELECT id FROM matches WHERE game = ? AND a = ? AND b = ? AND seed = ? AND settings = ? AND paired = ?", key
    ).fetchone()
    return int(row[0])


def _overlap(connection: sqlite3.Connection, match: int, first: int, units: int) -> int:
    """How many of the units from `first` on are recorded; recorded batches never overlap one another."""
    row = connection.execute(
        """SELECT COALESCE(SUM(MIN(first + units, :stop) - MAX(first, :first)), 0) FROM batches
           WHERE match = :match AND first < :stop AND first + units > :first""",
        {"match": match, "first": first, "stop": first + units},
    ).fetchone()
    return int(row[0])
