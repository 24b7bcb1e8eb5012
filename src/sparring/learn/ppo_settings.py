"""Settings of cloning and of PPO self-play. Nothing heavy is imported here: `--help` is quick."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from sparring.errors import RunError


@dataclass(frozen=True)
class CloneSettings:
    """Learn a teacher's moves from its games: the first of the game's bots, or whoever played the games of a file."""

    recording: str = ""
    """File of games to learn from (sparring record); empty: games of the teacher against itself."""
    teacher: str = ""
    """The bot that is recorded; empty: the first of the game's BOTS."""
    recorded: int = 3000
    """Games of the teacher that are learned from; of a file, all but those held out."""
    held_out: int = 300
    """Games that tell how well moves are foreseen that were not learned from."""
    record_opening: int = 0
    """Random moves that a recorded game may begin with, at most; for games that always begin alike."""
    clone_epochs: int = 8
    """Passes over the recording, at most."""
    patience: int = 3
    """Passes without a better prediction of the held-out games after which cloning ends."""
    clone_rate: float = 2e-3
    """Adam's step size while cloning, at its highest."""
    clone_batch: int = 2048
    """Decisions a step while cloning."""
    discount: float = 0.995
    """What is left of a result's worth for the score with every own decision before it, 0 to 1."""
    net: Literal["auto", "small", "tower"] = "auto"
    """A small net over the game's overview and prospects, or a residual tower over its planes; auto: small where the
    game has an overview."""
    policy_hidden: tuple[int, ...] = (64, 32)
    """Units of a small net's policy, first layer to last."""
    value_hidden: tuple[int, ...] = (64, 32)
    """Units of a small net's value, first layer to last."""
    blocks: int = 2
    """Residual blocks of a tower, 1 to 40."""
    width: int = 32
    """Channels of a tower, 4 to 512."""
    training_seeds: str = "0-999999999"
    """First positions that are learned from, by number; below 2**63, as all of these."""
    held_seeds: str = "1000000000-1099999999"
    """First positions of the games that are held out."""
    seed: int = 1
    """Of everything random, 0 or more."""

    def __post_init__(self) -> None:
        self._check(
            recorded=(1, 10**7),
            held_out=(1, 10**7),
            record_opening=(0, 10_000),
            clone_epochs=(1, 10_000),
            patience=(1, 10_000),
            clone_rate=(1e-9, 10),
            clone_batch=(1, 10**6),
            discount=(0, 1),
            blocks=(1, 40),
            width=(4, 512),
            seed=(0, 2**62),
        )
        if self.net not in ("auto", "small", "tower"):
            raise RunError(f"--net is {self.net!r}, but it must be auto, small or tower")
        for name in ("policy_hidden", "value_hidden"):
            units = getattr(self, name)
            if not units or min(units) < 1 or max(units) > 4096:
                what = "it must be one or more layers of 1 to 4096 units"
                raise RunError(f"--{name.replace('_', '-')} is {units}, but {what}")

    def _check(self, **limits: tuple[float, float]) -> None:
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise RunError(f"--{name.replace('_', '-')} is {value:g}, but it must be {low:g} to {high:g}")

    def as_dict(self) -> dict[str, Any]:
        """For config.json."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class PpoSettings(CloneSettings):
    """Clone a teacher, then play on against oneself, a pool of one's past and the teacher (PPO, Schulman et al. 2017).
    A gate decides which net is the champion, which is what the run keeps as its newest."""

    minutes: float = 30.0
    """Minutes the run is planned for, cloning included; steps get smaller towards its end. 0: only iterations count."""
    iterations: int = 0
    """Stop after so many iterations of PPO; 0: only minutes count."""
    clone: bool = True
    """Clone a teacher first, where there is one; otherwise begin with --start or with a random net."""
    soften: float = 0.15
    """Undecidedness, in nats a decision, that a clone begins PPO with: a teacher's clone is so sure of its moves that
    it would try nothing. Its likeliest moves stay so. 0: as it is."""
    games: int = 32
    """Games an iteration at first, all played to their ends."""
    most_games: int = 512
    """Games an iteration later, at most: after every 100 iterations they are twice as many."""
    trace: float = 0.95
    """λ of generalised advantage estimation (Schulman et al. 2016), 0 to 1."""
    clip: float = 0.2
    """How far the chance of a move may go from what it was, before it is no longer rewarded."""
    epochs: int = 3
    """Passes over an iteration's decisions."""
    batch: int = 2048
    """Decisions a step."""
    rate: float = 0.0
    """Adam's step size at its highest; 0: 2e-3 for small nets, 5e-4 for towers."""
    entropy: float = 0.005
    """What undecidedness is worth."""
    value_weight: float = 0.5
    """Of the value's squared error in the loss."""
    result_weight: float = 0.1
    """Of the results' cross-entropy in the loss: the chances that searches use."""
    longest_gradient: float = 1.0
    """Longer gradients are shortened to this."""
    most_kl: float = 0.05
    """An iteration's passes end when the policy has moved so far (KL divergence); 0: never."""
    shaping: float = 0.0
    """Weight of rewards for raising the game's own judgement (potential-based: Ng et al. 1999); 0: none."""
    average: float = 0.0
    """Share of the old that a step leaves in averaged weights, which then stand for the learner in gates and
    measurements; 0: the learner stands for itself."""
    teacher_share: float = 0.25
    """Of the games, those against the teacher."""
    pool_share: float = 0.5
    """Of the other games, those against the pool; the rest are against oneself, and both seats learn."""
    pool: Literal["weighted", "recent"] = "weighted"
    """Whom of the pool to meet: those who are hard to beat more often, or any of the newest."""
    pool_every: int = 5
    """Iterations between additions to the pool."""
    pool_size: int = 32
    """Members of the pool, at most; the first always stays."""
    drawn: int = 4
    """Members met in an iteration."""
    midgame: float = 0.25
    """Share of games that are learned from after some random moves somewhere in their middle only: so a net learns what
    to think of positions that it would not have come to."""
    midgame_moves: int = 4
    """Random moves there, at most."""
    gate_every: int = 10
    """Iterations between gates."""
    screen_games: int = 64
    """Games of the screen against the champion, even."""
    screen_score: float = 0.52
    """Score of the screen from which on a confirmation follows; at the end of a run one follows whatever it was."""
    confirm_games: int = 4000
    """Games of the confirmation, even; promoted where the 95 % interval lies above one half. With fewer a net must be
    much better than the champion to take its place."""
    rollback: int = 0
    """Gates failed in a row after which the learner goes back to the champion; 0: never."""
    measure_every: float = 2.0
    """Minutes between measurements against the teacher and the clone; 0: only at the end."""
    measure_games: int = 400
    """Games of each measurement, even."""
    match_every: float = 10.0
    """Minutes between matches against alpha-beta; 0: none."""
    match_games: int = 200
    """Games of each match, even."""
    match_depth: int = 3
    """Plies that alpha-beta searches in them."""
    opening: int = -1
    """Random moves before games of gates and measurements; -1: none where games begin at random, else 4."""
    screening_seeds: str = "1100000000-1199999999"
    """First positions of screens."""
    confirming_seeds: str = "1200000000-1299999999"
    """First positions of confirmations."""
    evaluating_seeds: str = "1300000000-1399999999"
    """First positions of measurements. No two of these ranges may overlap."""
    lanes: int = 256
    """Games that advance together, on each thread."""
    engine: str = "auto"
    """What runs the net in self-play: auto, native (small nets), openvino, torch …"""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(
            minutes=(0, 100_000),
            iterations=(0, 10**7),
            soften=(0, 10),
            games=(2, 10**6),
            most_games=(2, 10**6),
            trace=(0, 1),
            clip=(1e-6, 10),
            epochs=(1, 1000),
            batch=(2, 10**6),
            rate=(0, 10),
            entropy=(0, 10),
            value_weight=(0, 100),
            result_weight=(0, 100),
            longest_gradient=(1e-6, 1e6),
            most_kl=(0, 100),
            shaping=(0, 100),
            average=(0, 0.999999),
            teacher_share=(0, 1),
            pool_share=(0, 1),
            pool_every=(1, 10**6),
            pool_size=(1, 10_000),
            drawn=(1, 32),
            midgame=(0, 1),
            midgame_moves=(1, 10_000),
            gate_every=(1, 10**6),
            screen_score=(0, 1),
            rollback=(0, 10**6),
            measure_every=(0, 1e6),
            match_every=(0, 1e6),
            match_depth=(1, 99),
            opening=(-1, 10_000),
            lanes=(1, 65536),
        )
        for name in ("screen_games", "confirm_games", "measure_games", "match_games"):
            count = getattr(self, name)
            if not 2 <= count <= 10**6 or count % 2:
                raise RunError(
                    f"--{name.replace('_', '-')} is {count}, but it must be even, from 2 on: pairs are played"
                )
        if self.games > self.most_games:
            raise RunError(f"--games is {self.games}, but it must be at most --most-games, which is {self.most_games}")
        if not self.minutes and not self.iterations:
            raise RunError("give --minutes or --iterations, so that the run has an end")


MAY_CHANGE = (
    *("minutes", "iterations", "match_every", "match_games", "match_depth", "measure_every", "engine"),
    *("gate_every", "screen_games", "screen_score", "confirm_games"),
)
