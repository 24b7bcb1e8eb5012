"""Tic-tac-toe, the tutorial's game: three in a row on a board of 3 × 3."""

import numpy as np

from sparring.games.contract import ONGOING
from sparring.games.drawing import board_svg

STATE = np.dtype([("board", "i1", 9), ("turn", "i1"), ("placed", "i1")], align=True)  # board: 0 empty, 1 X, 2 O
MOVES = 9
RESULTS = (-1.0, 0.0, 1.0)
FEATURES = 18  # own stones, then the opponent's
MOST_FEATURES = 9
PLANES = (2, 3, 3)
SYMMETRIES = 8
PLAYERS = ("X", "O")

LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
POINTS = np.arange(9).reshape(3, 3)
TURNED = np.array([np.rot90(p, k).ravel() for p in (POINTS, POINTS[:, ::-1]) for k in range(4)])
IMAGE = np.argsort(TURNED, axis=1)  # IMAGE[k, i]: where point i goes under symmetry k


def start(state):
    state["turn"] = 0


def mover(state):
    return state["turn"]


def legal(state, moves):
    n = 0
    for i in range(9):
        if state["board"][i] == 0:
            moves[n] = i
            n += 1
    return n


def play(state, move):
    state["board"][move] = state["turn"] + 1
    state["turn"] = 1 - state["turn"]
    state["placed"] += 1


def result(state):
    for line in range(8):
        stone = state["board"][LINES[line, 0]]
        if stone != 0 and state["board"][LINES[line, 1]] == stone and state["board"][LINES[line, 2]] == stone:
            return 2 if stone == 1 else 0
    return 1 if state["placed"] == 9 else ONGOING


def features(state, viewer, index, value):
    n = 0
    for i in range(9):
        if state["board"][i] != 0:
            own = state["board"][i] == viewer + 1
            index[n] = i if own else 9 + i
            value[n] = 1.0
            n += 1
    return n


def transform(state, k):
    before = state["board"].copy()
    for i in range(9):
        state["board"][IMAGE[k, i]] = before[i]


def transform_move(move, k):
    return IMAGE[k, move]


def draw(state):
    rows = [" ".join(".XO"[v] for v in state["board"][3 * y : 3 * y + 3]) for y in range(3)]
    return "\n".join(f"{3 - y} {row}" for y, row in enumerate(rows)) + "\n  a b c"


def svg(state):
    return board_svg(3, 3, {(i % 3, i // 3): ".XO"[v] for i, v in enumerate(state["board"]) if v})


def move_name(state, move):
    return "abc"[move % 3] + "321"[move // 3]
