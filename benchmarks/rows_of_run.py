"""The positions that a run of NNUE self-play learned from last, as a file of bulletformat.

python benchmarks/rows_of_run.py RUN OUT.bf
"""

import pathlib
import sys

import numpy as np

from sparring.games.chess_data import write_lessons
from sparring.games.game import load
from sparring.learn.nnue_rows import from_bytes
from sparring.nets import storage


def main(run: str, out: str) -> None:
    """All generations whose rows the run's folder still holds, in order, each held-out part behind its rows."""
    game, parts = load("chess"), []
    for file in sorted((pathlib.Path(run) / "buffer").glob("*.safetensors")):
        arrays = storage.unpack(storage.read(file), str(file))[0]
        parts += [from_bytes(arrays[name], game) for name in ("rows", "held")]
    rows = np.concatenate(parts)
    storage.write_whole(pathlib.Path(out), write_lessons(rows, "bulletformat"))
    print(f"{len(rows):,} positions")


if __name__ == "__main__":
    main(*sys.argv[1:])
