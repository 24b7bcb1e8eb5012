"""The options of `sparring uci`: how they are declared to a GUI, read from it, and kept."""

from dataclasses import dataclass
from typing import Any

from sparring.errors import SparringError, nearest

SHIPPED = "shipped"  # the net that comes with the package; without one, the rules' own judgement
EMPTY = "<empty>"  # how the protocol writes an empty string
ENTRY = 16  # bytes of the transposition table a position
MEGABYTE = 1 << 20


class OptionError(SparringError):
    """`setoption` names what does not exist, or gives it a value it cannot have."""


@dataclass(frozen=True)
class Option:
    """kind: `check`, `spin` (a whole number from `low` to `high`), `string` or `button`."""

    name: str
    kind: str
    default: Any = None
    low: int = 0
    high: int = 0

    def declared(self, default: Any) -> str:
        """The line that declares it."""
        line = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            line += f" default {'true' if default else 'false'}"
        elif self.kind == "spin":
            line += f" default {default} min {self.low} max {self.high}"
        elif self.kind == "string":
            line += f" default {default or EMPTY}"
        return line

    def read(self, text: str) -> Any:
        """Its value; OptionError where it cannot have that one."""
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise OptionError(f"{self.name} is {text!r}, but it must be true or false")
            return text.lower() == "true"
        if self.kind == "spin":
            number = int(text) if text.lstrip("-").isdecimal() else None
            if number is None or not self.low <= number <= self.high:
                raise OptionError(f"{self.name} is {text!r}, but it must be a whole number, {self.low} to {self.high}")
            return number
        return "" if text == EMPTY else text


OPTIONS = (
    Option("Hash", "spin", 16, 1, 256),
    Option("Clear Hash", "button"),
    Option("Threads", "spin", 1, 1, 256),
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Ponder", "check", False),
    Option("Move Overhead", "spin", 30, 0, 5000),
    Option("EvalFile", "string", SHIPPED),
    Option("UCI_ShowWDL", "check", False),
)
NAMES = {option.name.lower(): option for option in OPTIONS}


@dataclass
class Settings:
    """What the options are set to. hash: megabytes. overhead: milliseconds. net: a file, SHIPPED, or empty: the rules'
    own judgement."""

    hash: int = 16
    threads: int = 1
    lines: int = 1
    ponder: bool = False
    overhead: int = 30
    net: str = SHIPPED
    chances: bool = False

    @property
    def entries(self) -> int:
        """Of the transposition table."""
        return self.hash * MEGABYTE // ENTRY


FIELDS = {
    "Hash": "hash",
    "Threads": "threads",
    "MultiPV": "lines",
    "Ponder": "ponder",
    "Move Overhead": "overhead",
    "EvalFile": "net",
    "UCI_ShowWDL": "chances",
}
"""Which field of the settings an option is."""


def declarations(settings: Settings) -> list[str]:
    """The lines that declare all options, with what they are set to now as defaults."""
    held = {name: getattr(settings, field) for name, field in FIELDS.items()}
    return [option.declared(held.get(option.name)) for option in OPTIONS]


def read_option(words: list[str]) -> tuple[Option, Any]:
    """The option and value of `setoption name NAME value VALUE`, from its words after the first; OptionError."""
    if "name" not in words:
        raise OptionError(f"setoption {' '.join(words)}: it goes setoption name NAME value VALUE")
    rest = words[words.index("name") + 1 :]
    cut = rest.index("value") if "value" in rest else len(rest)
    name, value = " ".join(rest[:cut]), " ".join(rest[cut + 1 :])
    option = NAMES.get(name.lower())
    if option is None:
        known = [known.name for known in OPTIONS]
        raise OptionError(f"there is no option {name!r}.{nearest(name, known)} There are: {', '.join(known)}")
    return option, option.read(value)
