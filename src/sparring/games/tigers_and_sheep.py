"""Tigers and Sheep (Bagh-Chal): four tigers against twenty sheep on 5 × 5 points.

Neighbours along rows and columns are joined; diagonals only at points where x + y is even. Sheep move first: while any
are in hand they place one on an empty point, afterwards they step. A tiger steps, or jumps one adjacent sheep along a
line to the empty point behind it and removes it (one jump a turn, not forced). Tigers win with the fifth capture; sheep
win when no tiger can move on the tigers' turn. Sheep to move without a move (rare): the tigers win. The third
occurrence of a position is a draw; so is a game of 200 moves, a backstop for training. With best play the game is a
draw (Lim and Nievergelt 2009).

Moves: 0 to 24 place on a point, then 112 steps, then 80 jumps. Point i stands at column i % 5, row i // 5.
"""

import numpy as np

from sparring.bits import NONE, ONE, bit, count, holds, lowest
from sparring.games.contract import ONGOING
from sparring.games.drawing import board_svg

TIGERS, SHEEP = 0, 1
STATE = np.dtype(
    [("tigers", "u8"), ("sheep", "u8"), ("hand", "i1"), ("captured", "i1"), ("turn", "i1"), ("quiet", "u1")], align=True
)
RESULTS = (-1.0, 0.0, 1.0)
REPETITION = 3
LIMIT = 200
FEATURES = 52  # tigers 0-24, sheep 25-49, sheep in hand / 20, 1 if the tigers are to move
MOST_FEATURES = 26
VIEWER = TIGERS
PLANES = (2, 5, 5)
SYMMETRIES = 8
PLAYERS = ("tigers", "sheep")

FLOCK = 20
TO_WIN = 5


def _joined(x, y):
    """Directions (dx, dy) of the lines at a point."""
    every = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
    return every if (x + y) % 2 == 0 else [(dx, dy) for dx, dy in every if dx == 0 or dy == 0]


def _walks(length):
    """(from, to) along the lines, `length` points far, in order of from and to."""
    inside = range(5)
    return sorted(
        (x + 5 * y, x + length * dx + 5 * (y + length * dy))
        for y in inside
        for x in inside
        for dx, dy in _joined(x, y)
        if x + length * dx in inside and y + length * dy in inside
    )


STEPS, JUMPS = _walks(1), _walks(2)
FIRST_STEP = 25
FIRST_JUMP = FIRST_STEP + len(STEPS)
MOVES = FIRST_JUMP + len(JUMPS)
MOST_MOVES = 112
FROM = np.array([-1] * 25 + [a for a, _ in STEPS + JUMPS])
TO = np.array(list(range(25)) + [b for _, b in STEPS + JUMPS])
OVER = np.array([-1] * FIRST_JUMP + [(a + b) // 2 for a, b in JUMPS])
STEPS_OF = np.array([FIRST_STEP + sum(a < i for a, _ in STEPS) for i in range(26)])  # steps from i: this to the next
JUMPS_OF = np.array([FIRST_JUMP + sum(a < i for a, _ in JUMPS) for i in range(26)])
NEAR = np.array([sum(1 << b for a, b in STEPS if a == i) for i in range(25)], np.uint64)
BOARD = np.uint64((1 << 25) - 1)
CORNERS = np.uint64(1 << 0 | 1 << 4 | 1 << 20 | 1 << 24)
RIM = np.uint64(sum(1 << i for i in range(25) if i % 5 in (0, 4) or i // 5 in (0, 4)))

POINTS = np.arange(25).reshape(5, 5)
IMAGE = np.array([np.argsort(np.rot90(p, k).ravel()) for p in (POINTS, POINTS[:, ::-1]) for k in range(4)])
_NUMBER = {(a, b): i for i, (a, b) in enumerate(zip(FROM.tolist(), TO.tolist(), strict=True))}
MOVE_IMAGE = np.array([[_NUMBER[g[a] if a >= 0 else -1, g[b]] for (a, b) in _NUMBER] for g in IMAGE])


def start(state):
    state["tigers"] = CORNERS
    state["hand"] = FLOCK
    state["turn"] = SHEEP


def mover(state):
    return state["turn"]


def legal(state, moves):
    empty = BOARD & ~(state["tigers"] | state["sheep"])
    n = 0
    if state["turn"] == TIGERS:
        sheep = state["sheep"]
        left = state["tigers"]
        while left != NONE:
            i = lowest(left)
            left &= left - ONE
            for m in range(JUMPS_OF[i], JUMPS_OF[i + 1]):
                if holds(sheep, OVER[m]) and holds(empty, TO[m]):
                    moves[n] = m
                    n += 1
        left = state["tigers"]
    elif state["hand"] > 0:
        while empty != NONE:
            moves[n] = lowest(empty)
            empty &= empty - ONE
            n += 1
        return n
    else:
        left = state["sheep"]
    while left != NONE:
        i = lowest(left)
        left &= left - ONE
        if NEAR[i] & empty != NONE:
            for m in range(STEPS_OF[i], STEPS_OF[i + 1]):
                if holds(empty, TO[m]):
                    moves[n] = m
                    n += 1
    return n


def play(state, move):
    to = bit(TO[move])
    turn = state["turn"]
    state["turn"] = 1 - turn
    state["quiet"] = min(int(state["quiet"]) + 1, 255)
    if move < FIRST_STEP:
        state["sheep"] |= to
        state["hand"] -= 1
        state["quiet"] = 0
        return
    if turn == TIGERS:
        state["tigers"] = (state["tigers"] ^ bit(FROM[move])) | to
    else:
        state["sheep"] = (state["sheep"] ^ bit(FROM[move])) | to
    if move >= FIRST_JUMP:
        state["sheep"] &= ~bit(OVER[move])
        state["captured"] += 1
        state["quiet"] = 0


def can_step(pieces, empty):
    """Whether any of the pieces has an empty neighbour."""
    while pieces != NONE:
        if NEAR[lowest(pieces)] & empty != NONE:
            return True
        pieces &= pieces - ONE
    return False


def jumps_from(i, sheep, empty):
    """How many sheep a tiger on i can jump."""
    n = 0
    for m in range(JUMPS_OF[i], JUMPS_OF[i + 1]):
        if holds(sheep, OVER[m]) and holds(empty, TO[m]):
            n += 1
    return n


def result(state):
    if state["captured"] >= TO_WIN:
        return 2
    empty = BOARD & ~(state["tigers"] | state["sheep"])
    if state["turn"] == TIGERS:
        if can_step(state["tigers"], empty):
            return ONGOING
        left = state["tigers"]
        while left != NONE:
            if jumps_from(lowest(left), state["sheep"], empty) > 0:
                return ONGOING
            left &= left - ONE
        return 0
    if state["hand"] > 0 or can_step(state["sheep"], empty):
        return ONGOING
    return 2


def features(state, viewer, index, value):
    n = 0
    left = state["tigers"]
    while left != NONE:
        index[n] = lowest(left)
        value[n] = 1.0
        left &= left - ONE
        n += 1
    left = state["sheep"]
    while left != NONE:
        index[n] = 25 + lowest(left)
        value[n] = 1.0
        left &= left - ONE
        n += 1
    if state["hand"] > 0:
        index[n] = 50
        value[n] = state["hand"] / FLOCK
        n += 1
    if state["turn"] == TIGERS:
        index[n] = 51
        value[n] = 1.0
        n += 1
    return n


def image(points, k):
    after = NONE
    while points != NONE:
        after |= bit(IMAGE[k, lowest(points)])
        points &= points - ONE
    return after


def transform(state, k):
    state["tigers"] = image(state["tigers"], k)
    state["sheep"] = image(state["sheep"], k)


def transform_move(move, k):
    return MOVE_IMAGE[k, move]


MIX = np.uint64(0x9E3779B97F4A7C15)
S25, S32, S50, S55, S59 = (np.uint64(n) for n in (25, 32, 50, 55, 59))


def key(state):
    """Pieces, hand and turn; what was captured follows from the sheep. The quiet moves are history, not position."""
    packed = state["tigers"] | state["sheep"] << S25 | np.uint64(state["hand"]) << S50
    packed = packed | np.uint64(state["turn"]) << S55
    packed = packed * MIX
    return (packed ^ packed >> S32) * MIX


def quiet(state):
    return np.int64(state["quiet"])


def noisy(state, moves):
    """Captures."""
    if state["turn"] == SHEEP:
        return 0
    empty = BOARD & ~(state["tigers"] | state["sheep"])
    n = 0
    left = state["tigers"]
    while left != NONE:
        i = lowest(left)
        left &= left - ONE
        for m in range(JUMPS_OF[i], JUMPS_OF[i + 1]):
            if holds(state["sheep"], OVER[m]) and holds(empty, TO[m]):
                moves[n] = m
                n += 1
    return n


def evaluate(state):
    """Dead sheep, trapped tigers, sheep that can be jumped, the tigers' mobility, ground the tigers cannot reach."""
    empty = BOARD & ~(state["tigers"] | state["sheep"])
    sheep = state["sheep"]
    trapped = 0
    mobility = 0
    targets = 0
    reach = NONE
    left = state["tigers"]
    while left != NONE:
        i = lowest(left)
        left &= left - ONE
        steps = count(NEAR[i] & empty)
        jumps = jumps_from(i, sheep, empty)
        reach |= NEAR[i] & empty
        mobility += steps
        targets += jumps
        if steps + jumps == 0:
            trapped += 1
    before = NONE
    while before != reach:  # every empty point that a tiger can walk to
        before = reach
        left = reach
        while left != NONE:
            reach |= NEAR[lowest(left)] & empty
            left &= left - ONE
    closed = count(empty & ~reach)
    score = 3.75 * state["captured"] - 0.8 * trapped + 0.05 * mobility - 1.25 * closed
    score += (0.7 if state["turn"] == TIGERS else 0.2) * min(targets, 2)
    score -= 0.05 * count(sheep & RIM)
    score /= 8.0
    score = score / (1.0 + abs(score))
    return score if state["turn"] == TIGERS else -score


def material(state):
    """Dead sheep alone: the yardstick's yardstick."""
    score = state["captured"] / 5.0
    return score if state["turn"] == TIGERS else -score


def piece(state, i):
    return "T" if state["tigers"] >> np.uint64(i) & ONE else "s" if state["sheep"] >> np.uint64(i) & ONE else "."


def draw(state):
    lines = []
    for y in range(5):
        lines.append(f"{5 - y} " + "─".join(piece(state, x + 5 * y) for x in range(5)))
        if y < 4:
            lines.append("  " + ("│╲│╱│╲│╱│" if y % 2 == 0 else "│╱│╲│╱│╲│"))
    status = f"{PLAYERS[state['turn']]} to move, {state['hand']} sheep in hand, {state['captured']} captured"
    return "\n".join([*lines, "  a b c d e", status])


def svg(state):
    lines = [(a % 5, a // 5, b % 5, b // 5) for a, b in STEPS if a < b]
    return board_svg(5, 5, {(i % 5, i // 5): piece(state, i) for i in range(25) if piece(state, i) != "."}, lines)


def point_name(i):
    return "abcde"[i % 5] + "54321"[i // 5]


def move_name(state, move):
    if move < FIRST_STEP:
        return point_name(move)
    return point_name(FROM[move]) + ("x" if move >= FIRST_JUMP else "-") + point_name(TO[move])
