"""What can be wrong with a rules file, and how that is told: one line, with the rule, the value and what is right."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sparring.games.contract import RULES

if TYPE_CHECKING:
    from sparring.games.game import Game

IN_START, IN_DEAL, IN_MOVER, IN_LEGAL, IN_PLAY = map(RULES.index, ("start", "deal", "mover", "legal", "play"))
IN_RESULT, IN_CHANCE, IN_FEATURES = map(RULES.index, ("result", "chance", "features"))
IN_OVERVIEW, IN_PROSPECTS = map(RULES.index, ("overview", "prospects"))
IN_TRANSFORM, IN_TRANSFORM_MOVE, IN_KEY = map(RULES.index, ("transform", "transform_move", "key"))
IN_QUIET, IN_NOISY, IN_EVALUATE = map(RULES.index, ("quiet", "noisy", "evaluate"))
IN_ENDED, IN_CHANGES, IN_FRAME, IN_PHASE = map(RULES.index, ("ended", "changes", "frame", "phase"))
IN_PACK, IN_UNPACK, IN_THREATENED, IN_NULL_MOVE = map(RULES.index, ("pack", "unpack", "threatened", "null_move"))
IN_THREATENS, IN_PRIZE, IN_EXCHANGE, IN_SLOT = map(RULES.index, ("threatens", "prize", "exchange", "slot"))
LISTS = (IN_LEGAL, IN_NOISY, IN_CHANCE, IN_FEATURES, IN_CHANGES)  # of numbers that a rule writes
IN_BOT = len(RULES)  # a function of BOTS, whichever is asked

PROBLEMS = (
    *("nothing", "changed", "outside", "unsure", "count", "overrun", "unwritten", "range", "twice", "number", "sum"),
    *("value", "at_end", "endless", "identity", "no_way_back", "image_mover", "image_result", "image_moves"),
    *("image_play", "image_features", "image_value", "clash", "forgotten", "illegal", "unlike"),
)
NOTHING, CHANGED, OUTSIDE, UNSURE, COUNT, OVERRUN, UNWRITTEN, RANGE, TWICE, NUMBER, SUM = range(11)
VALUE, AT_END, ENDLESS, IDENTITY, NO_WAY_BACK, IMAGE_MOVER, IMAGE_RESULT, IMAGE_MOVES = range(11, 19)
IMAGE_PLAY, IMAGE_FEATURES, IMAGE_VALUE, CLASH, FORGOTTEN, ILLEGAL, UNLIKE = range(19, 26)


@dataclass(frozen=True)
class Fault:
    """A broken promise of a rules file.

    kind: the same for faults of the same sort, such as "legal: range". message: the whole line. command: what shows the
    fault again, or None where any run does.
    """

    kind: str
    message: str
    command: str | None = None

    def __str__(self) -> str:
        return self.message


def describe(game: "Game", rule: int, problem: int, a: int, b: int, c: int, x: float) -> str:
    """What `rule` did and what would be right. a, b, c, x: what the kernel noted about the problem."""
    if said := _aside(rule, problem, a, b):
        return said
    if rule in LISTS and problem in (COUNT, OVERRUN, UNWRITTEN, RANGE, TWICE):
        return _list_fault(game, rule, problem, a, b)
    if rule in (IN_OVERVIEW, IN_PROSPECTS) and problem in (OVERRUN, UNWRITTEN, NUMBER, ILLEGAL):
        return _sight_fault(game, rule, problem, a, b, x)
    if rule == IN_DEAL and problem == UNSURE:
        return "gave different positions for the same number; they may depend on nothing else"
    if rule == IN_BOT and problem == ILLEGAL:
        return f"chose move {a}, which is not legal here"
    if problem == VALUE:
        return _value_fault(game, rule, a)
    if problem == NUMBER:
        return _number_fault(game, rule, a, x)
    if problem == CLASH:
        what = ("who is to move", "their result", "their legal moves")[c]
        return f"the same for two positions that differ in {what}, the other being ply {a} of random game {b}"
    if rule == IN_TRANSFORM:
        return _symmetry_fault(problem, a, b)
    return {
        CHANGED: "changed the position, which only play() and transform() may",
        OUTSIDE: "wrote outside of the position: the record beside it in memory changed",
        UNSURE: "gave different results for the same position; chance enters only through chance()",
        SUM: f"the probabilities add up to {x:.12g}, but must add up to 1",
        AT_END: "returned CHANCE after the end of the game, but must return 0 or 1 there",
        ENDLESS: f"no end after {a} moves; set LIMIT, which makes longer games a draw",
        FORGOTTEN: f"returned {a}, but the position occurred {b} moves ago, so that move could be undone",
        ILLEGAL: f"wrote move {a}, which is not legal here",
    }[problem]


def _list_fault(game: "Game", rule: int, problem: int, a: int, b: int) -> str:
    thing, things, size, most = {
        IN_CHANCE: ("outcome", "outcomes", "MOVES", "MOST_MOVES"),
        IN_FEATURES: ("index", "indices", "FEATURES", "MOST_FEATURES"),
        IN_CHANGES: ("index", "indices", "FEATURES", "MOST_FEATURES"),
    }.get(rule, ("move", "moves", "MOVES", "MOST_MOVES"))
    limit, room = game.constants[size], game.constants[most]
    if problem == COUNT and a > room:
        return f"returned {a} {things}, but {most} is {room}"
    if problem == COUNT and rule == IN_LEGAL:
        return f"returned {a} in a position that goes on; give a player who cannot move a pass, or let result() end it"
    return {
        COUNT: f"returned {a}, but must return how many {things} it wrote",
        OVERRUN: f"wrote past the end of its buffer, which has room for {most} = {room} {things}",
        UNWRITTEN: f"returned {a}, but wrote only {b} {things}",
        RANGE: f"wrote {thing} {a}, but {size} is {limit} ({things} are 0 to {limit - 1})",
        TWICE: f"wrote {thing} {a} twice",
    }[problem]


def _sight_fault(game: "Game", rule: int, problem: int, a: int, b: int, x: float) -> str:
    one = rule == IN_OVERVIEW
    which = f"number {a}" if one else f"number {a} of move {b}"
    room = f"OVERVIEW = {game.OVERVIEW}" if one else f"MOVES rows of PROSPECTS = {game.PROSPECTS}"
    return {
        OVERRUN: f"wrote past the end of its buffer, which has room for {room} numbers",
        UNWRITTEN: f"left number {a} as it was, but OVERVIEW is {game.OVERVIEW}: write 0 to {game.OVERVIEW - 1}",
        NUMBER: f"wrote {x:g} as {which}, but numbers must be finite",
        ILLEGAL: f"wrote something in the row of move {b}, which is not legal here",
    }[problem]


def _value_fault(game: "Game", rule: int, a: int) -> str:
    if rule == IN_MOVER:
        return f"returned {a}, but must return 0, 1 or 2 (CHANCE)"
    if rule == IN_RESULT:
        last = len(game.RESULTS) - 1
        return f"returned {a}, but must return ONGOING (-1) or an index into RESULTS, 0 to {last}"
    for which, name in ((IN_FRAME, "FRAMES"), (IN_PHASE, "PHASES"), (IN_SLOT, "SLOTS")):
        if rule == which:
            return f"returned {a}, but must return 0 to {game.constants[name] - 1}, as {name} is {game.constants[name]}"
    if rule == IN_TRANSFORM_MOVE:
        return f"returned {a}, but MOVES is {game.MOVES} (moves are 0 to {game.MOVES - 1})"
    return f"returned {a}, but must return at least 0"


def _aside(rule: int, problem: int, a: int, b: int) -> str:
    """Faults of rules that only some games have; "" for those that others may have too."""
    return {
        (IN_ENDED, UNLIKE): f"returned {a}, but must return ONGOING (-1) or what result() does, {b}",
        (IN_ENDED, AT_END): f"returned ONGOING (-1) where result() is {b}, but legal() still writes moves there",
        (IN_CHANGES, UNLIKE): f"names {a} inputs that go and {b} that come with a move, but features() shows others",
        (IN_UNPACK, UNLIKE): "makes another position than was packed, as nets see it",
        (IN_THREATENS, UNLIKE): f"returned {bool(a)} for move {b}, but threatened() says otherwise after it",
        (IN_NULL_MOVE, UNLIKE): "changes what nets see of the board, but only who is to move may change",
        (IN_NULL_MOVE, IMAGE_MOVER): "leaves the same player to move, though it says that it passed",
        (IN_NULL_MOVE, CHANGED): "changed the position, though it says that it did not pass",
        (IN_EXCHANGE, UNSURE): f"says of move {a} that it gains at least 100, but not that it gains at least 0",
        (IN_PRIZE, VALUE): f"returned {a} for move {b}, but moves that noisy() writes must have a prize above 0",
    }.get((rule, problem), "")


def _number_fault(game: "Game", rule: int, a: int, x: float) -> str:
    if rule == IN_CHANCE:
        return f"gave outcome {a} the probability {x:g}, but probabilities are 0 to 1"
    if rule == IN_FEATURES:
        return f"gave input {a} the value {x:g}, but values must be finite"
    low, high = game.RESULTS[0], game.RESULTS[-1]
    return f"returned {x:g}, but must return a number between the ends of RESULTS, {low:g} to {high:g}"


def _symmetry_fault(problem: int, a: int, b: int) -> str:
    return {
        OUTSIDE: "wrote outside of the position: the record beside it in memory changed",
        IDENTITY: "changed the position under symmetry 0, which must be the identity",
        NO_WAY_BACK: f"loses something: symmetry {a}, applied again and again, never leads back to the position",
        IMAGE_MOVER: f"symmetry {a} changes who is to move",
        IMAGE_RESULT: f"symmetry {a} changes the result",
        IMAGE_MOVES: f"the legal moves of the image under symmetry {a} are not the images of the legal moves",
        IMAGE_PLAY: f"symmetry {a} then the image of move {b} leads elsewhere than move {b} then symmetry {a}",
        IMAGE_FEATURES: f"symmetry {a} changes how many inputs are active, or their values",
        IMAGE_VALUE: f"symmetry {a} changes what evaluate() returns",
    }[problem]
