"""Many games between nets and a bot, on several threads: rows of what was decided, results of all."""

import math
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.errors import RunError
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.learn.seat_play import BOT, COUNTS, FAULTS, GAME, NEXT, ROWS, lane_dtype, row_dtype
from sparring.nets.engines import Engine
from sparring.nets.tower import planes_of
from sparring.rng import seeded, stream
from sparring.search import fleet
from sparring.threads import on_threads

ROOM = 1 << 14  # rows at first
MANY = 4096  # positions for which another thread is worth its start
MOST_KEPT = 2048  # inputs up to which rows keep what the net saw; more are written anew when they are learned from


@compiled
def no_bot(state):
    """Where a game has no bot, nobody sits there."""
    return np.int64(-1)


@dataclass(frozen=True)
class Played:
    """Games that are over, and the rows of those who learn: by game, player and time.

    games: (n,) seat_play.GAME. rows: (m,) row_dtype. lengths: (t,) how many rows each player of a game has, in order.
    """

    games: np.ndarray
    rows: np.ndarray
    lengths: np.ndarray


class Seats:
    """Room to play in, for one game; `small`: nets see overview and prospects, else planes."""

    def __init__(self, game: Game, bot: str, small: bool, lanes: int, threads: int, longest: int, shaped: bool) -> None:
        self.game, self.bot, self.lanes, self.threads, self.longest = game, bot, lanes, threads, longest
        joined = fleet.join(game, small=small)
        self.shape = (game.OVERVIEW + game.MOVES * game.PROSPECTS,) if small else planes_of(game)
        self.inputs = math.prod(self.shape)
        under_way = game.bind("learn.under_way", DRAW=joined.names["DRAW"])
        names = {
            "write_inputs": joined.names["write_inputs"],
            **fleet.kernels_of(under_way),
            "bot": game.bot(bot) if bot else no_bot,
        }
        keeps = self.inputs <= MOST_KEPT
        self.kernels = game.bind("learn.seat_play", **names, KEEPS_INPUTS=keeps, SHAPED=shaped)
        self.keeps, self.rows = keeps, row_dtype(game, self.inputs if keeps else 1)
        self.first = game.states(1)
        self.stopping = threading.Event()

    def play(self, games: np.ndarray, engines: list[list[Engine]], temperatures: list[float]) -> Played:
        """Play games (n,) GAME to their ends.

        engines: of each thread one for each net that a seat names. temperatures: of each net; 0: its likeliest moves.
        RunError where the bot makes an illegal move.
        """
        threads = min(self.threads, len(games))
        parts: list[Any] = [None] * threads

        def work(k: int) -> None:
            parts[k] = self._play(games[k::threads].copy(), engines[k], temperatures)

        on_threads(threads, work, self.stopping.set)
        done = games.copy()
        for k, (mine, rows) in enumerate(parts):
            done[k::threads] = mine
            rows["game"] = rows["game"] * threads + k
        rows = np.concatenate([rows for _, rows in parts])
        owners = rows["game"].astype(np.int64) * 2 + rows["player"]
        order = np.argsort(owners, kind="stable")
        lengths = np.unique(owners, return_counts=True)[1]
        return Played(done, rows[order], lengths)

    def record(self, games: np.ndarray) -> Played:
        """Play games (n,) GAME between the bot and itself; every decision is a row."""
        self._check_bot()
        done, rows, counts = games.copy(), np.zeros(max(ROOM, 64 * self.longest), self.rows), np.zeros(COUNTS, np.int64)
        lane, found = np.zeros(1, lane_dtype(self.game)), []
        while counts[NEXT] < len(done):
            counts[ROWS] = 0
            self.kernels.record(lane[0], done, self.first, self.longest, rows, counts, self._keys(1))
            self._check_fault(counts)
            found.append(rows[: counts[ROWS]].copy())
        rows = np.concatenate(found)
        return Played(done, rows, np.unique(rows["game"].astype(np.int64), return_counts=True)[1])

    def seen(self, rows: np.ndarray) -> np.ndarray:
        """What the net sees in the rows' positions, float32 (m, inputs)."""
        return rows["inputs"] if self.keeps and rows.dtype == self.rows else self.look(rows["state"][:, 0])

    def look(self, states: np.ndarray) -> np.ndarray:
        """What the net sees of positions (m,) STATE, float32 (m, inputs)."""
        inputs = np.zeros((len(states), self.inputs), np.float32)
        parts = max(min(self.threads, len(states) // MANY), 1)

        def work(k: int) -> None:
            room = np.zeros(self.game.MOST_FEATURES, np.int32), np.zeros(self.game.MOST_FEATURES, np.float32)
            part = slice(len(states) * k // parts, len(states) * (k + 1) // parts)
            self.kernels.write_all(states[part], inputs[part], *room)

        on_threads(parts, work, self.stopping.set)
        return inputs

    def lawful(self, states: np.ndarray) -> np.ndarray:
        """Which moves are legal in positions (m,) STATE, bool (m, MOVES)."""
        allowed = np.zeros((len(states), self.game.MOVES), bool)
        self.kernels.lawful(states, np.zeros(self.game.MOST_MOVES, np.int32), allowed)
        return allowed

    def stop(self) -> None:
        """End a running `play` soon (from another thread); what it returns then means nothing."""
        self.stopping.set()

    # --- one thread --------------------------------------------------------------------------------------------------

    def _play(self, games: np.ndarray, engines: list[Engine], temperatures: list[float]) -> Any:
        kernels, game = self.kernels, self.game
        if (games["seats"] == BOT).any():
            self._check_bot()
        lanes = np.zeros(min(self.lanes, len(games)), lane_dtype(game))
        rows, counts, keys = np.zeros(ROOM, self.rows), np.zeros(COUNTS, np.int64), self._keys(len(lanes))
        waiting = np.zeros(len(lanes), np.int32)
        room = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
        kernels.open_lanes(lanes, games, self.first, self.longest, counts, keys)
        busy = True
        while busy and not self.stopping.is_set():
            busy = False
            for net, engine in enumerate(engines):
                inputs = engine.inputs.reshape(engine.batch, -1)
                n = kernels.ask(lanes, games, net, inputs, waiting, *room)
                if n == 0:
                    continue
                busy = True
                engine.run(n)
                if counts[ROWS] + n > len(rows):
                    rows = np.concatenate([rows, np.zeros(len(rows), self.rows)])
                said = (inputs, engine.outputs, waiting, n, float(temperatures[net]))
                kernels.answer(lanes, games, *said, self.first, self.longest, rows, counts, keys)
                self._check_fault(counts)
        return games, rows[: counts[ROWS]]

    def _keys(self, lanes: int) -> np.ndarray:
        return np.zeros((lanes, self.longest + 2 if self.game.REPETITION else 1), np.uint64)

    def _check_bot(self) -> None:
        if not self.bot:
            raise RunError(f"{self.game.path.name} names no bot to play against or to clone (BOTS)")

    def _check_fault(self, counts: np.ndarray) -> None:
        if counts[FAULTS]:
            where = f"{self.bot}() of {self.game.path.name} made an illegal move"
            raise RunError(f"{where} in game {int(counts[FAULTS]) - 1}; a teacher must move by the rules")


def new_games(deals: np.ndarray, seats: np.ndarray, learns: np.ndarray, opening: int, seed: int) -> np.ndarray:
    """Games (n,) GAME to be played. deals: (n,) numbers of first positions; games dealt the same begin with the same
    random moves too. seats, learns: (n, 2), or what broadcasts to it. seed: of all choices."""
    games = np.zeros(len(deals), GAME)
    games["deal"], games["seats"], games["learns"], games["opening"] = deals, seats, learns, opening
    start = seeded(seed)[0]
    with np.errstate(over="ignore"):
        games["seed"] = [stream(start, np.uint64(d)) for d in deals]
    games["end"] = ONGOING
    return games


def points_of(played: Played, game: Game, seat: int) -> np.ndarray:
    """Points (n,) of whoever sits as net `seat` in each game: 0, ½ or 1; as player 0 where it sits in both seats."""
    sign = np.where(played.games["seats"][:, 0] == seat, 1.0, -1.0)
    values = np.array([*game.RESULTS, 0.0])[played.games["end"]]  # ONGOING is -1: the last, no result
    return (np.sign(values) * sign + 1) / 2
