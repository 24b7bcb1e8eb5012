"""What a run's measurements say about its health, in words: drift, games whose length runs away, no more progress."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

from sparring.intervals import wilson

Row = dict[str, Any]
TEACHER, ALPHABETA, CLONE = "teacher_greedy", "match_alphabeta", "clone_greedy"  # fields of rows, each a measurement
NAMES = {TEACHER: "the teacher", ALPHABETA: "alpha-beta", CLONE: "the clone"}
FIXED = (TEACHER, ALPHABETA)  # who do not come from the learner
SPAN = 3  # measurements that are taken together, to see whether there is progress
LENGTHS = 10  # iterations whose game lengths are taken together
DOUBT = 0.025  # chance of a warning of drift where there is none
RUNAWAY = 1.5  # times as long, or as short, as at first


def warnings(rows: Sequence[Row]) -> list[str]:
    """Lines for a person, none where all is well. rows: of the whole run, oldest first."""
    found = [*(drifted(rows, name) for name in FIXED), runaway(rows), levelled_off(rows)]
    return [line for line in found if line]


def drifted(rows: Sequence[Row], name: str) -> str:
    """Whether the newest score against a fixed opponent surely is below an earlier one.

    Surely: by chance it would be so in one of 40 such runs, however many measurements there are to choose from
    (Bonferroni's correction), or the best of many would always seem too good to be met again.
    """
    *before, now = [row for row in rows if name in row] or [{}]
    if not before:
        return ""
    best = max(before, key=lambda row: gap(now[name], row[name]))
    if NormalDist().cdf(-gap(now[name], best[name])) * len(before) >= DOUBT:
        return ""
    line = (
        f"drift: {share(now[name])} against {NAMES[name]} after {share(best[name])} at {best.get('games', 0):,} games"
    )
    return line + better_against_itself(now, best)


def gap(low: Row, high: Row) -> float:
    """By how many standard errors of the difference one score is below another (Agresti and Caffo 2000)."""
    (p, n), (q, m) = (((x["score"] * x["games"] + 1) / (x["games"] + 2), x["games"] + 2) for x in (low, high))
    return float((q - p) / math.sqrt(p * (1 - p) / n + q * (1 - q) / m))


def better_against_itself(now: Row, before: Row) -> str:
    """The end of a line: that it is better against what comes from it, where it is."""
    if CLONE in now and CLONE in before and now[CLONE]["score"] > before[CLONE]["score"]:
        return f", but {share(now[CLONE])} against the clone after {share(before[CLONE])}: it learns to beat itself"
    since = now.get("promotions", 0) - before.get("promotions", 0)
    often = "once" if since == 1 else f"{since} times"
    return f", but promoted {often} since: it learns to beat itself" if since > 0 else ""


def runaway(rows: Sequence[Row]) -> str:
    """Whether games have become much longer or shorter, and the learner no better by it."""
    lengths = [row["plies"] for row in rows if "plies" in row]
    if len(lengths) < 2 * LENGTHS or rises(rows):
        return ""
    first, now = sum(lengths[:LENGTHS]) / LENGTHS, sum(lengths[-LENGTHS:]) / LENGTHS
    if 1 / RUNAWAY < now / max(first, 1e-9) < RUNAWAY:
        return ""
    return f"drift: games run away, {now:.0f} plies a game now and {first:.0f} at first"


def rises(rows: Sequence[Row]) -> bool:
    """Whether the newest score against the teacher surely is above the first."""
    measured = [row[TEACHER] for row in rows if TEACHER in row]
    return len(measured) > 1 and measured[-1]["low"] > measured[0]["high"]


def levelled_off(rows: Sequence[Row]) -> str:
    """Whether the newest measurements, taken together, are within the interval of those before, or below it.

    Against the teacher, or where there is none against the clone.
    """
    for name in (TEACHER, CLONE):
        measured = [row[name] for row in rows if name in row]
        if len(measured) < 2 * SPAN:
            continue
        now, before = together(measured[-SPAN:]), together(measured[-2 * SPAN : -SPAN])
        if now["score"] > before["high"]:
            return ""
        within = f"{100 * before['low']:.1f} to {100 * before['high']:.1f}"
        line = f"levelled off: {share(now)} against {NAMES[name]} over {SPAN} measurements"
        return f"{line}, {share(before)} over the {SPAN} before ({within})"
    return ""


def together(measurements: Sequence[Row]) -> Row:
    """Several measurements as one."""
    games = sum(m["games"] for m in measurements)
    points = sum(m["score"] * m["games"] for m in measurements)
    low, high = wilson(min(points, games), games)
    return {"score": points / games, "low": low, "high": high, "games": games}


def share(measurement: Row) -> str:
    """A score in percent."""
    return f"{100 * measurement['score']:.1f} %"
