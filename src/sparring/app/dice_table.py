"""How a run of TD(λ) over turns is shown: a line every ten seconds, matches against yardsticks every few minutes."""

import importlib.util
import pathlib

from sparring.app.alphazero_table import SHOWN_EVERY, Marks, percent
from sparring.app.learners import Learner, Row, Table, Trial, keep_net
from sparring.learn.dice_settings import DiceSettings

YARDSTICKS = ("random", "expert", "pubeval")
EARLIER = "earlier"  # the net of the matches before
SCORES = tuple(f"match_{name}" for name in (*YARDSTICKS, EARLIER))
PACKAGE = "gnubg_nn"  # that pubeval needs, as `arena.outside` has it, which is too heavy for the first line


class DiceTable(Table):
    """Generations end every second or so: not all are shown, and matches go by the clock of the run."""

    settings: DiceSettings

    def __init__(self, settings: DiceSettings) -> None:
        super().__init__(settings)
        self.shown = -SHOWN_EVERY  # minute of the newest row on the screen
        self.marks = Marks(settings.match_every, 1, SCORES)

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """Two lines, and one more where a yardstick is missing."""
        ends = {"minutes": self.settings.minutes, "games": self.settings.games}
        until = " or ".join(f"{n:g} {what}" for what, n in ends.items() if n)
        where = "after every turn, games one after the other on one thread," if self.settings.online else ""
        where = where or f"over whole turns on {threads} threads"
        what = f"Training {game} by TD(λ) {where} for {until}."
        lines = [what, f"All of it is kept in {out}. Ctrl+C stops, the same command goes on."]
        if game == "backgammon" and not has_pubeval():
            lines.append("No matches against pubeval, which is not installed: pip install gnubg-nn")
        return lines

    def gone(self, learner: Learner, row: Row, seconds: float) -> float:
        """By the run's own clock, which a resumed run goes on with, or by games, whichever ends first."""
        return float(learner.done()) if row else 0.0  # type: ignore[attr-defined]

    def header(self, learner: Learner) -> list[str]:
        """Two lines."""
        first = learner.game.players[0][:7]
        sizes = sizes_of(learner)
        above = f"{'':5} {'':6} {'':8} {'games/':>7} {'turns/':>6} {'':6} {'games won by, %':^15} {'points, %':^18}"
        below = f"{'min':>5} {'gen':>6} {'games':>8} {'second':>7} {'game':>6} {'loss':>6} {first:>15} "
        below += " ".join(f"{size:>5}" for size in sizes)
        below += " " + "".join(f" {name:>7}" for name in (*yardsticks(learner), EARLIER))
        return [f"{above} {'points a game' if len(sizes) > 1 else 'score, %,'} against", below]

    def line(self, learner: Learner, row: Row) -> str:
        """A generation; blank where nothing was measured."""
        text = f"{row['minutes']:5.1f} {row['generation']:6} {row['games']:8} {row['games_per_second']:7.0f} "
        text += f"{row['turns']:6.1f} {row['loss']:6.3f} {percent(row['won_first']):>15} "
        text += " ".join(f"{percent(row.get(f'results_{size}')):>5}" for size in sizes_of(learner))
        scores = [told(row.get(f"match_{name}", {})) for name in (*yardsticks(learner), EARLIER)]
        return (text + " " + "".join(f" {score:>7}" for score in scores)).rstrip()

    def shows(self, row: Row) -> bool:
        """One every few seconds, and each that has matches."""
        shows = any(name in row for name in SCORES) or row["minutes"] - self.shown >= SHOWN_EVERY
        if shows:
            self.shown = row["minutes"]
        return shows

    def trials(self, learner: Learner, row: Row) -> list[Trial]:
        """Against the yardsticks, and against the net of the matches before."""
        if not self.marks.due(learner, row, self.gone(learner, row, 0.0) >= 1):
            return []
        opponents = {f"match_{name}": name for name in yardsticks(learner)}
        earlier = learner.folder.net_path(self.marks.before.get("generation", 0))
        if earlier.exists():
            opponents[f"match_{EARLIER}"] = f"turn:net={earlier}"
        net, rest = f"turn:net={keep_net(learner)}", (self.settings.match_games, 0, self.settings.seed)
        return [Trial(name, net, opponent, *rest) for name, opponent in opponents.items()]

    def opponent(self, learner: Learner) -> str:
        """The newest net."""
        return f"turn:net={learner.folder.net_path()}"


def sizes_of(learner: Learner) -> list[str]:
    """What a game may end with, as the rows name it."""
    return [f"{size:g}" for size in sorted({abs(v) for v in learner.game.RESULTS})]


def yardsticks(learner: Learner) -> list[str]:
    """Of YARDSTICKS those that play the game and are installed."""
    plays = {"expert": learner.game.defines("expert"), "pubeval": learner.game.name == "backgammon" and has_pubeval()}
    return [name for name in YARDSTICKS if plays.get(name, True)]


def has_pubeval() -> bool:
    """Whether its package is installed; it is not imported."""
    return importlib.util.find_spec(PACKAGE) is not None


def told(match: Row) -> str:
    """The result of a match: points a game, where there are any, else the score in percent."""
    return f"{match['points']:+.3f}" if "points" in match else percent(match.get("score"))
