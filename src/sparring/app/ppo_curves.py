"""The curves of a run of PPO, by games of self-play: strength, scores while learning, losses, change, length, speed."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from sparring.app import clone_curves
from sparring.app.dice_curves import games, thinned
from sparring.app.plotting import (
    FIRST,
    GREEN,
    INK,
    RED,
    SECOND,
    SOFT,
    VIOLET,
    Curve,
    Row,
    begin,
    draw_scores,
    in_percent,
    key,
    second_axis,
    widened,
)

NAME = "PPO self-play"
MATCHES: tuple[Curve, ...] = (
    ("teacher_greedy", "teacher", GREEN, "o"),
    ("teacher_sampled", "teacher, sampled", GREEN, "v"),
    ("clone_greedy", "clone", VIOLET, "s"),
    ("match_alphabeta", "alpha-beta", SECOND, "D"),
)
OWN_FRAME = "own frame"  # of a panel whose x is something else
CHAMPIONS = "champions"  # the marks where there was a new one


def settings(chosen: dict[str, Any], rows: list[Row]) -> list[str]:
    """How much was played, and how it was learned from."""
    played = [row for row in rows if "iteration" in row]
    if not played:
        return clone_curves.settings(chosen, rows)
    last = played[-1]
    counts = f"{last['games']:,} games, {last['decisions']:,} decisions"
    promoted = f"{last['promotions']} promotion{'s' * (last['promotions'] != 1)}"
    return [counts, promoted, f"γ = {chosen['discount']:g}, λ = {chosen['trace']:g}, clip {chosen['clip']:g}"]


def panels(rows: list[Row], names: tuple[str, str]) -> list[Callable[[Axes], None]]:
    """What draws each panel; of cloning and of self-play there are some where there was any."""
    cloned, played = [row for row in rows if "epoch" in row], [row for row in rows if "iteration" in row]
    of_clone: list[Callable[[Axes], None]] = [framed(draw, cloned) for draw in clone_curves.panels(cloned, names)]
    if not played:
        return of_clone
    return [
        lambda panel: draw_strength(panel, rows),
        lambda panel: draw_training(panel, played),
        lambda panel: draw_losses(panel, played),
        lambda panel: draw_change(panel, played),
        lambda panel: draw_length(panel, played),
        lambda panel: draw_speed(panel, played),
        *(of_clone if cloned else []),
    ]


def framed(draw: Callable[[Axes], None], cloned: list[Row]) -> Callable[[Axes], None]:
    """The panel with passes as its x."""

    def draw_framed(panel: Axes) -> None:
        draw(panel)
        clone_curves.frame(panel, cloned)
        panel.set_gid(OWN_FRAME)

    return draw_framed


def frame(panel: Axes, rows: list[Row]) -> None:
    """The x axis, where the panel has none of its own."""
    if panel.get_gid() != OWN_FRAME:
        panel.set_xlabel("games of self-play", color=SOFT, fontsize=9)
        panel.set_xlim(0, max(row.get("games", 0) for row in rows))
        panel.xaxis.set_major_formatter(EngFormatter(sep=""))


def few_of(rows: list[Row], *names: str) -> list[Row]:
    """The rows that have all of these, neighbours drawn together."""
    known = [{k: v for k, v in row.items() if v is not None} for row in rows]
    found = [row for row in known if all(name in row for name in names)]
    return thinned(found) if found else []


def draw_strength(panel: Axes, rows: list[Row]) -> None:
    """Scores against those who do not learn, with 95 % intervals, and where the champion changed."""
    draw_scores(panel, "games", [{"games": 0, **row} for row in rows], MATCHES)
    promoted = [row["games"] for row in rows if row.get("gate", {}).get("promoted")]
    title = "Strength, with 95 % intervals" + (" (▲: new champion)" if promoted else "")
    panel.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK, pad=23)
    foot = panel.get_xaxis_transform()
    panel.plot(promoted, [0.02] * len(promoted), "^", ms=5, color=RED, gid=CHAMPIONS, transform=foot)


def draw_training(panel: Axes, rows: list[Row]) -> None:
    """Scores of the games that are learned from, in which moves are drawn."""
    begin(panel, "Scores of the games it learns from", "score")
    panel.axhline(50, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    for name, label, colour in (("score_teacher_train", "teacher", GREEN), ("score_pool", "pool", VIOLET)):
        if few := few_of(rows, name):
            panel.plot(games(few), widened([100 * r[name] for r in few]), color=colour, lw=1.4, label=label)
    in_percent(panel)
    if panel.get_legend_handles_labels()[0]:
        key(panel)


def draw_losses(panel: Axes, rows: list[Row]) -> None:
    """Of the critic. That of the policy is left out: its size says nothing."""
    begin(panel, "Losses of value and result", "squared error")
    few = few_of(rows, "loss_value", "loss_result")
    panel.plot(games(few), widened([r["loss_value"] for r in few]), color=FIRST, lw=1.4, label="value")
    panel.plot([], [], color=SECOND, lw=1.4, label="result")
    result = second_axis(panel, "cross-entropy")
    result.plot(games(few), widened([r["loss_result"] for r in few]), color=SECOND, lw=1.4)
    key(panel)


def draw_change(panel: Axes, rows: list[Row]) -> None:
    """How undecided the policy is, how far it moves in an iteration, and how often that was clipped."""
    begin(panel, "Entropy and change of the policy", "entropy, nats")
    few = few_of(rows, "entropy", "kl", "clipped")
    panel.plot(games(few), widened([r["entropy"] for r in few]), color=SECOND, lw=1.5, label="entropy")
    panel.set_ylim(bottom=0)
    panel.plot([], [], color=RED, lw=1.1, label="KL divergence, hundredths")
    panel.plot([], [], color=SOFT, lw=1.1, ls=":", label="clipped, tenths")
    change = second_axis(panel, "")
    change.plot(games(few), widened([100 * r["kl"] for r in few]), color=RED, lw=1.1)
    change.plot(games(few), widened([10 * r["clipped"] for r in few]), color=SOFT, lw=1.1, ls=":")
    change.set_ylim(bottom=0)
    key(panel)


def draw_length(panel: Axes, rows: list[Row]) -> None:
    """How long the games were: where it runs away, the learner drifts."""
    begin(panel, "Length of games", "plies a game")
    few = few_of(rows, "plies")
    panel.plot(games(few), widened([r["plies"] for r in few]), color=SECOND, lw=1.5)
    panel.set_ylim(bottom=0)


def draw_speed(panel: Axes, rows: list[Row]) -> None:
    """Games a second, learning from them included."""
    begin(panel, "Speed", "games a second")
    few = few_of(rows, "games_per_second")
    panel.plot(games(few), widened([r["games_per_second"] for r in few]), color=INK, lw=1.5)
    panel.set_ylim(bottom=0)
