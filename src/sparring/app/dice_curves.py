"""The curves of a run of TD(λ) over whole turns: matches, loss, results, length, speed; by games of self-play."""

import math
from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from sparring.app.dice_table import SCORES
from sparring.app.plotting import (
    DRAWN,
    FIRST,
    GREEN,
    INK,
    SECOND,
    SOFT,
    VIOLET,
    Curve,
    Row,
    begin,
    draw_matches,
    draw_scores,
    in_percent,
    key,
    second_axis,
    widened,
)

NAME = "TD(λ) self-play"
STYLES = (("random", SOFT, "v"), ("expert", GREEN, "o"), ("pubeval", SECOND, "D"), ("the earlier net", VIOLET, "s"))
MATCHES: tuple[Curve, ...] = tuple((name, *style) for name, style in zip(SCORES, STYLES, strict=True))
SHARES = (DRAWN, "#7aa6a1", FIRST, SECOND)  # of results, smallest first
DRAWN_POINTS = 200  # of a curve: generations are many and scatter, so neighbours are drawn as their mean


def settings(chosen: dict[str, Any], rows: list[Row]) -> list[str]:
    """Settings that matter most."""
    last, net = rows[-1], "-".join(map(str, chosen["hidden"]))
    played = f"{last['games']:,} games, {last['positions']:,} positions"
    return [played, f"hidden layers {net}, {chosen['activation']}", f"λ = {chosen['trace']:g}"]


def panels(rows: list[Row], names: tuple[str, str]) -> list[Callable[[Axes], None]]:
    """What draws each panel; of matches there are two where games are won by points, and none where none was played."""
    matches = [row[name] for row in rows for name in SCORES if row.get(name)]
    return [
        *([lambda panel: draw_points(panel, rows)] if any("points" in match for match in matches) else []),
        *([lambda panel: draw_scores(panel, "games", rows, MATCHES)] if matches else []),
        lambda panel: draw_loss(panel, rows),
        *([lambda panel: draw_sizes(panel, rows)] if len(sizes(rows)) > 1 else []),
        lambda panel: draw_length(panel, rows),
        lambda panel: draw_speed(panel, rows),
    ]


def frame(panel: Axes, rows: list[Row]) -> None:
    """The x axis."""
    panel.set_xlabel("games of self-play", color=SOFT, fontsize=9)
    panel.set_xlim(0, rows[-1]["games"])
    panel.xaxis.set_major_formatter(EngFormatter(sep=""))


def thinned(rows: list[Row], most: int = DRAWN_POINTS) -> list[Row]:
    """At most so many rows, each the mean of as many neighbours; `games` of the last of them, where they end."""
    every = math.ceil(len(rows) / most)
    found = []
    for at in range(0, len(rows), every):
        part = rows[at : at + every]
        numbers = [name for name, value in part[0].items() if isinstance(value, int | float)]
        means = {name: math.fsum(row.get(name, 0) for row in part) / len(part) for name in numbers}
        found.append({**means, "games": part[-1]["games"]})
    return found


def games(rows: list[Row]) -> list[float]:
    """The x of a curve: how many games had been played. A single one is drawn from the beginning on."""
    x = [float(row["games"]) for row in rows]
    return x if len(x) > 1 else [0.0, x[0]]


def sizes(rows: list[Row]) -> list[str]:
    """What games may end with, without sign, smallest first, as the rows name it."""
    found = {name.removeprefix("results_") for row in rows for name in row if name.startswith("results_")}
    return sorted(found, key=float)


def draw_points(panel: Axes, rows: list[Row]) -> None:
    """Points a game of matches with their 95 % intervals."""
    begin(panel, "Points a game of the net, with 95 % intervals", "points a game")
    panel.axhline(0, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    draw_matches(panel, "games", rows, MATCHES, ("points", "points_low", "points_high"))
    key(panel)


def draw_loss(panel: Axes, rows: list[Row]) -> None:
    """Mean loss of each generation, and Adam's step size."""
    begin(panel, "Loss", "cross-entropy of the results")
    few = thinned(rows)
    panel.plot(games(few), widened([r["loss"] for r in few]), color=FIRST, lw=1.5, label="loss")
    panel.plot([], [], color=SOFT, lw=1.1, ls=":", label="step size, thousandths")
    rate = second_axis(panel, "")
    rate.plot(games(few), widened([1000 * r["rate"] for r in few]), color=SOFT, lw=1.1, ls=":")
    rate.set_ylim(bottom=0)
    key(panel)


def draw_sizes(panel: Axes, rows: list[Row]) -> None:
    """By how many points the games of self-play were won, as shares that add up to all games."""
    begin(panel, "By how much games of self-play were won", "share of games")
    few, found = thinned(rows), sizes(rows)
    shares = [widened([100 * r.get(f"results_{size}", 0.0) for r in few]) for size in found]
    labels = [f"{size} point{'s' * (size != '1')}" for size in found]
    colours = [SHARES[i % len(SHARES)] for i in range(len(found))]
    panel.stackplot(games(few), shares, colors=colours, labels=labels, alpha=0.85, lw=0)
    in_percent(panel)
    key(panel)


def draw_length(panel: Axes, rows: list[Row]) -> None:
    """How many turns the games of self-play took."""
    begin(panel, "Length of games", "turns a game, of both players")
    few = thinned(rows)
    panel.plot(games(few), widened([r["turns"] for r in few]), color=SECOND, lw=1.5)
    panel.set_ylim(bottom=0)


def draw_speed(panel: Axes, rows: list[Row]) -> None:
    """Games a second, and how much of the time went into playing them rather than learning from them."""
    begin(panel, "Speed", "games a second")
    few = thinned(rows)
    panel.plot(games(few), widened([r["games_per_second"] for r in few]), color=INK, lw=1.5, label="games a second")
    panel.plot([], [], color=GREEN, lw=1.1, ls=":", label="time spent playing")
    share = second_axis(panel, "")
    spent = [100 * r["seconds_play"] / max(r["seconds"], 1e-9) for r in few]
    share.plot(games(few), widened(spent), color=GREEN, lw=1.1, ls=":")
    in_percent(share)
    panel.set_ylim(bottom=0)
    key(panel)
