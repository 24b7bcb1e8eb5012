"""Portable Game Notation (Edwards, 1994): games as people and other programs read them, written and read."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sparring.errors import GameError
from sparring.games.game import Game

TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
UNFINISHED = "*"
ENDS = (*RESULTS.values(), UNFINISHED)
WIDTH = 80
TAG = re.compile(r'^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')
TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|\(|\)|\$\d+|[^\s(){};]+")
NUMBER = re.compile(r"^\d+\.+")


@dataclass(frozen=True)
class ReadGame:
    """start: the first position as text, empty for the usual one. moves: the main line. tags: by name."""

    start: str
    moves: tuple[int, ...]
    tags: Mapping[str, str]


def write_game(game: Game, tags: Mapping[str, str], origin: np.void, moves: Sequence[int], comment: str = "") -> str:
    """A whole game with the empty lines around it. tags: Result is one of ENDS. comment: stands after the last move."""
    usual = {name: tags.get(name, "????.??.??" if name == "Date" else "?") for name in TAGS}
    told = {**usual, **tags}
    if origin.tobytes() != game.states(1)[0].tobytes():
        told |= {"SetUp": "1", "FEN": game.module.describe(origin)}
    words, state = list[str](), origin
    number, black = _count(game, origin)
    for i, move in enumerate(moves):
        if not black or i == 0:
            words.append(f"{number}{'...' if black else '.'}")
        words.append(game.move_name(state, move))
        state = game.after(state, move)
        number, black = number + black, not black
    if comment:
        words += f"{{{comment.replace('}', ')')}}}".split()
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in told.items()]
    body = textwrap.fill(" ".join([*words, told["Result"]]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", body, "", ""])


def split_games(text: str) -> Iterator[tuple[int, str]]:
    """The games of a file, each with the number of the line it begins on."""
    begun, held, moves = 0, list[str](), False
    for number, line in enumerate(text.splitlines(), 1):
        if TAG.match(line.strip()) and moves:  # tags after moves: the next game
            yield begun, "\n".join(held)
            held, moves = [], False
        if line.strip():
            if not held:
                begun = number
            moves |= TAG.match(line.strip()) is None and not line.startswith("%")
            held.append(line)
    if moves:
        yield begun, "\n".join(held)


def read_game(text: str, game: Game) -> ReadGame:
    """A game's main line, without comments and variations; GameError names the move that cannot be played."""
    lines = text.splitlines()
    tags = {found[1]: re.sub(r"\\(.)", r"\1", found[2]) for line in lines if (found := TAG.match(line.strip()))}
    body = "\n".join(line for line in lines if not TAG.match(line.strip()) and not line.startswith("%"))
    start, module, depth = tags.get("FEN", ""), game.module, 0
    state = np.array([module.position(start)], game.STATE)[0] if start else game.states(1)[0]
    moves: list[int] = []
    for token in TOKEN.findall(body):
        depth += (token == "(") - (token == ")")
        if depth or token[0] in "{;()$" or token in ENDS:
            continue
        if word := NUMBER.sub("", token).rstrip("!?"):
            try:
                move = int(module.read_san(state, word))
            except GameError as fault:
                raise GameError(f"move {len(moves) + 1}: {fault}") from fault
            moves.append(move)
            state = game.after(state, move)
    return ReadGame(start, tuple(moves), tags)


def _count(game: Game, state: np.void) -> tuple[int, bool]:
    """Number of the first move, and whether Black makes it."""
    last = str(game.module.describe(state)).split()[-1]
    return int(last) if last.isdecimal() else 1, bool(game.mover(state))


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
