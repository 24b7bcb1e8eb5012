"""A board's lines in a terminal, on which what has changed stands out."""

from collections.abc import Iterator

from rich.text import Text


def marked(lines: list[str], before: list[str]) -> Iterator[Text]:
    """The lines; in those that were as long before, what is other than it was is bold and reversed."""
    for line, old in zip(lines, [*before, *[""] * len(lines)], strict=False):
        text = Text(line)
        if len(old) == len(line):
            for i, (was, now) in enumerate(zip(old, line, strict=True)):
                if was != now:
                    text.stylize("bold reverse", i, i + 1)
        yield text
