"""Games between nets and bots, many at once: who sits in which seat is a number, -1 for the bot, else a net.

Kernels. Python asks each net in turn about all lanes that wait for it (`ask`, the net's engine, `answer`), so it runs a
few times for a batch of moves and never for one. Whatever a lane can do without a net is done within `answer`.
"""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import LIMIT, ONGOING, deal, evaluate, legal, mover, play, result
from sparring.learn.under_way import outcome_of, remember_key, roll
from sparring.records import copy_record
from sparring.rng import draw_below, draw_unit
from sparring.search.leaves import write_inputs

KEEPS_INPUTS = False  # set by the driver: rows hold what the net saw
SHAPED = False  # set by the driver: rows hold the game's own judgement, for shaping


@compiled
def bot(state):  # set by the driver
    return np.int64(-1)


BOT = -1  # a seat
IDLE = -1  # a lane's game, once there are no more
NEXT, ROWS, FAULTS = 0, 1, 2  # places in `counts`
COUNTS = 3
ZERO, ONE = np.int64(0), np.int64(1)

GAME = np.dtype(
    [
        ("deal", "u8"),  # number of the first position
        ("seed", "u8"),  # what random moves and choices are drawn by
        ("seats", "i4", (2,)),  # BOT, or the number of a net; of each player
        ("learns", "i4", (2,)),  # whether the player's decisions become rows
        ("lead", "i4"),  # moves that are played and not learned from before that
        ("opening", "i4"),  # random moves, at the start as many as leave the game going; after a lead they may end it
        ("end", "i4"),  # index of its result, ONGOING while it goes on
        ("plies", "i4"),
    ],
    align=True,
)


def lane_dtype(game):
    """dtype of a game on its way."""
    return np.dtype(
        [
            ("rng", "u8", (1,)),
            ("root", game.STATE, (1,)),
            ("game", "i8"),  # place among the games, or IDLE
            ("plies", "i8"),
            ("row", "i8"),
            ("past", "i8"),
            ("led", "i8"),  # the lead and the random moves are over
            ("moves", "i4", (game.MOST_MOVES,)),
            ("chances", "f8", (game.MOST_MOVES,)),
        ],
        align=True,
    )


def row_dtype(game, inputs):
    """dtype of a decision that is learned from. inputs: how many a net sees, where rows keep them, else 1."""
    return np.dtype(
        [
            ("state", game.STATE, (1,)),
            ("potential", "f4"),  # the game's judgement of it, where rewards are shaped
            ("move", "i4"),
            ("game", "i4"),
            ("player", "i4"),
            ("inputs", "f4", (inputs,)),
        ],
        align=True,
    )


@compiled
def moved(lane, move, keys):
    """Play a move, and roll the dice that follow it."""
    remember_key(lane, keys)
    play(lane["root"][0], move)
    lane["plies"] += 1
    lane["plies"] += roll(lane["root"][0], lane, lane["rng"])


@compiled
def stray(lane, wanted, keys):
    """Play so many random moves, or until the game is over."""
    root, rng = lane["root"][0], lane["rng"]
    while wanted > 0 and result(root) == ONGOING:
        n = legal(root, lane["moves"])
        moved(lane, np.int64(lane["moves"][draw_below(rng, n)]), keys)
        wanted -= 1


@compiled
def begin(lane, games, first, counts, keys):
    """Deal the next game, IDLE where there is none left; without a lead play its opening, so that it does not end."""
    if counts[NEXT] >= games.shape[0]:
        lane["game"] = IDLE
        return
    game = games[counts[NEXT]]
    lane["game"] = counts[NEXT]
    counts[NEXT] += 1
    root, rng = lane["root"][0], lane["rng"]
    rng[0] = game["seed"]
    lane["led"] = game["lead"] == 0
    wanted = np.int64(game["opening"]) if lane["led"] != 0 else ZERO
    while True:
        copy_record(first[0], root)
        deal(root, game["deal"])
        lane["past"] = 0
        lane["plies"] = roll(root, lane, rng)
        stray(lane, wanted, keys)
        if outcome_of(lane, keys) == ONGOING and (LIMIT == 0 or lane["plies"] < LIMIT):
            return
        wanted = max(wanted - 1, ZERO)


@compiled
def is_legal(lane, move):
    """Whether a bot's move may be played."""
    found = False
    for i in range(legal(lane["root"][0], lane["moves"])):
        found |= lane["moves"][i] == move
    return found


@compiled
def settle(lane, games, first, longest, counts, keys):
    """Let bots move, finish games and begin new ones until a net is to be asked or no game is left."""
    while lane["game"] != IDLE:
        game = games[lane["game"]]
        if lane["led"] == 0 and lane["plies"] >= game["lead"]:
            lane["led"] = 1
            stray(lane, np.int64(game["opening"]), keys)
        end = outcome_of(lane, keys)
        if end != ONGOING or lane["plies"] >= longest:
            game["end"] = end
            game["plies"] = lane["plies"]
            begin(lane, games, first, counts, keys)
            continue
        root = lane["root"][0]
        if game["seats"][mover(root)] != BOT:
            return
        move = np.int64(bot(root))
        if not is_legal(lane, move):
            counts[FAULTS] = ONE + lane["game"]
            lane["game"] = IDLE
            return
        moved(lane, move, keys)


@compiled
def open_lanes(lanes, games, first, longest, counts, keys):
    """Begin the first games."""
    for i in range(lanes.shape[0]):
        lanes[i]["row"] = i
        begin(lanes[i], games, first, counts, keys)
        settle(lanes[i], games, first, longest, counts, keys)


@compiled
def ask(lanes, games, net, inputs, waiting, index, value):
    """Write the positions that wait for net number `net` into inputs (n, inputs); returns how many, their lanes in
    `waiting`."""
    n = ZERO
    for i in range(lanes.shape[0]):
        lane = lanes[i]
        if lane["game"] != IDLE and games[lane["game"]]["seats"][mover(lane["root"][0])] == net:
            write_inputs(lane["root"][0], inputs, n, index, value)
            waiting[n] = i
            n += 1
    return n


@compiled
def choose(lane, outputs, j, temperature):
    """A legal move by the logits of outputs[j]: the likeliest at temperature 0, else drawn (softmax of logits over
    temperature)."""
    moves = lane["moves"]
    n = legal(lane["root"][0], moves)
    best = ZERO
    for i in range(1, n):
        if outputs[j, moves[i]] > outputs[j, moves[best]]:
            best = np.int64(i)
    if temperature <= 0.0:
        return np.int64(moves[best])
    top, total = np.float64(outputs[j, moves[best]]), 0.0
    for i in range(n):
        total += math.exp((np.float64(outputs[j, moves[i]]) - top) / temperature)
    left = draw_unit(lane["rng"]) * total
    for i in range(n):
        left -= math.exp((np.float64(outputs[j, moves[i]]) - top) / temperature)
        if left < 0.0:
            return np.int64(moves[i])
    return np.int64(moves[best])


@compiled
def note(lane, games, move, inputs, j, rows, counts):
    """The decision becomes a row."""
    root = lane["root"][0]
    row = rows[counts[ROWS]]
    counts[ROWS] += 1
    copy_record(root, row["state"][0])
    row["move"] = move
    row["game"] = lane["game"]
    row["player"] = mover(root)
    if SHAPED:
        row["potential"] = evaluate(root)
    if KEEPS_INPUTS:
        for i in range(inputs.shape[1]):
            row["inputs"][i] = inputs[j, i]


@compiled
def answer(lanes, games, inputs, outputs, waiting, n, temperature, first, longest, rows, counts, keys):
    """Play what the net says in the n lanes that wait for it, and whatever follows without a net.

    rows: room for n more.
    """
    for j in range(n):
        lane = lanes[waiting[j]]
        game = games[lane["game"]]
        move = choose(lane, outputs, j, temperature)
        if lane["led"] != 0 and game["learns"][mover(lane["root"][0])] != 0:
            note(lane, games, move, inputs, j, rows, counts)
        moved(lane, move, keys)
        settle(lane, games, first, longest, counts, keys)


@compiled
def follow_bots(game, number, lane, first, longest, rows, counts, keys):
    """Play games[number] with the bot in both seats, and note every decision it has a choice in as a row."""
    root = lane["root"][0]
    while outcome_of(lane, keys) == ONGOING and lane["plies"] < longest:
        move = np.int64(bot(root))
        if not is_legal(lane, move):
            counts[FAULTS] = ONE + number
            return
        row = rows[counts[ROWS]]
        counts[ROWS] += 1
        copy_record(root, row["state"][0])
        row["move"] = move
        row["game"] = number
        row["player"] = mover(root)
        moved(lane, move, keys)
    game["end"] = outcome_of(lane, keys)
    game["plies"] = lane["plies"]


@compiled
def record(lane, games, first, longest, rows, counts, keys):
    """Let the bot play the games against itself until they are over or rows may not suffice for one more."""
    while counts[NEXT] < games.shape[0] and counts[ROWS] + longest <= rows.shape[0] and counts[FAULTS] == 0:
        number = counts[NEXT]
        begin(lane, games, first, counts, keys)
        follow_bots(games[number], number, lane, first, longest, rows, counts, keys)


@compiled
def write_all(states, inputs, index, value):
    """What a net sees of positions (n,) STATE, into inputs (n, inputs)."""
    for i in range(states.shape[0]):
        write_inputs(states[i], inputs, i, index, value)


@compiled
def lawful(states, moves, allowed):
    """Which moves are legal in positions (n,) STATE, into allowed (n, MOVES), bool."""
    for i in range(states.shape[0]):
        for move in range(allowed.shape[1]):
            allowed[i, move] = False
        for k in range(legal(states[i], moves)):
            allowed[i, moves[k]] = True
