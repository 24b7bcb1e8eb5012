"""The Universal Chess Interface (Meyer-Kahlen and Huber, 2006): what a GUI says, and what the engine answers.

The thread that reads never searches, so `isready` and `stop` are heard at any time. Faults of the other side are told
in `info string`, and change nothing.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sparring import __version__
from sparring.app.uci_options import FIELDS, OptionError, Settings, declarations, read_option
from sparring.errors import SparringError

if TYPE_CHECKING:
    from sparring.app.uci_go import Position
    from sparring.app.uci_search import Chances, Thinking
    from sparring.games.game import Game

GRACE = 0.5  # seconds that a search which ends by itself is given when the GUI leaves


class Uci:
    """One conversation.

    write: says a line. rules: loads the game, with all that its moves take. searcher: makes one, of the game and the
    settings. Both are called when they are first needed, so that `uci` is answered at once.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        rules: Callable[[], "Game"],
        searcher: Callable[["Game", Settings], Any],
        settings: Settings,
    ) -> None:
        self.lock, self._write = threading.Lock(), write
        self.rules, self.make_searcher, self.settings = rules, searcher, settings
        self.game: Game | None = None
        self.searcher: Any = None
        self.chances: Chances | None = None
        self.position: Position | None = None
        self.thinking: Thinking | None = None
        self.answers: dict[str, Callable[[list[str]], None]] = {
            "uci": self.uci,
            "isready": self.isready,
            "setoption": self.setoption,
            "ucinewgame": self.ucinewgame,
            "position": self.set_position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponderhit,
        }

    def converse(self, lines: Iterable[str]) -> None:
        """Answer until `quit` or the end of the lines. A search that is under way then still gives its answer."""
        try:
            for line in lines:
                if not self.hear(line):
                    break
        finally:
            self.settle(GRACE)

    def hear(self, line: str) -> bool:
        """One line; whether the conversation goes on. Words before a command are passed over."""
        words = line.split()
        while words and words[0] not in self.answers and words[0] != "quit":
            del words[0]
        if words and words[0] == "quit":
            return False
        if words:
            self.answers[words[0]](words[1:])
        return True

    def write(self, line: str) -> None:
        """Say a whole line, from whichever thread."""
        with self.lock, contextlib.suppress(OSError, ValueError):  # a GUI that is gone is told by the end of its lines
            self._write(line)

    @property
    def busy(self) -> bool:
        """Whether a search is under way."""
        return self.thinking is not None and self.thinking.running

    def settle(self, seconds: float | None = None) -> None:
        """Let a search that ends by itself do so, within that time if one is given; end any other."""
        if self.thinking and self.thinking.ends:
            self.thinking.wait(seconds)
        self.stop([])

    def ready(self) -> None:
        """Load and compile what the next search needs."""
        if self.game is None:
            self.game = self.rules()
        from sparring.app.uci_go import read_position
        from sparring.app.uci_search import Chances

        if self.position is None:
            self.position = read_position(self.game, ["startpos"])
        if self.searcher is None:
            self.searcher, self.chances = self.make_searcher(self.game, self.settings), None
        if self.settings.chances and self.chances is None:
            self.chances = Chances(self.game, self.searcher.judge)

    def uci(self, words: list[str]) -> None:
        """Who this is, and what can be set."""
        for line in (f"id name Sparring {__version__}", "id author the authors of Sparring"):
            self.write(line)
        for line in declarations(self.settings):
            self.write(line)
        self.write("uciok")

    def isready(self, words: list[str]) -> None:
        """`readyok`, at once where a search is under way."""
        if not self.busy:
            self.ready()
        self.write("readyok")

    def setoption(self, words: list[str]) -> None:
        """Set an option. A net that does not fit leaves the one before in its place."""
        try:
            option, value = read_option(words)
        except OptionError as fault:
            self.write(f"info string {fault}")
            return
        self.settle()
        if option.name == "Clear Hash":
            if self.searcher:
                self.searcher.begin_game()
            return
        before, self.settings = self.settings, replace(self.settings, **{FIELDS[option.name]: value})
        if option.name == "EvalFile":
            searcher, self.searcher = self.searcher, None
            try:
                self.ready()
            except SparringError as fault:
                self.settings, self.searcher = before, searcher
                self.write(f"info string EvalFile: {fault}")
        elif option.name in ("Hash", "Threads") and self.settings != before:
            self.searcher = None

    def ucinewgame(self, words: list[str]) -> None:
        """Forget the last game."""
        self.settle()
        if self.searcher:
            self.searcher.begin_game()

    def set_position(self, words: list[str]) -> None:
        """The position to think about from now on; what cannot be leaves the one before."""
        from sparring.app.uci_go import read_position

        if self.game is None:
            self.ready()
        assert self.game is not None
        try:
            self.position = read_position(self.game, words, self.position)
        except SparringError as fault:
            self.write(f"info string {' '.join(str(fault).split())}")

    def go(self, words: list[str]) -> None:
        """Search."""
        from sparring.app.uci_go import legal_moves, read_go
        from sparring.app.uci_search import NONE, Thinking

        self.settle()
        self.ready()
        assert self.game is not None and self.position is not None
        if not legal_moves(self.game, self.position.state):
            mated = self.game.RESULTS[self.game.result(self.position.state)] != 0
            self.write(f"info depth 0 score {'mate' if mated else 'cp'} 0")
            self.write(f"bestmove {NONE}")
            return
        chances = self.chances if self.settings.chances else None
        self.thinking = Thinking(self.searcher, self.position, read_go(words), self.settings, self.write, chances)

    def stop(self, words: list[str]) -> None:
        """Answer now, if a search is under way."""
        if self.thinking:
            self.thinking.stop()
            self.thinking = None

    def ponderhit(self, words: list[str]) -> None:
        """The move that was pondered on has been played."""
        if self.thinking:
            self.thinking.ponderhit()
