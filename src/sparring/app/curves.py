"""A training run as pictures: one PNG of four panels, and the same rows as TensorBoard's log."""

import contextlib
import io
import time
from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

Row = dict[str, Any]
LOG = "events.out.tfevents.sparring"
FIRST, SECOND, DRAWN = "#d97706", "#3b6ea5", "#c9c4ba"  # orange, blue and grey: apart for colour-blind eyes too
INK, SOFT = "#22252a", "#6b7078"
MATCHES = (
    ("match_yardstick", "against the rules' judgement", "#1b7f5c", "o"),
    ("match_earlier", "against the earlier net", "#8e5aa8", "s"),
)


def draw(config: dict[str, Any], rows: list[Row]) -> bytes:
    """The PNG."""
    figure = Figure(figsize=(11.5, 8), dpi=120, facecolor="white")
    figure.subplots_adjust(left=0.065, right=0.94, top=0.84, bottom=0.065, hspace=0.42, wspace=0.2)
    figure.text(0.065, 0.958, title(config, rows), fontsize=16, fontweight="bold", color=INK)
    figure.text(0.065, 0.928, subtitle(config, rows), fontsize=9.5, color=SOFT)
    names = players(config)
    panels = figure.subplots(2, 2)
    draw_wins(panels[0, 0], rows, names)
    draw_misses(panels[0, 1], rows, names)
    draw_matches(panels[1, 0], rows)
    draw_pace(panels[1, 1], rows)
    x = generations(rows)
    for panel in panels.flat:
        panel.set_xlabel("generation", color=SOFT, fontsize=9)
        panel.set_xlim(x[0], x[-1])
        panel.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1))
    image = io.BytesIO()
    FigureCanvasAgg(figure).print_png(image)
    return image.getvalue()


def players(config: dict[str, Any]) -> tuple[str, str]:
    """What the players are called."""
    first, second = config.get("players", ("first", "second"))
    return first, second


def title(config: dict[str, Any], rows: list[Row]) -> str:
    """Game and length."""
    game = config["game"].replace("_", " ").capitalize()
    return f"{game}: {rows[-1]['generation']} generation{'s' * (rows[-1]['generation'] > 1)} of TD(λ) self-play"


def subtitle(config: dict[str, Any], rows: list[Row]) -> str:
    """Settings that matter most, time and machine."""
    settings, machine = config["settings"], config.get("machine", {})
    net = "-".join(map(str, settings["hidden"]))
    seconds = sum(row["seconds"] for row in rows)
    parts = [
        f"{settings['games']} games a generation, {settings['depth']} plies deep",
        f"hidden layers {net}, {settings['head']} head",
        f"λ = {settings['trace']:g}",
        f"seed {settings['seed']}",
        f"{duration(seconds)} on {machine.get('processor', 'an unknown machine')}, {machine.get('cores', '?')} cores",
    ]
    return "  ·  ".join(parts)


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


# --- panels ----------------------------------------------------------------------------------------------------------


def draw_wins(panel: Axes, rows: list[Row], names: tuple[str, str]) -> None:
    """Who won the games of self-play, as shares that add up to all games."""
    begin(panel, "Who won in self-play", "share of games")
    counts = [(r["wins_first"], r["draws"], r["wins_second"]) for r in rows]
    shares = [widened([100 * c[i] / max(sum(c), 1) for c in counts]) for i in range(3)]
    labels = (names[0], "draws", names[1])
    panel.stackplot(generations(rows), shares, colors=(FIRST, DRAWN, SECOND), labels=labels, alpha=0.85, lw=0)
    panel.set_ylim(0, 100)
    panel.yaxis.set_major_formatter(PercentFormatter(decimals=0))
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


def draw_matches(panel: Axes, rows: list[Row]) -> None:
    """Scores of the matches with their 95 % intervals."""
    begin(panel, "Matches of the net, with 95 % intervals", "score")
    panel.axhline(50, color=SOFT, lw=0.9, ls=(0, (4, 3)))
    for name, label, colour, mark in MATCHES:
        points = [(r["generation"], r[name]) for r in rows if r.get(name)]
        if points:
            score = [100 * m["score"] for _, m in points]
            below = [100 * max(m["score"] - m["low"], 0) for _, m in points]
            above = [100 * max(m["high"] - m["score"], 0) for _, m in points]
            style: dict[str, Any] = {"fmt": f"{mark}-", "ms": 4, "lw": 1.3, "elinewidth": 1, "capsize": 2}
            x, miss = [g for g, _ in points], (below, above)
            panel.errorbar(x, score, yerr=miss, label=label, color=colour, clip_on=False, **style)
    panel.set_ylim(0, 100)
    panel.yaxis.set_major_formatter(PercentFormatter(decimals=0))
    if panel.get_legend_handles_labels()[0]:
        key(panel)
    else:
        panel.text(0.5, 0.55, "no matches played", transform=panel.transAxes, ha="center", color=SOFT)


def draw_pace(panel: Axes, rows: list[Row]) -> None:
    """Where the seconds of a generation went, and how many positions it trained on."""
    begin(panel, "Time and positions trained on", "seconds a generation")
    other = [max(r["seconds"] - r["seconds_play"] - r["seconds_train"], 0) for r in rows]
    parts = [[r["seconds_play"] for r in rows], [r["seconds_train"] for r in rows], other]
    x, labels = generations(rows), ("play", "train", "the rest")
    panel.stackplot(x, [widened(p) for p in parts], colors=("#7aa6a1", "#c98686", "#dddddd"), labels=labels, lw=0)
    panel.plot([], [], color=INK, lw=1.3, label="positions")
    count = panel.twinx()
    count.plot(x, widened([r["positions"] / 1000 for r in rows]), color=INK, lw=1.3)
    count.set_ylabel("thousand positions", color=SOFT, fontsize=9)
    count.set_ylim(bottom=0)
    count.tick_params(colors=SOFT, labelsize=9, length=0)
    count.spines[:].set_visible(False)
    key(panel)


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


def generations(rows: list[Row]) -> list[float]:
    """The x of a curve. A single generation is drawn half a generation wide to both sides, or nothing would show."""
    x = [float(row["generation"]) for row in rows]
    return x if len(x) > 1 else [x[0] - 0.5, x[0] + 0.5]


def widened(y: list[float]) -> list[float]:
    """The y of a curve, to go with `generations`."""
    return y if len(y) > 1 else y * 2


# --- TensorBoard -----------------------------------------------------------------------------------------------------


def tensorboard_log(config: dict[str, Any], rows: list[Row]) -> bytes:
    """All numbers of the rows, in the format of TensorBoard's event files. The generation is the step."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    log = io.BytesIO()
    writer = RecordWriter(log)
    at = _began(config)
    writer.write(Event(wall_time=at, file_version="brain.Event:2").SerializeToString())
    for row in rows:
        at += row["seconds"]
        values = [Summary.Value(tag=tag, simple_value=value) for tag, value in numbers(row)]
        event = Event(wall_time=at, step=row["generation"], summary=Summary(value=values))
        writer.write(event.SerializeToString())
    return log.getvalue()


def numbers(row: Row) -> list[tuple[str, float]]:
    """(tag, number) for all that a row holds; tags that begin alike are shown together."""
    found: list[tuple[str, float]] = []
    group: Callable[[str], str] = lambda key: key.replace("_", "/", 1)  # noqa: E731
    for key, value in row.items():
        if isinstance(value, dict):
            found += [(f"{group(key)}_{name}", v) for name, v in value.items() if isinstance(v, int | float)]
        elif isinstance(value, int | float) and key != "generation":
            found.append((group(key), float(value)))
    return found


def _began(config: dict[str, Any]) -> float:
    """When the run began, in seconds since 1970; 0 where that was not written down."""
    with contextlib.suppress(KeyError, ValueError):
        return time.mktime(time.strptime(config["began"], "%Y-%m-%d %H:%M:%S"))
    return 0.0
