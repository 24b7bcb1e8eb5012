"""The curves of a run of NNUE: loss on games held out, calibration of the newest net, matches, results, speed."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from sparring.app.nnue_table import SCORES
from sparring.app.plotting import (
    FIRST,
    GREEN,
    INK,
    SECOND,
    SOFT,
    VIOLET,
    Curve,
    Row,
    begin,
    draw_results,
    draw_scores,
    in_percent,
    key,
    second_axis,
    widened,
)

NAME = "NNUE"
STYLES = (
    ("against material", GREEN, "o"),
    ("against the rules", SECOND, "D"),
    ("against the earlier net", VIOLET, "s"),
)
MATCHES: tuple[Curve, ...] = tuple((name, *style) for name, style in zip(SCORES, STYLES, strict=True))
COLOURS = (SECOND, SOFT, FIRST, GREEN, VIOLET, INK)  # of results, lowest first
OWN_AXIS = "own axis"  # gid of panels whose x is not how far the run is


def settings(chosen: dict[str, Any], rows: list[Row]) -> list[str]:
    """Settings that matter most."""
    last = rows[-1]
    told = [f"{last['positions']:,} positions, {last['trained']:,} trained on"]
    alpha = ", ".join(f"{a:g}" for a in chosen["alpha"])
    return [*told, f"head {chosen['head']}" + (f", α = {alpha}" if chosen["head"] == "results" else "")]


def panels(rows: list[Row], names: tuple[str, str]) -> list[Callable[[Axes], None]]:
    """What draws each panel."""
    played = [row for row in rows if "made_per_second" in row]
    return [
        lambda panel: draw_loss(panel, rows),
        lambda panel: draw_calibration(panel, rows[-1], names),
        *([lambda panel: draw_scores(panel, "trained", rows, MATCHES)] if matched(rows) or played else []),
        *([lambda panel: draw_ends(panel, played, names)] if played else []),
        lambda panel: draw_speed(panel, rows, played),
    ]


def frame(panel: Axes, rows: list[Row]) -> None:
    """The x axis."""
    if panel.get_gid() == OWN_AXIS:
        return
    panel.set_xlabel("positions trained on", color=SOFT, fontsize=9)
    panel.set_xlim(0, rows[-1]["trained"])
    panel.xaxis.set_major_formatter(EngFormatter(sep=""))


def matched(rows: list[Row]) -> bool:
    """Whether matches were played."""
    return any(row.get(name) for row in rows for name in SCORES)


def trained(rows: list[Row]) -> list[float]:
    """The x of a curve: positions trained on so far. A single row is drawn from the beginning on."""
    x = [float(row["trained"]) for row in rows]
    return x if len(x) > 1 else [0.0, x[0]]


def draw_loss(panel: Axes, rows: list[Row]) -> None:
    """Both terms of the loss on positions held out, and the squared error while training."""
    begin(panel, "Loss on games held out", "squared error")
    x = trained(rows)
    panel.plot(x, widened([r["held_square"] for r in rows]), color=FIRST, lw=1.5, label="error²")
    panel.plot(x, widened([r["loss_square"] for r in rows]), color=FIRST, lw=1.1, alpha=0.45, label="error², training")
    panel.plot(x, widened([r["held_result"] for r in rows]), color=GREEN, lw=1.2, label="from the result")
    panel.set_ylim(bottom=0)
    if any(r["held_surprise"] for r in rows):
        panel.plot([], [], color=INK, lw=1.3, label="−log p")
        other = second_axis(panel, "−log p of what happened")
        other.plot(x, widened([r["held_surprise"] for r in rows]), color=INK, lw=1.3)
        other.set_ylim(bottom=0)
    key(panel)


def draw_calibration(panel: Axes, row: Row, names: tuple[str, str]) -> None:
    """What the newest net foresaw of positions held out against what came, a curve for each result."""
    begin(panel, "Foreseen and come, a tenth of the positions a point", "came")
    panel.set_gid(OWN_AXIS)
    found = row["calibration"]
    called = dict(zip(found, named(list(found)), strict=True))
    panel.plot([0, 100], [0, 100], color=SOFT, lw=0.9, ls=(0, (4, 3)))
    for (name, bins), colour in zip(found.items(), COLOURS, strict=False):
        x, y = [100 * predicted for _, predicted, _ in bins], [100 * observed for _, _, observed in bins]
        panel.plot(x, y, "o-", color=colour, ms=4, lw=1.2, label=called[name], clip_on=False)
    panel.set_xlim(0, 100)
    panel.set_xlabel("foreseen, %", color=SOFT, fontsize=9)
    in_percent(panel)
    key(panel)


def named(values: list[str]) -> list[str]:
    """What people call results, by their values."""
    if values == ["-1", "0", "1"]:
        return ["lost", "drawn", "won"]
    return [value if value == "expected" else f"{float(value):+g}" for value in values]


def draw_ends(panel: Axes, played: list[Row], names: tuple[str, str]) -> None:
    """Who won the games of self-play."""
    begin(panel, "Who won in self-play", "share of games")
    draw_results(panel, trained(played), played, names)
    key(panel)


def draw_speed(panel: Axes, rows: list[Row], played: list[Row]) -> None:
    """Positions a second, trained on and made."""
    begin(panel, "Speed", "positions trained on a second")
    panel.plot(trained(rows), widened([r["trained_per_second"] for r in rows]), color=FIRST, lw=1.4, label="trained on")
    panel.set_ylim(bottom=0)
    panel.yaxis.set_major_formatter(EngFormatter(sep=""))
    if played:
        panel.plot([], [], color=INK, lw=1.3, label="made in self-play")
        other = second_axis(panel, "made a second")
        other.plot(trained(played), widened([r["made_per_second"] for r in played]), color=INK, lw=1.3)
        other.set_ylim(bottom=0)
    key(panel)
