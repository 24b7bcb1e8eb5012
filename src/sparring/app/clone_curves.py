"""The curves of a run of cloning, by passes over the recording: losses, and how many held-out moves are foreseen."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes

from sparring.app.plotting import FIRST, GREEN, SECOND, SOFT, Row, begin, in_percent, key, widened

NAME = "cloning"


def settings(chosen: dict[str, Any], rows: list[Row]) -> list[str]:
    """Whom it was learned from, and how much."""
    decisions = [f"{row['decisions']:,} decisions" for row in rows if "held_decisions" in row]
    source = chosen.get("recording") or chosen.get("teacher") or "the first bot"
    return [f"from {source}", *decisions[:1], f"{rows[-1]['epoch']} passes"]


def panels(rows: list[Row], names: tuple[str, str]) -> list[Callable[[Axes], None]]:
    """What draws each panel."""
    return [lambda panel: draw_moves(panel, rows), lambda panel: draw_losses(panel, rows)]


def frame(panel: Axes, rows: list[Row]) -> None:
    """The x axis."""
    panel.set_xlabel("passes over the recording", color=SOFT, fontsize=9)
    panel.set_xlim(0, rows[-1]["epoch"])


def passes(rows: list[Row]) -> list[float]:
    """The x of a curve. A single one is drawn from the beginning on."""
    x = [float(row["epoch"]) for row in rows]
    return x if len(x) > 1 else [0.0, x[0]]


def draw_moves(panel: Axes, rows: list[Row]) -> None:
    """How many moves of games that were not learned from are the net's likeliest."""
    begin(panel, "Held-out moves that are foreseen", "share of moves")
    panel.plot(passes(rows), widened([100 * row["accuracy"] for row in rows]), color=GREEN, lw=1.5)
    in_percent(panel, None, None)


def draw_losses(panel: Axes, rows: list[Row]) -> None:
    """Cross-entropies of moves and results."""
    begin(panel, "Losses of cloning", "cross-entropy")
    for name, label, colour, style in (
        ("loss_policy", "moves", SECOND, ":"),
        ("held_loss", "moves, held out", SECOND, "-"),
        ("held_result", "results, held out", FIRST, "-"),
    ):
        panel.plot(passes(rows), widened([row[name] for row in rows]), style, color=colour, lw=1.4, label=label)
    key(panel)
