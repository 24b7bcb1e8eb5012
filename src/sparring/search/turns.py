"""Whole turns: all that a player can do before dice are rolled or somebody else is to move, told apart by how it ends.

A turn may be several moves in a row, as in backgammon. Turns that lead to the same position are one: the first that is
found stands for all. Kernels over one room, a record of `room_dtype`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.errors import WeightsError
from sparring.games.contract import ONGOING, RESULTS, key, legal, mover, play, result
from sparring.games.game import Game
from sparring.nets import twin
from sparring.nets.weights import Net
from sparring.records import copy_record

MOST_TURNS = 8192  # that are told apart; a roll of backgammon has at most some thousands
MOST_STEPS = 16  # moves in a row; a turn is taken to end there
WIDE = 64  # units of layer 1 from which on the neighbours of a position are judged from its sums
NEAR = False  # set by `judge_by`, as are these two: whether that is done
ENDS = 3  # how many RESULTS there are
NOTHING, WHOLE = np.float32(0.0), np.float32(1.0)
PROBES = 32  # places that a position may have among those seen


def room_dtype(game: Game, turns: int = MOST_TURNS) -> np.dtype:
    """dtype of the memory of one enumeration.

    states: where each turn ends. steps: its moves; length: how many. outcomes: chances of RESULTS, and values: what
    they are worth, as the player sees them, once they were judged. cut: how often turns were left out for want of
    room. The rest is for the kernel: the line that it stands at, and the positions it has seen, by key.
    """
    seen = 4 << (turns - 1).bit_length()
    deep = MOST_STEPS + 1
    return np.dtype(
        [
            ("states", game.STATE, (turns,)),
            ("steps", "i4", (turns, MOST_STEPS)),
            ("length", "i4", (turns,)),
            ("values", "f8", (turns,)),
            ("outcomes", "f4", (turns, len(game.RESULTS))),
            ("cut", "i8"),
            ("stack", game.STATE, (deep,)),
            ("moves", "i4", (deep, game.MOST_MOVES)),
            ("count", "i4", (deep,)),
            ("at", "i4", (deep,)),
            ("seen", "u8", (seen,)),
            ("stamps", "i8", (seen,)),
            ("now", "i8"),
        ],
        align=True,
    )


def distribution(work, state, eyes, near, out):  # set by `judge_by`: the net
    raise NotImplementedError


def remember(work, state, viewer):  # set by `judge_by`
    raise NotImplementedError


@compiled
def new_to(room, own):
    """Whether a position with this key has not been seen in this turn; it has been from now on."""
    seen, stamps, now = room["seen"], room["stamps"], room["now"]
    last = np.uint64(seen.shape[0] - 1)
    for probe in range(PROBES):
        at = np.int64((own + np.uint64(probe)) & last)
        if stamps[at] != now:
            stamps[at] = now
            seen[at] = own
            return True
        if seen[at] == own:
            return False
    return True  # crowded: it may then be looked at twice


@compiled
def all_turns(state, room):
    """Write every turn of the player to move in `state`, a game that goes on, into the room. Returns how many."""
    stack, moves, count, at = room["stack"], room["moves"], room["count"], room["at"]
    room["now"] += 1
    who = mover(state)
    copy_record(state, stack[0])
    count[0] = legal(stack[0], moves[0])
    at[0] = 0
    ply, n = 0, 0
    while ply >= 0:
        if at[ply] == count[ply]:
            ply -= 1
            continue
        move = moves[ply, at[ply]]
        at[ply] += 1
        child = stack[ply + 1]
        copy_record(stack[ply], child)
        play(child, np.int64(move))
        if not new_to(room, key(child)):
            continue
        if result(child) == ONGOING and mover(child) == who and ply + 1 < MOST_STEPS:
            ply += 1
            count[ply] = legal(child, moves[ply])
            at[ply] = 0
            continue
        if n == room["length"].shape[0]:
            room["cut"] += 1
            return n
        copy_record(child, room["states"][n])
        for k in range(ply + 1):
            room["steps"][n, k] = moves[k, at[k] - 1]
        room["length"][n] = ply + 1
        n += 1
    return n


@compiled
def outlook(state, who, near, work, outcome):
    """Chances of RESULTS as `who` sees them, into outcome (results,) float32: by the rules after the end, else the net.

    near: whether the position is near the one that the net remembers.
    """
    end = result(state)
    if end != ONGOING:
        for k in range(ENDS):
            outcome[k] = NOTHING
        outcome[end if who == 0 else ENDS - 1 - end] = WHOLE
    else:
        distribution(work, state, who, near, outcome)


@compiled
def worth(outcome, who):
    """What chances of RESULTS are worth to `who`, who sees them so."""
    value = 0.0
    for k in range(ENDS):
        value += outcome[k] * (RESULTS[k] if who == 0 else -RESULTS[ENDS - 1 - k])
    return value


@compiled
def judge_turn(room, i, work, who):
    """Outcome and value of turn i."""
    outcome = room["outcomes"][i]
    outlook(room["states"][i], who, NEAR, work, outcome)
    room["values"][i] = worth(outcome, who)


@compiled
def best_turn(state, room, work):
    """The turn of most value to the player to move: (its place, how many turns there are). All are judged."""
    n = all_turns(state, room)
    who = mover(state)
    if NEAR:
        remember(work, state, who)
    best = 0
    for i in range(n):
        judge_turn(room, i, work, who)
        if room["values"][i] > room["values"][best]:
            best = i
    return best, n


@dataclass(frozen=True)
class Judge:
    """A net that judges turns, joined to a game. kernels: `best_turn` and what it is made of, by name."""

    game: Game
    net: Net
    kernels: dict[str, Any]

    def room(self, most: int = MOST_TURNS) -> tuple[np.void, np.void]:
        """Memory for one thread: a room for turns and the net's record, which holds the net."""
        return np.zeros(1, room_dtype(self.game, most))[0], self.weights()

    def weights(self) -> np.void:
        """The net's record, for one thread."""
        weights = np.zeros(1, twin.record_dtype(self.net, self.game))[0]
        self.fill(weights, self.net)
        return weights

    def fill(self, weights: np.void, net: Net) -> None:
        """Another net of the same architecture."""
        twin.fill(weights, net)


Worths = np.ndarray | Callable[[np.ndarray], np.ndarray] | None
"""(results,) what each of RESULTS, as the player to move sees them, is worth to him; or what distributions (n, results)
are, for worths that are no mean over results, as with a doubling cube. None: points."""


def weighed(outcomes: np.ndarray, worths: np.ndarray | Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """What distributions over RESULTS (..., results) are worth."""
    return worths(outcomes) if callable(worths) else outcomes @ worths


def points_for(game: Game, who: int) -> np.ndarray:
    """(results,) float64: the points of RESULTS as player `who` sees them."""
    return np.array(game.RESULTS) if who == 0 else -np.array(game.RESULTS)[::-1]


def judge_by(game: Game, net: Net, where: str = "the net", near: bool | None = None) -> Judge:
    """near: whether layer 1 is reckoned from what it is before the turn; by default where that is faster."""
    if net.head != "results":
        raise WeightsError(f"{where} has a {net.head!r} head, but turns are judged by chances of results")
    joined = twin.join(net, game, where)
    near = len(net.layers[0][1]) >= WIDE if near is None else near
    names = {"distribution": joined.distribution, "remember": joined.remember, "NEAR": near, "ENDS": len(game.RESULTS)}
    bound = game.bind("search.turns", **names)
    own = ("all_turns", "best_turn", "judge_turn", "outlook", "worth")
    return Judge(game, net, {name: getattr(bound, name) for name in own})


@dataclass(frozen=True)
class Turn:
    """One way to play a turn. steps: its moves. state: where it ends."""

    steps: tuple[int, ...]
    state: np.void


@dataclass(frozen=True)
class Ranked(Turn):
    """A turn and what it is worth to its player. outcome: chances (results,) of RESULTS as that player sees them.

    value: their worth. plies: how far ahead was looked.
    """

    outcome: np.ndarray
    value: float
    plies: int


def ranked(game: Game, room: np.void, i: int, value: float, plies: int) -> Ranked:
    """Turn i of a room, copied out of it."""
    steps = tuple(map(int, room["steps"][i, : room["length"][i]]))
    return Ranked(steps, np.array([room["states"][i]], game.STATE)[0], room["outcomes"][i].copy(), value, plies)


class Turns:
    """The turns of one position at a time, for people, players and tests."""

    def __init__(self, game: Game, most: int = MOST_TURNS) -> None:
        self.game = game
        self.kernels: ModuleType = game.bind("search.turns")
        self.room: Any = np.zeros(1, room_dtype(game, most))

    def of(self, state: np.void) -> list[Turn]:
        """Every turn of the player to move, in the order in which their moves are listed."""
        room = self.room[0]
        n = int(self.kernels.all_turns(state, room))
        ends = room["states"][:n].copy()
        return [Turn(tuple(map(int, room["steps"][i, : room["length"][i]])), ends[i]) for i in range(n)]
