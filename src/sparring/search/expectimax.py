"""Looking ahead over the dice: what a turn is worth if both go on with the turns that seem best (expectimax).

A ply is a roll and the turn that follows it. With 0 plies a position after a turn is worth what its judge says; with
1, the mean over all rolls of what the next player's best turn is worth by the judge; with 2, the mean over the rolls
of the best turn with 1 ply ahead. Michie (1966) called this expectimaxing; that few turns are looked at, those best
with 0 plies, is what backgammon programs have done since Tesauro (1995).

Each ply is this module joined to the ply below it, so that nothing calls itself, with a room of its own.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.errors import PlayerError
from sparring.games.contract import CHANCE, ONGOING, chance, mover, play, result
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.records import copy_record
from sparring.search import turns
from sparring.search.turns import Ranked

MOST_PLIES = 2
MOST_ROLLS = 4096  # positions that dice thrown one after the other may lead to
REPLIES = 2048  # turns that are told apart below the root
ENDS = 3  # set by `join`, as are the kernels: how many RESULTS there are
FALSE = False


@dataclass(frozen=True)
class Filter:
    """Which turns are looked at further: the `most` best so far, of those no more than `margin` points behind."""

    most: int
    margin: float


ALL = Filter(1 << 20, float("inf"))
NARROWER = 2  # how many times, for each ply further
ROOT = Filter(8, 0.24)
INNER = Filter(1, 0.0)


def ply_dtype(game: Game, plies: int) -> np.dtype:
    """dtype of the memory of one lookahead of so many plies.

    rolled, chances: positions after the rolls. mean: sums over them. turns: of the player to move, kept: the places of
    those looked at, by value. states, outcomes: of the best one alone, at the place where a room for turns has it.
    most, margin: the filter. looked: how many turns were judged. below: the ply below.
    """
    replies = turns.room_dtype(game, REPLIES)
    below = ply_dtype(game, plies - 1) if plies > 1 else replies
    rolls, ends = min(game.MOST_MOVES**2, MOST_ROLLS), len(game.RESULTS)
    return np.dtype(
        [
            ("rolled", game.STATE, (rolls,)),
            ("chances", "f8", (rolls,)),
            ("numbers", "i4", (game.MOST_MOVES,)),
            ("odds", "f8", (game.MOST_MOVES,)),
            ("mean", "f8", (ends,)),
            ("found", "f4", (ends,)),
            ("turns", replies),
            ("kept", "i4", (REPLIES,)),
            ("states", game.STATE, (1,)),
            ("outcomes", "f4", (1, ends)),
            ("most", "i8"),
            ("margin", "f8"),
            ("looked", "i8"),
            ("below", below),
        ],
        align=True,
    )


def best_turn(state, room, work):  # set by `join`: turns as the judge sees them
    raise NotImplementedError


def best_below(state, room, work):  # set by `join`: the best turn with one ply less
    raise NotImplementedError


def outlook(state, who, near, work, outcome):  # set by `join`
    raise NotImplementedError


def worth(outcome, who):  # set by `join`
    raise NotImplementedError


@compiled
def all_rolls(state, room):
    """Write where chance may lead from `state` and how likely each is; returns how many.

    Dice thrown one after the other are thrown until a player is to move or the game is over, as long as there is room.
    """
    states, chances, numbers, odds = room["rolled"], room["chances"], room["numbers"], room["odds"]
    copy_record(state, states[0])
    chances[0] = 1.0
    n, i = 1, 0
    while i < n:
        here = states[i]
        if result(here) != ONGOING or mover(here) != CHANCE:
            i += 1
            continue
        m = chance(here, numbers, odds)
        if n + m - 1 > states.shape[0]:
            return n
        whole = chances[i]
        for k in range(1, m):
            copy_record(here, states[n])
            play(states[n], np.int64(numbers[k]))
            chances[n] = whole * odds[k]
            n += 1
        play(here, np.int64(numbers[0]))
        chances[i] = whole * odds[0]
    return n


@compiled
def look(state, eyes, room, work, out):
    """Chances of RESULTS as `eyes` sees them, into out (results,) float32, by looking ahead from after a turn."""
    mean, below, found = room["mean"], room["below"], room["found"]
    for k in range(ENDS):
        mean[k] = 0.0
    for i in range(all_rolls(state, room)):
        here, share = room["rolled"][i], room["chances"][i]
        if result(here) != ONGOING or mover(here) == CHANCE:
            outlook(here, eyes, FALSE, work, found)
            for k in range(ENDS):
                mean[k] += share * found[k]
            continue
        best, n = best_below(here, below, work)
        room["looked"] += n
        turned = mover(here) != eyes
        for k in range(ENDS):
            mean[ENDS - 1 - k if turned else k] += share * below["outcomes"][best, k]
    for k in range(ENDS):
        out[k] = np.float32(mean[k])


@compiled
def keep(values, n, room):
    """The places of the turns that pass the filter, best first, into room["kept"]; returns how many."""
    kept, most = room["kept"], min(room["most"], room["kept"].shape[0])
    m = 0
    for i in range(n):
        if m == most:
            if values[i] <= values[kept[m - 1]]:
                continue
            m -= 1
        j = m
        while j > 0 and values[kept[j - 1]] < values[i]:
            kept[j] = kept[j - 1]
            j -= 1
        kept[j] = i
        m += 1
    while m > 1 and values[kept[m - 1]] < values[kept[0]] - room["margin"]:
        m -= 1
    return m


@compiled
def best_ahead(state, room, work):
    """The best turn by looking ahead: (its place in the room, which is 0; how many turns were judged)."""
    replies = room["turns"]
    _, n = best_turn(state, replies, work)
    who = mover(state)
    top = -np.inf
    room["looked"] = 0
    for j in range(keep(replies["values"], n, room)):
        outcome = replies["outcomes"][room["kept"][j]]
        look(replies["states"][room["kept"][j]], who, room, work, outcome)
        value = worth(outcome, who)
        if value > top:
            top = value
            copy_record(replies["states"][room["kept"][j]], room["states"][0])
            for k in range(ENDS):
                room["outcomes"][0, k] = outcome[k]
    return 0, n + room["looked"]


class Lookahead:
    """A net's judgement of turns with so many plies ahead, 0 to MOST_PLIES; one a thread.

    root: which turns are looked at one ply ahead; each ply further keeps half as many, in half the margin. inner: which
    replies are looked at, where the plies below are more than one. looked: how many turns the last call judged.
    """

    def __init__(
        self, game: Game, net: Net, plies: int, where: str = "the net", root: Filter = ROOT, inner: Filter = INNER
    ) -> None:
        if not 0 <= plies <= MOST_PLIES:
            raise PlayerError(f"plies is {plies}, but it must be 0 to {MOST_PLIES}")
        self.game, self.plies, self.root = game, plies, root
        self.judge = turns.judge_by(game, net, where)
        self.turns, self.work = self.judge.room()
        room: Any = np.zeros(1, ply_dtype(game, plies))[0] if plies else None
        set_filters(room, plies, inner, inner)
        self.plans: list[tuple[Any, Any]] = []  # of each ply: its look, and the room for it
        for bound in reversed(join(self.judge, plies)):
            self.plans.insert(0, (bound.look, room))
            room = room["below"]
        self.looked = 0
        self.stopping = False

    def rank(self, state: np.void, worths: turns.Worths = None, most: int = 1, sure: bool = True) -> list[Ranked]:
        """The turns of the player to move that pass the filter, and `most` of them at least, best first.

        worths: what he chooses by; within the lookahead both play for points. sure: without it, a turn that the filter
        keeps alone is not looked at any further.
        """
        who = int(self.game.mover(state))
        worths = turns.points_for(self.game, who) if worths is None else worths
        n = int(self.judge.kernels["best_turn"](state, self.turns, self.work)[1])
        outcomes = self.turns["outcomes"][:n]
        values = turns.weighed(outcomes, worths)
        order = np.argsort(-values, kind="stable")
        kept = order[: self._kept(values[order], 1, most)]
        self.looked, self.stopping, reached = n, False, 0
        while reached < self.plies and (len(kept) > 1 or sure) and self._look(kept, who, reached + 1):
            reached += 1
            values[kept] = turns.weighed(outcomes[kept], worths)
            kept = kept[np.argsort(-values[kept], kind="stable")]
            if reached < self.plies:
                kept = kept[: self._kept(values[kept], reached + 1, most)]
        return [turns.ranked(self.game, self.turns, i, float(values[i]), reached) for i in kept.tolist()]

    def outlook(self, state: np.void, who: int) -> np.ndarray:
        """(results,): chances of RESULTS as player `who` sees them, after a turn or before a roll, all plies ahead.

        Without plies, `who` should be the one who has just played: nets learn positions between turns with his eyes.
        """
        found = np.zeros(len(self.game.RESULTS), np.float32)
        if self.plans:
            kernel, room = self.plans[-1]
            kernel(state, who, room, self.work, found)
        else:
            self.judge.kernels["outlook"](state, who, FALSE, self.work, found)
        return found

    def choose(self, state: np.void, worths: turns.Worths = None) -> tuple[int, ...]:
        """The moves of the best turn."""
        return self.rank(state, worths, sure=False)[0].steps

    def stop(self) -> None:
        """End `rank` soon, with what it knows (from another thread)."""
        self.stopping = True

    def _kept(self, values: np.ndarray, plies: int, most: int) -> int:
        """How many turns, of these values in order, are looked at so many plies ahead."""
        narrow = NARROWER ** (plies - 1)
        within = int((values >= values[0] - self.root.margin / narrow).sum())
        return max(min(within, round(self.root.most / narrow)), min(most, len(values)), 1)

    def _look(self, places: np.ndarray, who: int, plies: int) -> bool:
        """Look so many plies ahead of the turns at these places. False where it was stopped."""
        kernel, room = self.plans[plies - 1]
        found = np.zeros((len(places), len(self.game.RESULTS)), np.float32)
        for i, place in enumerate(places.tolist()):
            if self.stopping:
                return False
            room["looked"] = 0
            kernel(self.turns["states"][place], who, room, self.work, found[i])
            self.looked += int(room["looked"])
        self.turns["outcomes"][places] = found
        return True


def set_filters(room: Any, plies: int, top: Filter, inner: Filter = INNER) -> None:
    """Set the filters of `best_ahead` in a room for so many plies: of its own turns, and of those below."""
    for own in [top, *[inner] * (plies - 1)][:plies]:
        room["most"], room["margin"] = own.most, own.margin
        room = room["below"]


def join(judge: turns.Judge, plies: int) -> list[ModuleType]:
    """This module's kernels for each ply, 1 to `plies`, joined to a judge."""
    plied: list[ModuleType] = []
    for _ in range(plies):
        below = plied[-1].best_ahead if plied else judge.kernels["best_turn"]
        names = {**judge.kernels, "best_below": below, "ENDS": len(judge.game.RESULTS)}
        plied.append(judge.game.bind("search.expectimax", **names))
    return plied
