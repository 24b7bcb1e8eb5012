"""One search of `sparring uci`: it thinks on a thread of its own, tells what it finds, and answers when that is due."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sparring.app.uci_go import Go, Position, legal_moves, read_moves
from sparring.app.uci_options import Settings
from sparring.arena.under_way import outcome
from sparring.games.game import Game
from sparring.search.clock import budget
from sparring.search.judging import Judge
from sparring.search.scores import cents
from sparring.search.searcher import Line, Thought

Write = Callable[[str], None]
NONE = "(none)"
RETRY = 0.01  # seconds between calls to stop: a search that only begins does not hear the first


class Thinking:
    """A search under way. `stop`, `ponderhit` and `wait` are called from outside."""

    def __init__(
        self, searcher: Any, position: Position, go: Go, settings: Settings, write: Write, chances: "Chances | None"
    ) -> None:
        self.searcher, self.position, self.go, self.settings, self.write = searcher, position, go, settings, write
        self.game: Game = searcher.game
        self.player = int(self.game.mover(position.state))
        self.chances = chances
        self.due = threading.Event()  # an answer may be given
        if not (go.infinite or go.ponder):
            self.due.set()
        self.began, self.soft_end, self.told = time.perf_counter(), float("inf"), -1
        self.timer: threading.Timer | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    @property
    def running(self) -> bool:
        """Whether the answer has not been given yet."""
        return self.thread.is_alive()

    @property
    def ends(self) -> bool:
        """Whether it answers without another word from the GUI."""
        return self.due.is_set() and not self.go.endless

    def wait(self, seconds: float | None) -> None:
        """Until the answer is given, or so long."""
        self.thread.join(seconds)

    def stop(self) -> None:
        """Answer now, with the best found so far. Returns when it is done."""
        self.due.set()
        while self.running:
            self.searcher.stop()
            self.thread.join(RETRY)

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock runs from now on."""
        if not self.go.ponder or self.due.is_set():
            return
        clock, numbers = self.go.clock(self.player), self.go.numbers
        hard = float(numbers["movetime"]) if "movetime" in numbers else None
        if hard is None and clock:
            think = budget(clock, self.settings.overhead)
            self.soft_end, hard = time.perf_counter() + think.soft / 1000, think.hard
        if hard is not None:
            self.timer = threading.Timer(hard / 1000, self.stop)
            self.timer.daemon = True
            self.timer.start()
        if not self.go.infinite:
            self.due.set()

    def _run(self) -> None:
        """The search, and its answer."""
        state, thought = self.position.state, None
        moves = read_moves(self.game, state, self.go.moves)
        try:
            thought = self.searcher.think(
                state,
                self.go.limits(self.player, self.settings.overhead),
                past=np.array(self.position.past, np.uint64),
                plies=self.position.plies,
                lines=self.settings.lines,
                moves=moves,
                tell=self._tell,
            )
        except Exception as fault:  # an engine that says nothing loses on time
            self.write(f"info string the search failed: {type(fault).__name__}: {fault}")
        if thought and thought.depth != self.told:
            self._tell(thought)
        self.due.wait()
        if self.timer:
            self.timer.cancel()
        self.write(self._answer(thought, moves))

    def _answer(self, thought: Thought | None, moves: list[int]) -> str:
        """`bestmove`, with the move to ponder on where the line has one."""
        state = self.position.state
        line = thought.lines[0].moves if thought else (moves or legal_moves(self.game, state))[:1]
        best, *ponder = names_of(self.game, state, line[:2])
        return f"bestmove {best} ponder {ponder[0]}" if ponder else f"bestmove {best}"

    def _tell(self, thought: Thought) -> None:
        """An `info` line for each of the best lines; ends a search that has found what it was asked for."""
        self.told, now = thought.depth, time.perf_counter()
        spent = max(now - self.began, 1e-6)
        deepest = max(thought.deepest, thought.depth)
        common = f"nodes {thought.nodes} nps {round(thought.nodes / spent)} hashfull {round(1000 * thought.full)}"
        for number, line in enumerate(thought.lines, 1):
            words = ["info", f"depth {thought.depth} seldepth {deepest} multipv {number}", score_told(line)]
            if chances := self.chances and self.chances.of(self.position, line):
                words.append("wdl {} {} {}".format(*chances))
            words += [common, f"time {round(1000 * spent)}"]
            words += ["pv", *names_of(self.game, self.position.state, line.moves, trusted=True)]
            self.write(" ".join(words))
        if now > self.soft_end or self._mate_found(thought.lines[0]):
            self.searcher.stop()

    def _mate_found(self, line: Line) -> bool:
        """Whether it is as short as `go mate` asked for."""
        moves = self.go.numbers.get("mate", 0)
        return line.end is not None and line.score > 0 and line.end <= 2 * moves - 1


class Chances:
    """The chances of win, draw and loss of lines, where a net tells a distribution of these three."""

    def __init__(self, game: Game, judge: Judge) -> None:
        self.game, self.kernel = game, judge.distribution if len(game.RESULTS) == 3 else None
        if self.kernel:
            self.work, self.out = np.zeros(1, judge.dtype), np.zeros(3, np.float32)
            judge.fill(self.work[0])
            self.kernel(self.work[0], game.states(), 0, self.out)  # compiled now, and not while a clock runs

    def of(self, position: Position, line: Line) -> tuple[int, int, int] | None:
        """Win, draw and loss of the player to move, per mille: what the net says of the position the line leads to."""
        if self.kernel is None:
            return None
        if line.end is not None:
            return (1000, 0, 0) if line.score > 0 else (0, 0, 1000)
        game, state, past = self.game, position.state, list(position.past)
        player = game.mover(state)
        for move in line.moves:
            past.append(int(game.key(state)))
            state = game.after(state, move)
        if outcome(game, state, past) is not None:
            return 0, 1000, 0
        self.kernel(self.work[0], np.array([state], game.STATE), 0, self.out)
        loss, _, win = self.out if game.mover(state) == player else self.out[::-1]
        won, lost = round(1000 * float(win)), round(1000 * float(loss))
        return won, 1000 - won - lost, lost


def score_told(line: Line) -> str:
    """`score cp` in hundredths of a pawn, or `score mate` in moves, negative for the player who is mated."""
    if line.end is not None:
        moves = (line.end + 1) // 2
        return f"score mate {moves if line.score > 0 else -moves}"
    return f"score cp {cents(line.score)}"


def names_of(game: Game, state: np.void, moves: Sequence[int], trusted: bool = False) -> list[str]:
    """The moves of a line as the protocol writes them, as far as they are legal; at least one word.

    trusted: all are, since a search has just made them, and the clock runs.
    """
    names = []
    for move in moves:
        if not trusted and move not in legal_moves(game, state):
            break
        names.append(str(game.module.write_uci(state, move)))
        state = game.after(state, move)
    return names or [NONE]
