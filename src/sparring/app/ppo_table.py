"""How runs of cloning and of PPO are shown: passes over a recording, then iterations, what they are worth, warnings."""

import pathlib

from sparring.app.alphazero_table import SHOWN_EVERY, Marks, percent
from sparring.app.drift import ALPHABETA, warnings
from sparring.app.learners import Learner, Row, Table, Trial, keep_net
from sparring.learn.ppo_settings import CloneSettings, PpoSettings

MEASURED = ("teacher_greedy", "teacher_sampled", "clone_greedy", "clone_sampled")
SCORES = (*MEASURED, ALPHABETA)


class CloneTable(Table):
    """A line for each pass over the recording."""

    settings: CloneSettings

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """Two lines."""
        settings = self.settings
        what = (
            f"the games in {settings.recording}"
            if settings.recording
            else f"{settings.recorded} games of {self.teacher}"
        )
        passes = f"at most {settings.clone_epochs} passes, a few seconds to a minute each"
        return [f"Cloning {game} from {what}: {passes}.", kept_in(out)]

    @property
    def teacher(self) -> str:
        """As people read it."""
        return self.settings.teacher or "its first bot"

    def gone(self, learner: Learner, row: Row, seconds: float) -> float:
        """As the learner says."""
        return float(learner.done())  # type: ignore[attr-defined]

    def header(self, learner: Learner) -> list[str]:
        """Two lines."""
        above = f"{'':5} {'':5} {'moves':>7} {'games held out':^35}"
        below = f"{'min':>5} {'pass':>5} {'record':>7} {'moves':>7} {'right, %':>9} {'results':>8} {'score':>8}"
        return [above.rstrip(), below]

    def line(self, learner: Learner, row: Row) -> str:
        """A pass."""
        text = f"{row['minutes']:5.1f} {row['epoch']:5} {row['loss_policy']:7.3f} {row['held_loss']:7.3f}"
        return text + f" {percent(row['accuracy']):>9} {row['held_result']:8.3f} {row['held_score']:8.3f}"

    def opponent(self, learner: Learner) -> str:
        """The newest net, without a search."""
        return f"policy:net={learner.folder.net_path()}"


class PpoTable(CloneTable):
    """A line for each pass of cloning; then one every ten seconds, and for each that was measured or promoted."""

    settings: PpoSettings

    def __init__(self, settings: PpoSettings) -> None:
        super().__init__(settings)
        self.shown = -SHOWN_EVERY  # minute of the newest row on the screen
        self.stage = self.headed = ""  # of the row that is shown next; of the header above it
        self.marks = Marks(settings.match_every, 1, (ALPHABETA,))

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """Two lines."""
        settings = self.settings
        ends = {"minutes": settings.minutes, "iterations": settings.iterations}
        until = " or ".join(f"{n:g} {what}" for what, n in ends.items() if n)
        cloning = f"cloning of {settings.recording or self.teacher} and " if settings.clone else ""
        return [f"Training {game} by {cloning}PPO self-play on {threads} threads for {until}.", kept_in(out)]

    def header(self, learner: Learner) -> list[str]:
        """Two lines, of the stage that the run is in."""
        self.headed = self.stage
        if self.stage == "clone":
            return super().header(learner)
        above = f"{'':5} {'':5} {'':8} {'games/':>6} {'':7} {'':7} {'':5} {'learning, %':^13} {'teacher, %':^13}"
        above += f" {'clone, %':^13} {'alpha-':>6}"
        below = f"{'min':>5} {'iter':>5} {'games':>8} {'second':>6} {'entropy':>7} {'kl':>7} {'plies':>5}"
        below += f" {'teach':>6} {'pool':>6}" + f" {'greedy':>6} {'sample':>6}" * 2 + f" {'beta':>6} {'champion':>8}"
        return [above.rstrip(), below]

    def line(self, learner: Learner, row: Row) -> str:
        """A pass or an iteration, and a line of warning for each that is due, below it."""
        lines = [] if row["stage"] == self.headed else self.header(learner)
        lines.append(super().line(learner, row) if row["stage"] == "clone" else iteration(row))
        if row["stage"] == "clone" and is_measured(row):
            lines.append(f"      the clone: {found(row)}")
        if is_promoted(row):
            lines.append(f"      a new champion: {beaten(row['gate'])}")
        if is_measured(row):
            lines += [f"      {warning}" for warning in warnings(learner.folder.rows())]
        return "\n".join(lines)

    def shows(self, row: Row) -> bool:
        """Every pass; of iterations one every few seconds, and each that was measured or promoted."""
        told = row["stage"] == "clone" or is_measured(row) or is_promoted(row)
        shows = told or row["minutes"] - self.shown >= SHOWN_EVERY
        if shows:
            self.shown = row["minutes"]
        self.stage = row["stage"]
        return bool(shows)

    def trials(self, learner: Learner, row: Row) -> list[Trial]:
        """The champion against alpha-beta, by the clock of the run, once there is one."""
        if row["stage"] == "clone" or not self.marks.due(learner, row, self.gone(learner, row, 0.0) >= 1):
            return []
        settings = self.settings
        from sparring.app.contest import usual_opening

        opening = settings.opening if settings.opening >= 0 else usual_opening(learner.game)
        player, opponent = f"policy:net={keep_net(learner)}", f"alphabeta:depth={settings.match_depth}"
        return [Trial(ALPHABETA, player, opponent, settings.match_games, opening, settings.seed)]


def iteration(row: Row) -> str:
    """A row of PPO; blank where nothing was measured. champion: how often there was a new one."""
    text = f"{row['minutes']:5.1f} {row['iteration']:5} {row['games']:8} {row['games_per_second']:6.1f}"
    text += f" {row['entropy']:7.3f} {row['kl']:7.5f} {row['plies']:5.0f}"
    text += "".join(f" {percent(row.get(name)):>6}" for name in ("score_teacher_train", "score_pool"))
    text += "".join(f" {percent(row[name]['score'] if name in row else None):>6}" for name in SCORES)
    return text + f" {row['promotions']:8}"


def found(row: Row) -> str:
    """The measurements of a row in words."""
    parts = []
    for name in SCORES:
        if name in row:
            who, _, how = name.removeprefix("match_").partition("_")
            measured = row[name]
            interval = f"{100 * measured['low']:.1f} to {100 * measured['high']:.1f}"
            parts.append(f"{percent(measured['score'])} % ({interval}) against {who}{f', {how}' if how else ''}")
    return "; ".join(parts)


def beaten(gate: Row) -> str:
    """How the champion before was beaten."""
    screen, confirm = (f"{percent(gate[name]['points'] / gate[name]['games'])} %" for name in ("screen", "confirm"))
    counts = gate["screen"]["games"], gate["confirm"]["games"]
    return f"{screen} of {counts[0]} games of the screen, {confirm} of {counts[1]} of the confirmation"


def is_promoted(row: Row) -> bool:
    """Whether there was a new champion."""
    return bool(row.get("gate", {}).get("promoted"))


def is_measured(row: Row) -> bool:
    """Whether the row tells a strength."""
    return any(name in row for name in SCORES)


def kept_in(out: pathlib.Path) -> str:
    """The second line of every run."""
    return f"All of it is kept in {out}. Ctrl+C stops, the same command goes on."
