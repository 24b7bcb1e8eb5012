"""What all pictures share: the sheet of panels, colours, frames, legends, error bars."""

import io
import math
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

Row = dict[str, Any]
FIRST, SECOND, DRAWN = "#d97706", "#3b6ea5", "#c9c4ba"  # orange, blue and grey: apart for colour-blind eyes too
GREEN, VIOLET, RED = "#1b7f5c", "#8e5aa8", "#b3403a"
INK, SOFT = "#22252a", "#6b7078"
Curve = tuple[str, str, str, str]  # field of the row, what people call it, colour, marker


def sheet(title: str, subtitle: str, drawing: Sequence[Callable[[Axes], None]]) -> bytes:
    """A PNG of panels below a heading. drawing: what draws each panel."""
    columns = 1 if len(drawing) == 1 else 2 if len(drawing) <= 4 else 3
    rows = math.ceil(len(drawing) / columns)
    height, left = 4 * rows, 0.13 / columns
    figure = Figure(figsize=(5.75 * columns, height), dpi=120, facecolor="white")
    figure.subplots_adjust(
        left=left,
        right=1 - 0.12 / columns,
        top=1 - 1.28 / height,
        bottom=0.52 / height,
        hspace=0.42,
        wspace=0.08 * columns,
    )
    figure.text(left, 1 - 0.336 / height, title, fontsize=16, fontweight="bold", color=INK)
    figure.text(left, 1 - 0.576 / height, subtitle, fontsize=9.5, color=SOFT)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, draw_panel in zip(panels, drawing, strict=False):
        draw_panel(panel)
    for empty in panels[len(drawing) :]:
        empty.set_axis_off()
    image = io.BytesIO()
    FigureCanvasAgg(figure).print_png(image)
    return image.getvalue()


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def begin(panel: Axes, name: str, unit: str) -> None:
    """Title, unit and a quiet frame."""
    panel.set_title(name, loc="left", fontsize=11, fontweight="bold", color=INK, pad=23)
    panel.set_ylabel(unit, color=SOFT, fontsize=9)
    panel.tick_params(colors=SOFT, labelsize=9, length=0)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color("#d0d0d0")
    panel.grid(axis="y", color="#ececec", lw=0.8)
    panel.set_axisbelow(True)


def key(panel: Axes) -> None:
    """The legend, in a row below the title."""
    tight = {"handlelength": 1.3, "columnspacing": 1.3, "borderaxespad": 0.2, "borderpad": 0.1}
    panel.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize=9, **tight)


def second_axis(panel: Axes, unit: str) -> Axes:
    """Another y axis, on the right."""
    other = panel.twinx()
    other.set_ylabel(unit, color=SOFT, fontsize=9)
    other.tick_params(colors=SOFT, labelsize=9, length=0)
    other.spines[:].set_visible(False)
    return other


def in_percent(panel: Axes, low: float | None = 0, high: float | None = 100) -> None:
    """A y axis in percent."""
    panel.set_ylim(low, high)
    panel.yaxis.set_major_formatter(PercentFormatter(decimals=0))


def draw_results(panel: Axes, x: list[float], rows: list[Row], names: tuple[str, str]) -> None:
    """Who won the games of self-play, as shares that add up to all games. x: one a row, or two for a single row."""
    counts = [(r["wins_first"], r["draws"], r["wins_second"]) for r in rows]
    shares = [widened([100 * c[i] / max(sum(c), 1) for c in counts]) for i in range(3)]
    labels = (names[0], "draws", names[1])
    panel.stackplot(x, shares, colors=(FIRST, DRAWN, SECOND), labels=labels, alpha=0.85, lw=0)
    in_percent(panel)


def draw_scores(panel: Axes, at: str, rows: list[Row], matches: Sequence[Curve]) -> None:
    """Scores of matches with their 95 % intervals. at: field of the row that x is."""
    begin(panel, "Matches of the net, with 95 % intervals", "score")
    panel.axhline(50, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    draw_matches(panel, at, rows, matches, ("score", "low", "high"), 100)
    in_percent(panel)
    if panel.get_legend_handles_labels()[0]:
        key(panel)
    else:
        panel.text(0.5, 0.55, "no matches played", transform=panel.transAxes, ha="center", color=SOFT)


def draw_matches(
    panel: Axes, at: str, rows: list[Row], matches: Sequence[Curve], fields: tuple[str, str, str], times: float = 1
) -> None:
    """What came of matches, with error bars. fields: of a match, its value and the interval's ends; times: a factor."""
    value, low, high = fields
    for name, label, colour, mark in matches:
        points = [(r[at], r[name]) for r in rows if value in (r.get(name) or {})]
        if points:
            y = [times * m[value] for _, m in points]
            below = [times * max(m[value] - m[low], 0) for _, m in points]
            above = [times * max(m[high] - m[value], 0) for _, m in points]
            style: dict[str, Any] = {"fmt": f"{mark}-", "ms": 4, "lw": 1.3, "elinewidth": 1, "capsize": 2}
            x, miss = [g for g, _ in points], (below, above)
            panel.errorbar(x, y, yerr=miss, label=label, color=colour, clip_on=False, **style)


def widened(y: list[float]) -> list[float]:
    """The y of a curve; a single one twice, to go with two x, or nothing would show."""
    return y if len(y) > 1 else y * 2
