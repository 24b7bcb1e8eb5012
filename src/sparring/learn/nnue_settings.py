"""Settings of NNUE nets. Where 0 or () stands for "by the minutes", `planned` says what that is.

Nothing heavy is imported here, so that `--help` is quick.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal

from sparring.errors import RunError

FEW, MANY = 4.0, 180.0  # minutes of a short and of a long run, between which what is planned grows


@dataclass(frozen=True)
class NnueSettings:
    """How an NNUE net learns: from games that a search with it plays against itself, or from files of positions."""

    minutes: float = 30.0
    """Minutes the run is planned for; learning slows down towards its end. 0: as many generations as there are."""
    generations: int = 0
    """Stop after so many generations; 0: only minutes count. Runs that end so depend on no clock."""
    data: tuple[str, ...] = ()
    """Files of positions with scores and results to learn from; none: self-play."""
    hidden: int = 0
    """Units of the first layer for each player's view, a multiple of 16; 0: by the minutes."""
    layers: tuple[int, ...] = ()
    """Units of up to two layers between the first and the outputs; none: the outputs follow at once."""
    block_sparse: bool = False
    """Each half of the units of the first of those layers reads one half of the units below it."""
    phases: int = 0
    """Sets of outputs, of which the phase of the game (in chess the number of pieces) chooses one; 0: 8, or as many
    phases as the game has."""
    frames: str = ""
    """Name of one of the rules file's FRAMINGS: which frames (in chess: places of the king) have first-layer weights
    of their own, and which are seen mirrored; none: all are alike."""
    head: Literal["results", "scalar"] = "results"
    """What the net ends in: the chances of each result, or one expected result."""
    alpha: tuple[float, ...] = (0.1,)
    """α: weight of the chance of what happened, beside the squared error of the expected result. 0: that error alone;
    inf: the chance alone. Several numbers: it goes from the first to the last over the run."""
    blend: tuple[float, ...] = ()
    """λ, 0 to 1: share of the game's result in what is learned; the rest is the search's score. Several numbers: it
    goes from the first to the last over the run. None: with --data 0.75, else from 1 down to 0.15, half the way with
    every 150 000 positions played."""
    nodes: tuple[int, ...] = ()
    """Nodes of a search in self-play, after which it begins no deeper one. Several numbers: it grows from the first to
    the last, each step by the same factor. None: by the minutes."""
    opening: tuple[int, int] = (4, 9)
    """Random moves at the start of a game, at least and at most."""
    positions: int = 0
    """Positions to keep from the games of a generation; 0: as many as can be made in a share of the minutes. With
    --data, positions to train on in a generation; 0: by the files."""
    held: float = 0.04
    """Share of positions, of whole games, that is never trained on but measured by, above 0 and at most 0.5."""
    window: int = 20_000_000
    """Positions of self-play that are learned from, at most."""
    passes: float = 1.5
    """How often a position of self-play is trained on, on average, before the closing part; where
    minutes count, fewer if training would take longer than its share. Positions of a game share its result, which a net
    learns by heart where it sees them often."""
    batch: int = 0
    """Positions of a step; 0: by the minutes."""
    rate: float = 1e-3
    """Learning rate of AdamW, at its highest."""
    decay: float = 0.01
    """Weight decay."""
    average: float = 0.998
    """How much of the averaged weights stays at each step, 0 to 1; the average plays and is saved."""
    closing: float = 0.15
    """Share of a run of self-play, at most, at its end in which nothing more is played, 0 to 0.9: a new net (without
    --start) learns the newest positions anew, slower and slower. Where minutes count it takes no longer than needed."""
    match_every: float = 10.0
    """Minutes between matches against yardsticks and the net of the matches before; 0: none."""
    match_games: int = 100
    """Games of each match, even."""
    match_nodes: int = 2_000
    """Nodes of a search in matches, for both sides."""
    match_opening: int = 6
    """Random moves at the start of each pair of match games."""
    seed: int = 1
    """Of everything random."""

    def __post_init__(self) -> None:
        ranges = {
            "minutes": (0, 10**6), "generations": (0, 10**6), "hidden": (0, 2048), "phases": (0, 1000),
            "positions": (0, 10**10), "held": (1e-6, 0.5), "window": (1000, 10**10), "passes": (0.01, 10**6),
            "batch": (0, 10**6), "rate": (1e-9, 1), "decay": (0, 1), "average": (0, 0.999999), "closing": (0, 0.9),
            "match_every": (0, 10**6), "match_games": (2, 10**6), "match_nodes": (1, 10**9),
            "match_opening": (0, 1000), "seed": (0, 2**63 - 1),
        }  # fmt: skip
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise RunError(f"--{name.replace('_', '-')} is {value:g}, but it must be {low:g} to {high:g}")
        for name, low, most in (("alpha", 0, math.inf), ("blend", 0, 1), ("nodes", 1, 10**9), ("layers", 1, 10**4)):
            for value in getattr(self, name):
                if not low <= value <= most:
                    raise RunError(f"--{name} has {value:g}, but it must be {low} to {most:g}")
        if not self.alpha:
            raise RunError("--alpha has no number, but it must have one or more")
        if math.inf in self.alpha and len(self.alpha) > 1:
            raise RunError("--alpha goes to or from inf, but it can only be inf all the time")
        if not 0 <= self.opening[0] <= self.opening[1] <= 1000:
            raise RunError(f"--opening is {self.opening}, but it must be two numbers from 0 to 1000, ascending")
        if self.match_games % 2:
            raise RunError(f"--match-games is {self.match_games}, but matches are played in pairs: an even number")
        if self.head not in ("results", "scalar"):
            raise RunError(f"--head is {self.head!r}, but it must be results or scalar")
        if self.head == "scalar" and self.alpha == (math.inf,):
            raise RunError("--alpha is inf, but a scalar head tells no chances of results; take --head results")
        if not self.minutes and not self.generations:
            raise RunError("--minutes and --generations are both 0, but one of them must end the run")

    def as_dict(self) -> dict[str, Any]:
        """What makes the run, for a file."""
        return dataclasses.asdict(self)


# what may differ when a run is continued; everything else would make it another run
MAY_CHANGE = (*("minutes", "generations", "match_every", "match_games", "match_nodes", "match_opening"),)


def planned(settings: NnueSettings) -> NnueSettings:
    """The settings with numbers where there was "by the minutes"."""
    minutes = settings.minutes or MANY
    size = min(max(math.log(minutes / FEW) / math.log(MANY / FEW), 0.0), 1.0)  # 0: a short run, 1: a long one
    batches = 1024 * 2 ** round(4 * size)
    units = 128 if minutes < 10 else 256 if minutes < 60 else 512
    return dataclasses.replace(
        settings,
        hidden=settings.hidden or units,
        batch=settings.batch or batches,
        nodes=settings.nodes or (50, round(400 * 8**size)),
        blend=settings.blend or ((0.75,) if settings.data else ()),
    )
