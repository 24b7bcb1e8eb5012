"""Positions of chess with what is known of them, from files of extended position descriptions."""

import pathlib
import re
from dataclasses import dataclass

import numpy as np

from sparring.games.game import Game

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "chess"
LINE = re.compile(r'(?P<fen>\S+ \S+ \S+ \S+) (?:dm (?P<mate>\d+); )?bm (?P<best>[^;]+); id "(?P<id>[^"]+)"')


@dataclass(frozen=True)
class Known:
    """A position. best: its best moves as SAN without signs of check. mate: moves to a forced mate, 0: not known."""

    name: str
    state: np.void
    best: tuple[str, ...]
    mate: int


def known(file: str, game: Game) -> list[Known]:
    """The positions of a file of tests/data/chess."""
    found = []
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        told = LINE.match(line)
        assert told, line
        state = np.array([game.module.position(f"{told['fen']} 0 1")], game.STATE)[0]
        best = tuple(move.rstrip("+#") for move in told["best"].split())
        found.append(Known(told["id"], state, best, int(told["mate"] or 0)))
    return found
