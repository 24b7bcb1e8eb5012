"""How a run of NNUE is shown: a line a generation, and at times what the net is worth against yardsticks."""

import pathlib

from sparring.app.alphazero_table import Marks, percent
from sparring.app.learners import Learner, Row, Table, Trial, keep_net
from sparring.learn.nnue_settings import NnueSettings, planned

SHOWN_EVERY = 2 / 60  # minutes
MATERIAL, RULES, EARLIER = "match_material", "match_rules", "match_earlier"
SCORES = (MATERIAL, RULES, EARLIER)


class NnueTable(Table):
    """Matches go by the clock of the run."""

    settings: NnueSettings

    def __init__(self, settings: NnueSettings) -> None:
        super().__init__(settings)
        self.shown = -SHOWN_EVERY  # minute of the newest row on the screen
        self.marks = Marks(settings.match_every, 1, SCORES)

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """Two lines."""
        chosen = planned(self.settings)
        ends = {"minutes": chosen.minutes, "generations": chosen.generations}
        until = " or ".join(f"{n:g} {what}" for what, n in ends.items() if n)
        count = len(chosen.data)
        where = f"from {count} file{'s' * (count > 1)}" if count else "by self-play"
        first, last = chosen.nodes[0], chosen.nodes[-1]
        nodes = f", {first} to {last} nodes a move" if first != last else f", {first} nodes a move"
        what = f"Training an NNUE net for {game} {where} on {threads} threads for {until}: {chosen.hidden} units a view"
        lines = [f"{what}, batches of {chosen.batch}{'' if count else nodes}."]
        return [*lines, f"All of it is kept in {out}. Ctrl+C stops, the same command goes on."]

    def gone(self, learner: Learner, row: Row, seconds: float) -> float:
        """By the run's own clock, which a resumed run goes on with, or by generations, whichever ends first."""
        minutes, generations = self.settings.minutes, self.settings.generations
        by_clock = row.get("minutes", 0.0) / minutes if minutes else 0.0
        return float(max(by_clock, learner.number / generations if generations else 0.0))

    def header(self, learner: Learner) -> list[str]:
        """Two lines."""
        first, second = (name[:5] for name in learner.game.players)
        above = f"{'':5} {'':4} {'':6} {'thousand':>8} {'a second':^13} {'':5} {'':4} {'on games held out':^21}"
        below = f"{'min':>5} {'gen':>4} {'games':>6} {'position':>8} {'made':>6} {'learnt':>6} {'nodes':>5} {'λ':>4}"
        below += f" {'error²':>6} {'log':>6} {'gap, %':>7}"
        above += f" {'games won by, %':^17} {'score against, %':^22}"
        below += f" {first:>5} {second:>5} {'drawn':>5} {'material':>8} {'rules':>5} {'earlier':>7}"
        return [above.rstrip(), below]

    def line(self, learner: Learner, row: Row) -> str:
        """A generation; blank where nothing was played or measured."""
        text = f"{row['minutes']:5.1f} {row['generation']:4} {row['games'] or '':6} {row['positions'] / 1000:8.0f}"
        made, nodes = (f"{row[name]:.0f}" if name in row else "" for name in ("made_per_second", "nodes"))
        text += f" {made:>6} {row['trained_per_second']:6.0f} {nodes:>5} {row['blend']:4.2f}"
        text += f" {row['held_square']:6.4f} {row['held_surprise']:6.4f} {percent(row['held_gap']):>7}"
        ends = [row.get(name, 0) for name in ("wins_first", "wins_second", "draws")]
        text += "".join(f" {percent(n / sum(ends)) if sum(ends) else '':>5}" for n in ends)
        scores = [percent(row[name]["score"] if name in row else None) for name in SCORES]
        return (text + f" {scores[0]:>8} {scores[1]:>5} {scores[2]:>7}").rstrip()

    def shows(self, row: Row) -> bool:
        """One every few seconds, and each that has matches."""
        shows = any(name in row for name in SCORES) or row["minutes"] - self.shown >= SHOWN_EVERY
        if shows:
            self.shown = row["minutes"]
        return shows

    def trials(self, learner: Learner, row: Row) -> list[Trial]:
        """At equal nodes against material alone, the rules' own judgement, and the net of the matches before."""
        if not self.marks.due(learner, row, self.gone(learner, row, 0.0) >= 1):
            return []
        plain, opponents = f"alphabeta:nodes={self.settings.match_nodes}", {}
        if learner.game.defines("material"):
            opponents[MATERIAL] = f"{plain},judge=material"
        if learner.game.defines("evaluate") or not opponents:
            opponents[RULES] = plain
        earlier = learner.folder.net_path(self.marks.before.get("generation", 0))
        if earlier.exists():
            opponents[EARLIER] = f"{plain},net={earlier}"
        net = f"{plain},net={keep_net(learner)}"
        rest = self.settings.match_games, self.settings.match_opening, self.settings.seed
        return [Trial(name, net, opponent, *rest) for name, opponent in opponents.items()]

    def opponent(self, learner: Learner) -> str:
        """At a pace that people like."""
        return f"alphabeta:ms=300,net={learner.folder.net_path()}"
