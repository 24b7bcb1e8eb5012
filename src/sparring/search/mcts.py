"""Monte Carlo tree search: select, expand, back up, with proven bounds. Kernels over one lane of a forest.

A simulation goes down from the root to a position that is not in the tree yet. Either its worth is known at once (the
end of the game, a repetition, a proven move) and goes up, or the lane waits with it in `leaf` until somebody has
written `logits` and `outcome`; `grow` then makes the node. Who asks whom for judgements is not known here.

Proven results go up as bounds (score-bounded search: Cazenave and Saffidine 2010): when a node is made each of its
moves is tried, so that a win in one is seen without a simulation; a move whose bounds show it to be worse than another
is not looked at any more. `nodes` and `edges` are always the first record of the lane's own.
"""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import (
    CHANCE,
    LIMIT,
    ONGOING,
    REPETITION,
    RESULTS,
    chance,
    key,
    legal,
    mover,
    play,
    quiet,
    result,
    transform_move,
)
from sparring.records import beside, copy_record, spare
from sparring.search.plain import solve
from sparring.search.scores import PROVEN
from sparring.search.selecting import mean, select
from sparring.search.tree import MOST_DEPTH

LOOKS = False  # set by `join`: whether a look ahead is possible, as it is without dice
WINS, LOSSES = np.int64(0), np.int64(0)  # set by `join`: scores of player 0's best and worst result at once
LARGEST = 1.0  # set by `join` (search/fleet.py): the largest result
DRAW = 0  # set by `join`: index of the result 0
ENDS = 3  # set by `join`: how many RESULTS there are
ZERO, ONE = np.int64(0), np.int64(1)
NOTHING = np.float32(0.0)
WAITS, DONE = np.int64(1), np.int64(0)


@compiled
def end_utility(end, plies, how):
    """Utility of a result that comes after so many plies of the game."""
    part = min(plies / how["longest"], 1.0)
    return np.float32(RESULTS[end] / LARGEST * (1.0 - how["haste"] * part))


@compiled
def end_score(end, plies, how):
    """A result over the largest, times how much of the longest game is left when it comes."""
    return RESULTS[end] / LARGEST * (1.0 - min(plies / how["longest"], 1.0))


@compiled
def end_of(utility, how):
    """The result that has this utility at some time of the game; between those of two, the nearer one."""
    best, nearest = ZERO, 1e9
    for end in range(ENDS):
        soon = RESULTS[end] / LARGEST
        late = soon * (1.0 - how["haste"])
        far = max(utility - max(soon, late), min(soon, late) - utility)
        if far < nearest:
            nearest = far
            best = end
    return best


@compiled
def judged_utility(outcome, how):
    """Utility of an outcome: chances of the RESULTS, and the score."""
    value = 0.0
    for end in range(ENDS):
        value += np.float64(outcome[end]) * RESULTS[end]
    return np.float32((1.0 - how["haste"]) * value / LARGEST + how["haste"] * outcome[ENDS])


@compiled
def settle(lane, utility, how):
    """Write into lane["outcome"] what is proven to have this utility."""
    outcome = lane["outcome"]
    for end in range(ENDS):
        outcome[end] = NOTHING
    end = end_of(utility, how)
    outcome[end] = np.float32(1.0)
    value = RESULTS[end] / LARGEST
    haste = how["haste"]
    outcome[ENDS] = np.float32((utility - (1.0 - haste) * value) / haste) if haste > 0.0 else np.float32(value)


# --- bounds ------------------------------------------------------------------------------------------------------


@compiled
def bound(node, edges):
    """The node's bounds from those of its edges. Returns whether they changed."""
    who = node["mover"]
    first = beside(edges, np.int64(node["first"]))
    low, high = first["low"], first["high"]
    if who == CHANCE:
        low, high = np.float32(first["prior"] * low), np.float32(first["prior"] * high)
    for i in range(1, node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        if who == 0:
            low, high = max(low, edge["low"]), max(high, edge["high"])
        elif who == 1:
            low, high = min(low, edge["low"]), min(high, edge["high"])
        else:
            low = np.float32(low + edge["prior"] * edge["low"])
            high = np.float32(high + edge["prior"] * edge["high"])
    changed = low != node["low"] or high != node["high"]
    node["low"] = low
    node["high"] = high
    return changed


@compiled
def narrow(lane, nodes, edges, low, high):
    """Bounds of the leaf go up the path as far as they tell something new."""
    k = lane["depth"] - 1
    while k >= 0:
        edge = beside(edges, np.int64(lane["path"][k]))
        edge["low"] = max(edge["low"], low)
        edge["high"] = min(edge["high"], high)
        above = ZERO if k == 0 else np.int64(beside(edges, np.int64(lane["path"][k - 1]))["child"])
        node = beside(nodes, above)
        if not bound(node, edges):
            return
        low, high = node["low"], node["high"]
        k -= 1


# --- a simulation ------------------------------------------------------------------------------------------------


@compiled
def back_up(lane, nodes, edges, utility):
    """Count the leaf's utility on the way up, and its outcome at the root's edge."""
    k = lane["depth"] - 1
    while k >= 0:
        edge = beside(edges, np.int64(lane["path"][k]))
        edge["visits"] += 1
        edge["total"] += utility
        above = ZERO if k == 0 else np.int64(beside(edges, np.int64(lane["path"][k - 1]))["child"])
        node = beside(nodes, above)
        node["visits"] += 1
        node["total"] += utility
        if k == 0:
            slot = np.int64(lane["path"][0]) - node["first"]
            lane["counted"][slot] += 1
            for i in range(ENDS + 1):
                lane["found"][slot, i] += lane["outcome"][i]
        k -= 1
    lane["done"] += 1


@compiled
def repeated(lane, before):
    """Whether the leaf occurred before, in this line or in the game (a second time counts as a draw in a search)."""
    own = key(lane["leaf"][0])
    depth = lane["depth"]
    lane["path_keys"][depth - 1] = own
    reach = quiet(lane["leaf"][0])
    for back in range(1, depth + lane["past"] + 1):
        if back > reach:
            return False
        at = depth - 1 - back
        if at >= 0:
            other = lane["path_keys"][at]
        elif at == -1:
            other = key(lane["root"][0])
        else:
            other = before[lane["row"], lane["past"] + at + 1]
        if other == own:
            return True
    return False


@compiled
def make_node(lane, nodes, edges, who, count, utility, how):
    """A new node for the leaf, its edges not filled in. Returns it."""
    place = lane["nodes"]
    node = beside(nodes, place)
    node["first"] = lane["edges"]
    node["count"] = count
    node["mover"] = who
    node["visits"] = 0
    node["total"] = NOTHING
    node["judged"] = utility
    node["parent"] = -1
    lane["nodes"] += 1
    lane["edges"] += count
    if lane["depth"] > 0:
        parent = np.int64(lane["path"][lane["depth"] - 1])
        node["parent"] = parent
        beside(edges, parent)["child"] = place
    return node


@compiled
def look_ahead(lane, edge, child, plies, how):
    """Prove a new edge's end by alpha-beta, if the best or the worst result is near."""
    depth = how["lookahead"]
    if LIMIT > 0 and plies + depth >= LIMIT:  # it knows nothing of draws by the limit
        return
    frame = lane["frames"][0]
    copy_record(child, frame["state"])
    score = solve(frame, depth)
    first = mover(child) == 0
    top, bottom = (WINS, LOSSES) if first else (-LOSSES, -WINS)
    if score > top - PROVEN:
        end, far = (ENDS - 1, top - score) if first else (0, top - score)
    elif score < bottom + PROVEN:
        end, far = (0, score - bottom) if first else (ENDS - 1, score - bottom)
    else:
        return
    edge["low"] = end_utility(np.int64(end), plies + far, how)
    edge["high"] = edge["low"]


@compiled
def fill_edge(lane, edge, move, prior, logit, low, high, how):
    """An edge as it is before any visit; its end is seen at once."""
    plies = lane["plies"] + lane["depth"] + 1
    leaf = lane["leaf"][0]
    child = spare(leaf)
    copy_record(leaf, child)
    play(child, move)
    end = result(child)
    if end == ONGOING and LIMIT > 0 and plies >= LIMIT:
        end = DRAW
    edge["move"] = move
    edge["child"] = -1
    edge["visits"] = 0
    edge["prior"] = prior
    edge["logit"] = logit
    edge["total"] = NOTHING
    edge["low"] = low
    edge["high"] = high
    if end != ONGOING:
        edge["low"] = end_utility(end, plies, how)
        edge["high"] = edge["low"]
    elif LOOKS and how["lookahead"] > 0:
        look_ahead(lane, edge, child, plies, how)


@compiled
def widest(lane, how):
    """Bounds of a move that does not end the game: the worst and the best that may come a ply later."""
    plies = lane["plies"] + lane["depth"] + 2
    low = RESULTS[0] / LARGEST
    high = RESULTS[ENDS - 1] / LARGEST
    part = 1.0 - how["haste"] * min(plies / how["longest"], 1.0)
    late = 1.0 - how["haste"]
    low *= part if low < 0.0 else late
    high *= part if high > 0.0 else late
    return np.float32(low), np.float32(high)


@compiled
def grow(lane, nodes, edges, how):
    """Make the node of the leaf from lane["logits"] and ["outcome"], and back it up. The root is not a simulation."""
    leaf = lane["leaf"][0]
    moves = lane["moves"]
    n = legal(leaf, moves)
    image = lane["image"]
    if image != 0:
        seen = lane["seen_moves"]
        for j in range(legal(lane["seen"][0], seen)):
            lane["slots"][seen[j]] = j
    utility = judged_utility(lane["outcome"], how)
    node = make_node(lane, nodes, edges, mover(leaf), n, utility, how)
    low, high = widest(lane, how)
    for i in range(n):
        j = np.int64(lane["slots"][transform_move(moves[i], image)]) if image != 0 else i
        logit = lane["logits"][j]
        fill_edge(
            lane,
            beside(edges, np.int64(node["first"]) + i),
            moves[i],
            np.float32(math.exp(np.float64(logit))),
            logit,
            low,
            high,
            how,
        )
    finish_node(lane, nodes, edges, node, utility)


@compiled
def finish_node(lane, nodes, edges, node, utility):
    """Bounds of a new node, and what it tells those above."""
    bound(node, edges)
    if lane["depth"] > 0:
        narrow(lane, nodes, edges, node["low"], node["high"])
        back_up(lane, nodes, edges, utility)


@compiled
def grow_chance(lane, nodes, edges, how):
    """The node of a leaf at which dice are rolled; the simulation goes on below it. Returns its place."""
    leaf = lane["leaf"][0]
    n = chance(leaf, lane["moves"], lane["chances"])
    place = lane["nodes"]
    node = make_node(lane, nodes, edges, CHANCE, n, NOTHING, how)
    low, high = widest(lane, how)
    for i in range(n):
        p = np.float32(lane["chances"][i])
        fill_edge(lane, beside(edges, np.int64(node["first"]) + i), lane["moves"][i], p, NOTHING, low, high, how)
    bound(node, edges)
    return place


@compiled
def proven(lane, nodes, edges, low, how):
    """A simulation ends where the utility is known."""
    settle(lane, low, how)
    back_up(lane, nodes, edges, low)


@compiled
def descend(lane, nodes, edges, how, halving, before):
    """One simulation from the root down. Returns WAITS with the position to judge in `leaf`, or DONE.

    halving: see `halving_table`. before: uint64 keys of the games' earlier positions, this one's in row lane["row"],
    where repetition counts.
    """
    leaf = lane["leaf"][0]
    copy_record(lane["root"][0], leaf)
    lane["depth"] = 0
    place = ZERO
    while True:
        node = beside(nodes, place)
        at = select(lane, node, edges, how, lane["depth"] == 0, halving)
        edge = beside(edges, at)
        lane["path"][lane["depth"]] = at
        lane["depth"] += 1
        if edge["low"] == edge["high"]:
            proven(lane, nodes, edges, edge["low"], how)
            return DONE
        play(leaf, np.int64(edge["move"]))
        if REPETITION > 0 and repeated(lane, before):
            drawn = end_utility(DRAW, lane["plies"] + lane["depth"], how)
            narrow(lane, nodes, edges, drawn, drawn)
            proven(lane, nodes, edges, drawn, how)
            return DONE
        if lane["depth"] >= MOST_DEPTH:
            settle(lane, mean(edge, np.float64(node["judged"])), how)
            back_up(lane, nodes, edges, np.float32(mean(edge, np.float64(node["judged"]))))
            return DONE
        place = np.int64(edge["child"])
        if place < 0:
            if mover(leaf) != CHANCE:
                return WAITS
            place = grow_chance(lane, nodes, edges, how)


@compiled
def begin(lane, budget):
    """A search of the position in lane["root"] starts with nothing; its root waits in `leaf` to be judged."""
    lane["nodes"] = 0
    lane["edges"] = 0
    lane["depth"] = 0
    lane["budget"] = budget
    copy_record(lane["root"][0], lane["leaf"][0])
    start_counts(lane)


@compiled
def start_counts(lane):
    """No simulations, no noise, nothing found yet."""
    lane["done"] = 0
    for i in range(lane["noise"].shape[0]):
        lane["noise"][i] = NOTHING
        lane["counted"][i] = 0
        for end in range(ENDS + 1):
            lane["found"][i, end] = NOTHING


@compiled
def over(lane, nodes, room):
    """Whether the search has ended: enough simulations, the root is proven, or the room for edges is used up."""
    if lane["done"] >= lane["budget"] or nodes["low"] == nodes["high"]:
        return True
    if nodes["count"] == 1 and lane["done"] >= 1:
        return True
    return lane["edges"] + 2 * lane["moves"].shape[0] > room
