"""Our self-play: one fleet of games on one thread.

Games begin on the empty board and end as soon as their result is proven, so that a position stands for a whole search;
elsewhere a proven position is played from at once and would count too cheaply. Each measurement begins with an empty
cache, as each new net does.
"""

import sys
import time

import numpy as np
from clock import Counts, Run, Ways, serve

from sparring.games.game import Game, load
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.derive import derive
from sparring.learn.fleet import ASKED, PLIES, SIMULATIONS
from sparring.learn.treeplay import GameFleet, Shared
from sparring.nets import engines
from sparring.nets.tower import Tower, calibrated, shape_for
from sparring.nets.tower_module import TowerModule
from sparring.nets.weights import load_tower
from sparring.search.fleet import longest_game

BUDGET, BLOCKS, WIDTH, GAMES = 64, 3, 64, 256
CACHES = {"no cache": 0.001, "cache": 64.0}  # megabytes
SETTINGS = AlphaZeroSettings(simulations=BUDGET, quick=BUDGET, full=1.0, opened=0.0, settled=1.0)


class Play:
    """A fleet with an engine and a cache."""

    def __init__(self, game: Game, tower: Tower, kind: str, cache: float) -> None:
        self.settings, _ = derive(game, AlphaZeroSettings(**{**vars(SETTINGS), "cache": cache}))
        self.fleet = GameFleet(Shared(game, self.settings, longest_game(game)), GAMES, 0)
        self.engine = engines.make(kind, tower, GAMES)
        self.net = int(tower.digest, 16)

    def way(self) -> Run:
        """Ready to play, by a net that the cache knows nothing of."""
        self.net += 1
        self.fleet.use(self.engine, f"{self.net:x}")
        return self.run

    def run(self, until: float) -> Counts:
        """Play on. A search under way counts as the part of a position that it has done."""
        fleet = self.fleet
        before, started = fleet.counts.copy(), fleet.forest.lanes["done"].sum()
        while time.perf_counter() < until:
            fleet.round()
        counts, done = fleet.counts - before, fleet.forest.lanes["done"].sum()
        return {
            "positions": float(counts[PLIES] + (done - started) / BUDGET),
            "simulations": float(counts[SIMULATIONS]),
            "evaluations": float(counts[ASKED]),
        }


def with_ranges(tower: Tower) -> Tower:
    """The tower, its activations' ranges measured on random planes where they were not on positions."""
    if tower.ranges is not None:
        return tower
    shape = tower.shape
    planes = np.random.default_rng(1).random((GAMES, shape.planes, shape.rows, shape.columns)) > 0.7
    return calibrated(tower, planes.astype(np.float32))


def prepare() -> tuple[Ways, dict[str, str]]:
    """A random net, and one in the file that sys.argv[2] names, on each engine, with and without a cache."""
    game = load("connect-four")
    towers = {"random net": TowerModule(shape_for(game, blocks=BLOCKS, width=WIDTH), 1).fold(game)}
    if len(sys.argv) > 2:
        towers["trained net"] = load_tower(sys.argv[2])
    ways: Ways = {}
    for what, tower in towers.items():
        for kind in ("openvino-int8", "openvino"):
            for cached, size in CACHES.items():
                name = f"Sparring, {engines.KINDS[kind].label.removeprefix('OpenVINO ')}, {what}, {cached}"
                ways[name] = Play(game, with_ranges(tower), kind, size).way
    return ways, {}


if __name__ == "__main__":
    serve(prepare)
