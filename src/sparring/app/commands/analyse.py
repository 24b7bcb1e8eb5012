"""`sparring analyse`."""

import json
import pathlib
import time
from typing import TYPE_CHECKING, Any

from sparring.app.options import Analyse
from sparring.app.talk import announce_compiling, say
from sparring.errors import GameError, PlayerError

if TYPE_CHECKING:
    from sparring.app.advice import Findings, Glance
    from sparring.app.course import Course
    from sparring.app.sheet import Rows


def run(options: Analyse) -> None:
    """Draw the position, then its best moves and the opinion; or how the game ended, or what the dice may bring."""
    if options.lines < 1:
        raise PlayerError(f"--lines is {options.lines}, but it must be at least 1")
    say(f"Analysing {options.game} …")
    announce_compiling("the rules, the search and the net")
    from sparring.app.course import follow
    from sparring.games.contract import CHANCE
    from sparring.games.game import load

    course = follow(load(options.game), options.moves)
    if options.svg:
        write_svg(course, pathlib.Path(options.svg))
    if course.ending:
        found = ended(course, options.json)
    elif course.mover == CHANCE:
        found = rolling(course, options.json)
    else:
        found = searched(course, options)
    if options.json:
        print(json.dumps({"game": course.game.name, "moves": course.names, **found}))


def draw(course: "Course", rows: "Rows | None" = None) -> None:
    """The position; with rows, wide and with what they say below its columns, where it has such."""
    from sparring.app.sheet import columns_of, under_columns

    cells = columns_of(course.game, course.state) if rows else None
    board = "\n".join(under_columns(cells, rows)) if cells and rows else course.game.draw(course.state)
    print(f"\n{board}\n", flush=True)


def ended(course: "Course", silent: bool) -> dict[str, Any]:
    """A game that is over."""
    from sparring.app.course import told

    ending = course.ending
    assert ending is not None
    text = told(ending, course.game)
    if not silent:
        draw(course)
        print(f"The game is over: {text}.")
    over = {"result": text, "value_first": ending.value}
    return {"to_move": None, "over": over, "lines": [], "depth": 0, "nodes": 0, "opinion": None}


def rolling(course: "Course", silent: bool) -> dict[str, Any]:
    """A game that waits for its dice."""
    outcomes = [{"move": name, "chance": chance} for name, chance in course.outcomes()]
    if not silent:
        draw(course)
        print("Chance is to move:")
        for outcome in outcomes:
            print(f"  {outcome['move']:8} {outcome['chance']:.1%}".replace("%", " %"))
    return {"to_move": "chance", "outcomes": outcomes, "lines": [], "depth": 0, "nodes": 0, "opinion": None}


def searched(course: "Course", options: Analyse) -> dict[str, Any]:
    """A position in which a player is to move."""
    from sparring.app.advice import adviser_of, can_think, glance
    from sparring.app.waiting import heard
    from sparring.arena.player import parse_player

    game = course.game
    adviser = adviser_of(game, parse_player(options.player, game) if options.player else None)
    if not can_think(adviser.player):
        mend = "give one such as alphabeta:depth=8 or mcts:sims=800"
        raise PlayerError(f"--player is {options.player!r}, which tells no thoughts; {mend}")
    scores = perfect(course) if options.truth else None
    doing = f"{adviser.name} is thinking"
    began = time.perf_counter()
    found = heard(lambda: adviser.consider(course, options.lines), adviser.player.stop, doing, adviser.gone)
    seconds = time.perf_counter() - began
    judged = glance(game, adviser, course.state)
    if not options.json:
        show(course, found, scores, judged)
    return {
        "to_move": game.players[course.mover],
        "player": adviser.entry.label,
        **found.as_json(),
        **({"scores": scores} if scores is not None else {}),
        "seconds": seconds,
        "opinion": judged and as_json(judged),
    }


def perfect(course: "Course") -> dict[str, int]:
    """The perfect score of each move."""
    from sparring.app.truth import SOLVING, truth_of
    from sparring.app.waiting import heard

    truth = truth_of(course.game)
    if truth is None:
        raise GameError(f"--truth: nothing here has solved {course.game.name}")
    return heard(lambda: truth.scores(course.state), truth.stop, SOLVING)


def as_json(judged: "Glance") -> dict[str, Any]:
    """An opinion for a program."""
    chances = [{"result": value, "chance": chance} for value, chance in judged.chances]
    return {"by": judged.by, "value": judged.value, "chances": chances}


def show(course: "Course", found: "Findings", scores: dict[str, int] | None, judged: "Glance | None") -> None:
    """What was found, for people."""
    from sparring.app.truth import MEANING, row_of
    from sparring.app.words import scores_told

    draw(course, {**found.rows(), **(row_of(scores) if scores else {})})
    for line in found.report():
        print(line)
    if scores:
        print(f"Perfect play for {course.game.players[course.mover]}: {scores_told(scores)}. {MEANING}")
    show_opinion(course, judged)


def show_opinion(course: "Course", judged: "Glance | None") -> None:
    """An opinion for people."""
    from sparring.app.words import chances_told, signed, standing

    game, who = course.game, course.game.players[course.mover]
    if judged is None:
        print("No opinion at a glance: no net is given, and the rules have no evaluate().")
        return
    print(f"At a glance {judged.by} expects {signed(judged.value)} for {who}: {standing(game, judged.value)}.")
    if judged.chances:
        print(f"  {chances_told(game, judged.chances, course.mover)}")


def write_svg(course: "Course", path: pathlib.Path) -> None:
    """The position as an image."""
    from sparring.nets.storage import write_whole

    image = course.game.svg(course.state)
    if image is None:
        raise GameError(f"{course.game.path.name} has no svg(), so --svg has nothing to write")
    write_whole(path, image.encode())
    say(f"Wrote {path}")
