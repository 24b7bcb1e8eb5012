"""The learners of `sparring train`: the settings of each, how one is made, how its run is shown.

Nothing heavy is imported here, so that `--help` is quick. To add one: its settings, its table, an entry in LEARNERS.
"""

import ast
import dataclasses
import importlib
import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sparring.errors import SparringError, nearest

if TYPE_CHECKING:
    from sparring.games.game import Game
    from sparring.learn.run import RunFolder

# where none is named: usually, with dice, where bots can teach, where nets can be kept up to date inside a search
DEFAULT, DICE, TAUGHT, SEARCHED = "alphazero", "dice", "ppo", "nnue"
Row = dict[str, Any]


class Learner(Protocol):
    """One run. `generation()` makes the next generation, `finish(row)` keeps it. May have `close()` too."""

    game: "Game"
    folder: "RunFolder"
    settings: Any
    number: int  # the newest generation
    kept: int  # the newest that is on disk
    net: Any  # as it is now, for RunFolder.save_net

    def generation(self) -> Row:
        """Play and train; the generation's row, which has at least its number, `generation`. Nothing is written."""

    def finish(self, row: Row) -> None:
        """Keep the generation, in an order that a kill cannot spoil."""

    def stop(self) -> None:
        """End a running `generation` soon (from another thread)."""


@dataclass(frozen=True)
class Trial:
    """A match that is due. name: of its field in the row. player, opponent: specs. opening: random moves first."""

    name: str
    player: str
    opponent: str
    games: int
    opening: int
    seed: int


class Table:
    """How people see a run of one learner, and what is measured between generations. Nothing heavy is imported."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """What will happen, how long, where it is kept."""
        raise NotImplementedError

    def gone(self, learner: Learner, row: Row, seconds: float) -> float:
        """The share of the run that is done; at 1 it ends. row: the newest, or empty. seconds: of this sitting."""
        raise NotImplementedError

    def header(self, learner: Learner) -> list[str]:
        """Lines above the rows."""
        raise NotImplementedError

    def line(self, learner: Learner, row: Row) -> str:
        """A row, below `header`."""
        raise NotImplementedError

    def shows(self, row: Row) -> bool:
        """Whether the row is shown; asked once of each. metrics.jsonl has them all."""
        return True

    def truths(self, learner: Learner, row: Row) -> Row:
        """What is measured against perfect play, where that is due now: more fields of the row. Asked once of each."""
        return {}

    def trials(self, learner: Learner, row: Row) -> list[Trial]:
        """The matches that are due now; nets that they need are kept first. Asked once of each row."""
        return []

    def opponent(self, learner: Learner) -> str:
        """Spec of the newest net as a person would play against it."""
        raise NotImplementedError


def keep_net(learner: Learner) -> pathlib.Path:
    """Keep the net as it is now under its generation's number, for a match; returns its file."""
    learner.folder.save_net(learner.net, learner.number)
    return learner.folder.net_path(learner.number)


@dataclass(frozen=True)
class Kind:
    """Where the parts of a learner are, as module:name. made: called with game, settings, folder, threads, start.

    curves: the module that draws its runs (`app/td_curves.py` is one); empty where there is none.
    """

    settings: str
    made: str
    table: str
    curves: str = ""


LEARNERS: Mapping[str, Kind] = {
    "alphazero": Kind(
        "sparring.learn.alphazero_settings:AlphaZeroSettings",
        "sparring.learn.alphazero:AlphaZeroLearner",
        "sparring.app.alphazero_table:AlphaZeroTable",
        "sparring.app.alphazero_curves",
    ),
    "clone": Kind(
        "sparring.learn.ppo_settings:CloneSettings",
        "sparring.learn.cloner:CloneLearner",
        "sparring.app.ppo_table:CloneTable",
        "sparring.app.clone_curves",
    ),
    "dice": Kind(
        "sparring.learn.dice_settings:DiceSettings",
        "sparring.learn.dice:DiceLearner",
        "sparring.app.dice_table:DiceTable",
        "sparring.app.dice_curves",
    ),
    "nnue": Kind(
        "sparring.learn.nnue_settings:NnueSettings",
        "sparring.learn.nnue:NnueLearner",
        "sparring.app.nnue_table:NnueTable",
        "sparring.app.nnue_curves",
    ),
    "ppo": Kind(
        "sparring.learn.ppo_settings:PpoSettings",
        "sparring.learn.ppo:PpoLearner",
        "sparring.app.ppo_table:PpoTable",
        "sparring.app.ppo_curves",
    ),
    "td": Kind(
        "sparring.learn.td_settings:TdSettings",
        "sparring.learn.td:TdLearner",
        "sparring.app.td_table:TdTable",
        "sparring.app.td_curves",
    ),
}


def settings_of(name: str) -> type:
    """A learner's settings, a frozen dataclass whose fields are options."""
    return part(LEARNERS[name].settings)


def table(name: str, settings: Any) -> Table:
    """How a learner's run is shown."""
    return part(LEARNERS[name].table)(settings)


def make(name: str, game: "Game", settings: Any, folder: "RunFolder", threads: int, start: str) -> Learner:
    """A learner, begun or resumed."""
    return part(LEARNERS[name].made)(game, settings, folder, threads, start)


def curves(name: str) -> Any:
    """The module that draws a learner's runs, or None."""
    kind = LEARNERS.get(name)
    return importlib.import_module(kind.curves) if kind and kind.curves else None


def part(where: str) -> Any:
    """The class of that name in that module."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


def asked(words: Sequence[str]) -> str:
    """The learner that the words behind `sparring train` name, or the game's usual one; they have not been read yet."""
    name = ""
    for i, word in enumerate(words):
        if word.startswith("--learner="):
            name = word.partition("=")[2]
        elif word == "--learner" and i + 1 < len(words) and not words[i + 1].startswith("-"):
            name = words[i + 1]
    if not name:
        name = usual(words[0]) if words else DEFAULT
    if name not in LEARNERS:
        raise SparringError(f"no learner {name!r}.{nearest(name, LEARNERS)} There are: {', '.join(LEARNERS)}")
    return name


def usual(game: str) -> str:
    """The learner of a game where none is named, by the text of its rules file; DEFAULT where there is no such file.

    Before options are read nothing heavy may be imported; once a game is loaded, `Game.defines` is the one to ask.
    """
    games = pathlib.Path(__file__).parents[1] / "games"
    file = pathlib.Path(game).expanduser() if game.endswith(".py") else games / f"{game.replace('-', '_').lower()}.py"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return DEFAULT
    names = names_in(text)
    for name, learner in (("chance", DICE), ("changes", SEARCHED), ("BOTS", TAUGHT)):
        if name in names:
            return learner
    return DEFAULT


def names_in(text: str) -> set[str]:
    """What a Python file defines or imports at its top; empty where it cannot be read."""
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return set()
    names: set[str] = set()
    for part in body:
        if isinstance(part, ast.FunctionDef):
            names.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in part.names}
        elif isinstance(part, ast.Assign):
            names |= {target.id for target in part.targets if isinstance(target, ast.Name)}
    return names


def others_option(words: Sequence[str], name: str) -> str:
    """A line about the first option among the words that another learner than `name` has, or an empty string."""
    own = options_of(name)
    for word in words:
        option = word.partition("=")[0].removeprefix("--").removeprefix("no-")
        for other in LEARNERS:
            if word.startswith("--") and option not in own and option in options_of(other):
                return f"--{option} is an option of {other}, not of {name}; add --learner {other}"
    return ""


def options_of(name: str) -> set[str]:
    """The options that a learner's settings make."""
    return {field.name.replace("_", "-") for field in dataclasses.fields(settings_of(name))}
