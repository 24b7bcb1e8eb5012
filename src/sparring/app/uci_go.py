"""What a GUI asks for: the position, and how long to think about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sparring.errors import GameError
from sparring.games.game import Game
from sparring.search.clock import LONGEST, Clock, budget
from sparring.search.searcher import DEEPEST, Limits

NUMBERS = ("depth", "nodes", "movetime", "mate", "wtime", "btime", "winc", "binc", "movestogo")
FLAGS = ("infinite", "ponder")


@dataclass(frozen=True)
class Position:
    """Where the game stands. past: keys of its earlier positions, one a move. words: that told it, up to its moves."""

    state: np.void
    past: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def plies(self) -> int:
        """Moves that led here."""
        return len(self.past)


@dataclass(frozen=True)
class Go:
    """The words of `go`. numbers: by their names, those that were given. moves: `searchmoves`, as they stand there."""

    numbers: dict[str, int] = field(default_factory=dict)
    infinite: bool = False
    ponder: bool = False
    moves: tuple[str, ...] = ()

    @property
    def endless(self) -> bool:
        """Whether nothing but `stop` ends it."""
        return self.infinite or not any(name in self.numbers for name in NUMBERS[:6])

    def limits(self, player: int, overhead: float) -> Limits:
        """For the search of that player, 0 or 1, when its clock runs."""
        numbers = self.numbers
        depth = min(max(numbers.get("depth", DEEPEST), 1), DEEPEST)
        if self.infinite or self.ponder:
            return Limits(depth)
        nodes = max(numbers["nodes"], 1) if "nodes" in numbers else None
        if "movetime" in numbers:
            return Limits(depth, nodes, min(max(numbers["movetime"], 1), LONGEST))
        if clock := self.clock(player):
            think = budget(clock, overhead)
            return Limits(depth, nodes, think.hard, soft_ms=think.soft)
        return Limits(depth, nodes)

    def clock(self, player: int) -> Clock | None:
        """Of player 0 (White) or 1; None where no clock runs."""
        time, increment = ("wtime", "winc") if player == 0 else ("btime", "binc")
        if time not in self.numbers:
            return None
        to_go = max(self.numbers.get("movestogo", 0), 0)
        return Clock(self.numbers[time], max(self.numbers.get(increment, 0), 0), to_go)


def read_go(words: Sequence[str]) -> Go:
    """The words after `go`; what is no word of it is passed over."""
    numbers, flags, moves, i = dict[str, int](), set[str](), list[str](), 0
    listing = False
    while i < len(words):
        word, i = words[i], i + 1
        if word in NUMBERS:
            listing = False
            if i < len(words) and words[i].lstrip("-").isdecimal():
                numbers[word], i = int(words[i]), i + 1
        elif word in FLAGS or word == "searchmoves":
            flags.add(word)
            listing = word == "searchmoves"
        elif listing:
            moves.append(word)
    return Go(numbers, "infinite" in flags, "ponder" in flags, tuple(moves))


def read_position(game: Game, words: Sequence[str], before: Position | None = None) -> Position:
    """The words after `position`: `startpos` or `fen FEN`, then `moves MOVE…`; GameError names what is wrong.

    before: the position told last. Where the words go on from it, only the new moves are looked at: the clock runs.
    """
    words = (*words, *([] if "moves" in words else ["moves"]))
    cut = words.index("moves") + 1
    if before and before.words and words[: len(before.words)] == before.words:
        state, past, cut = before.state, list(before.past), len(before.words)
    elif words[:1] == ("startpos",):
        state, past = game.states(1)[0], []
    elif words[:1] == ("fen",):
        state, past = np.array([game.module.position(" ".join(words[1 : cut - 1]))], game.STATE)[0], []
    else:
        raise GameError(f"position {' '.join(words[:3])}: it goes position startpos, or position fen FEN")
    for word in words[cut:]:
        try:
            move = game.module.read_uci(state, word)
        except GameError as fault:
            raise GameError(f"move {len(past) + 1}: {fault}") from fault
        past.append(int(game.key(state)))
        state = game.after(state, move)
    return Position(state, tuple(past), words)


def read_moves(game: Game, state: np.void, words: Sequence[str]) -> list[int]:
    """Moves of `searchmoves`; those that are not legal are passed over."""
    found = []
    for word in words:
        try:
            found.append(int(game.module.read_uci(state, word)))
        except GameError:
            continue
    return found


def legal_moves(game: Game, state: np.void) -> list[int]:
    """All that can be played, also where a draw has ended the game: a GUI may go on."""
    moves = np.zeros(game.MOST_MOVES, np.int32)
    return [int(move) for move in moves[: game.legal(state, moves)]]
