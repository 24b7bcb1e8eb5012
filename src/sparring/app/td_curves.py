"""The curves of a run of TD(λ): who won, how far the net misses, matches, time; by generation."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from sparring.app.plotting import (
    FIRST,
    GREEN,
    INK,
    SECOND,
    SOFT,
    VIOLET,
    Row,
    begin,
    draw_results,
    draw_scores,
    key,
    second_axis,
    widened,
)

NAME = "TD(λ) self-play"
MATCHES = (
    ("match_yardstick", "against the rules' judgement", GREEN, "o"),
    ("match_earlier", "against the earlier net", VIOLET, "s"),
)


def settings(chosen: dict[str, Any], rows: list[Row]) -> list[str]:
    """Settings that matter most."""
    net = "-".join(map(str, chosen["hidden"]))
    games = f"{chosen['games']} games a generation, {chosen['depth']} plies deep"
    return [games, f"hidden layers {net}, {chosen['head']} head", f"λ = {chosen['trace']:g}"]


def panels(rows: list[Row], names: tuple[str, str]) -> list[Callable[[Axes], None]]:
    """What draws each panel."""
    return [
        lambda panel: draw_wins(panel, rows, names),
        lambda panel: draw_misses(panel, rows, names),
        lambda panel: draw_scores(panel, "generation", rows, MATCHES),
        lambda panel: draw_pace(panel, rows),
    ]


def frame(panel: Axes, rows: list[Row]) -> None:
    """The x axis."""
    x = generations(rows)
    panel.set_xlabel("generation", color=SOFT, fontsize=9)
    panel.set_xlim(x[0], x[-1])
    panel.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1))


def draw_wins(panel: Axes, rows: list[Row], names: tuple[str, str]) -> None:
    """Who won the games of self-play."""
    begin(panel, "Who won in self-play", "share of games")
    draw_results(panel, generations(rows), rows, names)
    key(panel)


def draw_misses(panel: Axes, rows: list[Row], names: tuple[str, str]) -> None:
    """How far the net's value was from its target, before and after it was trained on the positions."""
    begin(panel, "How far the net misses, by who won the game", "mean |value − target|")
    x = generations(rows)
    for name, side, colour in ((names[0], "first", FIRST), (names[1], "second", SECOND)):
        panel.plot(x, widened([r[f"miss_{side}_after"] for r in rows]), color=colour, lw=1.2, alpha=0.45)
        panel.plot(x, widened([r[f"miss_{side}_before"] for r in rows]), color=colour, lw=1.5, label=name)
    panel.plot([], [], color=SOFT, lw=1.5, label="before training on them")
    panel.plot([], [], color=SOFT, lw=1.2, alpha=0.45, label="after")
    panel.set_ylim(bottom=0)
    key(panel)


def draw_pace(panel: Axes, rows: list[Row]) -> None:
    """Where the seconds of a generation went, and how many positions it trained on."""
    begin(panel, "Time and positions trained on", "seconds a generation")
    other = [max(r["seconds"] - r["seconds_play"] - r["seconds_train"], 0) for r in rows]
    parts = [[r["seconds_play"] for r in rows], [r["seconds_train"] for r in rows], other]
    x, labels = generations(rows), ("play", "train", "the rest")
    panel.stackplot(x, [widened(p) for p in parts], colors=("#7aa6a1", "#c98686", "#dddddd"), labels=labels, lw=0)
    panel.plot([], [], color=INK, lw=1.3, label="positions")
    count = second_axis(panel, "thousand positions")
    count.plot(x, widened([r["positions"] / 1000 for r in rows]), color=INK, lw=1.3)
    count.set_ylim(bottom=0)
    key(panel)


def generations(rows: list[Row]) -> list[float]:
    """The x of a curve. A single generation is drawn half a generation wide to both sides, or nothing would show."""
    x = [float(row["generation"]) for row in rows]
    return x if len(x) > 1 else [x[0] - 0.5, x[0] + 0.5]
