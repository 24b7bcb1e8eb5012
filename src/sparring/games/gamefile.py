"""Games in files: JSON lines, one game a line, to be learned from, watched, or read by other programs.

    {"game": "tic_tac_toe", "players": ["random", "greedy"], "moves": [4, 0, 8], "result": 1.0, "seed": 1}

players: names, player 0's first. moves: numbers, outcomes of chance too. result: its value for player 0, or null where
the game was not finished. Where they matter: deal, the number of the first position, or position, its fields; and
given, how many decisions at the beginning nobody made (a random opening). All else in a line is free.
"""

import json
import pathlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import RecordError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game
from sparring.games.playback import OVER

KEYS = ("game", "players", "moves", "result", "deal", "position", "given")


@dataclass(frozen=True)
class Recorded:
    """A game as it stands in a file.

    players: names, player 0's first. result: value for player 0; None: not finished. deal: the number of its first
    position. position: its fields, where neither `start` nor `deal` makes it. given: decisions at the beginning that
    the players did not make. more: what else the line says. where: file and line, as faults name them.
    """

    game: str
    players: tuple[str, str]
    moves: tuple[int, ...]
    result: float | None
    deal: int | None = None
    position: dict[str, Any] | None = None
    given: int = 0
    more: dict[str, Any] = field(default_factory=dict)
    where: str = "the game"

    def first(self, game: Game) -> np.ndarray:
        """The first position, (1,) STATE; RecordError where its fields are not those of the game."""
        if self.position is None:
            return game.states(1) if self.deal is None else game.dealt(self.deal)
        state = np.zeros(1, game.STATE)
        if sorted(self.position) != sorted(own := fields_of(state[0])):
            there = f"position has {', '.join(self.position)}"
            raise RecordError(f"{self.where}: {there}, but one of {game.name} has {', '.join(own)}")
        try:
            for name, value in self.position.items():
                state[0][name] = value
        except (ValueError, TypeError, OverflowError) as fault:
            raise RecordError(f"{self.where}: {name} of position cannot be {value!r}: {fault}") from fault
        return state


@dataclass(frozen=True)
class Replayed:
    """All decisions of some games, in order, without those that were given; and the games' results.

    states: (n,) STATE. moves: (n,) int32. movers: (n,) int8. numbers: (n,) int64, which of the games, from 0.
    results: (games,) float64, values for player 0; NaN where a game was not finished.
    """

    states: np.ndarray
    moves: np.ndarray
    movers: np.ndarray
    numbers: np.ndarray
    results: np.ndarray


def fields_of(state: np.void) -> dict[str, Any]:
    """A position's fields as JSON holds them."""
    return {name: state[name].tolist() for name in state.dtype.names or () if not name.startswith("_gap")}


def append(path: str | pathlib.Path, games: Iterable[Recorded]) -> None:
    """Write games behind those in the file, each a whole line; makes the file where there is none.

    RecordError where the file holds games of another kind, or cannot be written.
    """
    path, games = pathlib.Path(path), list(games)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            file.seek(0)
            _check_kind(file.readline(), games, path)
            cut = file.tell() and file.seek(-1, 2) >= 0 and file.read(1) != b"\n"  # written by hand, or cut short
            file.write((b"\n" if cut else b"") + b"".join(map(_line, games)))
    except OSError as fault:
        raise RecordError(f"cannot write {path}: {fault.strerror}") from fault


def read(path: str | pathlib.Path, game: Game) -> Iterator[Recorded]:
    """The games of a file, in order. RecordError, with the line's number, for what is no game of this kind.

    The moves are not looked at; `replay` plays them.
    """
    empty = True
    try:
        with pathlib.Path(path).open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    empty = False
                    yield _recorded(text, number, path, game)
    except OSError as fault:
        raise RecordError(f"cannot read {path}: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise RecordError(f"{path} is no file of games: it is not text ({fault.reason})") from fault
    if empty:
        raise RecordError(f"{path} holds no games; sparring record {game.name} writes some")


def replay(game: Game, games: Sequence[Recorded]) -> Replayed:
    """Play the games over again. RecordError for a move that is illegal, or a result that the rules contradict."""
    kernel = game.bind("games.playback", choices=game.bind("games.walk").choices)
    most = sum(len(one.moves) for one in games)
    states, moves = np.zeros(most, game.STATE), np.zeros(most, np.int32)
    movers, numbers = np.zeros(most, np.int8), np.zeros(most, np.int64)
    buffer, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    at = 0
    for number, one in enumerate(games):
        (state,) = one.first(game)
        played, begun = np.array(one.moves, np.int32), at
        at, plies, why = kernel.play_back(state, played, one.given, buffer, chances, states, moves, movers, at)
        numbers[begun:at] = number
        if why:
            raise RecordError(_fault(game, one, plies, why, state))
        end = game.result(state)
        if end != ONGOING and game.RESULTS[end] != one.result:
            ends = f"its game ends with {game.RESULTS[end]:g}"
            raise RecordError(f"{one.where}: the result is {json.dumps(one.result)}, but {ends}")
    values = [np.nan if one.result is None else one.result for one in games]
    return Replayed(states[:at], moves[:at], movers[:at], numbers[:at], np.array(values, np.float64))


def _fault(game: Game, one: Recorded, plies: int, why: int, state: np.void) -> str:
    """What is wrong with a game's next move."""
    move = one.moves[plies]
    if why == OVER:
        return f"{one.where}: move {move} at ply {plies + 1}, but the game is over after {plies} plies"
    there = ", ".join(map(str, game.legal_moves(state)))
    what = "outcomes are" if game.mover(state) == CHANCE else "legal are"
    return f"{one.where}: illegal move {move} at ply {plies + 1}; {what} {there}"


def _line(one: Recorded) -> bytes:
    """The game as a line of a file."""
    row: dict[str, Any] = {"game": one.game, "players": one.players, "moves": one.moves, "result": one.result}
    row |= {key: getattr(one, key) for key in ("deal", "position") if getattr(one, key) is not None}
    row |= {"given": one.given} if one.given else {}
    return json.dumps({**row, **one.more}, separators=(",", ":")).encode() + b"\n"


def _check_kind(first: bytes, games: list[Recorded], path: pathlib.Path) -> None:
    """RecordError where a file that begins with that line is not one for these games."""
    if not first.strip() or not games:
        return
    try:
        kind = json.loads(first)["game"]
    except (ValueError, LookupError, TypeError) as fault:
        raise RecordError(f"{path} is there and is no file of games; give another file") from fault
    if kind != games[0].game:
        raise RecordError(f"{path} holds games of {kind!r}, not of {games[0].game!r}; give another file")


def _recorded(text: str, number: int, path: str | pathlib.Path, game: Game) -> Recorded:
    """The game in a line, checked but for its moves' legality."""
    where = f"{path}, line {number}"
    try:
        row = json.loads(text)
    except json.JSONDecodeError as fault:
        raise RecordError(f"{where}: not a game in JSON: {fault.msg}") from fault
    if not isinstance(row, dict):
        raise RecordError(f"{where}: a game is an object with game, players, moves and result, not {text.strip()[:40]}")
    if missing := [key for key in KEYS[:4] if key not in row]:
        raise RecordError(f"{where}: {missing[0]} is missing")
    if row["game"] != game.name:
        raise RecordError(f"{where}: a game of {row['game']!r}, not of {game.name!r}")
    _check(row, where, game)
    known = {key: row[key] for key in KEYS[3:] if key in row}
    more = {key: value for key, value in row.items() if key not in KEYS}
    return Recorded(game.name, tuple(row["players"]), tuple(row["moves"]), **known, more=more, where=where)


def _check(row: dict[str, Any], where: str, game: Game) -> None:
    """RecordError where a value is not what its key needs."""
    low, high = game.RESULTS[0], game.RESULTS[-1]
    players, moves, result, deal, position, given = map(row.get, KEYS[1:])
    sound = {
        "players": (isinstance(players, list) and len(players) == 2 and all(isinstance(name, str) for name in players)),
        "moves": isinstance(moves, list) and all(_whole(move, game.MOVES) for move in moves),
        "result": result is None or (type(result) in (int, float) and low <= result <= high),
        "deal": deal is None or _whole(deal, 1 << 64),
        "position": position is None or isinstance(position, dict),
        "given": "given" not in row or (isinstance(moves, list) and _whole(given, len(moves) + 1)),
    }
    should = {
        "players": "the names of two players",
        "moves": f"whole numbers from 0 to {game.MOVES - 1}",
        "result": f"null or a value from {low:g} to {high:g}",
        "deal": "a whole number from 0 to 2**64 - 1",
        "position": "an object of the position's fields",
        "given": "a whole number, at most that of the moves",
    }
    for key in KEYS[1:]:
        if not sound[key]:
            shown = json.dumps(row[key])
            shown = shown if len(shown) <= 60 else shown[:59] + "…"
            raise RecordError(f"{where}: {key} is {shown}, but it must be {should[key]}")


def _whole(value: Any, end: int) -> bool:
    """Whether it is a whole number below `end`."""
    return type(value) is int and 0 <= value < end
