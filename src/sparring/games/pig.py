"""Pig, the dice game: roll as often as you dare; a 1 loses the turn's points, holding keeps them. First to 100 wins.

The smallest game with real chance: after "roll" the die decides. Optimal play is known (Neller and Presser 2004).
"""

import numpy as np

from sparring.games.contract import CHANCE, ONGOING

STATE = np.dtype([("score", "i2", 2), ("gathered", "i2"), ("turn", "i1"), ("rolling", "i1")], align=True)
MOVES = 7  # the players': 0 roll, 1 hold; the die's: 1 to 6
MOST_MOVES = 6
RESULTS = (-1.0, 1.0)
FEATURES = 4
LIMIT = 0
PLAYERS = ("first", "second")

GOAL = 100
ROLL, HOLD = 0, 1


def start(state):
    state["turn"] = 0


def mover(state):
    return CHANCE if state["rolling"] else state["turn"]


def legal(state, moves):
    moves[0] = ROLL
    if state["gathered"] == 0:  # holding with nothing would pass for ever
        return 1
    moves[1] = HOLD
    return 2


def chance(state, outcomes, probabilities):
    for face in range(6):
        outcomes[face] = face + 1
        probabilities[face] = 1.0 / 6.0
    return 6


def play(state, move):
    if state["rolling"]:
        state["rolling"] = 0
        if move == 1:
            state["gathered"] = 0
            state["turn"] = 1 - state["turn"]
        else:
            state["gathered"] += move
    elif move == ROLL:
        state["rolling"] = 1
    else:
        state["score"][state["turn"]] += state["gathered"]
        state["gathered"] = 0
        state["turn"] = 1 - state["turn"]


def result(state):
    if state["score"][0] >= GOAL:
        return 1
    return 0 if state["score"][1] >= GOAL else ONGOING


def features(state, viewer, index, value):
    for i in range(4):
        index[i] = i
    value[0] = state["score"][viewer] / GOAL
    value[1] = state["score"][1 - viewer] / GOAL
    own = state["turn"] == viewer
    value[2] = state["gathered"] / GOAL if own else 0.0
    value[3] = 0.0 if own else state["gathered"] / GOAL
    return 4


def evaluate(state):
    own = min(int(state["score"][state["turn"]] + state["gathered"]), GOAL)
    return (own - state["score"][1 - state["turn"]]) / (2.0 * GOAL)


def draw(state):
    turn = state["turn"]
    status = "the die is rolling" if state["rolling"] else f"{PLAYERS[turn]} to move"
    return f"first {state['score'][0]:3}   second {state['score'][1]:3}   gathered {state['gathered']:3}   {status}"


def svg(state):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="420" height="48"><rect width="420" height="48" fill="#f3ead7"/>'
        f'<text x="12" y="30" font-family="sans-serif" font-size="16">{draw(state)}</text></svg>'
    )


def move_name(state, move):
    return str(move) if state["rolling"] else ("roll", "hold")[move]
