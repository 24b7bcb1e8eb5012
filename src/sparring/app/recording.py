"""Games between players, or of one with itself, played for a file: to learn from, to look at, for other programs."""

import contextlib
import itertools
import pathlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from sparring.arena.match import play_pairs
from sparring.arena.player import Entry
from sparring.arena.under_way import GameRecord, PairRecord, deal_number
from sparring.games.game import Game
from sparring.games.gamefile import Recorded, append, read


@dataclass(frozen=True)
class Recording:
    """What is asked: so many games of a against b, or of a against itself where b is None, dealt as for training."""

    game: Game
    a: Entry
    b: Entry | None
    games: int
    opening: int
    seed: int

    @property
    def names(self) -> tuple[str, str]:
        """Of the two players."""
        return self.a.label, (self.b or self.a).label

    @property
    def marks(self) -> dict[str, int]:
        """What tells these games from others of the same players in the file."""
        return {"seed": self.seed, "opening": self.opening}


def done_before(recording: Recording, path: pathlib.Path) -> tuple[int, int]:
    """Of this recording's games: how many stand in the file, and the number of the first pair that is not in it."""
    if not path.exists() or not path.stat().st_size:
        return 0, 0
    own = [
        one.more
        for one in read(path, recording.game)
        if sorted(one.players) == sorted(recording.names) and recording.marks.items() <= one.more.items()
    ]
    return len(own), max((more["pair"] for more in own if isinstance(more.get("pair"), int)), default=-1) + 1


def record(
    recording: Recording, path: pathlib.Path, threads: int, tell: Callable[[int], None]
) -> Generator[Recorded, None, None]:
    """Play what the file lacks and write it there, pair by pair; yields each game once it is written.

    tell: is told how many of this recording's games the file holds. Close the iterator to stop.
    """
    held, first = done_before(recording, path)
    tell(held)
    missing = recording.games - held
    if missing <= 0:
        return
    numbers = range(first, first + (-(-missing // 2) if recording.b else missing))
    pairs = play_pairs(
        recording.game,
        recording.a,
        recording.b or recording.a,
        numbers,
        seed=recording.seed,
        threads=threads,
        opening=recording.opening,
        training=True,
    )
    with contextlib.closing(pairs):
        for pair in pairs:
            games = list(itertools.islice(games_of(recording, pair), recording.games - held))
            append(path, games)
            held += len(games)
            tell(held)
            yield from games
            if held == recording.games:
                return


def games_of(recording: Recording, pair: PairRecord) -> Iterator[Recorded]:
    """The games of a pair as a file holds them. A player without chance plays the same game twice against itself."""
    one, other = pair.games
    yield as_recorded(recording, pair.number, one)
    if recording.b or one.moves != other.moves:
        yield as_recorded(recording, pair.number, other)


def as_recorded(recording: Recording, pair: int, record: GameRecord) -> Recorded:
    """A game of the arena as a file holds it."""
    game, (a, b) = recording.game, recording.names
    return Recorded(
        game.name,
        (a, b) if record.first else (b, a),
        record.moves,
        (record.value if record.first else -record.value) + 0.0,
        deal_number(recording.seed, pair, training=True) if game.defines("deal") else None,
        given=recording.opening,
        more={**recording.marks, "pair": pair},
    )
