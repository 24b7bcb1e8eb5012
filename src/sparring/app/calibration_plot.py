"""Calibration as a picture: what was foreseen against what came, a panel for each question."""

from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from sparring.app.plotting import DRAWN, FIRST, SOFT, begin, key, sheet
from sparring.arena.calibration import TOLERANCE, Calibration


def draw(title: str, subtitle: str, found: Sequence[Calibration]) -> bytes:
    """The PNG."""
    return sheet(title, subtitle, [panel_of(one) for one in found])


def panel_of(one: Calibration) -> Callable[[Axes], None]:
    """What draws the panel of a question."""
    return lambda panel: draw_bins(panel, one)


def draw_bins(panel: Axes, one: Calibration) -> None:
    """The bins with their 95 % intervals, the diagonal on which they should lie, and how far they may be off it."""
    chance, every = one.question.chance, one.bins
    times = 100 if chance else 1
    begin(panel, f"To {one.question.name}" if chance else one.question.name.capitalize(), "came")
    x, y = [times * b.predicted for b in every], [times * b.observed for b in every]
    reach = [times * b.reach if b.games > 1 else 0.0 for b in every]
    low = min([*x, *(b - r for b, r in zip(y, reach, strict=True))])
    high = max([*x, *(b + r for b, r in zip(y, reach, strict=True))])
    margin = 0.05 * (high - low) or 1.0
    ends = [0.0, min(high + margin, 100.0)] if chance else [low - margin, high + margin]
    if chance:
        wide, name = 100 * TOLERANCE, f"within {100 * TOLERANCE:g} points of percent"
        below, above = [e - wide for e in ends], [e + wide for e in ends]
        panel.fill_between(ends, below, above, color=DRAWN, alpha=0.35, lw=0, label=name)
    panel.plot(ends, ends, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    style: dict[str, Any] = {"fmt": "o", "ms": 4.5, "color": FIRST, "elinewidth": 1.2, "capsize": 2.5, "clip_on": False}
    panel.errorbar(x, y, yerr=reach, label="a tenth of the positions", **style)
    panel.set_xlim(*ends)
    panel.set_ylim(*ends)
    panel.set_xlabel("foreseen", color=SOFT, fontsize=9)
    key(panel)
    if chance:
        places = 0 if high > 10 else 1
        panel.xaxis.set_major_formatter(PercentFormatter(decimals=places))
        panel.yaxis.set_major_formatter(PercentFormatter(decimals=places))
