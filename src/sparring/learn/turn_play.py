"""Self-play of games with dice, on threads, and the TD(λ) targets of what is learned from: positions after a turn."""

import itertools
import threading
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, features
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.rng import seeded
from sparring.search import turns
from sparring.search.turn_games import TurnGames
from sparring.threads import on_threads

ENDS = 3  # set by `bind`: how many RESULTS there are
NOTHING, WHOLE = np.float32(0.0), np.float32(1.0)


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
        n = features(states[at], np.int64(eyes[at]), index, value)
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
        self.game = game
        self.judge = turns.judge_by(game, net)
        self.kernels: ModuleType = game.bind("learn.turn_play", ENDS=len(game.RESULTS))
        self.players = [TurnGames(self.judge, longest) for _ in range(threads)]
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
            player = self.players[worker]
            self.judge.fill(player.weights, net)
            while (i := next(numbers)) < games and not self.stopping.is_set():
                found[i] = self._play(player, seeded(*seed, i), trace, explore)

        on_threads(len(self.players), work, self.stop)
        played = [game for game in found if game is not None]
        rows = join([rows for end, rows in played if end != ONGOING] or [played[0][1]])
        return Played(rows, np.array([end for end, _ in played]))

    def _play(self, player: TurnGames, rng: np.ndarray, trace: float, explore: float) -> tuple[int, TurnRows]:
        """One game: its end and its rows; none where it was cut off."""
        end, n = player.play(rng, explore)
        if end == ONGOING:
            n = 0
        targets = np.zeros((n, len(self.game.RESULTS)), np.float32)
        self.kernels.label(end, n, player.players, player.verdicts, player.loose, trace, targets)
        eyes = player.players[:n].copy()
        if self.game.VIEWER >= 0:  # then nets look through one player's eyes, whoever has played
            targets[eyes != self.game.VIEWER] = targets[eyes != self.game.VIEWER, ::-1]
            eyes[:] = self.game.VIEWER
        ends = np.where(eyes == 0, end, len(self.game.RESULTS) - 1 - end).astype(np.uint8)
        return end, TurnRows(player.states[:n].copy(), eyes, targets, ends)


def join(parts: list[TurnRows]) -> TurnRows:
    """Several as one."""
    fields = zip(*((p.states, p.eyes, p.targets, p.ends) for p in parts), strict=True)
    return TurnRows(*(np.concatenate(f) for f in fields))
