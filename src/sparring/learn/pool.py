"""The pool: what the learner was at earlier times, to be played against, so that it does not forget how to beat that.

A folder of nets, and `pool.json`, which says how the learner fared against each.
"""

import json
import pathlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sparring.errors import RunError
from sparring.learn.run import KEPT_CHECKPOINTS, guarded
from sparring.nets import storage, weights

TABLE = "pool.json"
LEAST = 0.02  # weight of a snapshot that is always beaten
POINTS, GAMES = 2.0, 4.0  # that each snapshot counts as having at first: an even score


@dataclass
class Snapshot:
    """A net of the pool. points: the learner's, of its games against it."""

    name: str
    points: float = 0.0
    games: int = 0

    @property
    def weight(self) -> float:
        """How likely it is drawn, against others: more, the more often it wins."""
        rate = (self.points + POINTS) / (self.games + GAMES)
        return (1 - rate) ** 2 + LEAST


class Pool:
    """Snapshots in a folder, oldest first.

    like: the learner's net, whose shape all must have; RunError names a file that has not. most: so many are kept,
    the first always, of the rest the newest. recent: above 0, only the newest so many are kept, the first is not
    special, and all are as likely: a queue of recent selves.
    """

    def __init__(self, folder: str | pathlib.Path, like: Any, most: int = 32, recent: int = 0) -> None:
        self.folder, self.like, self.most, self.recent = pathlib.Path(folder), like, most, recent
        self.snapshots: list[Snapshot] = []
        self.left: list[str] = []  # out of the pool; their files stay while an older checkpoint may want them
        self.nets: dict[str, Any] = {}
        table = self.folder / TABLE
        if table.exists():
            try:
                self.restore(json.loads(storage.read(table)))
            except (ValueError, KeyError, TypeError) as fault:
                raise RunError(
                    f"{table} is no table of a pool ({fault!r}); it may be deleted, the nets stay"
                ) from fault
        else:
            found = sorted(file.stem for file in self.folder.glob("*.safetensors"))
            self._take([Snapshot(name) for name in found], [])

    @property
    def names(self) -> list[str]:
        """Oldest first."""
        return [snapshot.name for snapshot in self.snapshots]

    def add(self, net: Any, number: int) -> str:
        """Keep a net as a snapshot; what the pool has no room for leaves it. number: of the iteration, for its name."""
        name = f"iteration-{number:06}"
        self._check(net, name)
        with guarded(self.folder):
            weights.save(net, self.path(name))
        self.snapshots = [s for s in self.snapshots if s.name != name] + [Snapshot(name)]
        self.nets[name], self.left = net, [gone for gone in self.left if gone != name]
        first, most = (0, self.recent) if self.recent else (1, self.most)
        while len(self.snapshots) > most:
            self.left.append(self.snapshots.pop(min(first, most)).name)
            self.nets.pop(self.left[-1])
        for gone in self.left[:-KEPT_CHECKPOINTS]:
            self.path(gone).unlink(missing_ok=True)
        self.left = self.left[-KEPT_CHECKPOINTS:]
        self.save()
        return name

    def draw(self, rng: np.random.Generator, n: int) -> list[str]:
        """Names of n snapshots, each drawn by the weights of all; none where the pool is empty."""
        if not self.snapshots:
            return []
        chances = np.array([1.0 if self.recent else snapshot.weight for snapshot in self.snapshots])
        return [self.names[i] for i in rng.choice(len(chances), n, p=chances / chances.sum())]

    def net(self, name: str) -> Any:
        """The snapshot's net."""
        return self.nets[name]

    def note(self, name: str, points: float, games: int) -> None:
        """The learner's games against a snapshot; of one that has left the pool nothing is kept."""
        for snapshot in self.snapshots:
            if snapshot.name == name:
                snapshot.points += points
                snapshot.games += games

    # --- on disk -----------------------------------------------------------------------------------------------------

    def path(self, name: str) -> pathlib.Path:
        """The file of a snapshot."""
        return self.folder / f"{name}.safetensors"

    def state(self) -> dict[str, Any]:
        """The table, of what JSON knows: for `pool.json`, and for a checkpoint."""
        return {"snapshots": [asdict(snapshot) for snapshot in self.snapshots], "left": list(self.left)}

    def save(self) -> None:
        """Write the table whole or not at all."""
        with guarded(self.folder):
            storage.write_whole(self.folder / TABLE, (json.dumps(self.state(), indent=1) + "\n").encode())

    def restore(self, state: dict[str, Any]) -> None:
        """Become the pool of an earlier `state`; WeightsError names a file that is missing or damaged."""
        snapshots = [Snapshot(str(s["name"]), float(s["points"]), int(s["games"])) for s in state["snapshots"]]
        self._take(snapshots, [str(name) for name in state["left"]])

    def _take(self, snapshots: list[Snapshot], left: list[str]) -> None:
        self.nets = {s.name: self.nets.get(s.name) or self._load(s.name) for s in snapshots}
        self.snapshots, self.left = snapshots, left

    def _load(self, name: str) -> Any:
        net = weights.load(self.path(name))
        self._check(net, str(self.path(name)))
        return net

    def _check(self, net: Any, where: str) -> None:
        """RunError unless the net has the shape of the learner's."""
        if (net.game, net.features) != (self.like.game, self.like.features):
            what = f"{where} is for version {net.features} of the inputs of {net.game}"
            raise RunError(f"{what}, but the learner for version {self.like.features} of {self.like.game}")
        has, wanted = shapes(net), shapes(self.like)
        if type(net) is not type(self.like) or has.keys() != wanted.keys():
            what = f"{where} is a {kind(net)} of {len(has)} arrays"
            raise RunError(f"{what}, but the learner is a {kind(self.like)} of {len(wanted)}; give another pool")
        for name, shape in has.items():
            if shape != wanted[name]:
                what = f"{where}: {name} has shape {list(shape)}"
                raise RunError(f"{what}, but the learner's has {list(wanted[name])}; give another pool")


def shapes(net: Any) -> dict[str, tuple[int, ...]]:
    """Of a net's arrays, by name."""
    return {name: array.shape for name, array in net.arrays.items()}


def kind(net: Any) -> str:
    """Of net, as people read it."""
    return type(net).__name__
