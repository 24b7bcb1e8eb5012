"""`sparring analyse`."""

import json
import math
import pathlib
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from sparring.app.options import Analyse
from sparring.app.talk import announce_compiling, say, threads_of
from sparring.errors import GameError, PlayerError

if TYPE_CHECKING:
    from sparring.app.advice import Adviser, Findings, Glance
    from sparring.app.course import Course
    from sparring.app.sheet import Rows
    from sparring.search.expectimax import Lookahead
    from sparring.search.rollouts import Rolled


def run(options: Analyse) -> None:
    """Draw the position, then its best moves and the opinion; or how the game ended, or what the dice may bring."""
    if options.lines < 1:
        raise PlayerError(f"--lines is {options.lines}, but it must be at least 1")
    if options.rollout < 0 or options.rollout == 1:
        raise PlayerError(f"--rollout is {options.rollout}, but it must be 0 (none) or at least 2 games")
    if options.rollout_turns < 0:
        raise PlayerError(f"--rollout-turns is {options.rollout_turns}, but it must be 0 (to the end) or more")
    say(f"Analysing {options.game} …")
    announce_compiling("the rules, the search and the net")
    from sparring.app.course import follow
    from sparring.games.contract import CHANCE
    from sparring.games.game import load

    course = follow(load(options.game), options.moves, options.position, options.deal)
    if options.svg:
        write_svg(course, pathlib.Path(options.svg))
    if options.review:
        found = reviewed(course, options)
    elif course.ending:
        found = ended(course, options.json)
    elif course.mover == CHANCE:
        found = rolling(course, options)
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


def rolling(course: "Course", options: Analyse) -> dict[str, Any]:
    """A game that waits for its dice: what may come, and if a player of whole turns is named, the best answer to it."""
    outcomes: list[dict[str, Any]] = [{"move": name, "chance": chance} for name, chance in course.outcomes()]
    answers = best_answers(course, options) if options.player.startswith("turn") else []
    for outcome, answer in zip(outcomes, answers, strict=False):
        outcome |= answer
    if not options.json:
        draw(course)
        print("Chance is to move:")
        for outcome in outcomes:
            print(f"  {outcome['move']:8} {outcome['chance']:6.1%}".replace("%", " %"), end="")
            print(f"  {outcome['value']:+.3f}  {outcome['turn']}" if answers else "")
        if answers:
            mean = sum(outcome["chance"] * outcome["value"] for outcome in outcomes)
            print(f"On average {mean:+.3f} for {course.game.players[0]}.")
    return {"to_move": "chance", "outcomes": outcomes, "lines": [], "depth": 0, "nodes": 0, "opinion": None}


def best_answers(course: "Course", options: Analyse) -> list[dict[str, Any]]:
    """For each outcome of chance the best turn, and what it is worth to the first player."""
    from sparring.app.course import turn_name
    from sparring.games.contract import CHANCE, ONGOING

    game, look, found = course.game, lookahead_of(course, options), []
    for outcome in game.legal_moves(course.state):
        state = game.after(course.state, outcome)
        if game.result(state) != ONGOING or game.mover(state) == CHANCE:
            return []
        best = look.rank(state)[0]
        sign = 1 if int(game.mover(state)) == 0 else -1
        found.append({"value": sign * best.value, "turn": turn_name(game, state, best.steps)})
    return found


def lookahead_of(course: "Course", options: Analyse) -> "Lookahead":
    """The lookahead of the player of whole turns that was named, or of the strongest there is."""
    from sparring.app.advice import adviser_of
    from sparring.arena.player import parse_player
    from sparring.arena.turn_player import TurnPlayer
    from sparring.search.expectimax import Lookahead

    game = course.game
    player = adviser_of(game, parse_player(options.player, game) if options.player else None).player
    if not isinstance(player, TurnPlayer) or not isinstance(player.judge, Lookahead):
        named = (
            f"--player is {options.player!r}" if options.player else f"no net for {game.name} comes with the package"
        )
        raise PlayerError(f"{named}, but this wants a net that judges turns: --player turn:net=FILE,plies=1")
    return player.judge


def reviewed(course: "Course", options: Analyse) -> dict[str, Any]:
    """Every turn of the game so far."""
    from sparring.app.review import Reviewed, as_json, review, told
    from sparring.app.waiting import heard
    from sparring.search.luck import Luck

    if not course.game.defines("chance"):
        raise GameError(f"--review tells errors and luck of games with dice; {course.game.name} has none")
    look = lookahead_of(course, options)
    luck, turns, stopped = Luck(course.game, look.judge.net), list[Reviewed](), list[bool]()

    def work() -> None:
        for turn in review(course, look, luck):
            turns.append(turn)
            if stopped:
                return

    heard(work, lambda: stopped.append(True), "reviewing", lambda: len(turns) / max(len(course.moves), 1))
    if not options.json:
        draw(course)
        print("\n".join(told(course, turns)))
    return as_json(course, turns)


def searched(course: "Course", options: Analyse) -> dict[str, Any]:
    """A position in which a player is to move."""
    from sparring.app.advice import adviser_of, can_think, glance
    from sparring.app.waiting import heard
    from sparring.arena.player import parse_player

    game = course.game
    adviser = adviser_of(game, parse_player(options.player, game) if options.player else None)
    if not can_think(adviser.player):
        mend = "give one such as alphabeta:depth=8, mcts:sims=800 or turn:plies=2"
        raise PlayerError(f"--player is {options.player!r}, which tells no thoughts; {mend}")
    scores = perfect(course) if options.truth else None
    doing = f"{adviser.name} is thinking"
    began = time.perf_counter()
    found = heard(lambda: adviser.consider(course, options.lines), adviser.player.stop, doing, adviser.gone)
    if options.rollout:
        found = rolled_out(course, adviser, found, options)
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


def rolled_out(course: "Course", adviser: "Adviser", found: "Findings", options: Analyse) -> "Findings":
    """The best turns, in the order of their rollouts."""
    from sparring.app.plays import Plays
    from sparring.app.waiting import heard
    from sparring.nets.weights import Net
    from sparring.search.rollouts import Rollouts

    net = adviser.entry.net
    if not isinstance(found, Plays) or not isinstance(net, Net):
        raise PlayerError(
            f"--rollout plays turns by a net, but {adviser.entry.text} has none for that; try turn:net=FILE"
        )
    rollouts = Rollouts(course.game, net, threads=threads_of(options.threads))
    done: list[Rolled] = []
    tell = lambda: (len(done) + rollouts.done / options.rollout) / min(len(found.ranked), options.lines)  # noqa: E731
    for turn, name in zip(found.ranked[: options.lines], found.names, strict=False):
        run = partial(rollouts.run, turn.state, course.mover, options.rollout, options.rollout_turns)
        done.append(heard(run, rollouts.stop, f"rolling out {name}", tell))
    return found.with_rollouts(done)


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
    from sparring.app.words import entropy

    chances = [{"result": value, "chance": chance} for value, chance in judged.chances]
    bits = {"entropy": entropy(judged.chances)} if chances else {}
    return {"by": judged.by, "value": judged.value, "chances": chances, **bits}


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
    from sparring.app.words import chances_told, entropy, signed, standing

    game, who = course.game, course.game.players[course.mover]
    if judged is None:
        print("No opinion at a glance: no net is given, and the rules have no evaluate().")
        return
    print(f"At a glance {judged.by} expects {signed(judged.value)} for {who}: {standing(game, judged.value)}.")
    if judged.chances:
        bits = f"{entropy(judged.chances):.2f} of {math.log2(len(game.RESULTS)):.2f} bits"
        print(f"  {chances_told(game, judged.chances, course.mover)}; entropy {bits}")


def write_svg(course: "Course", path: pathlib.Path) -> None:
    """The position as an image."""
    from sparring.nets.storage import write_whole

    image = course.game.svg(course.state)
    if image is None:
        raise GameError(f"{course.game.path.name} has no svg(), so --svg has nothing to write")
    write_whole(path, image.encode())
    say(f"Wrote {path}")
