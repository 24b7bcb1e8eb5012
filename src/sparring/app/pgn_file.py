"""Games of a match in a PGN file, each written when it is over."""

import datetime
import os
import pathlib

from sparring.arena.batch import DEAD, RULES, TIME
from sparring.arena.player import Entry
from sparring.arena.under_way import GameRecord, PairRecord
from sparring.errors import RecordError
from sparring.games import pgn
from sparring.games.game import Game
from sparring.games.uci_text import WRITTEN, check_text
from sparring.search.clock import TimeControl

TERMINATION = {TIME: "time forfeit", RULES: "rules infraction", DEAD: "abandoned"}


class PgnFile:
    """Appends to a file, which is made where there is none. It holds whole games only, even when the disk is full."""

    def __init__(self, path: pathlib.Path, game: Game, a: Entry, b: Entry) -> None:
        """RecordError where the file cannot be written; GameError where the game has no such notation."""
        check_text(game, WRITTEN, "PGN")
        self.path, self.game, self.players = path, game, (a, b)
        self.today = datetime.date.today().strftime("%Y.%m.%d")
        self._append(b"")

    def add(self, pair: PairRecord) -> None:
        """Both games of a pair."""
        for number, record in enumerate(pair.games, 1):
            self._append(self._text(record, f"{pair.number + 1}.{number}").encode())

    def _text(self, record: GameRecord, number: str) -> str:
        game, (a, b) = self.game, self.players
        white, black = (a, b) if record.first else (b, a)
        sign = round(2 * record.points - 1) * (1 if record.first else -1)
        tags = {"Event": f"Sparring: {a.label} - {b.label}", "Date": self.today, "Round": number}
        tags |= {"White": white.label, "Black": black.label, "Result": pgn.RESULTS[sign]}
        tags |= _controls(white.control, black.control)
        tags["PlyCount"] = str(len(record.moves))
        usual = "adjudication" if record.adjudicated else "normal"
        tags["Termination"] = TERMINATION[record.fault.kind] if record.fault else usual
        origin = game.module.position(record.origin) if record.origin else game.states(1)[0]
        return pgn.write_game(game, tags, origin, record.moves, record.fault.reason if record.fault else "")

    def _append(self, text: bytes) -> None:
        """Write it to the end, or leave the file as it was."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                before = file.seek(0, os.SEEK_END)
                try:
                    file.write(text)
                    file.flush()
                except OSError:
                    os.truncate(self.path, before)
                    raise
        except OSError as fault:
            raise RecordError(f"cannot write {self.path}: {fault.strerror}") from fault


def _controls(white: TimeControl | None, black: TimeControl | None) -> dict[str, str]:
    """The tags that tell the clocks."""
    if white == black:
        return {"TimeControl": str(white)} if white else {}
    named = {"WhiteTimeControl": white, "BlackTimeControl": black}
    return {name: str(control) if control else "-" for name, control in named.items()}
