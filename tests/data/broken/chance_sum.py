"""Roll a die until it shows a six: chance() forgets a face."""

import numpy as np

from sparring.games.contract import CHANCE, ONGOING

STATE = np.dtype([("turn", "i1"), ("rolling", "i1"), ("over", "i1")])
MOVES = 7  # 0 rolls, 1 to 6 are the faces
RESULTS = (-1.0, 1.0)


def start(state):
    state["turn"] = 0


def mover(state):
    return CHANCE if state["rolling"] else state["turn"]


def legal(state, moves):
    moves[0] = 0
    return 1


def chance(state, outcomes, probabilities):
    for face in range(5):
        outcomes[face] = face + 1
        probabilities[face] = 1 / 6
    return 5


def play(state, move):
    state["rolling"] = move == 0
    state["over"] = move == 6
    if move > 0:
        state["turn"] = 1 - state["turn"]


def result(state):
    return state["turn"] if state["over"] else ONGOING
