"""Self-play of games with dice inside compiled code: each side takes the turn after which its net sees the most points.

What is learned from are the positions after a turn, before the next roll, as the player sees them who has just played:
that is what choosing a turn asks about.
"""

import itertools
import threading
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import CHANCE, ONGOING, VIEWER, chance, features, mover, play, result
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.records import copy_record
from sparring.rng import draw_below, draw_index, draw_unit, seeded
from sparring.search import turns
from sparring.threads import on_threads

ENDS = 3  # set by `join`, as are the kernels: how many RESULTS there are
NOTHING, WHOLE = np.float32(0.0), np.float32(1.0)


def best_turn(state, room, work):  # set by `join`
    raise NotImplementedError


@compiled
def roll(state, outcomes, chances, rng):
    """Roll the dice until a player is to move or the game is over."""
    while result(state) == ONGOING and mover(state) == CHANCE:
        n = chance(state, outcomes, chances)
        play(state, np.int64(outcomes[draw_index(rng, chances, n)]))


@compiled
def play_game(here, room, work, outcomes, chances, rng, explore, states, players, verdicts, loose):
    """Play one game from here[0]; returns (the end, number of turns n): an index into RESULTS, or ONGOING if cut off.

    states (STATE), players (uint8), verdicts (float32, results), loose (uint8): buffers as long as the longest game.
    Filled at 0..n-1 with the position after each turn, who played it, the chances of the best turn there as that
    player sees RESULTS, and whether a random one was taken instead. explore: the chance of that.
    """
    state = here[0]
    n = 0
    while True:
        roll(state, outcomes, chances, rng)
        end = result(state)
        if end != ONGOING or n == states.shape[0]:
            return end, n
        players[n] = mover(state)
        best, count = best_turn(state, room, work)
        for k in range(ENDS):
            verdicts[n, k] = room["outcomes"][best, k]
        loose[n] = 0
        if explore > 0.0 and draw_unit(rng) < explore:
            best = draw_below(rng, np.int64(count))
            loose[n] = 1
        copy_record(room["states"][best], states[n])
        copy_record(states[n], state)
        n += 1


@compiled
def label(end, n, players, verdicts, loose, trace, targets):
    """TD(λ) targets (n, results) of a finished game's positions, each as its player sees RESULTS (Sutton 1988).

    From the end backwards: position t gets (1 - λ) · verdict[t + 1] + λ · target[t + 1], and the last one the result.
    What came of a random turn says little about the position before it, so the chain is cut there.
    """
    last = ENDS - 1
    for t in range(n - 1, -1, -1):
        if t == n - 1:
            for k in range(ENDS):
                targets[t, k] = NOTHING
            targets[t, end if players[t] == 0 else last - end] = WHOLE
            continue
        turned = players[t] != players[t + 1]
        carried = np.float32(0.0 if loose[t + 1] != 0 else trace)
        for k in range(ENDS):
            at = last - k if turned else k
            targets[t, k] = (WHOLE - carried) * verdicts[t + 1, at] + carried * targets[t + 1, at]


@compiled
def write_inputs(states, eyes, chosen, index, value, inputs):
    """Inputs (m, FEATURES), zeros before, of the positions `chosen` (m,) int64, each as its player sees it."""
    for i in range(chosen.shape[0]):
        at = chosen[i]
        n = features(states[at], np.int64(eyes[at]) if VIEWER < 0 else VIEWER, index, value)
        for j in range(n):
            inputs[i, index[j]] = value[j]


@dataclass(frozen=True)
class TurnRows:
    """Positions after a turn, to be learned from. states: (n,) STATE. eyes: (n,) uint8, who sees them. targets: (n,
    results) float32, chances as they do. ends: (n,) uint8, how the game ended for them, an index into RESULTS."""

    states: np.ndarray
    eyes: np.ndarray
    targets: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True)
class Played:
    """Games of a generation. rows: what is learned from. ends: (games,) indices into RESULTS, -1 where cut off."""

    rows: TurnRows
    ends: np.ndarray


class TurnPlay:
    """Plays games by the hundred on threads. Game i of a generation is the same whichever thread plays it."""

    def __init__(self, game: Game, net: Net, threads: int, longest: int) -> None:
        self.game, self.longest = game, longest
        self.judge = turns.judge_by(game, net)
        self.kernels: ModuleType = game.bind("learn.turn_play", **self.judge.kernels, ENDS=len(game.RESULTS))
        self.rooms = [self.judge.room() for _ in range(threads)]
        self.stopping = threading.Event()

    def stop(self) -> None:
        """End `play` soon (from another thread); the games of the generation are lost, they can be played again."""
        self.stopping.set()

    def inputs(self, rows: TurnRows, chosen: np.ndarray, into: np.ndarray) -> np.ndarray:
        """What a net sees of the chosen rows (m,): the first m of `into`, float32 (most, FEATURES)."""
        seen, most = into[: len(chosen)], self.game.MOST_FEATURES
        seen[:] = 0
        index, value = np.zeros(most, np.int32), np.zeros(most, np.float32)
        self.kernels.write_inputs(rows.states, rows.eyes, chosen.astype(np.int64), index, value, seen)
        return seen

    def play(self, net: Net, games: int, seed: tuple[int, ...], trace: float, explore: float) -> Played:
        """Play `games` games with the net, game i seeded by (*seed, i); in order of their numbers."""
        found: list[tuple[int, TurnRows] | None] = [None] * games
        numbers = itertools.count()

        def work(worker: int) -> None:
            room, weights = self.rooms[worker]
            self.judge.fill(weights, net)
            buffers = _Buffers(self.game, self.longest)
            while (i := next(numbers)) < games and not self.stopping.is_set():
                found[i] = buffers.play(self.kernels, room, weights, seeded(*seed, i), trace, explore)

        on_threads(len(self.rooms), work, self.stop)
        played = [game for game in found if game is not None]
        rows = join([rows for end, rows in played if end != ONGOING] or [played[0][1]])
        return Played(rows, np.array([end for end, _ in played]))


class _Buffers:
    """Room for one game."""

    def __init__(self, game: Game, longest: int) -> None:
        results = len(game.RESULTS)
        self.game = game
        self.states = np.zeros(longest, game.STATE)
        self.players, self.loose = np.zeros(longest, np.uint8), np.zeros(longest, np.uint8)
        self.verdicts, self.targets = (np.zeros((longest, results), np.float32) for _ in range(2))
        self.outcomes, self.chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)

    def play(
        self, kernels: ModuleType, room: np.void, weights: np.void, rng: np.ndarray, trace: float, explore: float
    ) -> tuple[int, TurnRows]:
        """One game: its end and its rows."""
        here, dice = self.game.states(1), (self.outcomes, self.chances, rng)
        seen = (self.states, self.players, self.verdicts, self.loose)
        end, n = kernels.play_game(here, room, weights, *dice, explore, *seen)
        if end == ONGOING:
            n = 0
        kernels.label(end, n, self.players, self.verdicts, self.loose, trace, self.targets)
        eyes = self.players[:n].copy()
        ends = np.where(eyes == 0, end, len(self.game.RESULTS) - 1 - end).astype(np.uint8)
        return int(end), TurnRows(self.states[:n].copy(), eyes, self.targets[:n].copy(), ends)


def join(parts: list[TurnRows]) -> TurnRows:
    """Several as one."""
    fields = zip(*((p.states, p.eyes, p.targets, p.ends) for p in parts), strict=True)
    return TurnRows(*(np.concatenate(f) for f in fields))
