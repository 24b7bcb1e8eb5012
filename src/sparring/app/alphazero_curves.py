"""The curves of a run of AlphaZero: losses, speed, truth, matches, games; by the minutes of the run."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

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
    draw_results,
    draw_scores,
    in_percent,
    key,
    second_axis,
    widened,
)

NAME = "AlphaZero self-play"
LOSSES: tuple[Curve, ...] = (
    ("loss_policy", "policy", SECOND, "-"),
    ("loss_result", "result", FIRST, "-"),
    ("loss_reply", "reply", VIOLET, ":"),
    ("loss_left", "moves left", GREEN, ":"),
)
TRUTHS: tuple[Curve, ...] = (
    ("search_sound", "search: sound", GREEN, "s"),
    ("net_sound", "net: sound", GREEN, "o"),
    ("search_ideal", "search: ideal", SECOND, "s"),
    ("net_ideal", "net: ideal", SECOND, "o"),
)
MATCHES: tuple[Curve, ...] = (
    ("match_random", "random", SOFT, "v"),
    ("match_alphabeta", "alpha-beta", GREEN, "o"),
    ("match_mcts", "random games", SECOND, "D"),
    ("match_earlier", "the earlier net", VIOLET, "s"),
)


def settings(chosen: dict[str, Any], rows: list[Row]) -> list[str]:
    """How much was played, and what was set by hand; the rest depends on the game."""
    last = rows[-1]
    by_hand = [f"{chosen[name]} {name}" for name in ("blocks", "width", "simulations") if chosen.get(name)]
    return [f"{last['games']:,} games, {last['positions']:,} positions", *by_hand]


def panels(rows: list[Row], names: tuple[str, str]) -> list[Callable[[Axes], None]]:
    """What draws each panel; of the truth there are two, where it was measured."""
    known = any("net_ideal" in row for row in rows)
    truth: list[Callable[[Axes], None]] = [
        lambda panel: draw_truth(panel, rows),
        lambda panel: draw_errors(panel, rows),
    ]
    return [
        lambda panel: draw_losses(panel, rows),
        *(truth if known else []),
        lambda panel: draw_speed(panel, rows),
        lambda panel: draw_scores(panel, "minutes", rows, MATCHES),
        lambda panel: draw_games(panel, rows, names),
    ]


def frame(panel: Axes, rows: list[Row]) -> None:
    """The x axis."""
    panel.set_xlabel("minutes", color=SOFT, fontsize=9)
    panel.set_xlim(0, rows[-1]["minutes"])


def minutes(rows: list[Row]) -> list[float]:
    """The x of a curve: when each generation ended. A single one is drawn from the beginning on."""
    x = [float(row["minutes"]) for row in rows]
    return x if len(x) > 1 else [0.0, x[0]]


def draw_losses(panel: Axes, rows: list[Row]) -> None:
    """Mean losses of each generation. The score's is left out: it is a squared error and far smaller."""
    begin(panel, "Losses", "cross-entropy")
    for name, label, colour, style in LOSSES:
        if all(name in row for row in rows):
            panel.plot(minutes(rows), widened([r[name] for r in rows]), style, color=colour, lw=1.4, label=label)
    key(panel)


def draw_speed(panel: Axes, rows: list[Row]) -> None:
    """Positions recorded and evaluations a second, and how many evaluations the cache saved."""
    begin(panel, "Speed", "a second")
    x = minutes(rows)
    for name, label, colour in (
        ("evaluations_per_second", "evaluations", SECOND),
        ("positions_per_second", "positions", FIRST),
    ):
        panel.plot(x, widened([r[name] for r in rows]), color=colour, lw=1.3, label=label)
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    panel.tick_params(which="minor", length=0)
    panel.plot([], [], color=GREEN, lw=1.1, ls=":", label="from the cache")
    cached = second_axis(panel, "")
    cached.plot(x, widened([100 * r["cached"] for r in rows]), color=GREEN, lw=1.1, ls=":")
    in_percent(cached)
    key(panel)


def draw_measured(panel: Axes, rows: list[Row], curves: tuple[Curve, ...]) -> None:
    """Shares, in percent, of the rows in which they were measured."""
    for name, label, colour, mark in curves:
        points = [(r["minutes"], 100 * r[name]) for r in rows if name in r]
        style = "-" if mark == "s" else "--"
        x, y = [m for m, _ in points], [share for _, share in points]
        panel.plot(x, y, style, marker=mark, ms=4, lw=1.3, color=colour, label=label, clip_on=False)


def draw_truth(panel: Axes, rows: list[Row]) -> None:
    """Ideal and sound moves of the net alone and of the search with it, on fixed positions."""
    begin(panel, "Moves against perfect play", "share of positions")
    draw_measured(panel, rows, TRUTHS)
    in_percent(panel, None)
    key(panel)


def draw_errors(panel: Axes, rows: list[Row]) -> None:
    """Blunders, which lose a win or a draw, and positions whose class (win, draw, loss) the net gets wrong."""
    begin(panel, "Errors against perfect play", "share of positions")
    blunders = [
        {**r, **{f"{who}_blunder": 1 - r[f"{who}_sound"] for who in ("net", "search")}}
        for r in rows
        if "net_sound" in r
    ]
    draw_measured(
        panel,
        blunders,
        (
            ("value_error", "class of the result", RED, "D"),
            ("net_blunder", "net: blunders", INK, "o"),
            ("search_blunder", "search: blunders", INK, "s"),
        ),
    )
    in_percent(panel, 0, None)
    key(panel)


def draw_games(panel: Axes, rows: list[Row], names: tuple[str, str]) -> None:
    """How the games of self-play ended, and how long they were."""
    begin(panel, "Games of self-play", "share of games")
    draw_results(panel, minutes(rows), rows, names)
    panel.plot([], [], color=INK, lw=1.3, label="length")
    length = second_axis(panel, "plies")
    length.plot(minutes(rows), widened([r["plies"] for r in rows]), color=INK, lw=1.3)
    length.set_ylim(bottom=0)
    key(panel)
