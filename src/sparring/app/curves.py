"""A training run as pictures: one PNG of some panels, and the same rows as TensorBoard's log."""

import contextlib
import io
import time
from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes

from sparring.app import learners
from sparring.app.plotting import Row, duration, sheet
from sparring.errors import RunError

LOG = "events.out.tfevents.sparring"


def draw(config: dict[str, Any], rows: list[Row]) -> bytes:
    """The PNG. RunError where nobody has said what the curves of its learner are."""
    learner = config.get("learner", "td")
    curves = learners.curves(learner)
    if curves is None:
        raise RunError(f"runs of {learner} have no curves; their rows are in metrics.jsonl")

    def framed(draw_panel: Callable[[Axes], None]) -> Callable[[Axes], None]:
        def draw_framed(panel: Axes) -> None:
            draw_panel(panel)
            curves.frame(panel, rows)

        return draw_framed

    drawing = [framed(draw_panel) for draw_panel in curves.panels(rows, players(config))]
    return sheet(title(config, rows, curves.NAME), subtitle(config, rows, curves.settings), drawing)


def title(config: dict[str, Any], rows: list[Row], learner: str) -> str:
    """Game and length."""
    game, number = config["game"].replace("_", " ").capitalize(), rows[-1]["generation"]
    return f"{game}: {number:,} generation{'s' * (number > 1)} of {learner}"


def players(config: dict[str, Any]) -> tuple[str, str]:
    """What the players are called."""
    first, second = config.get("players", ("first", "second"))
    return first, second


def subtitle(config: dict[str, Any], rows: list[Row], told: Callable[[dict[str, Any], list[Row]], list[str]]) -> str:
    """Settings that matter most, time and machine."""
    settings, machine = config["settings"], config.get("machine", {})
    seconds = sum(row["seconds"] for row in rows)
    where = f"{machine.get('processor', 'an unknown machine')}, {machine.get('cores', '?')} cores"
    return "  ·  ".join([*told(settings, rows), f"seed {settings['seed']}", f"{duration(seconds)} on {where}"])


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
