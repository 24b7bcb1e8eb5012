"""Sprint, a little race for tests: two runners, a die of three, six fields; won by 1, 2 or 3 points.

A turn is a roll and then two moves in a row, a run by the die and a rest, in the order that the player likes. Who rests
where the other stands throws him back to the start. It is won by 2 if the other has not reached field 3, by 3 if he
stands at 0.
"""

import numpy as np

from sparring.games.contract import CHANCE, ONGOING

STATE = np.dtype([("at", "i1", 2), ("turn", "i1"), ("die", "i1"), ("ran", "i1"), ("rested", "i1")])
RESULTS = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
RUN, REST = 0, 1
MOVES = 3
GOAL = 6
FEATURES = 16
MOST_FEATURES = 4


def start(state):
    state["die"] = 0


def mover(state):
    return CHANCE if state["die"] == 0 else state["turn"]


def chance(state, outcomes, probabilities):
    for i in range(3):
        outcomes[i] = i
        probabilities[i] = (3 - i) / 6
    return 3


def legal(state, moves):
    n = 0
    if state["ran"] == 0:
        moves[n] = RUN
        n += 1
    if state["rested"] == 0:
        moves[n] = REST
        n += 1
    return n


def play(state, move):
    who = state["turn"]
    if state["die"] == 0:
        state["die"] = move + 1
        return
    if move == RUN:
        state["ran"] = 1
        state["at"][who] = min(state["at"][who] + state["die"], GOAL)
        if state["at"][who] == GOAL:
            state["rested"] = 1
    else:
        state["rested"] = 1
        if state["at"][1 - who] == state["at"][who]:
            state["at"][1 - who] = 0
    if state["ran"] and state["rested"] and state["at"][who] < GOAL:
        state["turn"] = 1 - who
        state["die"] = 0
        state["ran"] = 0
        state["rested"] = 0


def result(state):
    for who in range(2):
        if state["at"][who] >= GOAL:
            points = 1 if state["at"][1 - who] >= 3 else (2 if state["at"][1 - who] > 0 else 3)
            return 2 + points if who == 0 else 3 - points
    return ONGOING


def features(state, viewer, index, value):
    for i in range(2):
        index[i] = 7 * i + state["at"][viewer if i == 0 else 1 - viewer]
        value[i] = 1.0
    index[2] = 14 if state["turn"] == viewer else 15
    value[2] = 1.0
    return 3
