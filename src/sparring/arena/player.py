"""Players by spec string: `random`, `greedy`, `alphabeta:depth=3`, `alphabeta:ms=50,net=PATH`.

A player chooses moves for a batch of positions. To add one: a class with `choose`, an entry in KINDS.
"""

import dataclasses
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sparring.arena import mcts_player, outside, uci_engine, uci_player
from sparring.arena.batch import Batch, Clocks
from sparring.arena.cube import EFFICIENCY
from sparring.arena.handling import ByModel, ByNet
from sparring.arena.mcts_player import MctsOptions, MctsPlayer, PolicyOptions, PolicyPlayer
from sparring.arena.outside import GnubgOptions, OutsideJudge
from sparring.arena.turn_player import TurnOptions, TurnPlayer
from sparring.arena.uci_player import UciOptions, UciPlayer
from sparring.errors import PlayerError, nearest
from sparring.games.game import Game
from sparring.games.uci_text import check_text
from sparring.nets import weights
from sparring.nets.match_net import load_match_net
from sparring.nets.move_net import MoveNet
from sparring.nets.storage import SHIPPED
from sparring.nets.weights import AnyNet, Net
from sparring.rng import draw_below
from sparring.search import judging
from sparring.search.clock import Clock, TimeControl, budget, read_control
from sparring.search.expectimax import MOST_PLIES, Lookahead
from sparring.search.scores import cents
from sparring.search.searcher import Limits, Searcher, Thought, skills_without, usual_entries
from sparring.search.selective import ALL_SKILLS
from sparring.search.table import MOST_ENTRIES
from sparring.search.turn_rules import RulesJudge

LIMITS = ("depth", "nodes", "ms", "tc")  # options of players that may play by a match's limit
GRAIN = 1 / 64  # of a MoveNet's judgements: a fifth fewer positions to the same depth, and no weaker


class RandomPlayer:
    """Every legal move is as likely as every other."""

    lanes = 64

    def __init__(self, game: Game) -> None:
        self.game = game

    def begin(self, lane: int) -> None:
        """Nothing is kept between games."""

    def choose(self, batch: Batch) -> list[int]:
        """Uniformly random legal moves."""
        chosen = []
        for state, seed in zip(batch.states, batch.seeds, strict=True):
            moves = self.game.legal_moves(state)
            chosen.append(moves[draw_below(np.array([seed], np.uint64), len(moves))])
        return chosen

    def stop(self) -> None:
        """It is never long."""


class BotPlayer:
    """A function of the rules file that chooses a move."""

    lanes = 64

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name, self.bot = game, name, game.bot(name)

    def begin(self, lane: int) -> None:
        """Nothing is kept between games."""

    def choose(self, batch: Batch) -> list[int]:
        """Its moves; PlayerError where one is not legal."""
        chosen = [int(self.bot(state)) for state in batch.states]
        for state, move in zip(batch.states, chosen, strict=True):
            if move not in (legal := self.game.legal_moves(state)):
                what = f"{self.name}() of {self.game.path.name} chose move {move}"
                raise PlayerError(f"{what}, but legal are {', '.join(map(str, legal))}")
        return chosen

    def stop(self) -> None:
        """It is never long."""


class SearchPlayer:
    """Alpha-beta with limits; among equal moves it chooses at random."""

    lanes = 1

    def __init__(
        self,
        game: Game,
        judge: judging.Judge,
        limits: Limits,
        table: int,
        quiescence: bool,
        *,
        order: int = 0,
        grain: float = 0.0,
        threads: int = 1,
        skills: int = ALL_SKILLS,
        tells: bool = False,
    ) -> None:
        """What follows `quiescence`: see Searcher. tells: it plays by a clock."""
        more: dict[str, Any] = {"order": order, "grain": grain, "threads": threads, "skills": skills, "tells": tells}
        self.searcher = Searcher(game, judge, table, **more)
        self.limits, self.quiescence = limits, quiescence
        self.scores: list[int | None] = []

    def begin(self, lane: int) -> None:
        """Forget the last game."""
        self.searcher.begin_game()

    def choose(self, batch: Batch) -> list[int]:
        """The best move found for each."""
        every = zip(batch.states, batch.past, batch.plies, batch.seeds, _clocks(batch), strict=True)
        thoughts = [
            self.think(state, past, plies, seed=int(seed), clocks=clocks) for state, past, plies, seed, clocks in every
        ]
        self.scores = [cents(thought.lines[0].score) if thought.depth else None for thought in thoughts]
        return [thought.move for thought in thoughts]

    def think(
        self,
        state: np.void,
        past: np.ndarray,
        plies: int,
        lines: int = 1,
        seed: int = 0,
        clocks: Clocks | None = None,
    ) -> Thought:
        """The search behind `choose`, for those who want to see the lines."""
        limits = by_clock(clocks.own) if clocks else self.limits
        return self.searcher.think(
            state, limits, past=past, plies=plies, lines=lines, seed=seed, quiescence=self.quiescence
        )

    def stop(self) -> None:
        """End the search with the best found so far."""
        self.searcher.stop()


def _clocks(batch: Batch) -> Sequence[Clocks | None]:
    """Of each position; none where no clock runs."""
    return batch.clocks or [None] * len(batch.states)


def by_clock(clock: Clock) -> Limits:
    """How long to think where a clock runs."""
    time = budget(clock)
    return Limits(ms=time.hard, soft_ms=time.soft)


@dataclass(frozen=True)
class Entry:
    """A player that has been named and checked, but not made yet.

    text: its spec. digest: tells nets, or programs, apart that were kept under one path; empty without one. make: a new
    instance, one for each thread. control: the clock that it plays by; None: its time is its own affair. scores:
    whether its instances tell `scores` (see `Player`).
    """

    text: str
    digest: str
    make: Callable[[], Any]
    net: AnyNet | None = None
    control: TimeControl | None = None
    scores: bool = False

    @property
    def label(self) -> str:
        """As people see it."""
        return f"{self.text}#{self.digest}" if self.digest else self.text


@dataclass(frozen=True)
class AlphaBetaOptions:
    """Options of `alphabeta`. Without a limit it searches 4 plies."""

    timed: ClassVar[bool] = True  # it may play by a clock

    depth: int | None = None
    """Plies, 1 to 99."""
    nodes: int | None = None
    """Positions visited a move, at least 1."""
    ms: float | None = None
    """Milliseconds a move."""
    tc: str = ""
    """Seconds for a game and seconds more after each move, 8+0.08, instead of other limits."""
    net: str = ""
    """File of the net that judges; `shipped`: the one that comes with the package."""
    judge: str = ""
    """Function of the rules file that judges, instead of `evaluate`; `nothing`: only results count. `eval` says the
    same."""
    table: int | None = None
    """Entries of the transposition table, 16 bytes each; rounded down to a power of two. By default as many as a move
    has nodes, from 65536 to 1048576; by time, or deeper than 10 plies, 1048576; else 65536."""
    threads: int = 1
    """Threads of one search, which share the table."""
    without: str = ""
    """Techniques of a selective search to do without, joined by +, such as null+reductions."""
    quiescence: bool = True
    """Follow noisy moves at the horizon, where the game names them."""
    order: int = 0
    """Where so many plies are left, or more, and the table knows no move, a MoveNet's policy orders moves; 0: never."""
    grain: float = -1.0
    """Judgements are rounded to multiples of this, for more cutoffs; 0: not; -1: to 1/64 with a MoveNet, else not."""

    def limits(self) -> Limits:
        """The limits, 4 plies where none is given; by a clock those of a first move."""
        if self.tc:
            return by_clock(read_control(self.tc).clock())
        deepest = Limits().depth
        none = self.depth is None and self.nodes is None and self.ms is None
        return Limits(4 if none else deepest if self.depth is None else self.depth, self.nodes, self.ms)


@dataclass(frozen=True)
class NoOptions:
    """Of players that have none."""


def _random(game: Game, text: str, options: NoOptions) -> Entry:
    return Entry(text, "", lambda: RandomPlayer(game))


def _greedy(game: Game, text: str, options: NoOptions) -> Entry:
    judge = judging.usual(game)
    return Entry(text, "", lambda: SearchPlayer(game, judge, Limits(depth=1), 16, quiescence=False), scores=True)


def _alphabeta(game: Game, text: str, options: AlphaBetaOptions) -> Entry:
    if options.net and options.judge:
        raise PlayerError(f"player {text!r}: give net or judge, not both")
    if options.table is not None and not 16 <= options.table <= MOST_ENTRIES:
        raise PlayerError(f"player {text!r}: table is {options.table}, but it must be 16 to {MOST_ENTRIES} entries")
    if options.tc and any((options.depth, options.nodes, options.ms)):
        raise PlayerError(f"player {text!r}: give tc or other limits, not both")
    limits, net = options.limits(), None
    table = usual_entries(limits) if options.table is None else options.table
    if options.net:
        net = weights.load_leaf_net(shipped_path(game) if options.net == "shipped" else options.net)
        judge = judging.by_net(game, net, options.net)
    elif options.judge == "nothing":
        judge = judging.by_nothing(game)
    else:
        judge = judging.by_rules(game, options.judge) if options.judge else judging.usual(game)
    if not 0 <= options.order <= Limits().depth:
        raise PlayerError(f"player {text!r}: order is {options.order}, but it must be 0 to {Limits().depth}")
    if options.order and not judge.prefer:
        raise PlayerError(f"player {text!r}: order needs a net with a policy, which is a MoveNet")
    if options.grain != -1 and not 0 <= options.grain <= 1:
        raise PlayerError(f"player {text!r}: grain is {options.grain:g}, but it must be 0 to 1")
    grain = options.grain if options.grain >= 0 else GRAIN if isinstance(net, MoveNet) else 0.0
    if not 1 <= options.threads <= 256:
        raise PlayerError(f"player {text!r}: threads is {options.threads}, but it must be 1 to 256")
    digest = net.digest if net else ""
    skills = skills_without([name for name in options.without.split("+") if name])
    more: dict[str, Any] = {"order": options.order, "grain": grain, "threads": options.threads, "skills": skills}
    control = read_control(options.tc) if options.tc else None
    more["tells"] = control is not None
    make = lambda: SearchPlayer(game, judge, limits, table, options.quiescence, **more)  # noqa: E731
    return Entry(text, digest, make, net, control, scores=True)


def _mcts(game: Game, text: str, options: MctsOptions) -> Entry:
    mcts_player.check_options(text, options)
    net = mcts_player.net_at(options.net, game, SHIPPED) if options.net else None
    make = lambda: MctsPlayer(game, net, options)  # noqa: E731
    return Entry(text, net.digest if net else "", make, net)


def _policy(game: Game, text: str, options: PolicyOptions) -> Entry:
    if not 0 <= options.temperature <= 100:
        raise PlayerError(f"player {text!r}: temperature is {options.temperature:g}, but it must be 0 to 100")
    net = mcts_player.net_at(options.net, game, SHIPPED)
    return Entry(text, net.digest, lambda: PolicyPlayer(game, net, options), net)


def _turn(game: Game, text: str, options: TurnOptions) -> Entry:
    if not game.defines("chance"):
        raise PlayerError(f"player {text!r}: {game.name} has no dice; alphabeta and mcts play it")
    if options.judge:
        if options.plies or options.net != TurnOptions.net or options.match:
            why = "it knows no chances of results"
            raise PlayerError(f"player {text!r}: judge goes without net, plies and match: {why}")
        judging.rules_function(game, options.judge)
        return Entry(text, "", lambda: TurnPlayer(game, RulesJudge(game, options.judge)))
    if not 0 <= options.plies <= MOST_PLIES:
        raise PlayerError(f"player {text!r}: plies is {options.plies}, but it must be 0 to {MOST_PLIES}")
    net = shipped(game) if options.net == "shipped" else weights.load_perceptron(options.net)
    if not 0 <= options.x <= 1:
        raise PlayerError(f"player {text!r}: x is {options.x:g}, but it must be 0 (dead cube) to 1 (live cube)")
    cube, matches, digest = options.x if options.cube else None, None, net.digest
    if options.match:
        match = load_match_net(options.match, game.name)
        matches, digest = ByNet(match, options.match, ByModel(game.name, options.x)), f"{digest}-{match.digest}"
    make = lambda: TurnPlayer(game, Lookahead(game, net, options.plies, options.net), cube, matches)  # noqa: E731
    return Entry(text, digest, make, net)


def _expert(game: Game, text: str, options: NoOptions) -> Entry:
    return _turn(game, text, TurnOptions(judge="expert"))


def _gnubg(game: Game, text: str, options: GnubgOptions) -> Entry:
    if not 0 <= options.plies <= outside.MOST_PLIES:
        raise PlayerError(f"player {text!r}: plies is {options.plies}, but it must be 0 to {outside.MOST_PLIES}")
    package = outside.needed(game, text)
    cube = EFFICIENCY if options.cube else None
    return Entry(text, "", lambda: TurnPlayer(game, OutsideJudge(game, package, options.plies), cube))


def _pubeval(game: Game, text: str, options: NoOptions) -> Entry:
    package = outside.needed(game, text)
    return Entry(text, "", lambda: TurnPlayer(game, OutsideJudge(game, package, 0, pubeval=True), None))


def _uci(game: Game, text: str, options: UciOptions) -> Entry:
    options.check(text)
    check_text(game)
    command = uci_engine.command_of(options.path)
    control = read_control(options.tc) if options.tc else None
    digest = uci_player.digest_of(command)
    return Entry(text, digest, lambda: UciPlayer(game, command, options), control=control, scores=True)


def _bot(game: Game, text: str, options: NoOptions) -> Entry:
    return Entry(text, "", lambda: BotPlayer(game, text.strip()))


@dataclass(frozen=True)
class Kind:
    """A kind of player: its options and how to make an entry from them."""

    options: type
    entry: Callable[[Game, str, Any], Entry]
    says: str


KINDS: dict[str, Kind] = {
    "random": Kind(NoOptions, _random, "every legal move is as likely as every other"),
    "greedy": Kind(NoOptions, _greedy, "looks one move ahead and takes what its game's judgement likes best"),
    "alphabeta": Kind(AlphaBetaOptions, _alphabeta, "principal-variation search with the game's judgement or a net"),
    "mcts": Kind(MctsOptions, _mcts, "Monte Carlo tree search with a net, or with random games"),
    "turn": Kind(TurnOptions, _turn, "takes the turn after which its net sees the most points, in games with dice"),
    "expert": Kind(NoOptions, _expert, "takes the turn that its game's hand-written expert likes best: abak"),
    "gnubg": Kind(GnubgOptions, _gnubg, "GNU Backgammon's nets, for backgammon; pip install gnubg-nn"),
    "pubeval": Kind(NoOptions, _pubeval, "Tesauro's public yardstick of backgammon; pip install gnubg-nn"),
    "uci": Kind(UciOptions, _uci, "a chess program that speaks UCI, such as uci:stockfish,nodes=1000"),
    "policy": Kind(PolicyOptions, _policy, "a net's first thought, without search"),
}


OTHER_NAMES = {"eval": "judge"}  # of options of `alphabeta`


def shipped(game: Game) -> Net:
    """The trained perceptron that comes with the package."""
    return weights.load_perceptron(shipped_path(game))


def shipped_path(game: Game) -> pathlib.Path:
    """Where the net lies that comes with the package and judges one position at a time."""
    path = SHIPPED / f"{game.name}.safetensors"
    if not path.is_file():
        mend = f"train one: sparring train {game.name} --learner td"
        raise PlayerError(f"no net for {game.name} comes with the package; {mend}")
    return path


def strongest(game: Game) -> str:
    """Spec of the best opponent there is without training."""
    if (SHIPPED / f"{game.name}.safetensors").is_file():
        return "turn:net=shipped,plies=2" if game.defines("chance") else "alphabeta:ms=500,net=shipped"
    if (SHIPPED / f"{game.name}_tower.safetensors").is_file():
        return "mcts:sims=400,net=shipped"
    if game.defines("chance"):
        return "expert" if game.defines("expert") else "mcts:sims=1000"
    return "alphabeta:ms=500"


def parse_player(text: str, game: Game) -> Entry:
    """The player a spec names, `kind` or `kind:option=value,option=value`; PlayerError says what is wrong with it."""
    name, _, rest = text.strip().partition(":")
    kinds = KINDS | {bot: Kind(NoOptions, _bot, "a function of the rules file") for bot in game.BOTS}
    if name not in kinds:
        raise PlayerError(f"no player {name!r}.{nearest(name, kinds)} There are: {', '.join(kinds)}")
    kind = kinds[name]
    known = {f.name: f for f in dataclasses.fields(kind.options)}
    given: dict[str, Any] = {}
    parts = [part for part in rest.split(",") if part]
    if (first := getattr(kind.options, "positional", "")) and parts and "=" not in parts[0]:
        given[first] = parts.pop(0)
    for part in parts:
        option, equals, value = part.partition("=")
        option = OTHER_NAMES.get(option, option) if name == "alphabeta" else option
        through, dot, inner = option.partition(".")
        if dot and through == getattr(kind.options, "passed", None) and inner and equals:
            given[through] = (*given.get(through, ()), (inner, value))
            continue
        if option not in known:
            there = f"It has: {', '.join(known)}" if known else "It has none"
            raise PlayerError(f"player {text!r}: no option {option!r}.{nearest(option, known)} {there}")
        if not equals or not value:
            raise PlayerError(f"player {text!r}: {option} needs a value, as in {option}=…")
        given[option] = _read(text, option, value, str(known[option].type))
    return kind.entry(game, text.strip(), kind.options(**given))


def limited(text: str, limit: str) -> str:
    """The spec with the limit of a match, such as nodes=1000, where its kind takes one and it names none itself."""
    kind, _, rest = text.strip().partition(":")
    timed = kind in KINDS and getattr(KINDS[kind].options, "timed", False)
    named = {part.partition("=")[0] for part in rest.split(",")}
    return f"{text.strip()}{',' if rest else ':'}{limit}" if timed and not named & set(LIMITS) else text


def _read(text: str, option: str, value: str, kind: str) -> Any:
    """A value as its option's type wants it."""
    if "int" in kind or "float" in kind:
        what = "a whole number" if "int" in kind else "a number"
        try:
            return int(value) if "int" in kind else float(value)
        except ValueError:
            raise PlayerError(f"player {text!r}: {option} is {value!r}, but it must be {what}") from None
    if "bool" in kind:
        if value not in ("yes", "no"):
            raise PlayerError(f"player {text!r}: {option} is {value!r}, but it must be yes or no")
        return value == "yes"
    return value
