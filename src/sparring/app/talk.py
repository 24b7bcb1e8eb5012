"""How commands talk: results on stdout, progress and notes on stderr, the first line within a second."""

import os
import pathlib
import sys
from typing import Any

from sparring.errors import RunError, SparringError


def say(text: str) -> None:
    """A note for the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def announce_compiling(what: str) -> None:
    """Say once, when it happens, that native code is made and kept."""
    from sparring.compiled import on_first_compile

    on_first_compile(lambda: say(f"Compiling {what} for this machine: up to 15 seconds, once."))


def announce_table(game: str, points: int) -> None:
    """Make the match equity table for matches to so many points, and say so; MatchError where they are too long."""
    from sparring.arena.match_equity import table_for
    from sparring.arena.match_table import shipped_for

    table_for(game, points)
    if not shipped_for(game):
        say(f"No match equity table for {game} comes with the package; one is computed from usual chances.")


def ladder_path(given: str) -> pathlib.Path:
    """The ladder's file: as given, else $SPARRING_LADDER, else in the user's data folder."""
    named = given or os.environ.get("SPARRING_LADDER")
    if named:
        return pathlib.Path(named)
    import platformdirs

    return pathlib.Path(platformdirs.user_data_dir("sparring")) / "ladder.sqlite"


def picture_path(given: str) -> pathlib.Path:
    """The file that a picture goes to; RunError where its name does not end in .png."""
    if not given.lower().endswith(".png"):
        raise RunError(f"--out is {given!r}, but the picture is a PNG: give a name that ends in .png")
    return pathlib.Path(given)


def threads_of(given: int) -> int:
    """Threads to use: as given, or one for each core."""
    from sparring.learn.run import cores

    if given < 0:
        raise SparringError(f"--threads is {given}, but it must be 0 (one for each core) or more")
    return given or cores()


def finite(value: Any) -> Any:
    """The value for JSON, which has no infinity: None in its place."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return None
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    return [finite(v) for v in value] if isinstance(value, list | tuple) else value
