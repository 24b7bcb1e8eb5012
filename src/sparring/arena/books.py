"""Books of openings: a file of positions, a line each (FEN or EPD), or of games (PGN), played from in pairs."""

import functools
import hashlib
import pathlib
from dataclasses import dataclass, field

import numpy as np

from sparring.errors import GameError, MatchError
from sparring.games import pgn
from sparring.games.game import Game
from sparring.games.uci_text import WRITTEN, check_text
from sparring.rng import draw_below, seeded

ORDER = 5  # stream of a match's seed
BOARD_FIELDS = 4  # of a FEN that an EPD has too: pieces, side, castling, en passant


@dataclass(frozen=True)
class Opening:
    """start: the first position as the game writes it; empty: the usual one. moves: from there. where: in which file,
    on which line."""

    start: str
    moves: tuple[int, ...]
    where: str


@dataclass(frozen=True)
class Book:
    """A file's openings, as text until one is played. lines: numbers and texts. digest: of what the file holds."""

    name: str
    digest: str
    games: bool
    lines: tuple[tuple[int, str], ...] = field(repr=False)

    def opening(self, game: Game, seed: int, pair: int) -> Opening:
        """The opening of a pair: all in an order drawn by the seed, then all again. MatchError where it is at fault."""
        number, text = self.lines[_order(len(self.lines), seed)[pair % len(self.lines)]]
        where = f"{self.name}, line {number}"
        try:
            if not self.games:
                game.module.position(fen := fen_of(text))
                return Opening(fen, (), where)
            read = pgn.read_game(text, game)
            return Opening(read.start, read.moves, where)
        except GameError as fault:
            raise MatchError(f"{where}: {fault}") from fault


def read_book(path: str | pathlib.Path, game: Game) -> Book:
    """The openings in a file, of which each is looked at when it is played.

    MatchError where it cannot be read, or holds none.
    """
    path = pathlib.Path(path)
    check_text(game, WRITTEN, "a book of openings")
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise MatchError(f"cannot read {path}: {fault.strerror}") from fault
    text, games = data.decode("utf-8", errors="replace"), path.suffix.lower() == ".pgn"
    if games:
        lines = tuple(pgn.split_games(text))
    else:
        numbered = enumerate(map(str.strip, text.splitlines()), 1)
        lines = tuple((number, line) for number, line in numbered if line and not line.startswith("#"))
    if not lines:
        what = "games" if games else "positions, a line each (FEN or EPD; games of moves are read from a .pgn)"
        raise MatchError(f"{path} holds no {what}")
    return Book(path.name, hashlib.sha256(data).hexdigest()[:12], games, lines)


def fen_of(line: str) -> str:
    """The FEN in a line that is one, or an EPD with its operations, of which those that count moves are kept."""
    words = line.split()
    board, rest = words[:BOARD_FIELDS], words[BOARD_FIELDS:]
    if len(rest) >= 2 and rest[0].isdecimal() and rest[1].strip(";").isdecimal():
        return " ".join([*board, rest[0], rest[1].strip(";")])
    counts = {"hmvc": "0", "fmvn": "1"}
    for part in " ".join(rest).split(";"):
        name, _, value = part.strip().partition(" ")
        if name in counts and value.strip().isdecimal():
            counts[name] = value.strip()
    return " ".join([*board, *counts.values()])


@functools.lru_cache(maxsize=4)
def _order(n: int, seed: int) -> np.ndarray:
    """Numbers 0 to n - 1 in an order drawn by the seed (Fisher and Yates)."""
    rng, order = seeded(seed, ORDER), np.arange(n)
    for i in range(n - 1, 0, -1):
        j = draw_below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return order
