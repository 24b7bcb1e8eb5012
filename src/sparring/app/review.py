"""A game under review: what each turn was worth beside the best one, and how lucky each roll was."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sparring.app.course import Course, turn_name
from sparring.app.plays import points
from sparring.games.contract import CHANCE, ONGOING
from sparring.search.expectimax import Lookahead
from sparring.search.luck import Luck
from sparring.search.turns import points_for

MARKS = ((0.16, "??"), (0.08, "?"), (0.04, "?!"))  # errors from so many points on: very bad, bad, doubtful


@dataclass(frozen=True)
class Reviewed:
    """A turn that was played, and the roll before it.

    who: 0 or 1. roll: by name, empty where there was none. luck: points that it was worth to that player beyond the
    mean. turn, best: by name. error: points that the best turn is worth more. choice: whether there was another.
    """

    who: int
    roll: str
    luck: float
    turn: str
    best: str
    error: float
    choice: bool

    @property
    def mark(self) -> str:
        """As annotators put it."""
        return next((mark for least, mark in MARKS if self.error >= least), "")


def review(course: Course, look: Lookahead, luck: Luck) -> Iterator[Reviewed]:
    """Every turn of a game that was played to its end; one that has just been begun is left out."""
    game, states, moves = course.game, course.states, course.moves
    rolls: list[str] = []
    fortune, at = 0.0, 0
    while at < len(moves):
        who = int(game.mover(states[at]))
        if who == CHANCE:
            rolls.append(game.move_name(states[at], moves[at]))
            fortune += luck.of(states[at], moves[at])
            at += 1
            continue
        end = at + 1
        while end < len(states) and game.result(states[end]) == ONGOING and game.mover(states[end]) == who:
            end += 1
        if end == len(states):
            return
        ranked = look.rank(states[at], most=2)
        played = next((t for t in ranked if int(game.key(t.state)) == int(game.key(states[end]))), None)
        value = played.value if played else float(look.outlook(states[end], who) @ points_for(game, who))
        names = [turn_name(game, states[at], steps) for steps in (moves[at:end], ranked[0].steps)]
        error = 0.0 if played is ranked[0] else max(ranked[0].value - value, 0.0)
        own = fortune if who == 0 else -fortune
        yield Reviewed(who, " ".join(rolls), own, names[0], names[1], error, len(ranked) > 1)
        rolls, fortune, at = [], 0.0, end


@dataclass(frozen=True)
class Total:
    """Of a player: turns, those with a choice among them, points lost by errors, points won by luck, marks."""

    turns: int
    choices: int
    error: float
    luck: float
    marks: dict[str, int]


def totals(turns: list[Reviewed]) -> list[Total]:
    """Of both players."""
    found = []
    for who in (0, 1):
        own = [turn for turn in turns if turn.who == who]
        marks = {mark: sum(turn.mark == mark for turn in own) for _, mark in MARKS}
        choices = sum(turn.choice for turn in own)
        found.append(Total(len(own), choices, sum(t.error for t in own), sum(t.luck for t in own), marks))
    return found


def told(course: Course, turns: list[Reviewed]) -> list[str]:
    """The review for people: a line a turn, then what it comes to."""
    players = course.game.players
    rows = [("", "", "roll", "luck", "turn", "error", "", "best")]
    for number, t in enumerate(turns, 1):
        error, best = (f"{t.error:.3f}", t.best) if t.error >= 0.0005 else ("", "")
        luck = points(t.luck) if t.roll else ""
        rows.append((str(number), players[t.who], t.roll, luck, t.turn, error, t.mark, best))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    sides = "><<><><<"
    lines = [
        "  ".join(f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    ]
    for who, total in enumerate(totals(turns)):
        rate = f", {1000 * total.error / total.choices:.1f} thousandths a choice" if total.choices else ""
        marks = ", ".join(f"{n} {mark}" for mark, n in total.marks.items() if n)
        line = f"{players[who]}: {total.turns} turns, {total.choices} with a choice; "
        line += f"errors cost {total.error:.3f} points{rate}{f' ({marks})' if marks else ''}; luck {points(total.luck)}"
        lines.append(line)
    if course.ending:
        fair = without_luck(course, turns)
        lines.append(
            f"The result is {course.ending.value:+g} for {players[0]}, without the luck of the dice {points(fair)}."
        )
    return lines


def without_luck(course: Course, turns: list[Reviewed]) -> float:
    """The points of player 0, less what the dice gave."""
    first, second = totals(turns)
    assert course.ending is not None
    return course.ending.value - (first.luck - second.luck)


def as_json(course: Course, turns: list[Reviewed]) -> dict[str, Any]:
    """The review for a program."""
    players = course.game.players
    rows = [
        {
            "player": players[t.who],
            "roll": t.roll,
            "luck": t.luck,
            "turn": t.turn,
            "error": t.error,
            "best": t.best,
            "choice": t.choice,
        }
        for t in turns
    ]
    sums = {
        players[who]: {"turns": t.turns, "choices": t.choices, "error": t.error, "luck": t.luck}
        for who, t in enumerate(totals(turns))
    }
    over = {"value_first": course.ending.value, "without_luck": without_luck(course, turns)} if course.ending else None
    return {"review": rows, "totals": sums, "over": over}
