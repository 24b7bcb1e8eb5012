"""Turns of several moves as people write them: steps of one piece in one word, equal words counted.

A move whose name is `from/to` is a step. 13/8 and then 8/5 are 13/8/5; twice 13/8 is 13/8(2). What stands behind `to`
(a * for a hit) is kept. Other names are put one after the other.
"""

import re
from collections import Counter
from collections.abc import Sequence

STEP = re.compile(r"([^/\s]+)/(\w+)(\S*)")
TIMES = re.compile(r"(.+)\(([2-9])\)")


def joined(names: Sequence[str]) -> str:
    """The names of a turn's moves as one, in the order in which its words begin."""
    words: list[str] = []
    places: list[str] = []  # where each word ends; empty for what is no step
    for name in names:
        step = STEP.fullmatch(name)
        start, end = (step[1], step[2]) if step else ("", "")
        for i in reversed(range(len(words))):  # the piece that came last is on top
            if start and places[i] == start:
                words[i] += name.removeprefix(start)
                places[i] = end
                break
        else:
            words.append(name)
            places.append(end)
    return " ".join(f"{word}({n})" if n > 1 else word for word, n in Counter(words).items())


def parts(word: str) -> list[str]:
    """The names of the moves in a word of `joined`; a name that is none of those is its own only part."""
    times = TIMES.fullmatch(word)
    word, n = (times[1], int(times[2])) if times else (word, 1)
    stops = word.split("/")
    places = [re.sub(r"\W+$", "", stop) for stop in stops]  # without what tells of a hit
    steps = [f"{start}/{to}" for start, to in zip([stops[0], *places[1:]], stops[1:], strict=False)]
    return (steps or [word]) * n
