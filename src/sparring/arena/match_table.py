"""Match equity tables: the chance of winning a match from every score, for two equal players.

Tables lie in `equity_tables/`, one a game, named after it. As text: a row for each number of points the player lacks,
1 first, with a column for each that the opponent lacks; then one more row, the chance of a player who lacks 1, 2, …
points after the Crawford game, against one who lacks 1. Lines that begin with # are notes.
"""

import functools
import pathlib
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import numpy as np

from sparring.arena.stakes import Stakes
from sparring.errors import MatchError

TABLES = pathlib.Path(__file__).parent / "equity_tables"
SLACK = 1e-4  # of printed digits: by so much chances of the two players may miss a sum of 1


@dataclass(frozen=True, eq=False)
class MatchTable:
    """Chances of winning the match.

    chances: (2, n + 1, n + 1) float64, [whether the Crawford game has been played, points the player lacks, points the
    opponent lacks]. Where it has been played, one of the two lacks 1 point, and only such numbers are there.
    """

    name: str
    chances: np.ndarray

    @property
    def length(self) -> int:
        """Points of the longest match it serves."""
        return self.chances.shape[1] - 1

    @property
    def before(self) -> np.ndarray:
        """(n, n), [i - 1, j - 1]: who lacks i points against who lacks j, up to and in the Crawford game."""
        return self.chances[0, 1:, 1:]

    @property
    def after(self) -> np.ndarray:
        """(n,), [i - 1]: who lacks i points against one who lacks 1, after the Crawford game."""
        return self.chances[1, 1:, 1]

    def chance(self, mine: np.ndarray | int, theirs: np.ndarray | int, played: bool = False) -> np.ndarray:
        """For a player who lacks `mine` points against one who lacks `theirs`; 0 or fewer: the match is won.

        played: whether the Crawford game is over; then one of the two lacks 1 point at most. mine, theirs: whole
        numbers or arrays of them, of one shape, which is the answer's.
        """
        return self.chances[int(played), np.maximum(mine, 0), np.maximum(theirs, 0)]

    def after_game(self, stakes: Stakes, viewer: int, points: np.ndarray) -> np.ndarray:
        """The viewer's chance once he has won the game under way by so many points (below 0: lost it).

        points: whole numbers of any shape, the cube counted in. Raises MatchError for money play and for a match
        longer than the table.
        """
        if stakes.money:
            raise MatchError("money play has no chance of winning the match")
        if stakes.length > self.length:
            raise MatchError(f"the match is to {stakes.length}, but the table {self.name!r} goes to {self.length}")
        played = stakes.crawford or stakes.post_crawford
        mine = stakes.away(viewer) - np.maximum(points, 0)
        theirs = stakes.away(1 - viewer) + np.minimum(points, 0)
        return self.chance(mine, theirs, played)

    def save(self, path: str | pathlib.Path, notes: str = "") -> None:
        """Write it as text, with notes at the head."""
        rows = np.vstack([self.before, self.after])
        np.savetxt(path, rows, fmt="%.6g", header=notes)


def empty_table(name: str, length: int) -> MatchTable:
    """A table in which only won and lost matches are filled in, the others not numbers."""
    chances = np.full((2, length + 1, length + 1), np.nan)
    chances[:, 0, :], chances[:, 1:, 0] = 1.0, 0.0
    return MatchTable(name, chances)


def table_from(name: str, before: np.ndarray, after: np.ndarray) -> MatchTable:
    """A table from its two parts, see MatchTable. Raises MatchError where they are no chances of equal players."""
    before, after = np.asarray(before, np.float64), np.asarray(after, np.float64)
    if before.shape != (len(after), len(after)):
        raise MatchError(f"match equity table {name!r} has {len(before)} rows for {len(after)} scores, not as many")
    table = empty_table(name, len(after))
    table.chances[0, 1:, 1:] = before
    table.chances[1, 1:, 1] = after
    table.chances[1, 1, 1:] = 1 - after
    return checked(table)


def load_table(path: str | pathlib.Path) -> MatchTable:
    """A table of ours, or one in GNU Backgammon's XML. Raises MatchError where it cannot be read or makes no sense."""
    path = pathlib.Path(path)
    try:
        if path.suffix == ".xml":
            return table_from(*_read_xml(path))
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        rows = np.array([[float(number) for number in line] for line in lines if line])
        if rows.ndim != 2:
            raise ValueError("it holds no numbers")
    except OSError as fault:
        raise MatchError(f"no match equity table {str(path)!r}: {fault.strerror}") from None
    except (ValueError, ElementTree.ParseError) as fault:
        raise MatchError(f"match equity table {str(path)!r} cannot be read: {fault}") from None
    return table_from(path.stem, rows[:-1], rows[-1])


def shipped_for(game: str) -> bool:
    """Whether a table comes with the package for the game of this name."""
    return (TABLES / f"{game}.txt").is_file()


@functools.cache
def table_of(game: str) -> MatchTable:
    """The table that comes with the package for the game of this name; MatchError where there is none."""
    path = TABLES / f"{game}.txt"
    if not shipped_for(game):
        there = ", ".join(sorted(found.stem for found in TABLES.glob("*.txt")))
        raise MatchError(f"no match equity table for {game} comes with the package (there are: {there}); name a file")
    return load_table(path)


def checked(table: MatchTable) -> MatchTable:
    """The same table; MatchError where its numbers are no chances of equal players."""
    before, after = table.before, table.after
    every = np.concatenate([before.ravel(), after])
    fault = ""
    if not np.all((every > 0) & (every < 1)):
        fault = f"holds {every[~((every > 0) & (every < 1))][0]}, but chances lie between 0 and 1"
    elif (off := np.abs(before + before.T - 1)).max() > SLACK:
        i, j = np.unravel_index(off.argmax(), off.shape)
        fault = f"gives {i + 1} against {j + 1} and {j + 1} against {i + 1} chances whose sum is {1 + off[i, j]:.5f}"
    elif np.diff(before, axis=1).min(initial=0) < 0 or np.diff(after).max(initial=0) > 0:
        fault = "gives a player more who lacks more points"
    if fault:
        raise MatchError(f"match equity table {table.name!r} {fault}")
    return table


def _read_xml(path: pathlib.Path) -> tuple[str, np.ndarray, np.ndarray]:
    """GNU Backgammon's format (met.dtd): both tables explicit, the one after the Crawford game alike for both."""
    root = ElementTree.parse(path).getroot()
    before, after = root.find("pre-crawford-table"), root.find("post-crawford-table")
    if before is None or after is None:
        raise ValueError("it needs a pre-crawford-table and a post-crawford-table")
    for part in (before, after):
        if part.get("type") != "explicit":
            raise ValueError(f"type of {part.tag} is {part.get('type')!r}; only 'explicit' tables are read")
    if after.get("player") != "both":
        raise ValueError(f"player of post-crawford-table is {after.get('player')!r}, but players are equal: 'both'")
    rows = [[float(cell.text or "") for cell in row.findall("me")] for row in before.findall("row")]
    (last,) = ([float(cell.text or "") for cell in row.findall("me")] for row in after.findall("row"))
    if {len(row) for row in [*rows, last]} != {len(rows)}:
        raise ValueError(f"its {len(rows)} rows have not {len(rows)} numbers each")
    return root.findtext("info/name") or path.stem, np.array(rows), np.array(last)
