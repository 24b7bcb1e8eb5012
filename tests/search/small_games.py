"""Rules made up for the tests of the searches: what no game of the package has."""

TWICE = '''
"""Each player takes two numbers in a row, 0 to 7, each number once; the sums modulo 7 are compared at the end."""

import numpy as np

ONGOING = -1
STATE = np.dtype([("taken", "i1", 8), ("sum", "i2", 2), ("placed", "i1")], align=True)
MOVES = 8
FEATURES = 8


def start(state):
    state["placed"] = 0


def mover(state):
    return (state["placed"] // 2) % 2


def legal(state, moves):
    n = 0
    for i in range(8):
        if state["taken"][i] == 0:
            moves[n] = i
            n += 1
    return n


def play(state, move):
    who = mover(state)
    state["taken"][move] = who + 1
    state["sum"][who] = state["sum"][who] * 2 + move * (state["placed"] + 1)
    state["placed"] += 1


def result(state):
    if state["placed"] > 2 and state["sum"][0] % 5 == 4 and state["sum"][1] % 3 == 1:
        return 0
    if state["placed"] < 8:
        return ONGOING
    a, b = state["sum"][0] % 7, state["sum"][1] % 7
    return 2 if a > b else 1 if a == b else 0


def noisy(state, moves):
    n = 0
    for i in range(0, 8, 3):
        if state["taken"][i] == 0:
            moves[n] = i
            n += 1
    return n


def evaluate(state):
    value = ((state["sum"][0] * 7 + state["sum"][1] * 3) % 11 - 5) / 10.0
    return value if mover(state) == 0 else -value
'''

CIRCLE = '''
"""Two tokens on a circle of seven points step left or right, never onto each other; a player may also freeze.

Whoever freezes for the third time wins where the other token stands opposite, and else loses. Steps can be taken back,
so lines come back to the same position in every way there is.
"""

import numpy as np

ONGOING = -1
STATE = np.dtype([("at", "i1", 2), ("frozen", "i1", 2), ("turn", "i1")], align=True)
MOVES = 3
REPETITION = 3
LIMIT = 40


def start(state):
    state["at"][1] = 3


def mover(state):
    return state["turn"]


def legal(state, moves):
    n = 0
    own, other = state["at"][state["turn"]], state["at"][1 - state["turn"]]
    for step in range(2):
        if (own + 2 * step + 6) % 7 != other:
            moves[n] = step
            n += 1
    moves[n] = 2
    return n + 1


def play(state, move):
    who = state["turn"]
    if move < 2:
        state["at"][who] = (state["at"][who] + 2 * move + 6) % 7
    else:
        state["frozen"][who] += 1
    state["turn"] = 1 - who


def result(state):
    for who in range(2):
        if state["frozen"][who] == 3:
            apart = (state["at"][0] - state["at"][1] + 7) % 7
            return (2 if apart == 3 else 0) if who == 0 else (0 if apart == 4 else 2)
    return ONGOING


def evaluate(state):
    mixed = state["at"][0] * 5 + state["at"][1] * 3 + state["frozen"][0] * 2 + state["frozen"][1] * 7
    value = (mixed % 13 - 6) / 10.0
    return value if state["turn"] == 0 else -value
'''

DARE = '''
"""A coin and then a three-sided die are thrown; the player gives each of the two numbers to either of two purses.

Whoever has 9 in either purse wins, by two points if the other purse holds an even number. A purse holds no more than 9.
"""

import numpy as np

ONGOING, CHANCE = -1, 2
STATE = np.dtype([("purse", "i1", (2, 2)), ("thrown", "i1", 2), ("turn", "i1"), ("given", "i1")], align=True)
MOVES = 4
RESULTS = (-2.0, -1.0, 1.0, 2.0)
FEATURES = 8


def start(state):
    state["purse"][1, 0] = 1


def mover(state):
    return CHANCE if state["thrown"][1] == 0 else state["turn"]


def chance(state, outcomes, probabilities):
    n = 2 if state["thrown"][0] == 0 else 3
    for i in range(n):
        outcomes[i] = i + 1
        probabilities[i] = 1.0 / n
    return n


def legal(state, moves):
    moves[0] = 0
    moves[1] = 1
    return 2


def play(state, move):
    if state["thrown"][0] == 0:
        state["thrown"][0] = move
    elif state["thrown"][1] == 0:
        state["thrown"][1] = move
    else:
        who = state["turn"]
        state["purse"][who, move] = min(state["purse"][who, move] + state["thrown"][state["given"]], 9)
        state["given"] += 1
        if state["given"] == 2:
            state["given"] = 0
            state["turn"] = 1 - who
            state["thrown"][0] = 0
            state["thrown"][1] = 0


def result(state):
    for who in range(2):
        for i in range(2):
            if state["purse"][who, i] == 9:
                two = state["purse"][who, 1 - i] % 2 == 0
                return (3 if two else 2) if who == 0 else (0 if two else 1)
    return ONGOING


def features(state, viewer, index, value):
    for i in range(4):
        index[i] = i
        value[i] = state["purse"][viewer if i < 2 else 1 - viewer, i % 2] / 9.0
    index[4] = 4 if state["turn"] == viewer else 5
    value[4] = 1.0
    index[5] = 6
    value[5] = state["thrown"][0] / 2.0
    index[6] = 7
    value[6] = state["thrown"][1] / 3.0
    return 7
'''
