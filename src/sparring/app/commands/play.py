"""`sparring play`."""

import shlex
import shutil
import textwrap
import time
from typing import TYPE_CHECKING

from sparring.app.options import Play
from sparring.app.talk import announce_compiling, say
from sparring.errors import PlayerError

if TYPE_CHECKING:
    from sparring.app.terminal import Session

PEOPLE = "human"  # the opponent's spec where two people play


def run(options: Play) -> None:
    """Set up the board, say who is who, play."""
    if options.side not in (0, 1, 2):
        raise PlayerError(f"--side is {options.side}, but it must be 1 or 2 (the game's first or second player), or 0")
    if options.seed < 0:
        raise PlayerError(f"--seed is {options.seed}, but it must be 0 (by the clock) or more")
    say(f"Setting up {options.game} …")
    announce_compiling("the rules, the search and the net")
    session = prepare(options)
    try:
        session.run()
    except KeyboardInterrupt:
        say("")
        raise
    finally:
        farewell(options, session)


def prepare(options: Play) -> "Session":
    """The game, its two seats and an introduction to them."""
    from sparring.app.advice import adviser_of, can_think
    from sparring.app.course import follow
    from sparring.app.terminal import Seat, Session
    from sparring.arena.player import parse_player, strongest
    from sparring.games.contract import CHANCE
    from sparring.games.game import load

    game = load(options.game)
    course = follow(game, options.moves)
    seed = options.seed or time.time_ns() % (1 << 62) + 1
    first = int(game.mover(course.states[0]))
    first = 0 if first == CHANCE else first
    about = (game.module.__doc__ or game.name).strip().splitlines()[0]
    if options.player == PEOPLE:
        seats = (Seat(game.players[0], ""), Seat(game.players[1], ""))
        who = f"Two people play at this board. {seats[first].name} to move first."
        return introduced(Session(course, seats, seed, None), about, who)
    entry = parse_player(options.player or strongest(game), game)
    you = options.side - 1 if options.side else first
    adviser = adviser_of(game, entry)
    opponent, person = Seat(game.players[1 - you], adviser.name, adviser.player), Seat(game.players[you], "you")
    against = f"against {opponent.name} ({entry.text})"
    who = f"You play {person.name}"
    who = f"{who} and move first {against}." if you == first else f"{who} {against}, who moves first."
    seats = (person, opponent) if you == 0 else (opponent, person)
    session = Session(course, seats, seed, adviser if can_think(adviser.player) else None)
    return introduced(session, about, who)


def introduced(session: "Session", about: str, who: str) -> "Session":
    """The session, once it is said what is played, who is who, what can be typed."""
    for line in (about, who):
        print(textwrap.fill(line, min(shutil.get_terminal_size().columns, 120)))
    rest = ", ".join(word for word in session.words if word != "help")
    print(f"Type a move, or: help (the rules), {rest}.")
    return session


def farewell(options: Play, session: "Session") -> None:
    """How to go on, or to look at the game again."""
    names = session.course.names
    if not names:
        return
    moves = ["--moves", " ".join(names)]
    if session.course.ending or session.resigned:
        say(f"To look at it again: {shlex.join(['sparring', 'analyse', options.game, *moves])}")
        return
    words = ["sparring", "play", options.game, *filter(None, [options.player])]
    words += ["--side", str(options.side)] if options.side else []
    words += ["--seed", str(options.seed)] if options.seed else []
    say(f"To go on: {shlex.join([*words, *moves])}")
