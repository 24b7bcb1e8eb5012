"""What a search and a judgement say about a position, in numbers and in words."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.app.course import Course
from sparring.arena.player import Entry, parse_player, strongest
from sparring.games.game import Game
from sparring.nets.weights import Net, results_seen
from sparring.search import judging
from sparring.search.scores import largest
from sparring.search.searcher import DEEPEST, Line, Thought

EVEN = "about even"
STANDINGS = ((0.1, EVEN), (0.35, "a little {}"), (0.7, "clearly {}"), (0.95, "much {}"))  # by share of a win


@dataclass(frozen=True)
class Opinion:
    """What a net or another judgement expects, without searching.

    value: the expected result for the player to move. chances: (result, its chance) for that player, where a net ends
    in a distribution. by: whose opinion it is.
    """

    value: float
    chances: tuple[tuple[float, float], ...]
    by: str


@dataclass(frozen=True)
class Adviser:
    """A player whose thoughts can be asked for."""

    entry: Entry
    player: Any

    @property
    def name(self) -> str:
        """Its kind."""
        return self.entry.text.partition(":")[0]

    def think(self, course: Course, lines: int) -> Thought:
        """The best lines from the position that a game has come to."""
        past = np.array(course.past, np.uint64)
        return self.player.think(course.state, past, len(course.moves), lines=lines)


def can_think(player: Any) -> bool:
    """Whether a player shows its lines."""
    return callable(getattr(player, "think", None))


def adviser_of(game: Game, entry: Entry | None = None) -> Adviser:
    """The player of that entry, or the strongest there is, ready to think."""
    entry = entry or parse_player(strongest(game), game)
    player = entry.make()
    player.begin(0)
    return Adviser(entry, player)


def opinion(game: Game, adviser: Adviser | None, state: np.void) -> Opinion | None:
    """What the adviser's net or judgement thinks, else the game's own judgement; None where there is neither."""
    if adviser and adviser.entry.net:
        return _by_net(game, adviser.entry.net, state)
    searcher = getattr(adviser.player, "searcher", None) if adviser else None
    judge = searcher.judge if searcher else judging.usual(game)
    if judge.name == "nothing":
        return None
    work = np.zeros(1, judge.dtype)
    judge.fill(work[0])
    return Opinion(float(judge.kernel(work[0], np.array([state], game.STATE), 0)), (), f"the rules' {judge.name}()")


def _by_net(game: Game, net: Net, state: np.void) -> Opinion:
    """Evaluated here rather than by the compiled twin, which tells the expected result alone."""
    mover = int(game.mover(state))
    eyes = mover if game.VIEWER < 0 else game.VIEWER
    sign = 1.0 if eyes == mover else -1.0
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, eyes, index, value)
    out = np.zeros(game.FEATURES, np.float32)
    out[index[:n]] = value[:n]
    for i, (weights, bias) in enumerate(net.layers):
        out = (out if i == 0 else np.maximum(out, 0)) @ weights + bias
    if net.head == "tanh":
        return Opinion(sign * float(np.tanh(out[0])), (), "the net")
    chances = np.exp(out - out.max(), dtype=np.float64)
    chances /= chances.sum()
    pairs = sorted((sign * v, float(p)) for v, p in zip(results_seen(game), chances, strict=True))
    return Opinion(sum(v * p for v, p in pairs), tuple(reversed(pairs)), "the net")


# --- in words --------------------------------------------------------------------------------------------------------


def signed(value: float) -> str:
    """A value to two digits with its sign; zero has a plus."""
    return f"{round(value, 2) + 0.0:+.2f}"


def plies_told(plies: int) -> str:
    """`1 ply`, `3 plies`."""
    return "1 ply" if plies == 1 else f"{plies} plies"


def depth_told(thought: Thought) -> str:
    """How far a search looked: `12 plies deep`."""
    return "to the end of the game" if thought.depth >= DEEPEST else f"{plies_told(thought.depth)} deep"


def standing(game: Game, value: float) -> str:
    """A value in words for the player it belongs to: `about even`, `clearly better`."""
    share = abs(value) / largest(game.RESULTS)
    for below, words in STANDINGS:
        if share < below:
            return words.format("better" if value > 0 else "worse")
    return "as good as won" if value > 0 else "as good as lost"


def worth(game: Game, line: Line) -> str:
    """A line's value in words for the player to move: `+0.12, a little better`, `wins in 5 plies`."""
    if line.end is not None:
        return f"{'wins' if line.score > 0 else 'loses'} in {plies_told(line.end)}"
    return f"{signed(line.value)}, {standing(game, line.value)}"


def chances_told(found: Opinion) -> str:
    """The distribution in words: `win 61 %, draw 30 %, loss 9 %`."""
    words = {1: "win", 0: "draw", -1: "loss"} if len(found.chances) <= 3 else {}
    return ", ".join(f"{words.get(int(np.sign(v)), f'{v:+g}')} {p:.0%}".replace("%", " %") for v, p in found.chances)
