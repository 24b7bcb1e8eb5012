"""When scores leave no doubt how a game ends, as those see it who test chess engines: then it need not be played out.

Scores are told as player 0 sees them. The numbers are of matches; games that are played for their positions, with one
judgement on both sides, share those of draws.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING
from sparring.games.walk import DRAWN

WINNING, WINNING_PLIES = 1_000, 8  # who is ahead by this score (in CENTs) for so many moves on end has won
LEVEL, LEVEL_PLIES, LEVEL_FROM = 10, 12, 80  # no more than this for so many moves on end, from a move on, is a draw
RULE = f"{WINNING}/{WINNING_PLIES},{LEVEL}/{LEVEL_PLIES}/{LEVEL_FROM}"

WON, LOST = 1, 0  # verdicts, for player 0
ONE = np.int64(1)

RUN = (
    ("winning", "i8"),  # who is ahead by this score for so many moves on end has won
    ("winning_plies", "i8"),
    ("level", "i8"),  # a score of no more than this for so many moves on end, from a move on, is a draw
    ("level_plies", "i8"),
    ("level_from", "i8"),
    ("ahead", "i8"),  # moves on end in which player 0 is winning, below 0 player 1
    ("even", "i8"),  # moves on end with level scores
)
"""Fields of a record that counts moves on end; scores in it are the search's, or of any other unit."""


def new_runs() -> np.ndarray:
    """For each player of a match, (2,): his own scores, in CENTs, must say it in half of the moves on end."""
    runs = np.zeros(2, np.dtype([*RUN], align=True))
    runs["winning"], runs["winning_plies"] = WINNING, WINNING_PLIES // 2
    runs["level"], runs["level_plies"], runs["level_from"] = LEVEL, LEVEL_PLIES // 2, LEVEL_FROM
    return runs


@compiled
def count_score(run, score, n):
    """Take in the score of the position after n moves."""
    if abs(score) >= run["winning"]:
        side = ONE if score > 0 else -ONE
        run["ahead"] = run["ahead"] + side if run["ahead"] * side >= 0 else side
    else:
        run["ahead"] = 0
    run["even"] = run["even"] + 1 if abs(score) <= run["level"] and n >= run["level_from"] else 0


@compiled
def verdict(run):
    """How the game ends: WON, LOST, DRAWN or ONGOING."""
    if abs(run["ahead"]) >= run["winning_plies"]:
        return np.int64(WON) if run["ahead"] > 0 else np.int64(LOST)
    return np.int64(DRAWN) if run["even"] >= run["level_plies"] else np.int64(ONGOING)
