"""`sparring uci`."""

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sparring.app.options import Uci as Options
from sparring.app.uci import Uci
from sparring.app.uci_options import SHIPPED, Settings

if TYPE_CHECKING:
    from sparring.games.game import Game

UNUSED = ("scipy", "coverage")  # Numba imports them where they are installed, for half a second, and we need neither


def run(options: Options) -> None:
    """Answer a GUI on standard input and output until it leaves."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    talk = Uci(write, lambda: rules(options.game), searcher_of, Settings(net=options.net or SHIPPED))
    talk.converse(sys.stdin)


def write(line: str) -> None:
    """A line to the GUI, at once."""
    print(line, flush=True)


def rules(name: str) -> "Game":
    """The game, compiled; GameError where its positions and moves cannot be read and written."""
    with hidden(*UNUSED):
        from sparring.compiled import on_first_compile
        from sparring.games.game import load
        from sparring.games.uci_text import check_text, rehearse

        on_first_compile(lambda: write("info string compiling for this machine, once: up to 15 seconds"))
        game = load(name)
        check_text(game)
        rehearse(game)
    return game


@contextlib.contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Packages that nobody finds meanwhile, unless they are imported already."""
    added = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(added))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in added:
            del sys.modules[name]


def searcher_of(game: "Game", settings: Settings) -> Any:
    """A searcher by the settings, warm; WeightsError or PlayerError where the net does not fit the game."""
    from sparring.search import judging
    from sparring.search.searcher import Searcher

    named = settings.net if settings.net != SHIPPED else ""
    judge = judging.strongest(game, named) if settings.net else judging.usual(game)
    return Searcher(game, judge, settings.entries, threads=settings.threads, tells=True)
