"""Who can be asked about a position, and what they say: a search, a judgement at a glance, a perfect player."""

import math
import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sparring.app.course import Course
from sparring.app.lines import Lines
from sparring.app.plays import Plays
from sparring.app.sheet import Rows
from sparring.app.visits import Visits, chances_of
from sparring.app.words import Chances
from sparring.arena.mcts_player import MctsPlayer
from sparring.arena.player import Entry, SearchPlayer, parse_player, strongest
from sparring.arena.turn_player import TurnPlayer
from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.nets import nnue, nnue_quantised
from sparring.nets.move_net import MoveNet, evaluate, inputs_seen
from sparring.nets.nnue import Nnue
from sparring.nets.weights import AnyNet, Net, results_seen
from sparring.search import judging
from sparring.search.expectimax import Lookahead
from sparring.search.reading import line_below, proof_of
from sparring.search.turn_rules import RulesJudge


@dataclass(frozen=True)
class Glance:
    """What a net or another judgement expects, without searching.

    value: the expected result for the player to move. chances: (result, its chance) for that player, where a net ends
    in a distribution. by: whose opinion it is.
    """

    value: float
    chances: Chances
    by: str


class Findings(Protocol):
    """What a search found in a position where a player is to move, in that player's name."""

    @property
    def move(self) -> int:
        """The move to play."""

    def expects(self) -> str:
        """To follow the move's name; empty where the move ends the game."""

    def beside(self) -> list[str]:
        """Lines below that."""

    def rows(self) -> Rows:
        """What to say of each move, below its column."""

    def hint(self) -> list[str]:
        """Lines for somebody who wants to move."""

    def report(self) -> list[str]:
        """Lines for somebody who studies the position."""

    def as_json(self) -> dict[str, Any]:
        """For a program."""


@dataclass(frozen=True)
class Adviser:
    """A player whose thoughts can be asked for."""

    entry: Entry
    player: Any

    @property
    def name(self) -> str:
        """Its kind."""
        return self.entry.text.partition(":")[0]

    def make_ready(self, game: Game) -> None:
        """Compile and load what the first search wants, so that it takes no longer than the others."""
        state = game.states(1)[0]
        if judge := turn_judge(self.player):
            while game.mover(state) == CHANCE:
                game.play(state, game.legal_moves(state)[0])
            judge.rank(state)
        elif isinstance(self.player, MctsPlayer) and game.mover(state) != CHANCE:
            self.player.glance(state)

    def consider(self, course: Course, most: int, seed: int = 0) -> Findings:
        """The position that a game has come to. most: how many moves to tell of. seed: not 0: among equals, any."""
        game, state, player = course.game, course.state, self.player
        past, plies = np.array(course.past, np.uint64), len(course.moves)
        began = time.perf_counter()
        if judge := turn_judge(player):
            ranked = judge.rank(state, player.worths_at(state, course.stakes), most=most)
            return Plays(game, state, self.entry, ranked, most, judge.looked, time.perf_counter() - began)
        if not isinstance(player, MctsPlayer):
            thought = player.think(state, past, plies, lines=most, seed=seed)
            return Lines(game, state, self.entry, thought, time.perf_counter() - began)
        states, seeds = np.array([state], game.STATE), np.array([seed or 1], np.uint64)
        (found,) = player.consider(states, [past], [plies], seeds)
        seconds, fleet, searched = time.perf_counter() - began, player.fleet, player.budget != 0
        assert fleet is not None
        bounds = [found.bound, *found.bounds]
        proof, *proofs = [proof_of(game, bound, fleet.how[0], plies) if searched else None for bound in bounds]
        line = line_below(fleet.forest, 0, int(np.flatnonzero(found.moves == found.move)[0]))
        return Visits(game, state, self.entry, found, proof, proofs, line, most, searched, seconds)

    def gone(self) -> float | None:
        """Share of the running search that is done, where that is known (from another thread)."""
        fleet = self.player.fleet if isinstance(self.player, MctsPlayer) else None
        if fleet is None or fleet.simulations < 1:
            return None
        return min(float(fleet.forest.lanes[0]["done"]) / fleet.simulations, 1.0)


def can_think(player: Any) -> bool:
    """Whether a player tells its thoughts."""
    return isinstance(player, SearchPlayer | MctsPlayer) or turn_judge(player) is not None


def turn_judge(player: Any) -> Lookahead | RulesJudge | None:
    """What a player of whole turns ranks them by; None for others, and for programs from outside."""
    judge = player.judge if isinstance(player, TurnPlayer) else None
    return judge if isinstance(judge, Lookahead | RulesJudge) else None


def adviser_of(game: Game, entry: Entry | None = None) -> Adviser:
    """The player of that entry, or the strongest there is, ready to think."""
    entry = entry or parse_player(strongest(game), game)
    adviser = Adviser(entry, entry.make())
    adviser.player.begin(0)
    adviser.make_ready(game)
    return adviser


def glance(game: Game, adviser: Adviser | None, state: np.void) -> Glance | None:
    """What the adviser's net or judgement thinks, else the game's own judgement; None where there is neither."""
    if adviser and isinstance(adviser.player, MctsPlayer) and adviser.player.net:
        found = adviser.player.glance(state)
        return Glance(found.value, chances_of(game, state, found.outcome)[::-1], "the net")
    if adviser and turn_judge(adviser.player):
        return _by_best_turn(game, adviser.entry.net, state)
    if adviser and isinstance(adviser.entry.net, Net):
        return _by_net(game, adviser.entry.net, state)
    if adviser and isinstance(adviser.entry.net, MoveNet):
        return _by_move_net(game, adviser.entry.net, state)
    if adviser and isinstance(adviser.entry.net, Nnue):
        return _by_nnue(game, adviser.entry.net, state)
    searcher = getattr(adviser.player, "searcher", None) if adviser else None
    judge = searcher.judge if searcher else judging.usual(game)
    if judge.name == "nothing":
        return None
    work = np.zeros(1, judge.dtype)
    judge.fill(work[0])
    judged = float(judge.kernel(work[0], np.array([state], game.STATE), 0))
    value = math.tanh(game.ODDS * judged) if game.ODDS else judged
    return Glance(value, (), f"the rules' {judge.name}()")


def _by_best_turn(game: Game, net: AnyNet | None, state: np.void) -> Glance | None:
    """What the net thinks of the best turn: before it, with dice that were rolled, it has learned nothing."""
    if not isinstance(net, Net):
        return None
    best = Lookahead(game, net, 0).rank(state)[0]
    return Glance(best.value, chances_of(game, state, best.outcome)[::-1], "the net")


def _by_move_net(game: Game, net: MoveNet, state: np.void) -> Glance:
    """Evaluated here too, for the chances of all results."""
    logits = evaluate(net, inputs_seen(game, np.array([state])))[0, game.MOVES : -1].astype(np.float64)
    chances = np.exp(logits - logits.max())
    pairs = chances_of(game, state, chances / chances.sum())[::-1]
    return Glance(sum(v * p for v, p in pairs), pairs, "the net")


def _by_nnue(game: Game, net: Nnue, state: np.void) -> Glance:
    """In whole numbers, as searches do it."""
    seen = nnue.inputs_seen(game, net.shape, np.array([state]))
    outputs = nnue_quantised.evaluate(nnue_quantised.quantised(net), *seen)
    if net.shape.outputs == 1:
        return Glance(float(np.tanh(outputs[0, 0] / 2)), (), "the net")
    pairs = chances_of(game, state, nnue.chances_of(outputs[0]))[::-1]
    return Glance(sum(v * p for v, p in pairs), pairs, "the net")


def _by_net(game: Game, net: Net, state: np.void) -> Glance:
    """Evaluated here rather than by the compiled twin, which tells the expected result alone."""
    mover = int(game.mover(state))
    eyes = mover if game.VIEWER < 0 else game.VIEWER
    sign = 1.0 if eyes == mover else -1.0
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, eyes, index, value)
    inputs = np.zeros(game.FEATURES, np.float32)
    inputs[index[:n]] = value[:n]
    out = net.outputs(inputs)
    if net.head == "tanh":
        return Glance(sign * float(np.tanh(out[0])), (), "the net")
    chances = np.exp(out - out.max(), dtype=np.float64)
    chances /= chances.sum()
    pairs = sorted((sign * v, float(p)) for v, p in zip(results_seen(game), chances, strict=True))
    return Glance(sum(v * p for v, p in pairs), tuple(reversed(pairs)), "the net")
