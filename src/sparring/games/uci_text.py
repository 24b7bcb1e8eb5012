"""Games whose positions and moves other programs can read: what their rules files have for that beside the contract.

`position(text) -> state` reads a position, in chess a FEN, and `describe(state) -> str` writes it. `read_uci(state,
text) -> move` and `write_uci(state, move) -> str` do so for moves as engines exchange them (e2e4, e7e8q), and
`read_san(state, text) -> move` reads them as people write them down (Nf3, O-O). All raise GameError for what cannot be.
"""

from sparring.errors import GameError
from sparring.games.game import Game

EXCHANGED = ("position", "describe", "read_uci", "write_uci")
WRITTEN = ("position", "describe", "read_san", "move_name")


def check_text(game: Game, needed: tuple[str, ...] = EXCHANGED, what: str = "the UCI protocol") -> None:
    """GameError where the rules file lacks a function that reading and writing needs. what: needs it."""
    missing = [f"{name}()" for name in needed if not game.defines(name)]
    if missing:
        raise GameError(f"{game.path.name} has no {', '.join(missing)}, which {what} needs; chess has all of them")


def rehearse(game: Game) -> None:
    """Compile and load what reading and writing moves takes, so that no clock counts it."""
    state = game.states(1)[0]
    first = game.legal_moves(state)[0]
    game.key(state)
    game.after(state, game.module.read_uci(state, game.module.write_uci(state, first)))
