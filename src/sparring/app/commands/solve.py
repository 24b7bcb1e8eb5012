"""`sparring solve`."""

import json
import time
from itertools import groupby
from typing import TYPE_CHECKING

from sparring.app.options import Solve
from sparring.app.talk import announce_compiling, say, threads_of
from sparring.errors import GameError

if TYPE_CHECKING:
    from sparring.app.course import Course

SOON = 12  # with fewer stones on the board it may take a while
WIDTH = 5  # of a column on the screen


def run(options: Solve) -> None:
    """Draw the position with the score of each column below it, and say what the scores mean."""
    say(f"Solving {options.game} after {' '.join(options.moves.split()) or 'no moves'} …")
    threads = threads_of(options.threads)
    announce_compiling("the rules and the solver")
    from sparring.app.course import follow, told
    from sparring.arena.yardsticks import needed_truth_for
    from sparring.games.game import load

    game = load(options.game)
    known = needed_truth_for(game)
    course = follow(game, " ".join("".join(options.moves.split())))
    if course.ending:
        raise GameError(f"nothing to solve: {told(course.ending, game)} after {len(course.moves)} moves")
    if known.FIRST_PLY > len(course.moves) > known.BOOK_PLY:
        say("With so few stones on the board this may take up to a minute. Ctrl+C stops it.")
    solver, began = known.Solver(), time.perf_counter()
    scores = solver.columns(course.state, threads)
    seconds = time.perf_counter() - began
    best = max(score for score in scores if score is not None)
    if not options.json:
        show(course, scores)
        say(f"{solver.nodes:,} positions in {seconds:.1f} s")
        return
    found = {
        "game": game.name,
        "moves": "".join(course.names),
        "to_move": game.players[course.mover],
        "scores": scores,
        "score": best,
        "best": [column + 1 for column, score in enumerate(scores) if score == best],
        "nodes": solver.nodes,
        "seconds": seconds,
    }
    print(json.dumps(found))


def show(course: "Course", scores: list[int | None]) -> None:
    """For people."""
    from sparring.arena.yardsticks.connect_four import told

    game = course.game
    print()
    for line in game.draw(course.state).splitlines():
        print("".join(f"{cell:>{WIDTH}}" for cell in line.split()))
    print("".join(f"{'' if score is None else f'{score:+d}' if score else '0':>{WIDTH}}" for score in scores))
    print(f"\n{game.players[course.mover]} to move. Best first:")
    ranked = sorted((-score, column) for column, score in enumerate(scores, 1) if score is not None)
    for lost, columns in groupby(ranked, key=lambda pair: pair[0]):
        named = " ".join(str(column) for _, column in columns)
        print(f"  {named:14}{told(-lost, course.mover, game.players)}")
