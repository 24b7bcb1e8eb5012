"""How a run of AlphaZero is shown: a line every ten seconds, and at times what the net is worth."""

import pathlib
from types import ModuleType

from sparring.app.learners import Learner, Row, Table, Trial, keep_net
from sparring.learn.alphazero_settings import AlphaZeroSettings

SHOWN_EVERY = 10 / 60  # minutes
EARLY_TRUTHS = 5  # in the first `truth_every` minutes, when a net changes most
PLAYER, OPENING = "mcts:sims=64,net=", 4  # of the matches: who plays them, and random moves first
YARDSTICKS = {"match_random": "random", "match_alphabeta": "alphabeta:depth=4", "match_mcts": "mcts:sims=100"}
SCORES = (*YARDSTICKS, "match_earlier")
TRUTHS = ("net_ideal", "net_sound", "search_ideal", "search_sound", "value_error")


class AlphaZeroTable(Table):
    """Generations end every few seconds: not all are shown, and measurements go by the clock of the run."""

    settings: AlphaZeroSettings

    def __init__(self, settings: AlphaZeroSettings) -> None:
        super().__init__(settings)
        self.shown = -SHOWN_EVERY  # minute of the newest row on the screen
        self.truth_marks = Marks(settings.truth_every, EARLY_TRUTHS, TRUTHS)
        self.match_marks = Marks(settings.match_every, 1, SCORES)

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """Two lines."""
        ends = {"minutes": self.settings.minutes, "generations": self.settings.generations}
        until = " or ".join(f"{n:g} {what}" for what, n in ends.items() if n)
        what = f"Training {game} by AlphaZero self-play on {threads} threads for {until}."
        return [what, f"All of it is kept in {out}. Ctrl+C stops, the same command goes on."]

    def gone(self, learner: Learner, row: Row, seconds: float) -> float:
        """By the run's own clock, which a resumed run goes on with, or by generations, whichever ends first."""
        minutes, generations = self.settings.minutes, self.settings.generations
        by_clock = row.get("minutes", 0.0) / minutes if minutes else 0.0
        return float(max(by_clock, learner.number / generations if generations else 0.0))

    def header(self, learner: Learner) -> list[str]:
        """Two lines."""
        truth = solved(learner)
        first, second = (name[:5] for name in learner.game.players)
        above = f"{'':5} {'':4} {'':6} {'':8} {'a second':^14} {'from':>5} {'loss':^13}"
        below = f"{'min':>5} {'gen':>4} {'games':>6} {'position':>8} {'pos':>6} {'evals':>7} {'cache':>5} {'policy':>6}"
        below += f" {'result':>6}"
        if truth:
            above += f" {'net, %':^11} {'search, %':^11} {'class':>5}"
            below += f" {'ideal':>5} {'sound':>5} {'ideal':>5} {'sound':>5} {'error':>5}"
        else:
            above += f" {'':5} {'games won by, %':^17}"
            below += f" {'plies':>5} {first:>5} {second:>5} {'drawn':>5}"
        above += f" {'score against, %':^28}"
        return [above.rstrip(), f"{below} {'random':>6} {'depth4':>6} {'mcts':>6} {'earlier':>7}"]

    def line(self, learner: Learner, row: Row) -> str:
        """A generation; blank where nothing was measured."""
        text = f"{row['minutes']:5.1f} {row['generation']:4} {row['games']:6} {row['positions']:8}"
        text += f" {row['positions_per_second']:6.0f} {row['evaluations_per_second']:7.0f} {row['cached']:5.0%}"
        text += f" {row['loss_policy']:6.3f} {row['loss_result']:6.3f}"
        if solved(learner):
            text += "".join(f" {percent(row.get(name)):>5}" for name in TRUTHS)
        else:
            ends = [row[name] for name in ("wins_first", "wins_second", "draws")]
            text += f" {row['plies']:5.1f}" + "".join(f" {percent(n / max(sum(ends), 1)):>5}" for n in ends)
        scores = [percent(row[name]["score"] if name in row else None) for name in SCORES]
        return (text + f" {scores[0]:>6} {scores[1]:>6} {scores[2]:>6} {scores[3]:>7}").rstrip()

    def shows(self, row: Row) -> bool:
        """One every few seconds, and each that has measurements."""
        shows = any(name in row for name in (*SCORES, *TRUTHS)) or row["minutes"] - self.shown >= SHOWN_EVERY
        if shows:
            self.shown = row["minutes"]
        return shows

    def truths(self, learner: Learner, row: Row) -> Row:
        """The net and the search with it, against perfect play on positions that are not those others report on."""
        known = solved(learner)
        if known is None or not self.truth_marks.due(learner, row, self.gone(learner, row, 0.0) >= 1):
            return {}
        from sparring.app.talk import threads_of
        from sparring.arena.accuracy import measure
        from sparring.arena.player import parse_player

        net, truth, found = keep_net(learner), known.truth(known.SELECTION), Row()
        for name, spec in (("net", "policy:net="), ("search", PLAYER)):
            player = parse_player(f"{spec}{net}", learner.game)
            shares = measure(player.make, learner.game, truth, threads=threads_of(0)).shares
            found |= {f"{name}_{what}": share.share for what in ("ideal", "sound") if (share := shares[what])}
            if name == "net" and (wrong := shares["value_class_error"]):
                found["value_error"] = wrong.share
        return found

    def trials(self, learner: Learner, row: Row) -> list[Trial]:
        """Against the yardsticks that can play the game, and against the net of the matches before."""
        if not self.match_marks.due(learner, row, self.gone(learner, row, 0.0) >= 1):
            return []
        opponents = dict(YARDSTICKS)
        if learner.game.defines("chance"):
            del opponents["match_alphabeta"]
        earlier = learner.folder.net_path(self.match_marks.before.get("generation", 0))
        if earlier.exists():
            opponents["match_earlier"] = f"{PLAYER}{earlier}"
        net, rest = f"{PLAYER}{keep_net(learner)}", (self.settings.match_games, OPENING, self.settings.seed)
        return [Trial(name, net, opponent, *rest) for name, opponent in opponents.items()]

    def opponent(self, learner: Learner) -> str:
        """At a pace that people like."""
        return f"mcts:sims=800,net={learner.folder.net_path()}"


class Marks:
    """When something is measured: `early` times in the run's first `every` minutes, then once in as many; 0: never.

    names: the fields that rows have where it was. before: the row that was measured before the newest one, or empty.
    """

    def __init__(self, every: float, early: int, names: tuple[str, ...]) -> None:
        self.every, self.early, self.names = every, early, names
        self.newest: Row | None = None
        self.before: Row = {}

    def due(self, learner: Learner, row: Row, ended: bool) -> bool:
        """Whether it is time; what was cut short in an earlier sitting is made up for."""
        if not self.every:
            return False
        if self.newest is None:
            self.newest = next((r for r in reversed(learner.folder.rows()) if any(n in r for n in self.names)), {})
        due = ended or self.passed(row["minutes"]) > self.passed(self.newest.get("minutes", 0.0))
        if due:
            self.before, self.newest = self.newest, row
        return due

    def passed(self, minutes: float) -> int:
        """Marks up to that minute."""
        return int(min(minutes / self.every, 1.0) * self.early) + max(int(minutes / self.every) - 1, 0)


def solved(learner: Learner) -> ModuleType | None:
    """What is known about perfect play of the game."""
    from sparring.arena.yardsticks import truth_for

    return truth_for(learner.game)


def percent(share: float | None) -> str:
    """A share of 1, with a decimal; blank where there is none."""
    return "" if share is None else f"{100 * share:.1f}"
