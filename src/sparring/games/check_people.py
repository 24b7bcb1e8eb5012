"""Part of `sparring check`, in plain Python: names of moves, drawings, and whether a position is all there is."""

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from sparring import compiled
from sparring.errors import GameError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game, where
from sparring.rng import draw_below, draw_index, seeded

GAMES = 4  # that are looked at
MOST = 200  # moves of each that are looked at
DRAWN = 5  # every fifth position is drawn

Found = tuple[str, str, int, int]
"""The kind of a fault, what is told, the number of the game, the ply."""
Line = tuple[list[np.void], list[int]]
"""The positions of a game, and the moves between them."""


def faults_for_people(game: Game, seed: int, wanted: range) -> Iterator[Found]:
    """Faults in the first of the wanted games of `seed`. The rules themselves must be sound in plain Python."""
    rules = compiled.interpreted(game.rules)
    with np.errstate(all="ignore"):
        lines = {number: _line(game, rules, seed, number) for number in wanted[:GAMES]}
    for number, (positions, _) in lines.items():
        for ply, state in enumerate(positions):
            if ply % DRAWN == 0:
                for kind, text in _drawing_faults(game, state):
                    yield kind, text, number, ply
            for kind, text in _name_faults(game, state, ply):
                yield kind, text, number, ply
    yield from _dependence(game, rules, seed, lines)
    for k in range(game.SYMMETRIES):
        image, times = Counter(int(rules["transform_move"](move, k)) for move in range(game.MOVES)).most_common(1)[0]
        if times > 1:
            text = f"transform_move(): symmetry {k} gives {times} moves the same image, {image}"
            yield "transform_move: twice", text, wanted.start, 0


def _line(game: Game, rules: dict[str, Any], seed: int, number: int) -> Line:
    """A random game, the same as the kernels of check_rules play."""
    rng = seeded(seed, number)
    moves, probabilities = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    states = np.zeros(1 + min(MOST, game.LIMIT or MOST), game.STATE)
    rules["start"](states[0])
    rules["deal"](states[0], rng[0])
    played: list[int] = []
    for state, after in itertools.pairwise(states):
        if rules["result"](state) != ONGOING:
            break
        if rules["mover"](state) == CHANCE:
            pick = draw_index(rng, probabilities, rules["chance"](state, moves, probabilities))
        else:
            pick = draw_below(rng, rules["legal"](state, moves))
        played.append(int(moves[pick]))
        states[len(played)] = state
        rules["play"](after, played[-1])
    return list(states[: len(played) + 1]), played


def _dependence(game: Game, rules: dict[str, Any], seed: int, lines: dict[int, Line]) -> Iterator[Found]:
    """Play the games again, move by move in turn: one that goes differently remembers something elsewhere."""
    states = np.zeros(len(lines), game.STATE)
    with np.errstate(all="ignore"):
        for state, number in zip(states, lines, strict=True):
            rules["start"](state)
            rules["deal"](state, seeded(seed, number)[0])
    for ply in range(MOST):
        for state, (number, (positions, played)) in zip(states, lines.items(), strict=True):
            if ply < len(played):
                with np.errstate(all="ignore"):
                    rules["play"](state, played[ply])
                if state != positions[ply + 1]:
                    text = "play(): looks at more than the position: beside other games, the same moves lead elsewhere"
                    yield "play: depends", text, number, ply
                    return


def _name_faults(game: Game, state: np.void, ply: int) -> Iterator[tuple[str, str]]:
    """Faults in the names of the legal moves, of which one is parsed."""
    moves = game.legal_moves(state)
    names: dict[str, int] = {}
    for move in moves:
        name, slip = _asked(game, "move_name", functools.partial(game.move_name, state, move))
        if slip:
            yield "move_name: raises", slip
            return
        if name in names:
            yield "move_name: twice", f"move_name(): calls both move {names[name]} and move {move} {name!r}"
        if not name or name != name.strip():
            yield "move_name: blank", f"move_name(): calls move {move} {name!r}, but a name has no blanks around it"
        names[name] = move
    if moves and len(names) == len(moves):
        move = moves[ply % len(moves)]
        name = game.move_name(state, move)
        try:
            parsed: int | None = game.parse_move(state, name)
        except GameError:
            parsed = None
        if parsed != move:
            yield "move_name: parse", f"move_name(): calls move {move} {name!r}, which is read back as move {parsed}"


def _drawing_faults(game: Game, state: np.void) -> Iterator[tuple[str, str]]:
    """Faults in what draw() and svg() return."""
    for rule in ("draw", "svg"):
        if not game.defines(rule):
            continue
        drawing, slip = _asked(game, rule, functools.partial(getattr(game.module, rule), state.copy()))
        if slip:
            yield f"{rule}: raises", slip
        elif not isinstance(drawing, str):
            yield f"{rule}: value", f"{rule}(): returned {drawing!r}, but must return a string"
        elif rule == "svg":
            try:
                ElementTree.fromstring(drawing)
            except ElementTree.ParseError as fault:
                yield "svg: xml", f"svg(): is no XML: {fault}"


def _asked(game: Game, rule: str, question: Callable[[], Any]) -> tuple[Any, str | None]:
    """The answer, or where and how the rule raised."""
    try:
        return question(), None
    except Exception as fault:
        place = where(game.path, fault).removeprefix(f"{game.path.name}, ")
        return None, f"{place}, in {rule}(): {type(fault).__name__}: {fault}"
