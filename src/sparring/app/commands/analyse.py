"""`sparring analyse`."""

import json
import pathlib
import time
from typing import TYPE_CHECKING, Any

from sparring.app.options import Analyse
from sparring.app.talk import announce_compiling, say
from sparring.errors import GameError, PlayerError

if TYPE_CHECKING:
    from sparring.app.advice import Adviser, Opinion
    from sparring.app.course import Course

SHOWN = 10  # moves of a line that people see


def run(options: Analyse) -> None:
    """Draw the position, then its best lines and the opinion; or how the game ended, or what the dice may bring."""
    if options.lines < 1:
        raise PlayerError(f"--lines is {options.lines}, but it must be at least 1")
    say(f"Analysing {options.game} …")
    announce_compiling("the rules and the search")
    from sparring.app.course import follow
    from sparring.games.contract import CHANCE
    from sparring.games.game import load

    course = follow(load(options.game), options.moves)
    if options.svg:
        write_svg(course, pathlib.Path(options.svg))
    if not options.json:
        print(f"\n{course.game.draw(course.state)}\n", flush=True)
    if course.ending:
        found = ended(course, options.json)
    elif course.mover == CHANCE:
        found = rolling(course, options.json)
    elif course.game.defines("chance") and not options.player:
        found = glanced_at(course, options.json)
    else:
        found = searched(course, options)
    if options.json:
        print(json.dumps({"game": course.game.name, "moves": course.names, **found}))


def ended(course: "Course", silent: bool) -> dict[str, Any]:
    """A game that is over."""
    from sparring.app.course import told

    ending = course.ending
    assert ending is not None
    text = told(ending, course.game)
    if not silent:
        print(f"The game is over: {text}.")
    over = {"result": text, "value_first": ending.value}
    return {"to_move": None, "over": over, "lines": [], "depth": 0, "nodes": 0, "opinion": None}


def rolling(course: "Course", silent: bool) -> dict[str, Any]:
    """A game that waits for its dice."""
    outcomes = [{"move": name, "chance": chance} for name, chance in course.outcomes()]
    if not silent:
        print("Chance is to move:")
        for outcome in outcomes:
            print(f"  {outcome['move']:8} {outcome['chance']:.1%}".replace("%", " %"))
    return {"to_move": "chance", "outcomes": outcomes, "lines": [], "depth": 0, "nodes": 0, "opinion": None}


def glanced_at(course: "Course", silent: bool) -> dict[str, Any]:
    """A decision in a game with dice, which the searches do not know: the moves, and the rules' opinion."""
    from sparring.app.advice import opinion

    game = course.game
    names = [game.move_name(course.state, move) for move in game.legal_moves(course.state)]
    judged = opinion(game, None, course.state)
    if not silent:
        print(f"{game.players[course.mover]} to move: {', '.join(names)}")
        print("No lines: the search knows no dice.")
        show_opinion(course, judged)
    to_move = {"to_move": game.players[course.mover], "legal": names}
    return {**to_move, "lines": [], "depth": 0, "nodes": 0, "opinion": judged and as_json(judged)}


def searched(course: "Course", options: Analyse) -> dict[str, Any]:
    """A position in which a player is to move."""
    from sparring.app.advice import adviser_of, can_think, opinion
    from sparring.app.course import line_names
    from sparring.app.terminal import heard
    from sparring.arena.player import parse_player

    game, state = course.game, course.state
    entry = parse_player(options.player, game) if options.player else None
    adviser = adviser_of(game, entry)
    if not can_think(adviser.player):
        raise PlayerError(f"--player is {options.player!r}, which shows no lines; give one such as alphabeta:depth=8")
    began = time.perf_counter()
    thought = heard(lambda: adviser.think(course, options.lines), adviser.player.stop, f"{adviser.name} is thinking")
    seconds = time.perf_counter() - began
    lines = [(line_names(game, state, line.moves), line) for line in thought.lines]
    judged = opinion(game, adviser, state)
    if not options.json:
        show(course, adviser, thought, seconds, judged)
    return {
        "to_move": game.players[course.mover],
        "player": adviser.entry.label,
        "lines": [{"moves": names, "value": line.value, "plies_to_end": line.end} for names, line in lines],
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": seconds,
        "opinion": judged and as_json(judged),
    }


def as_json(judged: "Opinion") -> dict[str, Any]:
    """An opinion for a program."""
    chances = [{"result": value, "chance": chance} for value, chance in judged.chances]
    return {"by": judged.by, "value": judged.value, "chances": chances}


def show(course: "Course", adviser: "Adviser", thought: Any, seconds: float, judged: "Opinion | None") -> None:
    """Lines and opinion for people."""
    from sparring.app.advice import depth_told, worth
    from sparring.app.course import line_names

    game, who = course.game, course.game.players[course.mover]
    speed = f"{thought.nodes:,} positions, {thought.nodes / max(seconds, 1e-9) / 1e6:.1f} million a second"
    print(f"{adviser.entry.label}, {depth_told(thought)}: {speed}")
    print(f"Best for {who}, who is to move:")
    for place, line in enumerate(thought.lines, 1):
        names = line_names(game, course.state, line.moves[: SHOWN + 1])
        shown = " ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
        print(f"{place:3}. {worth(game, line):22}  {shown}")
    show_opinion(course, judged)


def show_opinion(course: "Course", judged: "Opinion | None") -> None:
    """An opinion for people."""
    from sparring.app.advice import chances_told, signed, standing

    game, who = course.game, course.game.players[course.mover]
    if judged is None:
        print("No opinion at a glance: no net is given, and the rules have no evaluate().")
        return
    print(f"At a glance {judged.by} expects {signed(judged.value)} for {who}: {standing(game, judged.value)}.")
    if judged.chances:
        print(f"  {chances_told(judged)}")


def write_svg(course: "Course", path: pathlib.Path) -> None:
    """The position as an image."""
    from sparring.nets.storage import write_whole

    image = course.game.svg(course.state)
    if image is None:
        raise GameError(f"{course.game.path.name} has no svg(), so --svg has nothing to write")
    write_whole(path, image.encode())
    say(f"Wrote {path}")
