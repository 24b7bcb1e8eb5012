"""Find a game by name or path, validate it, compile it: `load("connect-four")`, `load("./mine.py")`."""

import functools
import math
import os
import pathlib
import re
import sys
import traceback
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from sparring import compiled
from sparring.compiled import INTERPRETED
from sparring.errors import GameError, nearest
from sparring.games import contract
from sparring.records import without_gaps

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True, eq=False)
class Game:
    """A game that has been found and validated. `game.legal(state, moves)` and so on call its compiled rules.

    name: as in file names, with underscores. path: the rules file. digest: its name and twelve digits that change with
    every source that matters.
    constants, rules: the contract's names with the game's values, defaults filled in.
    """

    name: str
    path: pathlib.Path
    digest: str
    module: ModuleType = field(repr=False)
    constants: dict[str, Any] = field(repr=False)
    rules: dict[str, Any] = field(repr=False)

    def __getattr__(self, name: str) -> Any:
        for names in (self.__dict__.get("constants", {}), self.__dict__.get("rules", {})):
            if name in names:
                return names[name]
        raise AttributeError(f"a game has no {name!r}")

    def bind(self, kernel: str, **more: Any) -> ModuleType:
        """The module `kernel` (such as "games.walk") joined to this game's rules and constants, and to `more`."""
        return compiled.bind_names(kernel, self.digest, {**self.constants, **self.rules, **more})

    def defines(self, name: str) -> bool:
        """Whether the rules file itself holds `name`, rather than the contract's default."""
        return hasattr(self.module, name)

    @property
    def rules_digest(self) -> str:
        """Twelve hex digits of the rules file and the files beside it that it imports."""
        return compiled.digest_of(sources(self.path))

    # --- one position at a time, for people and tests --------------------------------------------------------------

    def states(self, n: int = 1) -> np.ndarray:
        """n first positions, shape (n,), dtype STATE; in games that begin at random the one of `start` and others."""
        states = np.zeros(n, self.STATE)
        for number, state in enumerate(states):
            self.start(state)
            if number:
                self.deal(state, np.uint64(number))
        return states

    def dealt(self, *seeds: int) -> np.ndarray:
        """First positions by number, shape (seeds,), dtype STATE; in most games there is one."""
        states = np.zeros(len(seeds), self.STATE)
        for state, seed in zip(states, seeds, strict=True):
            self.start(state)
            self.deal(state, np.uint64(seed))
        return states

    def bot(self, name: str) -> Any:
        """The compiled function `name(state) -> move` of BOTS; GameError where there is none of that name."""
        if name not in self.BOTS:
            there = f"It has: {', '.join(self.BOTS)}" if self.BOTS else "It has none"
            raise GameError(f"{self.path.name} has no bot {name!r}.{nearest(name, self.BOTS)} {there}")
        function = getattr(self.module, name)
        if not isinstance(function, FunctionType):
            return function
        with compiled.cached_under(self.digest):
            return compiled.compile_reachable(function, self.path.parent)

    def legal_moves(self, state: np.void) -> list[int]:
        """The legal moves, or where chance is to move its outcomes; empty when the game is over."""
        if self.result(state) != contract.ONGOING:
            return []
        moves = np.zeros(self.MOST_MOVES, np.int32)
        if self.mover(state) == contract.CHANCE:
            n = self.chance(state, moves, np.zeros(self.MOST_MOVES))
        else:
            n = self.legal(state, moves)
        return [int(m) for m in moves[:n]]

    def after(self, state: np.void, *moves: int) -> np.void:
        """A copy of the position with the moves played."""
        copy = np.array([state], self.STATE)[0]
        for move in moves:
            self.play(copy, move)
        return copy

    @property
    def players(self) -> tuple[str, str]:
        """What the two players are called."""
        return getattr(self.module, "PLAYERS", ("first", "second"))

    def draw(self, state: np.void) -> str:
        """The position as text; its fields, where the game does not draw itself."""
        if self.defines("draw"):
            return str(self.module.draw(state))
        return "\n".join(f"{name}: {state[name]}" for name in self.module.STATE.names)

    def svg(self, state: np.void) -> str | None:
        """The position as an SVG image, or None where the game has no such drawing."""
        return self.module.svg(state) if self.defines("svg") else None

    def move_name(self, state: np.void, move: int) -> str:
        """The move as a player writes it."""
        return str(self.module.move_name(state, move)) if self.defines("move_name") else str(move)

    def parse_move(self, state: np.void, text: str) -> int:
        """The legal move of that name, upper or lower case, or that the game's own `read_move` makes of the text."""
        names = {self.move_name(state, m): m for m in self.legal_moves(state)}
        for name, move in names.items():
            if name == text.strip():
                return move
        for name, move in names.items():
            if name.lower() == text.strip().lower():
                return move
        if self.defines("read_move"):
            return int(self.module.read_move(state, text.strip()))
        shown = ", ".join(list(names)[:12]) + (", …" if len(names) > 12 else "")
        raise GameError(f"{text!r} is not a legal move here.{nearest(text, names)} Legal: {shown}")


def names() -> list[str]:
    """The games that come with the package: every file of this folder that defines STATE."""
    found = (p for p in FOLDER.glob("*.py") if p.stem not in ("contract", "check", "game", "walk"))
    return sorted(p.stem for p in found if re.search(r"^STATE\b", p.read_text(encoding="utf-8"), re.MULTILINE))


def load(name: str) -> Game:
    """The game of that name (hyphens or underscores), or in the file of that path (ending in .py)."""
    if name.endswith(".py"):
        path = pathlib.Path(name).expanduser().resolve()
        if not path.is_file():
            raise GameError(f"no rules file {name!r}; give the path of a Python file that defines a game")
        return _load(path)
    stem = name.replace("-", "_").lower()
    if stem not in names():
        known = [n.replace("_", "-") for n in names()]
        raise GameError(f"no game {name!r}.{nearest(name, known)} There are: {', '.join(known)}, or the path of a file")
    return _load(FOLDER / f"{stem}.py")


@functools.cache
def _load(path: pathlib.Path) -> Game:
    own = path.parent == FOLDER
    key = f"{path.stem}-{compiled.digest(*([] if own else sources(path)), also=str(path.stem))}"
    with compiled.cached_under(key):
        defaults = compiled.load_module(FOLDER / "contract.py", f"sparring.bound.{key}.contract")
        module = _import(path, f"sparring.games.{path.stem}" if own else f"sparring.bound.{key}")
        constants = _constants(path, module, defaults)
        if not own:
            _run_once(path, module, constants)
        rules = {}
        for rule in contract.RULES:
            function = getattr(module, rule, None) or getattr(defaults, rule)
            home = path.parent if hasattr(module, rule) else FOLDER
            rules[rule] = compiled.compile_reachable(function, home) if isinstance(function, FunctionType) else function
        if not hasattr(module, "ended"):
            rules["ended"] = rules["result"]
    game = Game(path.stem, path, key, module, constants, rules)
    if not own and not INTERPRETED:
        _compile_once(game)
    return game


def sources(path: pathlib.Path) -> list[pathlib.Path]:
    """The rules file and the files beside it that it imports, directly or not."""
    import ast

    found: dict[pathlib.Path, None] = {}

    def visit(file: pathlib.Path) -> None:
        if file in found or not file.is_file():
            return
        found[file] = None
        try:
            tree = ast.parse(file.read_bytes())
        except SyntaxError:
            return
        for node in ast.walk(tree):
            folder = path.parent
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                if node.level:  # one dot is the folder of the file itself
                    folder = file.parents[node.level - 1]
                imported = [".".join(filter(None, (node.module, alias.name))) for alias in node.names]
            else:
                continue
            for module in imported:
                target = folder
                for part in module.split("."):  # a.b.c runs a and a.b too
                    target /= part
                    visit(target.with_suffix(".py"))
                    visit(target / "__init__.py")

    visit(path)
    return list(found)


def _import(path: pathlib.Path, name: str) -> ModuleType:
    if path.parent != FOLDER:
        _prefer_helpers(path)
    try:
        return compiled.load_module(path, name)
    except SyntaxError as fault:
        raise GameError(f"{path.name}, line {fault.lineno}: {fault.msg}") from fault
    except Exception as fault:
        raise GameError(f"{where(path, fault)}: {type(fault).__name__}: {fault}") from fault


def _prefer_helpers(path: pathlib.Path) -> None:
    """Let files beside the rules be imported, as for a script, and not their namesakes beside another game's rules."""
    home = str(path.parent)
    for file in sources(path)[1:]:
        if file.is_relative_to(home):
            name = ".".join(file.relative_to(home).with_suffix("").parts).removesuffix(".__init__")
            loaded = getattr(sys.modules.get(name), "__file__", None)
            if loaded and loaded != str(file) and any(loaded.startswith(other + os.sep) for other in _homes):
                del sys.modules[name]
    _homes.add(home)
    sys.path[:] = [home, *(p for p in sys.path if p != home)]


_homes: set[str] = set()  # folders of the rules files that were loaded by path


def _constants(path: pathlib.Path, module: ModuleType, defaults: ModuleType) -> dict[str, Any]:
    """The contract's constants with the game's values, checked."""
    for name in contract.REQUIRED:
        if not hasattr(module, name):
            own = [n for n, v in vars(module).items() if getattr(v, "__module__", None) in (None, module.__name__)]
            what = f"{name}()" if name in contract.RULES else name
            raise GameError(f"{path.name}: {what} is missing.{nearest(name, own)}")
    values = {name: getattr(module, name, getattr(defaults, name)) for name in contract.CONSTANTS}
    state = values["STATE"]
    if not isinstance(state, np.dtype) or state.names is None:
        raise GameError(f"{path.name}: STATE is {state!r}, but it must be a record: np.dtype([('board', 'i1', 9), …])")
    if state.hasobject:
        raise GameError(f"{path.name}: STATE holds Python objects, but its fields must be numbers or arrays of numbers")
    values["STATE"] = without_gaps(state)
    for name in contract.CONSTANTS[1:]:
        if name in ("PAWN", "ODDS"):
            if not isinstance(values[name], int | float) or not 0 <= values[name] < math.inf:
                raise GameError(f"{path.name}: {name} is {values[name]!r}, but it must be a number, 0 or more")
            values[name] = float(values[name])
        elif name not in ("RESULTS", "PLANES", "BOTS", "PACKED"):
            if not _whole(values[name]):
                raise GameError(f"{path.name}: {name} is {values[name]!r}, but it must be a whole number")
            values[name] = int(values[name])
    if values["MOVES"] < 1:
        raise GameError(f"{path.name}: MOVES is {values['MOVES']}, but a game has at least one move")
    results = values["RESULTS"] = tuple(float(v) for v in values["RESULTS"])
    if len(results) < 2 or list(results) != sorted(set(results)):
        raise GameError(f"{path.name}: RESULTS is {results}, but it must be two or more values, ascending")
    if values["REPETITION"] and 0.0 not in results:
        raise GameError(f"{path.name}: REPETITION makes draws, but RESULTS {results} has no 0.0")
    if values["REPETITION"] == 1 or values["REPETITION"] < 0:
        raise GameError(f"{path.name}: REPETITION is {values['REPETITION']}, but it must be 0 (never) or at least 2")
    if values["SYMMETRIES"] > 1 and not hasattr(module, "transform"):
        raise GameError(f"{path.name}: SYMMETRIES is {values['SYMMETRIES']}, but transform() is missing")
    if hasattr(module, "features") and values["FEATURES"] < 1:
        raise GameError(f"{path.name}: features() writes inputs, but FEATURES (how many there are) is missing")
    values["PLANES"] = _planes(path, values["PLANES"], values["FEATURES"])
    values["BOTS"] = _bots(path, module, values["BOTS"])
    values["PACKED"] = _packed(path, module, values["PACKED"], values["STATE"])
    for rule, size in (("overview", "OVERVIEW"), ("prospects", "PROSPECTS")):
        if hasattr(module, rule) and values[size] < 1:
            raise GameError(f"{path.name}: {rule}() writes numbers, but {size} (how many there are) is missing")
    for rule, size in (("slot", "SLOTS"), ("frame", "FRAMES"), ("phase", "PHASES")):
        if hasattr(module, rule) and values[size] < 1 + (rule == "phase"):
            raise GameError(f"{path.name}: {rule}() tells kinds apart, but {size} (how many there are) is missing")
    values["MOST_MOVES"] = values["MOST_MOVES"] or values["MOVES"]
    values["MOST_FEATURES"] = values["MOST_FEATURES"] or max(values["FEATURES"], 1)
    return values


def _whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _planes(path: pathlib.Path, planes: Any, features: int) -> tuple[int, ...]:
    """PLANES, checked."""
    if not isinstance(planes, tuple) or len(planes) not in (0, 3) or not all(_whole(n) and n > 0 for n in planes):
        what = "it must be (planes, rows, columns), three whole numbers from 1, or () where there is no board"
        raise GameError(f"{path.name}: PLANES is {planes!r}, but {what}")
    if planes and math.prod(planes) > features:
        inputs = f"{math.prod(planes)} inputs, but FEATURES is {features}"
        raise GameError(f"{path.name}: PLANES {planes} are {inputs}")
    return tuple(int(n) for n in planes)


def _bots(path: pathlib.Path, module: ModuleType, bots: Any) -> tuple[str, ...]:
    """BOTS, checked."""
    if not isinstance(bots, tuple) or not all(isinstance(bot, str) for bot in bots):
        what = 'it must be names of functions, as in ("teacher",)'
        raise GameError(f"{path.name}: BOTS is {bots!r}, but {what}")
    for bot in bots:
        if not callable(getattr(module, bot, None)):
            raise GameError(f"{path.name}: BOTS names {bot}, but there is no function {bot}()")
    return bots


def _packed(path: pathlib.Path, module: ModuleType, packed: Any, state: np.dtype) -> np.dtype:
    """PACKED, checked; STATE where a game packs nothing."""
    if packed is None:
        return state
    if not isinstance(packed, np.dtype) or packed.names is None or packed.hasobject:
        raise GameError(f"{path.name}: PACKED is {packed!r}, but it must be a record of numbers, as STATE")
    for rule in ("pack", "unpack"):
        if not hasattr(module, rule):
            raise GameError(f"{path.name}: PACKED is what positions are packed into, but {rule}() is missing")
    return packed


def _run_once(path: pathlib.Path, module: ModuleType, constants: dict[str, Any]) -> None:
    """Run each rule in the interpreter, where a slip has a line number and a clear message."""
    state = np.zeros(1, constants["STATE"])[0]
    moves = np.zeros(constants["MOST_MOVES"], np.int32)
    index = np.zeros(constants["MOST_FEATURES"], np.int32)
    value = np.zeros(constants["MOST_FEATURES"], np.float32)
    written = {rule: getattr(module, rule) for rule in (*contract.RULES, *contract.PLAIN) if hasattr(module, rule)}
    rules = compiled.interpreted({name: rule for name, rule in written.items() if callable(rule)})

    def run(rule: str, *arguments: Any) -> Any:
        if rule not in rules:
            return None
        try:
            with np.errstate(over="ignore"):  # in kernels integers wrap around without a word
                return rules[rule](*arguments)
        except Exception as fault:
            raise GameError(f"{where(path, fault)}, in {rule}(): {type(fault).__name__}: {fault}") from fault

    def whole(rule: str, got: Any, low: int, high: int) -> int:
        if not isinstance(got, int | np.integer | np.bool_) or not low <= got <= high:
            raise GameError(f"{path.name}, {rule}(): returned {got!r}, but it must be a whole number, {low} to {high}")
        return int(got)

    run("start", state)
    whole("result", run("result", state), contract.ONGOING, len(constants["RESULTS"]) - 1)
    who = whole("mover", run("mover", state), 0, contract.CHANCE)
    if who == contract.CHANCE:
        whole("chance", run("chance", state, moves, np.zeros(len(moves))), 1, len(moves))
    else:
        whole("legal", run("legal", state, moves), 1, len(moves))
    if hasattr(module, "features"):
        whole("features", run("features", state, 0, index, value), 0, len(index))
    for rule in ("key", "quiet", "evaluate", "ended", "threatened", "phase"):
        run(rule, state)
    run("null_move", state.copy())
    run("frame", state, 0)
    run("changes", state, state, 0, index.copy(), index.copy())
    packed = np.zeros(1, constants["PACKED"])[0]
    run("pack", state, packed)
    run("unpack", packed, state.copy())
    for rule, more in (("threatens", ()), ("prize", ()), ("slot", ()), ("exchange", (0,))):
        run(rule, state, int(moves[0]), *more)
    run("deal", state.copy(), np.uint64(1))
    if who != contract.CHANCE:
        run("overview", state, np.zeros(constants["OVERVIEW"], np.float32))
        run("prospects", state, np.zeros((constants["MOVES"], constants["PROSPECTS"]), np.float32))
    run("noisy", state, moves.copy())
    run("transform", state.copy(), constants["SYMMETRIES"] - 1)
    run("transform_move", int(moves[0]), constants["SYMMETRIES"] - 1)
    for rule in ("draw", "svg"):
        run(rule, state)
    run("move_name", state, int(moves[0]))
    run("play", state.copy(), int(moves[0]))


def _compile_once(game: Game) -> None:
    """Compile each rule alone, so that what Numba refuses is told with the line it stands on."""
    state = np.zeros(1, game.STATE)[0]
    moves, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    inputs = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    more: dict[str, tuple[Any, ...]] = {
        "legal": (moves,),
        "play": (0,),
        "noisy": (moves,),
        "chance": (moves, chances),
        "features": (0, *inputs),
        "transform": (0,),
        "deal": (np.uint64(1),),
        "frame": (0,),
        "changes": (state, 0, inputs[0], inputs[0].copy()),
        "pack": (np.zeros(1, game.PACKED)[0],),
        "threatens": (0,),
        "prize": (0,),
        "slot": (0,),
        "exchange": (0, 0),
        "overview": (np.zeros(game.OVERVIEW, np.float32),),
        "prospects": (np.zeros((game.MOVES, game.PROSPECTS), np.float32),),
    }
    for name, rule in game.rules.items():
        if game.defines(name):
            given = (state, *more.get(name, ()))
            if name == "transform_move":
                given = (0, 0)
            if name == "unpack":
                given = (np.zeros(1, game.PACKED)[0], state)
            try:
                compiled.compile_for(rule, *given)
            except Exception as fault:
                raise GameError(_translate(game.path, name, fault)) from fault


def _translate(path: pathlib.Path, rule: str, fault: Exception) -> str:
    """What Numba says, in one line with the innermost line of the rules file, or of a file beside it."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    places = re.findall(r'File "([^"]+)", line (\d+)', text) or re.findall(r"(\S+\.py) \((\d+)\)", text)
    places = [(file, line) for file, line in places if "numba" not in file]
    place = f"{pathlib.Path(places[0][0]).name}, line {places[0][1]}" if places else path.name
    said = [s.strip() for s in text.splitlines() if s.strip()]
    first = next((s for s in said if not s.startswith(("Failed in", "During:", "File", ">>>"))), "")
    specific = re.search(r"raised a specific error:\s*(?:\w+: )?(.+)", text)
    reason = specific.group(1) if specific else first if " " in first else f"{type(fault).__name__}: {first}"
    reason = re.sub(r",? (defined at|Raised from) .*", "", reason)
    return f"{place}, in {rule}(): runs in plain Python, but cannot be compiled: {reason}"


def where(path: pathlib.Path, fault: BaseException) -> str:
    """file, line of the innermost frame that stands in the rules file."""
    frames = [f for f in traceback.extract_tb(fault.__traceback__) if f.filename == str(path)]
    return f"{path.name}, line {frames[-1].lineno}" if frames else path.name
