"""`sparring plot`."""

import importlib.util
import pathlib

from sparring.app.options import Plot
from sparring.app.talk import picture_path, say
from sparring.errors import RunError


def run(options: Plot) -> None:
    """Draw the curves; write TensorBoard's log where that is installed."""
    folder = pathlib.Path(options.run)
    say(f"Reading {folder} …")
    from sparring.app import curves
    from sparring.learn.run import RunFolder
    from sparring.nets.storage import write_whole

    found = RunFolder(folder)
    config, rows = found.config(), found.rows()
    if not rows:
        raise RunError(f"{folder} has no rows yet: a run has one when its first generation is done")
    picture = picture_path(options.out) if options.out else folder / "curves.png"
    write_whole(picture, curves.draw(config, rows))
    print(picture)
    if importlib.util.find_spec("tensorboard") is None:
        return
    write_whole(folder / "tensorboard" / curves.LOG, curves.tensorboard_log(config, rows))
    say(f"TensorBoard's log is written too. To view it: tensorboard --logdir {folder / 'tensorboard'}")
