"""Before and after a tree search: noise at the root, what the search thinks of its moves, the part that is kept.

Kernels over one lane of a forest; `nodes` is its root.
"""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import play
from sparring.records import beside, copy_record
from sparring.rng import draw_gamma, draw_gumbel
from sparring.search.mcts import begin, end_of, settle, start_counts
from sparring.search.selecting import improve, mean, worth_a_look
from sparring.search.tree import GUMBEL

LARGEST = 1.0  # set by `join`, as are `begin`, `end_of`, `improve`, `settle` and `start_counts`
ENDS = 3  # set by `join`: how many RESULTS there are
ZERO, ONE = np.int64(0), np.int64(1)
VISITS, IMPROVED = 0, 1  # what a policy is made of


@compiled
def add_noise(lane, nodes, edges, how, share, concentration):
    """Noise at the root: Gumbel's for its rule, otherwise Dirichlet's into the priors (Silver et al. 2017).

    share: of the noise in the priors. concentration: shared among the moves, so that its shape fits any number of them.
    """
    noise = lane["noise"]
    n = np.int64(nodes["count"])
    total = 0.0
    for i in range(n):
        drawn = draw_gumbel(lane["rng"]) if how["rule"] == GUMBEL else draw_gamma(lane["rng"], concentration / n)
        noise[i] = drawn
        total += drawn
    if how["rule"] != GUMBEL and total > 0.0:
        for i in range(n):
            edge = beside(edges, np.int64(nodes["first"]) + i)
            edge["prior"] = (1.0 - share) * edge["prior"] + share * noise[i] / total
            noise[i] = 0.0


@compiled
def hopeless(node, edge, how):
    """Whether the mover of a node is proven to get the worst result by the move, though it may do better by another."""
    if node["mover"] == 0:
        return end_of(edge["high"], how) == 0 and end_of(node["high"], how) != 0
    return end_of(edge["low"], how) == ENDS - 1 and end_of(node["low"], how) != ENDS - 1


@compiled
def rating_of(node, edges, best, how):
    """What PUCT makes of the most visited move: the measure of which visits of others were only forced."""
    sign = 1.0 if node["mover"] == 0 else -1.0
    edge = beside(edges, np.int64(node["first"]) + best)
    spread = how["puct"] * math.sqrt(node["visits"] + 0.25)
    return sign * mean(edge, 0.0) + spread * edge["prior"] / (1.0 + edge["visits"])


@compiled
def visits(lane, node, edges, how):
    """The visits of each move into lane["policy"], without those that were forced.

    Policy target pruning (Wu 2019): forced visits go where PUCT would not have given them against the best move.
    """
    policy = lane["policy"]
    best = ZERO
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        policy[i] = edge["visits"]
        if policy[i] > policy[best]:
            best = i
    if how["forced"] > 0.0:
        sign = 1.0 if node["mover"] == 0 else -1.0
        rating = rating_of(node, edges, best, how)
        spread = how["puct"] * math.sqrt(node["visits"] + 0.25)
        for i in range(node["count"]):
            edge = beside(edges, np.int64(node["first"]) + i)
            seen = np.float64(edge["visits"])
            if i != best and seen > 0.0:
                gap = rating - sign * mean(edge, 0.0)
                fair = spread * edge["prior"] / gap - 1.0 if gap > 0.0 else seen
                forced = math.sqrt(how["forced"] * edge["prior"] * node["visits"])
                left = min(seen, max(fair, seen - forced))
                policy[i] = left if left > 1.0 else 0.0


@compiled
def conclude(lane, nodes, edges, how, made_of):
    """What the search thinks: lane["policy"] over the root's moves, ["verdict"] of its outcome, ["best"] to play.

    made_of: VISITS or IMPROVED. Moves that are proven worse than another get nothing.
    """
    policy = lane["policy"]
    n = np.int64(nodes["count"])
    improve(lane, nodes, edges, how)
    if made_of == VISITS and nodes["visits"] > 0:
        visits(lane, nodes, edges, how)
    else:
        for i in range(n):
            policy[i] = lane["chances"][i]
    total = 0.0
    for i in range(n):
        edge = beside(edges, np.int64(nodes["first"]) + i)
        if not worth_a_look(nodes, edge) or hopeless(nodes, edge, how):
            policy[i] = 0.0
        total += policy[i]
    best = ZERO
    for i in range(n):
        if total <= 0.0:
            policy[i] = lane["chances"][i]
        else:
            policy[i] /= total
        if policy[i] > policy[best]:
            best = i
    lane["best"] = best
    judge_root(lane, nodes, edges, how)


@compiled
def judge_root(lane, nodes, edges, how):
    """The outcomes below the root's moves, weighed by the policy, into lane["verdict"]."""
    verdict = lane["verdict"]
    for end in range(ENDS + 1):
        verdict[end] = 0.0
    if nodes["low"] == nodes["high"]:
        settle(lane, nodes["low"], how)
        for end in range(ENDS + 1):
            verdict[end] = lane["outcome"][end]
        return
    total = 0.0
    for i in range(nodes["count"]):
        if lane["counted"][i] > 0:
            share = lane["policy"][i] / lane["counted"][i]
            total += lane["policy"][i]
            for end in range(ENDS + 1):
                verdict[end] += share * lane["found"][i, end]
    if total <= 0.0:  # nothing was simulated: the judgement of the root itself
        for end in range(ENDS + 1):
            verdict[end] = lane["outcome"][end]
        return
    for end in range(ENDS + 1):
        verdict[end] /= total


@compiled
def best_with_noise(lane, nodes, edges, how):
    """Where the Gumbel rule ends at the root: the best by noise and improved policy of the moves visited most."""
    most = ZERO
    for i in range(nodes["count"]):
        most = max(most, np.int64(beside(edges, np.int64(nodes["first"]) + i)["visits"]))
    improve(lane, nodes, edges, how)
    best, rating = np.int64(lane["best"]), -1e30
    for i in range(nodes["count"]):
        edge = beside(edges, np.int64(nodes["first"]) + i)
        if edge["visits"] == most and lane["policy"][i] > 0.0:
            found = math.log(lane["chances"][i] + 1e-30) + lane["noise"][i]
            if found > rating:
                best, rating = i, found
    return best


@compiled
def keep_below(lane, nodes, edges, at, budget):
    """The root's move at place `at` has been played: what is below it becomes the tree. Returns whether there is any.

    Nodes and edges stand in the order in which they were made, parents first, so one pass moves them down. Without a
    subtree the lane begins anew. lane["root"] and its plies are changed here.
    """
    first = beside(edges, np.int64(nodes["first"]) + at)
    old = np.int64(first["child"])
    play(lane["root"][0], np.int64(first["move"]))
    lane["plies"] += 1
    if old < 0:
        begin(lane, budget)
        return False
    count, room = ZERO, ZERO
    beside(nodes, old)["parent"] = -2
    for i in range(old, lane["nodes"]):
        node = beside(nodes, i)
        if node["parent"] > -2:
            continue
        to = beside(nodes, count)
        start = np.int64(node["first"])
        size = np.int64(node["count"])
        parent = -np.int64(node["parent"]) - 3
        copy_record(node, to)
        to["parent"] = parent
        to["first"] = room
        if parent >= 0:
            beside(edges, parent)["child"] = count
        for j in range(size):
            edge = beside(edges, room + j)
            copy_record(beside(edges, start + j), edge)
            if edge["child"] >= 0:
                beside(nodes, np.int64(edge["child"]))["parent"] = -(room + j) - 3
        count += 1
        room += size
    lane["nodes"] = count
    lane["edges"] = room
    lane["budget"] = budget
    start_counts(lane)
    return True
