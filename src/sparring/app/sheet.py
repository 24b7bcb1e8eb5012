"""Numbers about moves: under the columns of a board whose moves are its columns, else as a table of the best few."""

from collections.abc import Mapping, Sequence

import numpy as np

from sparring.games.game import Game

NARROWEST = 6  # characters a column
Rows = Mapping[str, Mapping[str, str]]  # what a row is called; the names of moves and what it says of each


def columns_of(game: Game, state: np.void) -> list[list[str]] | None:
    """The drawing's cells, where its last line names each move below its column; else None."""
    cells = [line.split() for line in game.draw(state).splitlines()]
    legal = {game.move_name(state, move) for move in game.legal_moves(state)}
    whole = all(len(row) == game.MOVES for row in cells) and len(set(cells[-1])) == game.MOVES
    return cells if whole and legal <= set(cells[-1]) else None


def under_columns(cells: Sequence[Sequence[str]], rows: Rows) -> list[str]:
    """The board drawn wide, or its last lines alone, and below each column what the rows say of it."""
    names = cells[-1]
    said = [(name, [row.get(column, "") for column in names]) for name, row in rows.items()]
    width = max([NARROWEST, *(len(text) + 2 for _, texts in said for text in texts)])
    label = max((len(name) for name, _ in said), default=0)
    lines = [("", line) for line in cells] + said
    return [f"{name:{label}}{''.join(f'{text:>{width}}' for text in texts)}".rstrip() for name, texts in lines]


def table(names: Sequence[str], rows: Rows) -> list[str]:
    """The moves of these names, a line each, with a head."""
    head = ["move", *rows]
    lines = [[name, *(row.get(name, "") for row in rows.values())] for name in names]
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    return [
        "  ".join(f"{text:{'<' if i == 0 else '>'}{widths[i]}}" for i, text in enumerate(line)).rstrip()
        for line in [head, *lines]
    ]
