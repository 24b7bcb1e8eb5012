"""Settings of TD(λ) over whole turns, in games with dice. Nothing heavy is imported here: `--help` is quick."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from sparring.errors import RunError


@dataclass(frozen=True)
class DiceSettings:
    """TD(λ) self-play from the positions after each turn, in games with dice: both sides take the turn after which the
    net sees the most points (Tesauro 1992), and the net learns the chances of every result."""

    minutes: float = 15.0
    """Minutes the run is planned for; learning slows down towards its end. 0: only games count."""
    games: int = 0
    """Stop after so many games of self-play; 0: only minutes count."""
    batch_games: int = 250
    """Games a generation; they are played with one net, then learned from, then forgotten. 1: after every game."""
    hidden: tuple[int, ...] = (80, 32)
    """Units of the hidden layers, first to last."""
    activation: Literal["relu", "leaky", "sigmoid"] = "leaky"
    """What stands between two layers."""
    inputs: int = 0
    """How many of the game's inputs the net sees, the first ones; 0: all. For comparisons, as of older sets of them."""
    points: bool = True
    """Learn the chances of every result; otherwise of win and loss alone, whatever the points, for comparisons."""
    trace: float = 0.7
    """λ, 0 to 1: 0 learns each position from the next turn's judgement, 1 from the result alone."""
    explore: float = -1.0
    """Chance of a random turn, 0 to 1; -1: none where a roll can be played in many ways, for then dice bring variety
    enough; 0.1 where it cannot."""
    epochs: int = 2
    """Passes over a generation's positions, at least 1."""
    batch: int = 256
    """Positions a step of the optimiser."""
    rate: float = 2e-3
    """Adam's step size at its highest, above 0."""
    online: bool = False
    """Learn after every turn instead, by eligibility traces and plain gradient descent (Tesauro 1992): games are played
    one after the other, on one thread, with the net as it moves; no epochs, batch and rate then. Goes well with
    --activation sigmoid."""
    online_rate: float = 0.0
    """With --online: the step of gradient descent at its highest; 0: 0.1 with sigmoid units, 0.03 with others."""
    average: float = 0.999
    """Share of the old that a step leaves in the averaged weights, which play and are saved; 0: no averaging. With
    --online: that a game leaves, and they do not play."""
    longest: int = 2000
    """Turns after which a game of self-play is cut off and not learned from; with --online, no further."""
    match_every: float = 5.0
    """Minutes between matches against yardsticks; 0: none."""
    match_games: int = 400
    """Games of each match, even."""
    seed: int = 1
    """Of everything random. With an end told in games, the same seed gives the same net, whatever the threads."""

    def __post_init__(self) -> None:
        limits: dict[str, tuple[float, float]] = {
            "minutes": (0, 100_000),
            "games": (0, 10**9),
            "batch_games": (1, 10**6),
            "inputs": (0, 10**6),
            "trace": (0, 1),
            "explore": (-1, 1),
            "epochs": (1, 1000),
            "batch": (1, 10**6),
            "rate": (1e-9, 10),
            "online_rate": (0, 10),
            "average": (0, 0.999999),
            "longest": (1, 10**6),
            "match_every": (0, 1e6),
            "match_games": (2, 10**6),
            "seed": (0, 2**63 - 1),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise RunError(f"--{name.replace('_', '-')} is {value:g}, but it must be {low:g} to {high:g}")
        if not self.minutes and not self.games:
            raise RunError("give --minutes or --games, so that the run has an end")
        if self.match_games % 2:
            raise RunError(f"--match-games is {self.match_games}, but it must be even: games are played in pairs")
        if not self.hidden or min(self.hidden) < 1 or max(self.hidden) > 4096:
            raise RunError(f"--hidden is {self.hidden}, but it must be one or more layers of 1 to 4096 units")
        if self.activation not in ("relu", "leaky", "sigmoid"):
            raise RunError(f"--activation is {self.activation!r}, but it must be relu, leaky or sigmoid")
        self._check_way()

    def _check_way(self) -> None:
        """RunError where a setting is given that the way of learning does not have: it would do nothing, unsaid."""
        usual = {field.name: field.default for field in dataclasses.fields(self)}
        for name in BATCHES if self.online else ONLINE:
            if getattr(self, name) != usual[name]:
                option, mend = f"--{name.replace('_', '-')}", "its step is --online-rate" if name == "rate" else ""
                if not self.online:
                    raise RunError(f"{option} is of learning after every turn; add --online")
                raise RunError(f"{option} is of learning in batches, --online has none{'; ' * bool(mend)}{mend}")

    @property
    def highest_rate(self) -> float:
        """The step size at its highest, of the way of learning that is taken."""
        usual = 0.1 if self.activation == "sigmoid" else 0.03  # gradients through sigmoid units are smaller
        return (self.online_rate or usual) if self.online else self.rate

    def as_dict(self) -> dict[str, Any]:
        """For config.json."""
        return dataclasses.asdict(self)


BATCHES, ONLINE = ("epochs", "batch", "rate"), ("online_rate",)  # settings of one way of learning alone
MAY_CHANGE = ("minutes", "games", "match_every", "match_games")
