"""Settings of AlphaZero self-play. Where 0 stands for "by the game", `learn/derive.py` says how the number is found."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from sparring.errors import RunError


@dataclass(frozen=True)
class AlphaZeroSettings:
    """How a net learns by tree search against itself."""

    minutes: float = 30.0
    """Minutes the run is planned for; learning slows down towards its end. 0: as many generations as there are."""
    generations: int = 0
    """Stop after so many generations; 0: only minutes count."""
    blocks: int = 0
    """Residual blocks of the net, 1 to 40; 0: by the game and the minutes."""
    width: int = 0
    """Channels of each block, 4 to 512; 0: by the game and the minutes."""
    simulations: int = 0
    """Simulations of a move that is learned from, 2 to 10000; 0: by the number of moves a position has."""
    quick: int = 0
    """Simulations of the other moves; 0: a quarter."""
    full: float = 0.5
    """Share of moves that get all simulations and are learned from (playout cap randomisation, Wu 2019), above 0."""
    rule: Literal["puct", "gumbel"] = "puct"
    """How the search selects: noise in the priors (Silver et al. 2018), or Gumbel's way (Danihelka et al. 2022)."""
    targets: Literal["visits", "improved"] = "visits"
    """What the policy learns: shares of visits, or the improved policy of completed values."""
    puct: float = 1.5
    """Exploration: what a prior weighs against a value."""
    first_play: float = 0.2
    """A move not tried yet counts as the value of its position less this."""
    noise: float = 0.25
    """Share of noise in the priors of a root that is learned from, 0 to 1."""
    concentration: float = 8.0
    """Of the Dirichlet noise, shared among the moves: less is more one-sided."""
    forced: float = 0.0
    """Forced playouts at the root, a multiple of sqrt(prior × visits), taken out of the targets (Wu 2019); 0: none."""
    lookahead: int = -1
    """Plies of alpha-beta by which each move of a new node is tried, 0 to 8, so that ends so near are proven;
    -1: by the number of moves a position has."""
    warm: int = 0
    """Plies of a game whose moves are drawn by visits; later the best is played. 0: by the length of games."""
    opened: float = 0.5
    """Share of games that begin with random moves, 0 to 1."""
    opening: int = 0
    """Random moves such a game begins with, at most; 0: by the length of games."""
    settled: float = 0.5
    """Share of games that end as soon as the search has proven their result, 0 to 1."""
    keep: bool = False
    """Keep the part of the tree below the move that was played."""
    trace: float = 0.7
    """λ of the value's target, 0 to 1: 1 is the result of the game, 0 the search's own value."""
    haste: float = 0.3
    """How much a win loses of its worth when it comes at the end of the longest game, 0 to 1."""
    reply: bool = False
    """Also teach the net to foresee the opponent's next move; a head that only helps learning (Tian and Zhu 2015)."""
    left: bool = False
    """Also teach it how many moves are left, likewise."""
    passes: float = 4.0
    """How often a position is trained on, on average, at most; above it more is played."""
    batch: int = 256
    """Positions a step."""
    rate: float = 6e-3
    """Learning rate of AdamW, at its highest."""
    decay: float = 1e-4
    """Weight decay."""
    average: float = 0.999
    """How much of the averaged weights stays at each step, 0 to 1; the average plays and is saved."""
    window: int = 500_000
    """Positions that are learned from, at most: the newest half of all, but these."""
    lanes: int = 256
    """Games that advance together, on each thread."""
    engine: str = "auto"
    """What runs the net in self-play: auto, openvino-int8, openvino, torch-bf16, torch, cuda …"""
    cache: float = 64.0
    """Megabytes of the cache of judgements."""
    truth_every: float = 5.0
    """Minutes between measurements against perfect play, at first sooner; 0: never. Only games with a solver."""
    match_every: float = 10.0
    """Minutes between matches against yardsticks; 0: none."""
    match_games: int = 40
    """Games of each match, even."""
    seed: int = 1
    """Of everything that is drawn, 0 or more."""

    def __post_init__(self) -> None:
        limits: dict[str, tuple[float, float]] = {
            "minutes": (0, 100_000),
            "generations": (0, 10_000_000),
            "blocks": (0, 40),
            "width": (0, 512),
            "simulations": (0, 10_000),
            "quick": (0, 10_000),
            "full": (1e-3, 1),
            "puct": (0, 100),
            "first_play": (0, 2),
            "noise": (0, 1),
            "concentration": (1e-3, 1e4),
            "forced": (0, 100),
            "lookahead": (-1, 8),
            "warm": (0, 10_000),
            "opened": (0, 1),
            "opening": (0, 10_000),
            "settled": (0, 1),
            "trace": (0, 1),
            "haste": (0, 1),
            "passes": (1e-3, 1000),
            "batch": (2, 65536),
            "rate": (1e-9, 1),
            "decay": (0, 1),
            "average": (0, 1),
            "window": (1000, 100_000_000),
            "lanes": (1, 65536),
            "cache": (0.001, 65536),
            "truth_every": (0, 1e6),
            "match_every": (0, 1e6),
            "match_games": (2, 100_000),
            "seed": (0, 2**63),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise RunError(f"--{name.replace('_', '-')} is {value:g}, but it must be {low:g} to {high:g}")
        for name in ("simulations", "quick"):
            if getattr(self, name) == 1:
                raise RunError(f"--{name} is 1, but a tree search needs at least 2 simulations")
        if not self.minutes and not self.generations:
            raise RunError("give --minutes or --generations, so that the run has an end")
        if self.match_games % 2:
            raise RunError(f"--match-games is {self.match_games}, but it must be even: games are played in pairs")

    def as_dict(self) -> dict[str, Any]:
        """For config.json."""
        return dataclasses.asdict(self)


MAY_CHANGE = ("minutes", "generations", "engine", "cache", "truth_every", "match_every", "match_games")
