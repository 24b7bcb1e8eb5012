"""Between a tree and what judges its leaves: the symmetry they are seen by, the cache, a net's inputs and outputs."""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import (
    CHANCE,
    LIMIT,
    MOVES,
    ONGOING,
    OVERVIEW,
    PROSPECTS,
    SYMMETRIES,
    VIEWER,
    chance,
    features,
    key,
    legal,
    mover,
    overview,
    play,
    prospects,
    result,
    transform,
)
from sparring.games.game import Game
from sparring.records import copy_record, hash_record, spare
from sparring.rng import draw_below, draw_index, scramble
from sparring.search.mcts import end_score

LARGEST = 1.0  # set by `join`, as are these three and `end_score`
DRAW = 0  # index of the result 0
BOARD = 1  # inputs that are points of planes
CELLS = 1  # points of a plane
ENDS = 3  # set by `join`: how many RESULTS there are
SMALL = False  # set by `join`: whether a MoveNet judges, which sees overview and prospects
LOWEST = np.float32(-20.0)  # no prior is smaller than exp(this)
ONE = np.uint64(1)
NOTHING, WHOLE = np.float32(0.0), np.float32(1.0)


def entry_dtype(game: Game) -> np.dtype:
    """dtype of the cache: a judgement and a lock that fits only its position, its net and an entry written whole.

    Threads share a cache without waiting for each other: a torn entry does not fit its lock (Hyatt and Mann 2002).
    """
    said = np.dtype([("logits", "f4", (game.MOST_MOVES,)), ("outcome", "f4", (len(game.RESULTS) + 1,))], align=True)
    return np.dtype([("lock", "u8"), ("said", said, (1,))], align=True)


def new_cache(game: Game, megabytes: float) -> np.ndarray:
    """An empty cache of a power of two of entries, at most so large."""
    entries = max(int(megabytes * 2**20) // entry_dtype(game).itemsize, 2)
    return np.zeros(1 << (entries.bit_length() - 1), entry_dtype(game))


@compiled
def see(lane):
    """The leaf under the symmetry whose key is smallest, so that images share a judgement; sets lane["key"]."""
    leaf, seen = lane["leaf"][0], lane["seen"][0]
    copy_record(leaf, seen)
    lane["image"] = 0
    lane["key"] = key(leaf)
    if SYMMETRIES > 1:
        image = spare(leaf)
        for k in range(1, SYMMETRIES):
            copy_record(leaf, image)
            transform(image, k)
            other = key(image)
            if other < lane["key"]:
                lane["key"] = other
                lane["image"] = k
                copy_record(image, seen)


@compiled
def place_of(own, entries):
    """Where a key is looked for among a power of two of entries: by all of its bits."""
    return np.int64(scramble(own) >> ONE) & (entries - 1)


@compiled
def look_up(lane, cache, entries, net):
    """Whether the cache knows the leaf as `net` (uint64, not 0) judges it; then logits and outcome are written."""
    entry = cache[place_of(lane["key"], entries)]
    said = entry["said"][0]
    if entry["lock"] ^ hash_record(said) != lane["key"] ^ net:
        return False
    for i in range(said["logits"].shape[0]):
        lane["logits"][i] = said["logits"][i]
    for i in range(ENDS + 1):
        lane["outcome"][i] = said["outcome"][i]
    return True


@compiled
def remember(lane, cache, entries, net):
    """Write the leaf's judgement into the cache, over whatever stood there."""
    entry = cache[place_of(lane["key"], entries)]
    said = entry["said"][0]
    for i in range(said["logits"].shape[0]):
        said["logits"][i] = lane["logits"][i]
    for i in range(ENDS + 1):
        said["outcome"][i] = lane["outcome"][i]
    entry["lock"] = hash_record(said) ^ lane["key"] ^ net


@compiled
def eyes_for(state):
    """Through whose eyes a net sees a position."""
    return VIEWER if VIEWER >= 0 and not SMALL else mover(state)


@compiled
def write_inputs(state, inputs, row, index, value):
    """Write a position into inputs[row] (float32), plane by plane; what belongs to the whole position fills a plane.

    For a MoveNet: its overview, then the prospects of each move.
    """
    for i in range(inputs.shape[1]):
        inputs[row, i] = NOTHING
    if SMALL:
        overview(state, inputs[row, :OVERVIEW])
        prospects(state, inputs[row, OVERVIEW:].reshape(MOVES, PROSPECTS))
        return
    for j in range(features(state, eyes_for(state), index, value)):
        i = np.int64(index[j])
        if i < BOARD:
            inputs[row, i] = value[j]
        else:
            for cell in range(CELLS):
                inputs[row, BOARD + (i - BOARD) * CELLS + cell] = value[j]


@compiled
def answered(lane, cache, entries, net, inputs, row, index, value):
    """Whether the cache knows the leaf; else the net is to be asked, and its inputs stand in inputs[row]."""
    see(lane)
    if look_up(lane, cache, entries, net):
        return True
    write_inputs(lane["seen"][0], inputs, row, index, value)
    return False


@compiled
def read_outputs(lane, outputs, row):
    """Make lane["logits"] and ["outcome"] of a net's outputs[row]: policy, results as the eyes see them, score."""
    seen = lane["seen"][0]
    moves = lane["seen_moves"]
    n = legal(seen, moves)
    top = np.float64(outputs[row, moves[0]])
    for i in range(1, n):
        top = max(top, np.float64(outputs[row, moves[i]]))
    total = 0.0
    for i in range(n):
        total += math.exp(np.float64(outputs[row, moves[i]]) - top)
    base = top + math.log(total)
    for i in range(n):
        lane["logits"][i] = max(np.float32(np.float64(outputs[row, moves[i]]) - base), LOWEST)
    flipped = eyes_for(seen) == 1
    top = np.float64(outputs[row, MOVES])
    for end in range(1, ENDS):
        top = max(top, np.float64(outputs[row, MOVES + end]))
    total = 0.0
    for end in range(ENDS):
        total += math.exp(np.float64(outputs[row, MOVES + end]) - top)
    for end in range(ENDS):
        to = ENDS - 1 - end if flipped else end
        lane["outcome"][to] = math.exp(np.float64(outputs[row, MOVES + end]) - top) / total
    score = outputs[row, MOVES + ENDS]
    lane["outcome"][ENDS] = -score if flipped else score


@compiled
def play_out(lane, how):
    """Judge the leaf by one random game from it; every move is as likely as every other (Coulom 2006)."""
    state = lane["seen"][0]
    moves = lane["seen_moves"]
    plies = lane["plies"] + lane["depth"]
    copy_record(lane["leaf"][0], state)
    lane["image"] = 0
    n = legal(state, moves)
    even = -math.log(np.float64(n))
    for i in range(n):
        lane["logits"][i] = even
    end = result(state)
    while end == ONGOING:
        if mover(state) == CHANCE:
            n = chance(state, moves, lane["chances"])
            play(state, np.int64(moves[draw_index(lane["rng"], lane["chances"], n)]))
        else:
            n = legal(state, moves)
            play(state, np.int64(moves[draw_below(lane["rng"], n)]))
        plies += 1
        end = result(state)
        if end == ONGOING and LIMIT > 0 and plies >= LIMIT:
            end = DRAW
        if end == ONGOING and LIMIT == 0 and plies >= how["longest"]:
            break  # nobody knows how it ends
    for i in range(ENDS):
        lane["outcome"][i] = 1.0 / ENDS if end == ONGOING else NOTHING
    lane["outcome"][ENDS] = NOTHING
    if end != ONGOING:
        lane["outcome"][end] = WHOLE
        lane["outcome"][ENDS] = end_score(end, plies, how)
