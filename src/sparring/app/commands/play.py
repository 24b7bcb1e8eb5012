"""`sparring play`."""

import re
import shlex
import shutil
import textwrap
import time
from typing import TYPE_CHECKING

from sparring.app.options import Play
from sparring.app.talk import announce_compiling, announce_table, say
from sparring.errors import MatchError, PlayerError

if TYPE_CHECKING:
    from sparring.app.advice import Adviser
    from sparring.app.course import Course
    from sparring.app.seat import Seat
    from sparring.app.terminal import Session
    from sparring.games.game import Game

PEOPLE = "human"  # the opponent's spec where two people play


def run(options: Play) -> None:
    """Set up the board, say who is who, play."""
    if options.side not in (0, 1, 2):
        raise PlayerError(f"--side is {options.side}, but it must be 1 or 2 (the game's first or second player), or 0")
    if options.seed < 0:
        raise PlayerError(f"--seed is {options.seed}, but it must be 0 (by the clock) or more")
    say(f"Setting up {options.game} …")
    announce_compiling("the rules, the search and the net")
    session: Session | None = prepare(options)
    while session:
        try:
            session.run()
        except KeyboardInterrupt:
            say("")
            raise
        finally:
            farewell(options, session)
        session = session.following()


def prepare(options: Play) -> "Session":
    """The game, its two seats and an introduction to them."""
    from sparring.app.advice import adviser_of, can_think
    from sparring.app.seat import Seat
    from sparring.arena.player import parse_player, strongest
    from sparring.games.contract import CHANCE
    from sparring.games.game import load

    game = load(options.game)
    seed = options.seed or time.time_ns() % (1 << 62) + 1
    course = so_far(options, game, seed)
    first = int(game.mover(course.states[0]))
    first = 0 if first == CHANCE else first
    about = (game.module.__doc__ or game.name).strip().splitlines()[0]
    if options.player == PEOPLE:
        seats = (Seat(game.players[0], ""), Seat(game.players[1], ""))
        who = f"Two people play at this board. {seats[first].name} to move first."
        return introduced(seated(course, seats, seed, None), about, who)
    entry = parse_player(options.player or strongest(game), game)
    you = options.side - 1 if options.side else first
    adviser = adviser_of(game, entry)
    opponent, person = Seat(game.players[1 - you], adviser.name, adviser.player), Seat(game.players[you], "you")
    against = f"against {opponent.name} ({entry.text})"
    who = f"You play {person.name}"
    who = f"{who} and move first {against}." if you == first else f"{who} {against}, who moves first."
    seats = (person, opponent) if you == 0 else (opponent, person)
    return introduced(seated(course, seats, seed, adviser if can_think(adviser.player) else None), about, who)


def so_far(options: Play, game: "Game", seed: int) -> "Course":
    """The game that is to go on, with the cube if it is asked for. Raises MatchError for a score that cannot be."""
    from sparring.app.course import drawn_deal, follow, go_on
    from sparring.app.staked import Staked
    from sparring.arena.stakes import Stakes
    from sparring.arena.under_way import Terms

    terms = Terms(points=options.points, cube=options.cube)
    terms.check(game)
    if not terms.points and (options.score or options.crawford):
        raise MatchError("--score and --crawford tell where a match stands: give --points too")
    if not terms.stakes:
        return follow(game, options.moves, deal=drawn_deal(game, seed) if options.deal is None else options.deal)
    if terms.points:
        announce_table(game.name, terms.points)
    scores = re.fullmatch(r"(\d+)[-:](\d+)", options.score or "0-0")
    if not scores:
        raise MatchError(f"--score is {options.score!r}, but it must be the points of both players, such as 3-2")
    begun = Stakes(terms.points, (int(scores[1]), int(scores[2])), crawford=options.crawford)
    if begun.over:
        raise MatchError(f"--score is {options.score}, but then the match to {terms.points} is over")
    course = Staked(game, begun=begun)
    go_on(course, options.moves)
    return course


def seated(course: "Course", seats: "tuple[Seat, Seat]", seed: int, adviser: "Adviser | None") -> "Session":
    """The players at the board."""
    from sparring.app.doubling import Doubling
    from sparring.app.staked import Staked
    from sparring.app.terminal import Session

    if isinstance(course, Staked):
        return Doubling(course, seats, seed, adviser)
    return Session(course, seats, seed, adviser)


def introduced(session: "Session", about: str, who: str) -> "Session":
    """The session, once it is said what is played, who is who, what can be typed."""
    rest = ", ".join(word for word in session.words if word != "help")
    deal = [] if session.course.deal is None else [f"First position: number {session.course.deal}."]
    lines = [about, who, *deal, f"Type a move, or: help (the rules), {rest}."]
    if session.course.stakes:
        lines.append(
            "Before your roll, where you may double: roll (or Enter), double. Where you are doubled: take, pass."
        )
    for line in lines:
        print(textwrap.fill(line, min(shutil.get_terminal_size().columns, 120)))
    return session


def farewell(options: Play, session: "Session") -> None:
    """How to go on, or to look at the game again."""
    course = session.course
    deal = [] if course.deal is None else ["--deal", str(course.deal)]
    moves = ["--moves", " ".join(course.words)] if course.words else []
    if course.ending or session.resigned:
        if course.names:
            played = shlex.join(["sparring", "analyse", options.game, *deal, "--moves", " ".join(course.names)])
            say(f"To look at it again: {played}")
        return
    stakes = at_stake(session)
    if not moves and "--score" not in stakes:
        return
    words = ["sparring", "play", options.game, *filter(None, [options.player])]
    words += ["--side", str(options.side)] if options.side else []
    words += ["--seed", str(options.seed)] if options.seed else []
    say(f"To go on: {shlex.join([*words, *stakes, *deal, *moves])}")


def at_stake(session: "Session") -> list[str]:
    """The options that tell of the cube, and of the score at the start of the game."""
    from sparring.app.staked import Staked

    if not isinstance(session.course, Staked):
        return []
    begun = session.course.begun
    if begun.money:
        return ["--cube"]
    score = ["--score", "{}-{}".format(*begun.scores)] if any(begun.scores) else []
    return ["--points", str(begun.length), *score, *(["--crawford"] if begun.crawford else [])]
