"""Players that are programs: any engine that speaks the Universal Chess Interface, `uci:PATH,nodes=1000`."""

import contextlib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sparring.arena.batch import DEAD, RULES, Batch, Clocks, Forfeit
from sparring.arena.uci_engine import EngineFault, UciEngine
from sparring.errors import GameError, PlayerError
from sparring.games.game import Game
from sparring.games.uci_text import rehearse
from sparring.search.clock import read_control

PREFIX = 3  # words of the line that tells a position before its moves
LATE = 1.0  # seconds over its time after which an engine is told to stop: the clock has decided by then


@dataclass(frozen=True)
class UciOptions:
    """Options of `uci`. Options of the engine itself are given as option.NAME=VALUE, such as option.Hash=16."""

    positional: ClassVar[str] = "path"
    passed: ClassVar[str] = "option"  # its fields are NAME=VALUE pairs, option.NAME=VALUE in the spec
    timed: ClassVar[bool] = True  # it may play by a clock

    path: str = ""
    """The program, the first thing that is named; with arguments, if it needs some, separated by spaces."""
    nodes: int | None = None
    """Positions visited a move, at least 1."""
    depth: int | None = None
    """Plies, at least 1."""
    ms: int | None = None
    """Milliseconds a move, at least 1."""
    tc: str = ""
    """Seconds for a game and seconds more after each move, 8+0.08, instead of other limits."""
    patience: float = 60.0
    """Seconds that it may take for a move where no clock or milliseconds say so."""
    option: tuple[tuple[str, str], ...] = ()
    """Name and value of the engine's own options."""

    def check(self, text: str) -> None:
        """PlayerError, for the player `text`, where values make no sense."""
        if not self.path:
            raise PlayerError(f"player {text!r}: which program? as in uci:stockfish,nodes=1000")
        for name in ("nodes", "depth", "ms"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise PlayerError(f"player {text!r}: {name} is {value}, but it must be at least 1")
        limits = [name for name in ("nodes", "depth", "ms", "tc") if getattr(self, name)]
        if not limits:
            raise PlayerError(f"player {text!r}: give it a limit, nodes, depth, ms or tc, as in nodes=1000")
        if self.tc and len(limits) > 1:
            raise PlayerError(f"player {text!r}: give tc or other limits, not both")
        if not 0.1 <= self.patience <= 3600:
            raise PlayerError(f"player {text!r}: patience is {self.patience:g}, but it must be 0.1 to 3600")

    @property
    def go(self) -> str:
        """The line that asks for a move, without clocks."""
        limits = (("nodes", self.nodes), ("depth", self.depth), ("movetime", self.ms))
        return " ".join(["go", *(f"{name} {value}" for name, value in limits if value)])

    @property
    def seconds(self) -> float:
        """That a move may take where no clock runs."""
        return self.ms / 1000 + LATE if self.ms else self.patience


class UciPlayer:
    """One process. If it dies, says nothing or plays what is not legal, it loses that game, and is started anew."""

    lanes = 1

    def __init__(self, game: Game, command: Sequence[str], options: UciOptions) -> None:
        self.game, self.command, self.options = game, command, options
        self.control = read_control(options.tc) if options.tc else None
        rehearse(game)
        self.engine: UciEngine | None = self._start()
        self.fault = ""  # why there is no engine
        self.words: list[str] = []  # of this game's line that tells the position, and the position it leads to
        self.last: np.void
        self.scores: list[int | None] = []

    def begin(self, lane: int) -> None:
        """A new game, before which an engine that died is started again."""
        self.words = []
        try:
            self.engine = self.engine or self._start()
            self.engine.new_game()
        except EngineFault as fault:
            self._give_up(fault)

    def choose(self, batch: Batch) -> list[Any]:
        """The engine's moves; a `Forfeit` with the reason instead where it gives none."""
        self.scores = [None] * len(batch.states)
        return [self._move(batch, i) for i in range(len(batch.states))]

    def stop(self) -> None:
        """End the search with the best found so far."""
        if engine := self.engine:
            engine.stop()

    def close(self) -> None:
        """End the process."""
        engine, self.engine = self.engine, None
        if engine:
            engine.close()

    def _start(self) -> UciEngine:
        return UciEngine(self.command, self.options.option)

    def _move(self, batch: Batch, i: int) -> int | Forfeit:
        state, go, seconds = batch.states[i], self.options.go, self.options.seconds
        clocks = batch.clocks[i] if batch.clocks else self._first_clocks(state)
        if clocks:
            go, seconds = go_by(clocks), clocks.own.left / 1000 + LATE
        if self.engine is None:
            return Forfeit(self.fault, DEAD)
        try:
            reply = self.engine.think(self._position(batch, i), go, seconds)
        except EngineFault as fault:
            self._give_up(fault)
            return Forfeit(self.fault, DEAD)
        self.scores[i] = reply.score
        try:
            return int(self.game.module.read_uci(state, reply.move))
        except GameError:
            where = self.game.module.describe(state)
            return Forfeit(f"{self.engine.name} played {reply.move or 'nothing'}, which is not legal in {where}", RULES)

    def _give_up(self, fault: EngineFault) -> None:
        """The process is of no use any more."""
        self.close()
        self.fault = str(fault)

    def _first_clocks(self, state: np.void) -> Clocks | None:
        """Full clocks, for one that plays by them where there are none."""
        if self.control is None:
            return None
        return Clocks(self.control.clock(), self.control.clock(), int(self.game.mover(state)))

    def _position(self, batch: Batch, i: int) -> str:
        """The line that tells the position: with the moves that led to it, where they are known.

        The clock runs meanwhile, so that only moves since the last time are looked at.
        """
        game, module = self.game, self.game.module
        if not batch.origins:
            return f"position fen {module.describe(batch.states[i])}"
        if not self.words:
            self.last = batch.origins[i].copy()
            usual = self.last.tobytes() == game.states(1)[0].tobytes()
            self.words = ["position", "startpos" if usual else f"fen {module.describe(self.last)}", "moves"]
        for move in batch.moves[i][len(self.words) - PREFIX :]:
            self.words.append(module.write_uci(self.last, move))
            game.play(self.last, move)
        return " ".join(self.words[:-1] if len(self.words) == PREFIX else self.words)


def go_by(clocks: Clocks) -> str:
    """The line that asks for a move by the clock."""
    words = ["go"]
    for name, increment, clock in zip(("wtime", "btime"), ("winc", "binc"), clocks.in_order, strict=True):
        words += [f"{name} {max(round(clock.left), 1)}", f"{increment} {round(clock.increment)}"]
    return " ".join(words)


def digest_of(command: Sequence[str]) -> str:
    """Twelve hex digits of the program: another version of it at the same place is another player."""
    seed = hashlib.sha256(" ".join(command[1:]).encode())
    with contextlib.suppress(OSError), open(command[0], "rb") as file:
        while part := file.read(1 << 20):
            seed.update(part)
    return seed.hexdigest()[:12]
