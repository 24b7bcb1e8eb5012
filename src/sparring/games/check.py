"""Check a game: `check(game)` plays random games, watches every rule, and tells faults in one line each.

First a few games are played in plain Python, where a slip has a line number and harms no memory, and the rules for
people are asked: names of moves and drawings. Where that finds no fault, the same games are played compiled, which must
give the same, and then many more. Game i of a seed is the same game in every stage, so a fault can be shown again.
Bots are then watched in as many games of their own, of whose moves half are at random.
"""

import os
import pathlib
import shlex
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sparring import compiled
from sparring.compiled import INTERPRETED
from sparring.games import check_asides, check_people, faults
from sparring.games.check_desk import BLANK, GUARD, TRACED, desk_dtype
from sparring.games.check_numbers import Numbers, measure
from sparring.games.check_rules import NEVER
from sparring.games.contract import RULES
from sparring.games.faults import Fault
from sparring.games.game import FOLDER, Game, sources
from sparring.records import hash_record

REHEARSED = 250  # about how many moves are also played in plain Python,
MANY_FEATURES = 500  # and fewer where a position has more inputs than this
SLICE = 20_000  # moves between two looks at the keyboard and the progress bar
PLAYING = (
    "start",
    "deal",
    "mover",
    "legal",
    "play",
    "result",
    "chance",
    "raises",
)  # where faults keep games from being played
ORDER = (  # in which rules that differ are blamed: a wrong one makes later ones wrong
    *(
        "start",
        "deal",
        "play",
        "mover",
        "result",
        "legal",
        "chance",
        "key",
        "quiet",
        "features",
        "overview",
        "prospects",
    ),
    *("noisy", "evaluate", "transform", "transform_move"),
    *(
        "ended",
        "changes",
        "frame",
        "phase",
        "pack",
        "unpack",
        "threatened",
        "threatens",
        "null_move",
        "prize",
        "exchange",
        "slot",
    ),
)


@dataclass(frozen=True)
class Report:
    """What `check` found. A game is sound when it has no faults; notes may be meant.

    games: how many were played to the end. numbers: None where there are faults, or where a single game was asked for.
    """

    game: str
    games: int
    faults: list[Fault]
    notes: list[str]
    numbers: Numbers | None


def check(
    game: Game,
    games: int = 10_000,
    seed: int = 1,
    only_game: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Check `game` in random games 0 to games - 1 of `seed`, or in `only_game` alone.

    In the interpreter some 250 moves are played at most, whatever `games` says. progress: called with the games done
    and the games in all.
    """
    wanted = range(games) if only_game is None else range(only_game, only_game + 1)
    checker = Checker(game, seed, wanted)
    checker.rehearse()
    if not any(fault.kind.startswith(PLAYING) for fault in checker.faults):
        checker.ask_people()
    if not checker.faults and not INTERPRETED:
        checker.compare()
    if not checker.faults and not INTERPRETED:
        checker.play_all(progress)
    for bot in game.BOTS:
        if not checker.faults:
            checker.watch(bot)
    sound = not checker.faults and only_game is None
    numbers = measure(game, bound(game), checker.desk, seed) if sound else None
    return Report(game.name, int(checker.desk["finished"]), checker.faults, checker.notes(), numbers)


class Checker:
    """Checks one game, stage by stage; `faults` grows, one of each kind. desk: of the last stage."""

    def __init__(self, game: Game, seed: int, wanted: range) -> None:
        self.game, self.seed, self.wanted = game, seed, wanted
        self.faults: list[Fault] = []
        self.desk: Any = None
        self._traces: list[Trace] = []
        self._rehearsed = REHEARSED * MANY_FEATURES // max(game.MOST_FEATURES, MANY_FEATURES)

    def rehearse(self) -> None:
        """Play some games in plain Python, where a slip has a line and harms nothing."""
        buffers = Buffers(self.game, self.seed)
        self.desk = desk = buffers.desk
        play = compiled.interpreted({"all": bound(self.game).check_games})["all"]
        left = TRACED if len(self.wanted) == 1 else self._rehearsed
        for number in self.wanted:
            found = -1
            while found < len(self.faults):  # until the game shows nothing new
                found = len(self.faults)
                buffers.trace(left)
                if not self._run(play, buffers, number, number + 1, 1):
                    return
            self._traces.append(Trace.of(number, desk))
            left -= 1 + int(desk["ply"])
            if left <= 0:
                break
        if desk["decisions"] >= self._rehearsed // 2:
            self._compare_viewers()

    def compare(self) -> None:
        """Play the rehearsed games again, compiled, and blame the first rule that then gives something else."""
        buffers = Buffers(self.game, self.seed)
        for trace in self._traces:
            buffers.trace(len(trace.seen) - 1)
            if not self._run(bound(self.game).check_games, buffers, trace.number, trace.number + 1, 1) or self.faults:
                return
            differ = trace.unlike(buffers.desk)
            if differ.any():
                ply = int(differ.any(axis=1).argmax())
                wrong = [RULES[i] for i in np.flatnonzero(differ[ply])]
                rule = min(wrong, key=ORDER.index)
                text = f"{rule}(): gives one thing in plain Python and another compiled"
                self._add(f"{rule}: compiled", text, trace.number, ply)
                return

    def play_all(self, progress: Callable[[int, int], None] | None) -> None:
        """Play all wanted games, compiled."""
        buffers = Buffers(self.game, self.seed)
        self.desk = buffers.desk
        self.desk["patience"] = self.game.LIMIT or NEVER
        at = self.wanted.start
        while at < self.wanted.stop:
            if not self._run(bound(self.game).check_games, buffers, at, self.wanted.stop, SLICE):
                return
            at = buffers.next_game
            if progress is not None:
                progress(at - self.wanted.start, len(self.wanted))
        self._compare_viewers()

    def watch(self, bot: str) -> None:
        """Watch a bot: a few games in plain Python, the same compiled, and then all."""
        kernel = self.game.bind("games.check_bots", bot=self.game.bot(bot)).watch_games
        slow = compiled.interpreted({"all": kernel})["all"]
        left = REHEARSED
        for number in self.wanted:
            buffers = Buffers(self.game, self.seed)
            buffers.trace(left)
            if not self._run(slow, buffers, number, number + 1, 1, bot) or self.faults:
                return
            trace = Trace.of(number, buffers.desk)
            if not INTERPRETED:
                buffers.trace(left)
                if not self._run(kernel, buffers, number, number + 1, 1, bot) or self.faults:
                    return
                differ = trace.unlike(buffers.desk).any(axis=1)
                if differ.any():
                    text = f"{bot}(): chooses one move in plain Python and another compiled"
                    self._add("bot: compiled", text, number, int(differ.argmax()))
                    return
            left -= len(trace.seen)
            if left <= 0:
                break
        buffers = Buffers(self.game, self.seed)
        buffers.desk["patience"] = self.game.LIMIT or NEVER
        at = self.wanted.start
        while not INTERPRETED and at < self.wanted.stop and not self.faults:
            if not self._run(kernel, buffers, at, self.wanted.stop, SLICE, bot):
                return
            at = buffers.next_game

    def ask_people(self) -> None:
        """Check move names, drawings, and that nothing is kept outside of the position."""
        for kind, text, number, ply in check_people.faults_for_people(self.game, self.seed, self.wanted):
            self._add(kind, text, number, ply)

    def notes(self) -> list[str]:
        """What is odd, but may be meant."""
        found = []
        if self.desk["finished"] >= 100:
            for i, value in enumerate(self.game.RESULTS):
                if not self.desk["ends"][i] and not (value == 0.0 and self.desk["ends"][-2:].any()):
                    found.append(f"RESULTS[{i}] = {value:g} never came up in {self.desk['finished']} random games")
        return found

    def _run(
        self, play: Callable[..., int], buffers: "Buffers", first: int, last: int, most: int, bot: str = ""
    ) -> bool:
        """Run a slice of games; returns whether to go on (not after a rule has raised). bot: whose games they are."""
        desk = buffers.desk
        desk["game"] = first
        try:
            with np.errstate(all="ignore"):  # integers wrap around in kernels without a word
                buffers.next_game = play(*buffers.arguments, first, last, most)
        except Exception as slip:
            self._add_slip(slip, play, int(desk["game"]), int(desk["ply"]))
            return False
        if desk["problem"] != faults.NOTHING:
            rule, problem = int(desk["rule"]), int(desk["problem"])
            desk["known"][rule, problem] = 1
            noted = (int(desk["a"]), int(desk["b"]), int(desk["c"]), float(desk["x"]))
            name = bot or RULES[rule]
            text = f"{name}(): {faults.describe(self.game, rule, problem, *noted)}"
            kind = f"{name}: {faults.PROBLEMS[problem]}"
            self._add(kind, text, int(desk["game"]), int(desk["ply"]))
            buffers.next_game = int(desk["game"])  # for what else it shows
            buffers.renew()
        return True

    def _compare_viewers(self) -> None:
        """Blame features that never depend on the viewer."""
        two_views = self.game.FEATURES > 0 and self.game.VIEWER < 0
        if two_views and self.desk["finished"] and not self.desk["told_apart"]:
            text = "features(): shows both viewers the same in every position; use viewer, or set VIEWER"
            self._add("features: viewer", text)

    def _add_slip(self, slip: Exception, kernel: Callable[..., int], number: int, ply: int) -> None:
        """A rule raised. Where it was compiled, the same game in plain Python tells the line."""
        if not self._frames(slip):
            buffers = Buffers(self.game, self.seed)
            buffers.trace(NEVER)
            try:
                with np.errstate(all="ignore"):
                    play = compiled.interpreted({"all": kernel})["all"]
                    play(*buffers.arguments, number, number + 1, 1)
            except Exception as plain_slip:
                slip = plain_slip
        frames = self._frames(slip)
        place = "compiled code"
        if frames:
            file = pathlib.Path(frames[-1].filename)
            beside = "" if file == self.game.path else f" of {file.name}"
            place = f"line {frames[-1].lineno}{beside}, in {frames[0].name}()"
        self._add(f"raises {type(slip).__name__}", f"{place}: {type(slip).__name__}: {slip}", number, ply)

    def _frames(self, slip: Exception) -> list[traceback.FrameSummary]:
        """The calls in the rules file, and in files beside it that it imports, under which a rule raised."""
        files = {str(self.game.path), *map(str, sources(self.game.path))}
        return [f for f in traceback.extract_tb(slip.__traceback__) if f.filename in files]

    def _add(self, kind: str, text: str, number: int | None = None, ply: int = 0) -> None:
        if any(fault.kind == kind for fault in self.faults):
            return
        message, command = f"{self.game.path.name}, {text}.", None
        if number is not None:
            message += f" Ply {ply} of random game {number}, seed {self.seed}."
            alone = kind != "key: clash" or self.desk["b"] == number  # else it takes the game before, too
            which = f"--game {number}" if alone else f"--count {number + 1}"
            command = f"sparring check {_typed(self.game)} --seed {self.seed} {which}"
        self.faults.append(Fault(kind, message, command))


@dataclass(frozen=True)
class Trace:
    """What the rules gave in a game, ply by ply: seen, uint64 (plies, rules), and worth, float64 alike."""

    number: int
    seen: np.ndarray
    worth: np.ndarray

    @classmethod
    def of(cls, number: int, desk: Any) -> "Trace":
        """The trace of the game that was just played."""
        plies = int(desk["ply"]) + 1
        return cls(number, desk["trace"][:plies].copy(), desk["worth"][:plies].copy())

    def unlike(self, desk: Any) -> np.ndarray:
        """Where the game that was just played gave something else, bool (plies, rules)."""
        plies = len(self.seen)
        worth = np.isclose(self.worth, desk["worth"][:plies], rtol=1e-5, atol=1e-5, equal_nan=True)
        return (self.seen != desk["trace"][:plies]) | ~worth


class Buffers:
    """What the kernels of check_rules take; the even slots hold noise that no rule may change."""

    next_game = 0

    def __init__(self, game: Game, seed: int) -> None:
        slots = np.zeros(BLANK + 1, game.STATE)
        moves = np.zeros((2, game.MOST_MOVES + GUARD), np.int32)
        index = np.zeros((4, game.MOST_FEATURES + GUARD), np.int32)
        self.desk = np.zeros(1, desk_dtype(game))[0]
        self.desk["seed"] = seed & 0xFFFFFFFFFFFFFFFF
        self.arguments = (slots, moves, np.zeros(moves.shape[1]), index, index.astype(np.float32), self.desk)
        self.renew()

    def renew(self) -> None:
        """Forget the positions of earlier games, and what rules wrote where they must not."""
        slots, noise = self.arguments[0], np.random.default_rng(1)
        slots[BLANK] = 0
        for i in range(0, BLANK, 2):
            slots[i : i + 1].view(np.uint8)[:] = noise.integers(0, 256, slots.itemsize)
            self.desk["marks"][i] = hash_record(slots[i])
        self.desk["table"]["game"] = 0
        self.desk["entries"] = 0

    def trace(self, patience: int) -> None:
        """Make ready to trace a game of at most `patience` moves."""
        self.desk["tracing"], self.desk["patience"] = 1, patience
        self.desk["trace"] = 0
        self.desk["worth"] = 0.0


def bound(game: Game) -> ModuleType:
    """check_rules joined to the game."""
    asked = sum(1 << i for i, name in enumerate(check_asides.NAMES) if game.defines(name))
    asides = game.bind("games.check_asides", ASKED=asked)
    views = game.bind("games.check_views", EVALUATES=game.defines("evaluate"), bad_asides=asides.bad_asides)
    return game.bind("games.check_rules", check_position=views.check_position)


def _typed(game: Game) -> str:
    """What to type for this game on the command line."""
    if game.path.parent == FOLDER:
        return game.name.replace("_", "-")
    here = pathlib.Path.cwd()
    path = f".{os.sep}{game.path.relative_to(here)}" if game.path.is_relative_to(here) else str(game.path)
    return shlex.quote(path)
