"""`sparring watch`."""

import itertools
import math
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sparring.app.options import Watch
from sparring.app.talk import announce_compiling, say
from sparring.errors import MatchError, RecordError

if TYPE_CHECKING:
    from sparring.app.course import Course
    from sparring.app.seat import Seat
    from sparring.games.game import Game

    Shown = tuple[str, Course, Iterator[str], tuple[Seat, Seat]]  # title, game, what plays it, players

KIND = re.compile("[:#]")  # what follows the kind of a player in its label


def run(options: Watch) -> None:
    """Show the games, one after the other."""
    for name, least in (("games", 1), ("number", 1), ("delay", 0), ("seed", 0)):
        value = getattr(options, name)
        if not value >= least or value == math.inf:
            raise MatchError(f"--{name} is {value}, but it must be {least} or more")
    if options.replay and options.a:
        raise MatchError(f"give players or --replay, not both: {options.a} and {options.replay}")
    say(f"Setting up {options.game} …")
    announce_compiling("the rules and the search")
    from sparring.app.watching import watch
    from sparring.games.game import load

    game = load(options.game)
    games = from_file(game, options) if options.replay else between(game, options)
    for title, course, moves, seats in games:
        deal = "" if course.deal is None else f", first position number {course.deal}"
        print(f"{title}{deal}", flush=True)
        watch(course, moves, seats, options.delay)


def between(game: "Game", options: Watch) -> "Iterator[Shown]":
    """Games between two players, who take turns at being the game's first."""
    from sparring.app.course import Course, drawn_deal
    from sparring.app.watching import played
    from sparring.arena.player import parse_player, strongest

    entries = [parse_player(text or options.a or strongest(game), game) for text in (options.a, options.b)]
    players = [(entry.label, entry.make()) for entry in entries]
    seed = options.seed or time.time_ns() % (1 << 62) + 1
    for number in range(options.games):
        first, second = players if number % 2 == 0 else players[::-1]
        seats = seated(game, first[0], second[0])
        seats[0].player, seats[1].player = first[1], second[1]
        course = Course(game, deal=drawn_deal(game, seed, number))
        title = f"Game {number + 1} of {options.games}: {versus(game, first[0], second[0])}"
        yield title, course, played(course, seats, seed + number), seats


def from_file(game: "Game", options: Watch) -> "Iterator[Shown]":
    """Recorded games; each is looked at whether its moves are legal before it is shown."""
    from sparring.app.course import Course
    from sparring.app.watching import repeated
    from sparring.games.gamefile import read, replay

    games = list(itertools.islice(read(options.replay, game), options.number - 1 + options.games))
    if len(games) < options.number:
        raise RecordError(f"{options.replay} holds {len(games)} games, but --number is {options.number}")
    for number, one in enumerate(games[options.number - 1 :], options.number):
        replay(game, [one])
        seats = seated(game, *one.players)
        course = Course(game, [one.first(game)[0]], deal=one.deal)
        title = f"Game {number} of {options.replay}: {versus(game, *one.players)}"
        yield title, course, repeated(course, one.moves, seats), seats


def versus(game: "Game", first: str, second: str) -> str:
    """Who plays, in full."""
    return f"{game.players[0]} ({first}) and {game.players[1]} ({second})"


def seated(game: "Game", first: str, second: str) -> "tuple[Seat, Seat]":
    """The players' seats, called by their kinds: labels may be long."""
    from sparring.app.seat import Seat

    return Seat(game.players[0], KIND.split(first)[0]), Seat(game.players[1], KIND.split(second)[0])
