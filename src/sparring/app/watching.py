"""A game that people watch: one board, drawn again after every move; where no terminal is, the boards one by one."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from sparring.app.board import marked
from sparring.app.course import Course, told
from sparring.app.seat import Seat
from sparring.app.waiting import heard
from sparring.games.contract import CHANCE
from sparring.rng import draw_word, seeded

CHOICE = 2  # stream of the seed: choices among equal moves


def played(course: Course, seats: tuple[Seat, Seat], seed: int) -> Iterator[str]:
    """Play to the end; yields what was played in words, after each move. Ctrl+C ends a thought too."""
    for seat in seats:
        seat.player.begin(0)
    try:
        while not course.ending:
            if course.mover == CHANCE:
                move, who = course.roll(seed), "Rolled:"
            else:
                seat = seats[course.mover]
                move, who = asked(course, seat, seed), f"{seat} played"
            name = course.game.move_name(course.state, move)
            course.play(move)
            yield f"{who} {name}"
    finally:
        for seat in seats:
            getattr(seat.player, "close", lambda: None)()


def asked(course: Course, seat: Seat, seed: int) -> int:
    """The move of a player; PlayerError where it is not legal."""
    word = draw_word(seeded(seed, CHOICE, len(course.moves))) | np.uint64(1)
    move = heard(lambda: seat.player.choose(course.batch(word))[0], seat.player.stop, "")
    course.check(move, seat)
    return int(move)


def repeated(course: Course, moves: tuple[int, ...], seats: tuple[Seat, Seat]) -> Iterator[str]:
    """Play recorded moves, which are legal; yields each in words."""
    for move in moves:
        who = "Rolled:" if course.mover == CHANCE else f"{seats[course.mover]} played"
        name = course.game.move_name(course.state, move)
        course.play(move)
        yield f"{who} {name}"


def watch(course: Course, moves: Iterator[str], seats: tuple[Seat, Seat], delay: float) -> None:
    """Show the game while `moves` plays it, and how it ended. delay: seconds from move to move at least."""
    out = Console(highlight=False, markup=False, emoji=False)
    with _screen(out) as show:
        shown, began = _show(show, course, [], ""), time.monotonic()
        for number, said in enumerate(moves, 1):
            if out.is_terminal:
                time.sleep(max(began + delay - time.monotonic(), 0))
            shown, began = _show(show, course, shown, f"{number}. {said}"), time.monotonic()
    names = str(seats[0]), str(seats[1])
    length = f"{len(course.moves)} move" + "s" * (len(course.moves) != 1)
    ending = course.ending
    end = f"The game stops here, after {length}"
    if ending:
        end = f"Game over after {length}: {told(ending, course.game, names)}"
    out.print(f"{end}.", soft_wrap=not out.is_terminal)


def _show(show: Any, course: Course, before: list[str], said: str) -> list[str]:
    """The board and what was played; returns the board's lines."""
    lines = course.game.draw(course.state).splitlines()
    show([*marked(lines, before), Text(said, style="bold")])
    return lines


@contextlib.contextmanager
def _screen(out: Console) -> Iterator[Any]:
    """Yields what shows lines: in a terminal in the place of those before, else below them."""
    if not out.is_terminal:

        def show(lines: list[Text]) -> None:
            for line in lines:
                out.print(line, soft_wrap=True)
            out.print()

        yield show
        return
    with Live(console=out, auto_refresh=False) as live:

        def redraw(lines: list[Text]) -> None:
            for line in lines:
                line.no_wrap = True
            live.update(Group(*lines), refresh=True)

        yield redraw
