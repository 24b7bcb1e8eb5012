"""A net that knows the chance of winning a match from the chances of a game's results, the score and the cube.

What the game is worth if it is played to the end with the cube as it is (dead) is reckoned: the mean, over the results,
of the chance of winning the match from the score that follows, which the net has learned too, as a table. A small
perceptron g adds what the right to turn the cube is worth:

    chance = dead + 2 √(win · loss) · (g(x) − g(x̄)),   x̄: the inputs as the other player sees them.

So the two players' chances add up to 1 whatever was learned, a game that is over is worth what its score is, and where
no cube can be turned any more (`Spot.live`) nothing is added. Inputs as a viewer sees them, before a roll:

    0–5     chances of the results, lost by three points … won by three
    6, 7    1 / points that he lacks, that the other lacks
    8       whether the Crawford game has been played
    9       log2(cube) / 6
    10, 11  the cube is his, the other's; neither: in the centre
    12, 13  he is to roll, the other is
    14–16   the dead chance with the cube as it is, turned once, turned twice
    17, 18  he may gain by a double, the other may
    19, 20  any game that he wins wins him the match, any that the other wins the other

There is none for the Crawford game, in which nobody doubles.
"""

import itertools
import json
import pathlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparring.errors import WeightsError
from sparring.nets import storage
from sparring.nets.weights import KINDS, LEAK

FORMAT = "sparring-match-net-1"
INPUTS = 21
POINTS = np.array([-3, -2, -1, 1, 2, 3])  # of the results
DEAD = 14  # input: the chance with the cube as it is
TURNED = (1, 2, 4)  # what the cube is multiplied by in inputs 14–16
MIRROR = [5, 4, 3, 2, 1, 0, 7, 6, 8, 9, 11, 10, 13, 12, 14, 15, 16, 18, 17, 20, 19]


@dataclass(frozen=True)
class Spot:
    """Where a game stands in its match, as a viewer sees it before a roll: numbers, or arrays that broadcast.

    mine, theirs: points that he lacks, that the other lacks, 1 or more. played: whether the Crawford game is over.
    cube: its value. owner: 1 where it is his, -1 the other's, 0 in the centre. rolls: 1 if he is to roll, -1 the other.
    """

    mine: Any
    theirs: Any
    played: Any
    cube: Any
    owner: Any
    rolls: Any

    @property
    def crawford(self) -> Any:
        """Whether this is the Crawford game."""
        return np.logical_not(self.played) & (np.minimum(self.mine, self.theirs) == 1)

    def turns(self, who: int = 1) -> Any:
        """Whether the viewer (1) or the other (-1) may double and does not win the match with the cube as it is."""
        lacks = self.mine if who == 1 else self.theirs
        return np.logical_not(self.crawford) & (self.owner * who != -1) & (self.cube < np.asarray(lacks))

    @property
    def live(self) -> Any:
        """Whether anybody may still gain by a double."""
        return self.turns(1) | self.turns(-1)


def chance_after(scores: np.ndarray, spot: Spot, points: Any) -> np.ndarray:
    """The viewer's chance of winning the match once he has won so many points, cube counted in (below 0: lost them).

    scores: (2, n + 1, n + 1), see MatchNet. points broadcasts with the spot.
    """
    played = np.asarray(spot.crawford | spot.played, np.int64)
    mine = np.maximum(spot.mine - np.maximum(points, 0), 0)
    theirs = np.maximum(spot.theirs + np.minimum(points, 0), 0)
    return scores[played, mine, theirs]


def inputs_of(scores: np.ndarray, chances: np.ndarray, spot: Spot) -> np.ndarray:
    """(..., INPUTS) of distributions (..., 6) in a spot, in the distributions' type."""
    shape = np.broadcast_shapes(chances.shape[:-1], *(np.shape(part) for part in vars(spot).values()))
    x = np.empty((*shape, INPUTS), chances.dtype)
    x[..., :6] = chances
    x[..., 6], x[..., 7] = 1 / np.asarray(spot.mine), 1 / np.asarray(spot.theirs)
    x[..., 8], x[..., 9] = spot.played, np.log2(spot.cube) / 6
    x[..., 10], x[..., 11] = np.equal(spot.owner, 1), np.equal(spot.owner, -1)
    x[..., 12], x[..., 13] = np.equal(spot.rolls, 1), np.equal(spot.rolls, -1)
    for i, times in enumerate(TURNED, DEAD):
        ends = [chance_after(scores, spot, points * times * spot.cube) for points in POINTS]
        x[..., i] = sum(chances[..., k] * end for k, end in enumerate(ends))
    x[..., 17], x[..., 18] = spot.turns(1), spot.turns(-1)
    x[..., 19], x[..., 20] = np.asarray(spot.mine) <= spot.cube, np.asarray(spot.theirs) <= spot.cube
    return x


def mirrored(x: np.ndarray) -> np.ndarray:
    """Inputs (..., INPUTS) as the other player sees them."""
    seen = x[..., MIRROR]
    seen[..., DEAD : DEAD + len(TURNED)] = 1 - seen[..., DEAD : DEAD + len(TURNED)]
    return seen


def swing(x: np.ndarray) -> np.ndarray:
    """(...): how much g's difference counts: 2 √(win · loss) where the cube is live, else 0."""
    won, lost = x[..., 3:6].sum(-1), x[..., :3].sum(-1)
    return 2 * np.sqrt(np.maximum(won * lost, 0)) * ((x[..., 17] + x[..., 18]) > 0)


@dataclass(frozen=True, eq=False)
class MatchNet:
    """The net of one game's matches to `points` points or fewer.

    layers: of g, pairs (weights [inputs, outputs], bias [outputs]), float32, leaky ReLU between them, one output.
    scores: (2, n + 1, n + 1), the chance of winning the match before a game: [whether the Crawford game has been
    played, points the viewer lacks, points the other lacks]. training: where it comes from (any JSON values).
    """

    game: str
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    scores: np.ndarray
    training: dict[str, Any] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """Of the longest match that it knows."""
        return self.scores.shape[1] - 1

    def chance(self, chances: np.ndarray, spot: Spot) -> np.ndarray:
        """(...): the viewer's chance of winning the match; chances (..., 6), of the results, are his."""
        return self.judged(inputs_of(self.scores, chances, spot))

    def judged(self, x: np.ndarray) -> np.ndarray:
        """(...): the same of inputs (..., INPUTS)."""
        return np.clip(x[..., DEAD] + swing(x) * (self._added(x) - self._added(mirrored(x))), 0, 1)

    def _added(self, x: np.ndarray) -> np.ndarray:
        for i, (weights, bias) in enumerate(self.layers):
            x = (np.maximum(x, LEAK * x) if i else x) @ weights + bias
        return x[..., 0]

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """All that was learned, by name."""
        named = ((f"layer{i}", pair) for i, pair in enumerate(self.layers))
        layers = {f"{layer}.{kind}": array for layer, pair in named for kind, array in zip(KINDS, pair, strict=True)}
        return {**layers, "scores": self.scores}

    @property
    def digest(self) -> str:
        """Eight hex digits of what was learned."""
        return storage.digest_of(self.arrays)

    def save(self, path: str | pathlib.Path) -> None:
        """Write it whole or not at all, as safetensors."""
        metadata = {"format": FORMAT, "game": self.game, "training": json.dumps(self.training)}
        storage.write_whole(pathlib.Path(path), storage.pack(self.arrays, metadata))


def first_scores(points: int) -> np.ndarray:
    """Chances before anything is learned: in proportion to the points that the other lacks."""
    lacks = np.arange(points + 1.0)
    with np.errstate(invalid="ignore"):
        fair = lacks[None] / (lacks[:, None] + lacks[None])
    fair[0, 0] = 1  # whoever has won has won; a score that both have reached does not come up
    return np.stack([fair, fair])


def load_match_net(path: str | pathlib.Path, game: str) -> MatchNet:
    """Read a file of `MatchNet.save`; WeightsError where it is none, is damaged, or was learned for another game."""
    arrays, metadata = storage.unpack(storage.read(pathlib.Path(path)), str(path))
    if metadata.get("format") != FORMAT:
        raise WeightsError(f"{path}: format {metadata.get('format')!r}, but a net of matches has {FORMAT!r}")
    try:
        count = sum(name.startswith("layer") and name.endswith(".bias") for name in arrays)
        layers = tuple((arrays[f"layer{i}.weight"], arrays[f"layer{i}.bias"]) for i in range(count))
        net = MatchNet(metadata["game"], layers, arrays["scores"], json.loads(metadata["training"]))
    except (KeyError, ValueError) as fault:
        raise WeightsError(f"{path}: not a complete net of matches ({fault})") from fault
    sizes = [INPUTS, *(len(bias) for _, bias in layers)]
    fit = all(w.shape == pair for (w, _), pair in zip(layers, itertools.pairwise(sizes), strict=True))
    lengths = net.scores.shape[1:]
    if not layers or not fit or sizes[-1] != 1 or net.scores.shape != (2, *lengths) or len(set(lengths)) != 1:
        raise WeightsError(f"{path}: layers {sizes} and scores {net.scores.shape} are not those of a net of matches")
    if net.game != game:
        raise WeightsError(f"{path} was learned for matches of {net.game}, not of {game}")
    return net
