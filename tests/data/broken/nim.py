"""The sound game that the others break: 21 stones, a player takes one to three, who takes the last one wins."""

import numpy as np

from sparring.games.contract import ONGOING

STATE = np.dtype([("left", "i1"), ("turn", "i1")])
MOVES = 3  # move m takes m + 1 stones
RESULTS = (-1.0, 1.0)
FEATURES = 23  # how many stones are left, whether the viewer is to move


def start(state):
    state["left"] = 21


def mover(state):
    return state["turn"]


def legal(state, moves):
    n = 0
    while n < 3 and n < state["left"]:
        moves[n] = n
        n += 1
    return n


def play(state, move):
    state["left"] -= move + 1
    state["turn"] = 1 - state["turn"]


def result(state):
    return ONGOING if state["left"] > 0 else state["turn"] == 1


def features(state, viewer, index, value):
    index[0], value[0] = state["left"], 1.0
    index[1], value[1] = 22, state["turn"] == viewer
    return 2
