"""Settings of TD(λ) self-play. Nothing heavy is imported here, so that `--help` is quick."""

from dataclasses import dataclass, fields
from typing import Any, Literal

from sparring.errors import RunError


@dataclass(frozen=True)
class TdSettings:
    """TD(λ) self-play with a net inside alpha-beta. The defaults are the published ones for Tigers and Sheep, but
    for what measured better (recipes/tigers_and_sheep.py): head, quiescence, averaging, opening, a wider layer 1."""

    generations: int = 500
    """Train until this generation, at least 1; a run that is continued counts on."""
    minutes: float | None = None
    """Stop after so many minutes, if the generations are not done by then."""
    games: int = 500
    """Games of self-play a generation, at least 1."""
    depth: int = 3
    """Plies that self-play searches, 1 to 99."""
    quiescence: bool = True
    """Follow noisy moves at the horizon in self-play, where the game names them."""
    opening: int = 4
    """The first moves of a game that are random, 0 or more."""
    explore: float = 0.05
    """Chance of a random move after the opening, 0 to 1."""
    trace: float = 0.7
    """λ, 0 to 1: 0 learns each position from the next search score, 1 from the result alone."""
    discount: float = 1.0
    """γ, 0.5 to 1: what a target is worth one move earlier; below 1, a win counts the more the nearer it is."""
    window: int = 5
    """Generations kept for training, at least 1."""
    balance: bool = True
    """Train on as many positions from games that either player won."""
    symmetric: bool = True
    """Show each position under a random symmetry of the game."""
    epochs: int = 2
    """Passes over the window a generation, at least 1."""
    batch: int = 256
    """Positions a step of the optimiser, at least 1."""
    rate: float = 1e-3
    """Adam's step size, above 0."""
    average: float = 0.999
    """Share of the old that a step leaves in the averaged weights, which play and are saved; 0: no averaging."""
    hidden: tuple[int, ...] = (128, 32)
    """Units of the hidden layers, first to last."""
    head: Literal["tanh", "results"] = "results"
    """What the net ends in: the distribution over the game's results, or one expected result."""
    alpha: float = 0.1
    """Weight of the result that happened in a distribution's loss, 0 or more."""
    active: float = 0.0
    """Inputs that are set at once, the fan-in of layer 1 at the start; 0: as measured on random positions."""
    longest: int = 0
    """Moves after which a game of self-play is drawn; 0: the game's LIMIT, or 1000."""
    match_every: int = 10
    """Generations between matches; 0: none."""
    match_games: int = 100
    """Games of each match, even."""
    match_opening: int = 4
    """Random moves at the start of each pair of match games."""
    match_depth: int = 0
    """Plies that both sides of a match search; 0: as in self-play."""
    save_every: int = 10
    """Generations between nets that are kept (gen-NNN); the newest is always kept."""
    seed: int = 1
    """Of everything random. The same seed gives the same net, whatever the number of threads."""

    def __post_init__(self) -> None:
        if self.minutes is not None and self.minutes <= 0:
            raise RunError(f"--minutes is {self.minutes:g}, but it must be above 0")
        for name, low, high in (
            *(("generations", 1, 10**6), ("games", 1, 10**6), ("depth", 1, 99), ("opening", 0, 1000)),
            *(
                ("explore", 0, 1),
                ("trace", 0, 1),
                ("discount", 0.5, 1),
                ("window", 1, 1000),
                ("epochs", 1, 1000),
                ("batch", 1, 10**6),
            ),
            *(
                ("rate", 1e-9, 10),
                ("average", 0, 0.999999),
                ("alpha", 0, 1000),
                ("active", 0, 10**6),
                ("longest", 0, 1023),
            ),
            *(("match_every", 0, 10**6), ("match_games", 2, 10**6), ("match_opening", 0, 1000)),
            *(("match_depth", 0, 99), ("save_every", 1, 10**6), ("seed", 0, 2**63 - 1)),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise RunError(f"--{name.replace('_', '-')} is {value}, but it must be {low} to {high}")
        if self.match_games % 2:
            raise RunError(f"--match-games is {self.match_games}, but matches are played in pairs: an even number")
        if not self.hidden or min(self.hidden) < 1 or max(self.hidden) > 4096:
            raise RunError(f"--hidden is {self.hidden}, but it must be one or more layers of 1 to 4096 units")
        if self.head not in ("tanh", "results"):
            raise RunError(f"--head is {self.head!r}, but it must be tanh or results")

    def as_dict(self) -> dict[str, Any]:
        """What makes the run, for a file. The minutes bound a sitting, not the run."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "minutes"}


# what may differ when a run is continued; everything else would make it another run
MAY_CHANGE = (*("generations", "match_every", "match_games", "match_opening", "match_depth", "save_every"),)
