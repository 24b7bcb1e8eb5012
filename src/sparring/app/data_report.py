"""What a file of positions holds, in numbers and for people: results, a histogram of the scores, repeats, faults."""

from typing import Any

import numpy as np

from sparring.app.sheet import table
from sparring.app.words import percent
from sparring.games.chess_data import Block, Reading
from sparring.games.chess_faults import WORDS

EDGES = (-1000, -600, -300, -150, -50, 50, 150, 300, 600, 1000)  # between the rows of the histogram, centipawns
BAR = 40  # characters of the longest
PARTS = " ▏▎▍▌▋▊▉█"
MOST_KEYS = 1 << 22  # that are kept to count repeated positions; of more positions it is a share of them


class Repeats:
    """How many positions occur again: exact for some millions, else from those whose keys end in enough zeros."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self.most, self.bits = most, 0
        self.keys = np.zeros(0, np.uint64)
        self.looked_at = 0

    def add(self, keys: np.ndarray) -> None:
        """Take in the keys of positions, uint64."""
        found = self._sampled(keys)
        self.looked_at += len(found)
        self.keys = np.unique(np.concatenate([self.keys, found]))
        while len(self.keys) > self.most:
            share = len(self.keys)
            self.bits += 1
            self.keys = self._sampled(self.keys)
            self.looked_at = round(self.looked_at * len(self.keys) / share)

    def _sampled(self, keys: np.ndarray) -> np.ndarray:
        return keys[keys & np.uint64((1 << self.bits) - 1) == 0]

    @property
    def share(self) -> float:
        """Of all positions, those that occurred before."""
        return 1 - len(self.keys) / self.looked_at if self.looked_at else 0.0


class Report:
    """Numbers about the positions of a file, block by block."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.repeats = reading, Repeats()
        self.positions = self.men = self.black = 0
        self.results = np.zeros(3, np.int64)
        self.by_score = np.zeros((len(EDGES) + 1, 3), np.int64)  # results in each row of the histogram
        self.sums = np.zeros(2)  # of scores and their squares

    def add(self, block: Block) -> None:
        """Take positions in."""
        self.positions += len(block)
        self.results += np.bincount(block.results, minlength=3)
        rows = np.searchsorted(EDGES, block.scores, side="right")
        np.add.at(self.by_score, (rows, block.results), 1)
        scores = block.scores.astype(np.float64)
        self.sums += scores.sum(), (scores**2).sum()
        self.men += int((block.states["board"] >= 0).sum())
        self.black += int((block.states["mover"] == 1).sum())
        self.repeats.add(block.states["key"])

    def numbers(self) -> dict[str, Any]:
        """All of it, for JSON; None where there is no position to speak of."""
        reading, n = self.reading, max(self.positions, 1)
        mean = self.sums[0] / n
        return {
            "file": str(reading.path),
            "format": reading.kind,
            "bytes": reading.size,
            "records": reading.records,
            "positions": self.positions,
            "seen_by": "the player to move" if reading.kind == "bulletformat" else "White",
            "results": dict(zip(("lost", "drawn", "won"), map(int, self.results), strict=True)),
            "score": {"mean": mean, "deviation": float(np.sqrt(max(self.sums[1] / n - mean**2, 0)))},
            "histogram": [
                {"from": low, "to": high, "positions": int(counts.sum()), "points": points_of(counts)}
                for low, high, counts in zip((None, *EDGES), (*EDGES, None), self.by_score, strict=True)
            ],
            "pieces": self.men / n,
            "black_to_move": self.black / n,
            "repeated": self.repeats.share,
            "faults": [
                {"what": WORDS[kind], "count": count, f"first_{reading.faults.unit}": reading.faults.first[kind]}
                for kind, count in reading.faults.counts.items()
            ],
        }

    def lines(self) -> list[str]:
        """For people."""
        found = self.numbers()
        games = f" in {found['records']:,} games" if found["format"] == "viriformat" else ""
        whole = f"{found['positions']:,} positions{games}, {found['bytes']:,} bytes"
        told = [f"{found['file']}: {found['format']}, {whole}"]
        if self.positions:
            shares = ", ".join(f"{what} {percent(n / self.positions)}" for what, n in found["results"].items())
            told.append(f"results as {found['seen_by']} sees them: {shares}")
            score = found["score"]
            told.append(f"scores: {score['mean']:+.0f} centipawns on average, deviation {score['deviation']:.0f}")
            told += ["", *self.histogram(found["histogram"]), ""]
            about = "about " if self.repeats.bits else ""
            repeated = f"{about}{round(found['repeated'] * self.positions):,} positions are repeated"
            told.append(f"{found['pieces']:.1f} pieces on average; {repeated}")
        faults = self.reading.faults.told()
        return told + (["faults:", *(f"  {line}" for line in faults)] if faults else ["no faults"])

    def histogram(self, rows: list[dict[str, Any]]) -> list[str]:
        """The scores as bars, with the points that came of them."""
        most = max(row["positions"] for row in rows)
        names = [name_of(row["from"], row["to"]) for row in rows]
        cells = {
            "positions": [f"{row['positions']:,}" for row in rows],
            "share": [percent(row["positions"] / self.positions) for row in rows],
            "points": ["" if row["points"] is None else percent(row["points"]) for row in rows],
        }
        head, *lines = table(names, {what: dict(zip(names, said, strict=True)) for what, said in cells.items()})
        bars = [bar_of(row["positions"] / most) for row in rows]
        return [
            head.replace("move ", "score", 1),
            *(f"{line}  {b}".rstrip() for line, b in zip(lines, bars, strict=True)),
        ]


def points_of(counts: np.ndarray) -> float | None:
    """The share of the points that so many losses, draws and wins are; None of no games."""
    return float((counts[2] + counts[1] / 2) / counts.sum()) if counts.sum() else None


def name_of(low: int | None, high: int | None) -> str:
    """What a row of the histogram is called; it holds `low`, but not `high`."""
    if low is None:
        return f"below {high}"
    return f"from {low:+d}" if high is None else f"{low:+d} to {high - 1:+d}"


def bar_of(share: float) -> str:
    """A bar of so much of the whole length, to an eighth of a character."""
    eighths = round(share * BAR * 8)
    return PARTS[8] * (eighths // 8) + PARTS[eighths % 8].strip()
