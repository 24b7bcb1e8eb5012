"""Self-play by tree search for Python: the memory of a fleet of games, rounds of it, what a checkpoint needs of it."""

import threading
import time
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sparring.games.game import Game
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.fleet import COUNTS, ROWS, STYLE, game_dtype
from sparring.learn.rows import as_bytes, row_dtype
from sparring.nets.engines import Engine
from sparring.rng import seeded
from sparring.search import fleet
from sparring.search.choosing import IMPROVED, VISITS
from sparring.search.leaves import new_cache
from sparring.search.tree import Forest, Selection, halving_table

ROOM = 16384  # rows that wait to be fetched


@dataclass
class Times:
    """Seconds spent in the engine and in the trees."""

    engine: float = 0.0
    tree: float = 0.0


def style_of(settings: AlphaZeroSettings, longest: int) -> np.ndarray:
    """How games are played, for kernels: shape (1,), dtype STYLE."""
    style = np.zeros(1, STYLE)
    same = ("simulations", "quick", "full", "noise", "concentration", "warm", "opened", "opening", "trace", "settled")
    for name in (*same, "keep"):
        style[name] = getattr(settings, name)
    style["made_of"] = VISITS if settings.targets == "visits" else IMPROVED
    style["longest"] = longest
    return style


def selection_of(settings: AlphaZeroSettings) -> Selection:
    """How self-play selects."""
    return Selection(
        rule=settings.rule,
        puct=settings.puct,
        first_play=settings.first_play,
        haste=settings.haste,
        forced=settings.forced,
        lookahead=settings.lookahead,
    )


def kernels(game: Game) -> ModuleType:
    """The kernels of self-play joined to the game."""
    joined = fleet.join(game)
    under_way = game.bind("learn.under_way", DRAW=joined.names["DRAW"])
    names = {**joined.names, **fleet.kernels_of(under_way)}
    return game.bind("learn.fleet", **names, DEALT=game.defines("deal"))


class Shared:
    """What the fleets of one run share: kernels, settings, the cache."""

    def __init__(self, game: Game, settings: AlphaZeroSettings, longest: int) -> None:
        self.game, self.settings, self.longest = game, settings, longest
        self.kernels = kernels(game)
        self.cache = new_cache(game, settings.cache)
        self.how = selection_of(settings).record(longest)
        self.style = style_of(settings, longest)
        most = max(settings.simulations, settings.quick)
        self.halvings = np.stack([halving_table(n, most) for n in (settings.quick, settings.simulations)])
        self.first = game.states(1)


class GameFleet:
    """Games that advance together on one thread."""

    def __init__(self, shared: Shared, lanes: int, number: int) -> None:
        self.shared = shared
        game, settings = shared.game, shared.settings
        self.forest = Forest.of(game, lanes, max(settings.simulations, settings.quick))
        self.games = np.zeros(lanes, game_dtype(game, shared.longest))
        for i in range(lanes):
            self.games["rng"][i] = seeded(settings.seed, 1, number, i)
            self.forest.lanes["rng"][i] = seeded(settings.seed, 2, number, i)
        self.forest.lanes["row"] = np.arange(lanes)
        self.keys = np.zeros((lanes, shared.longest + 2 if game.REPETITION else 1), np.uint64)
        self.waiting = np.zeros(lanes, np.int32)
        self.index = np.zeros(game.MOST_FEATURES, np.int32)
        self.value = np.zeros(game.MOST_FEATURES, np.float32)
        self.out = np.zeros(max(ROOM, 4 * shared.longest), row_dtype(game))
        self.counts = np.zeros(COUNTS, np.int64)
        self.times = Times()
        self.engine: Engine | None = None
        self.net = np.uint64(1)

    def use(self, engine: Engine, digest: str) -> None:
        """Play with this net from now on; searches under way begin anew, their games go on."""
        self.engine, self.net = engine, np.uint64(int(digest, 16) or 1)
        self.shared.kernels.begin_anew(self.forest.lanes, self.games, self.shared.style)

    def round(self) -> np.ndarray:
        """One batch of judgements. Returns the rows of games that ended meanwhile, valid until the next round."""
        shared, forest, engine = self.shared, self.forest, self.engine
        assert engine is not None
        trees = (forest.lanes, forest.nodes, forest.edges, shared.how)
        known = (shared.cache, self.net)
        self.counts[ROWS] = 0
        began = time.perf_counter()
        waiting = shared.kernels.advance(
            *trees,
            shared.halvings,
            self.games,
            shared.first,
            shared.style,
            self.keys,
            *known,
            engine.inputs.reshape(engine.batch, -1),
            self.waiting,
            self.index,
            self.value,
            self.out,
            self.counts,
        )
        asked = time.perf_counter()
        if waiting:
            engine.run(waiting)
        answered = time.perf_counter()
        shared.kernels.absorb(*trees, self.games, shared.style, engine.outputs, self.waiting, waiting, *known)
        self.times.engine += answered - asked
        self.times.tree += asked - began + time.perf_counter() - answered
        return self.out[: self.counts[ROWS]]

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs, as rows of bytes: between generations no tree is kept."""
        return {name: as_bytes(array) for name, array in self._kept().items()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """The inverse of `arrays`."""
        for name, array in self._kept().items():
            as_bytes(array)[:] = arrays[name]

    def _kept(self) -> dict[str, np.ndarray]:
        return {"lanes": self.forest.lanes, "games": self.games, "keys": self.keys}


class Crew:
    """Threads that play while somebody trains."""

    def __init__(self, fleets: list[GameFleet], take: Any) -> None:
        """take: called with the rows of each round, from any thread."""
        self.fleets, self.take = fleets, take
        self.ending = threading.Event()
        self.faults: list[BaseException] = []
        self.threads = [threading.Thread(target=self._play, args=(f,), daemon=True) for f in fleets]

    def __enter__(self) -> "Crew":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self.ending.set()
        for thread in self.threads:
            thread.join()
        if self.faults and fault[0] is None:
            raise self.faults[0]

    def _play(self, fleet: GameFleet) -> None:
        try:
            while not self.ending.is_set():
                self.take(fleet.round())
        except BaseException as fault:
            self.faults.append(fault)
            self.ending.set()
