"""How a run of TD(λ) is shown: a line a generation, and two matches every few of them."""

import pathlib

from sparring.app.learners import Learner, Row, Table, Trial, keep_net
from sparring.learn.td_settings import TdSettings


class TdTable(Table):
    """A line a generation."""

    settings: TdSettings

    def begins(self, game: str, threads: int, out: pathlib.Path) -> list[str]:
        """Two lines."""
        td = self.settings
        until = f"generation {td.generations}" + (f" or {td.minutes:g} minutes" if td.minutes else "")
        what = f"Training {game} by TD(λ) self-play on {threads} threads until {until}: {td.games} games a generation,"
        return [what, f"{td.depth} plies deep. All of it is kept in {out}. Ctrl+C stops, the same command goes on."]

    def gone(self, learner: Learner, row: Row, seconds: float) -> float:
        """By generations or minutes, whichever end first."""
        td = self.settings
        return max(learner.number / td.generations, seconds / (td.minutes * 60) if td.minutes else 0.0)

    def header(self, learner: Learner) -> list[str]:
        """Two lines."""
        a, b = (name[:7] for name in learner.game.players)
        return [
            f"{'':4} {'':9} {'games won by':>15} {'':6} {'error before → after':^25} {'score against':^16} "
            f"{'seconds':^11}",
            f"{'gen':>4} {'positions':>9} {a:>7} {b:>7} {'draws':>6} {a:^12} {b:^12} {'earlier':>7} {'rules':>8} "
            f"{'learn':>5} {'all':>5}",
        ]

    def line(self, learner: Learner, row: Row) -> str:
        """A generation."""
        scores = [f"{row[k]['score']:.1%}" if k in row else "-" for k in ("match_earlier", "match_yardstick")]
        misses = [f"{row[f'miss_{w}_before']:.3f}→{row[f'miss_{w}_after']:.3f}" for w in ("first", "second")]
        games = f"{row['wins_first']:7} {row['wins_second']:7} {row['draws']:6}"
        times = f"{row['seconds_train']:5.1f} {row['seconds']:5.1f}"
        errors = f"{misses[0]:^12} {misses[1]:^12}"
        return f"{row['generation']:4} {row['positions']:9} {games} {errors} {scores[0]:>7} {scores[1]:>8} {times}"

    def trials(self, learner: Learner, row: Row) -> list[Trial]:
        """Against the game's own judgement and the net of some generations ago, at equal depth."""
        td, number = self.settings, learner.number
        if not td.match_every or number % td.match_every:
            return []
        plain = f"alphabeta:depth={td.match_depth or td.depth}"
        before = learner.folder.net_path(max(number - td.match_every, 0))
        opponents = {"match_yardstick": plain}
        if before.exists():
            opponents["match_earlier"] = f"{plain},net={before}"
        net, rest = f"{plain},net={keep_net(learner)}", (td.match_games, td.match_opening, td.seed)
        return [Trial(name, net, opponent, *rest) for name, opponent in opponents.items()]

    def opponent(self, learner: Learner) -> str:
        """At a pace that people like."""
        return f"alphabeta:ms=300,net={learner.folder.net_path()}"
