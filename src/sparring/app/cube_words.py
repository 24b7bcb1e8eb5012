"""The cube, the score and decisions about them in words."""

import numpy as np

from sparring.app.course import Ending, told
from sparring.app.plays import points
from sparring.arena.cube import Action, CubeAdvice
from sparring.arena.equity import per_cube
from sparring.arena.match_table import MatchTable
from sparring.arena.stakes import Stakes
from sparring.games.game import Game

Names = tuple[str, str]  # of the players


def points_told(value: float) -> str:
    """`1 point`, `4 points`."""
    return f"{value:g} point{'' if value == 1 else 's'}"


def won_told(ending: Ending, game: Game, names: Names) -> str:
    """The end of a game with the cube: `white won 4 points, since black passed`."""
    if ending.winner is None:
        return told(ending, game, names)
    since = f", since {ending.why}" if ending.why else ""
    return f"{names[ending.winner]} won {points_told(abs(ending.value))}{since}"


def score_told(stakes: Stakes, names: Names) -> str:
    """Where a match stands: `Match to 5 points: white 4, black 2. Crawford game: nobody doubles.`"""
    score = ", ".join(f"{name} {score}" for name, score in zip(names, stakes.scores, strict=True))
    crawford = " Crawford game: nobody doubles." if stakes.crawford else ""
    return f"Match to {points_told(stakes.length)}: {score}.{crawford}"


def stakes_told(stakes: Stakes, names: Names) -> str:
    """What goes with the board: `Cube 2, white's. Match to 5 points: white 3, black 2.`"""
    where = "in the centre" if stakes.owner is None else f"{names[stakes.owner]}'s"
    cube = f"Cube {stakes.cube}, {where}."
    return cube if stakes.money else f"{cube} {score_told(stakes, names)}"


def advice_told(advice: CubeAdvice, stakes: Stakes, doubler: int, table: MatchTable | None) -> list[str]:
    """What each decision is worth to the doubler, in points at this cube; in a match, his chance of winning it too."""
    rows = {
        Action.NO_DOUBLE: advice.no_double,
        Action.DOUBLE_TAKE: advice.double_take,
        Action.DOUBLE_PASS: advice.double_pass,
    }
    lines = []
    for action, value in rows.items():
        match = "" if stakes.money else f"   wins the match in {100 * float(value):.1f} %"
        lines.append(f"  {action:13} {_equity(value, stakes, doubler, table)}{match}")
    return lines


def reason(advice: CubeAdvice, stakes: Stakes, doubler: int, table: MatchTable | None) -> str:
    """Why the other takes or passes, in his name and in points at this cube."""
    take, drop = (_equity(value, stakes, doubler, table, -1) for value in (advice.double_take, advice.double_pass))
    return f": expects {take}, and {drop} by passing" if advice.takes else f", as taking expects {take}"


def _equity(value: np.ndarray, stakes: Stakes, doubler: int, table: MatchTable | None, sign: int = 1) -> str:
    return points(sign * float(per_cube(value, stakes, doubler, table)))
