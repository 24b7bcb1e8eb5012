"""Where a tree search looks next: PUCT, UCT, or the Gumbel rule with completed values; dice in their turn.

Kernels over one node and its edges. Values are player 0's in the tree, and become the mover's here.
"""

import math

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import CHANCE
from sparring.records import beside
from sparring.search.tree import GUMBEL, UCT

ZERO, ONE = np.int64(0), np.int64(1)
WORST = -1e30


@compiled
def worth_a_look(node, edge):
    """Whether the mover of a node may still gain by the move: its bounds do not show it to be worse than another."""
    if node["mover"] == 0:
        return edge["high"] > node["low"] or edge["low"] >= node["low"]
    return edge["low"] < node["high"] or edge["high"] <= node["high"]


@compiled
def mean(edge, otherwise):
    """Mean utility below an edge, or `otherwise` where nobody was there; within its bounds."""
    value = edge["total"] / edge["visits"] if edge["visits"] > 0 else otherwise
    return min(max(value, edge["low"]), edge["high"])


@compiled
def select_chance(node, edges):
    """The outcome that has come up least for its probability: the same dice for every search, and no luck in them."""
    best, most = ZERO, WORST
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        owed = edge["prior"] * (node["visits"] + 1.0) - edge["visits"]
        if owed > most:
            best, most = i, owed
    return np.int64(node["first"]) + best


@compiled
def select_puct(node, edges, how, at_root):
    """The move with the best mean plus exploration by prior (Silver et al. 2017)."""
    sign = 1.0 if node["mover"] == 0 else -1.0
    start = (node["judged"] + node["total"]) / (1.0 + node["visits"])
    unseen = sign * start - (0.0 if at_root else how["first_play"])
    spread = how["puct"] * math.sqrt(node["visits"] + 0.25)
    best, most = ZERO, WORST
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        if worth_a_look(node, edge):
            seen = np.float64(edge["visits"])
            if at_root and seen > 0.0 and seen * seen < how["forced"] * edge["prior"] * node["visits"]:
                return np.int64(node["first"]) + i
            rating = sign * mean(edge, sign * unseen) + spread * edge["prior"] / (1.0 + edge["visits"])
            if rating > most:
                best, most = i, rating
    return np.int64(node["first"]) + best


@compiled
def select_uct(node, edges, how):
    """The move with the highest upper confidence bound (Kocsis and Szepesvári 2006); each is tried once first."""
    sign = 1.0 if node["mover"] == 0 else -1.0
    logarithm = math.log(node["visits"] + 1.0)
    best, most = ZERO, WORST
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        if worth_a_look(node, edge):
            if edge["visits"] == 0:
                return np.int64(node["first"]) + i
            rating = sign * mean(edge, 0.0) + how["puct"] * math.sqrt(logarithm / edge["visits"])
            if rating > most:
                best, most = i, rating
    return np.int64(node["first"]) + best


@compiled
def mixed_value(node, edges):
    """The node's value for moves that were not visited: its own judgement and the visited means, by prior (mctx)."""
    priors = 0.0
    weighed = 0.0
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        if edge["visits"] > 0:
            priors += edge["prior"]
            weighed += edge["prior"] * (edge["total"] / edge["visits"])
    if priors <= 0.0:
        return np.float64(node["judged"])
    return (node["judged"] + node["visits"] * weighed / priors) / (1.0 + node["visits"])


@compiled
def confidence(node, edges, how):
    """What a difference of values weighs against one of logits: grows with the visits."""
    most = ZERO
    for i in range(node["count"]):
        most = max(most, np.int64(beside(edges, np.int64(node["first"]) + i)["visits"]))
    return (how["visit_scale"] + most) * how["value_scale"] * 0.5


@compiled
def improve(lane, node, edges, how):
    """The improved policy into lane["chances"]: softmax of logit + confidence × completed value; worse moves get 0."""
    sign = 1.0 if node["mover"] == 0 else -1.0
    otherwise = mixed_value(node, edges)
    scale = confidence(node, edges, how)
    policy = lane["chances"]
    top = WORST
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        policy[i] = WORST
        if worth_a_look(node, edge):
            policy[i] = edge["logit"] + scale * sign * mean(edge, otherwise)
            top = max(top, policy[i])
    total = 0.0
    for i in range(node["count"]):
        policy[i] = math.exp(policy[i] - top)
        total += policy[i]
    for i in range(node["count"]):
        policy[i] /= total


@compiled
def select_improved(lane, node, edges, how):
    """The move that is furthest behind its share of the improved policy (Danihelka et al. 2022, equation 14)."""
    improve(lane, node, edges, how)
    best, most = ZERO, WORST
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        if worth_a_look(node, edge):
            rating = lane["chances"][i] - edge["visits"] / (1.0 + node["visits"])
            if rating > most:
                best, most = i, rating
    return np.int64(node["first"]) + best


@compiled
def select_halving(lane, node, edges, how, wanted):
    """At the root: among the moves with `wanted` visits the best by noise, logit and completed value."""
    sign = 1.0 if node["mover"] == 0 else -1.0
    otherwise = mixed_value(node, edges)
    scale = confidence(node, edges, how)
    best, most = -ONE, WORST
    for i in range(node["count"]):
        edge = beside(edges, np.int64(node["first"]) + i)
        if edge["visits"] == wanted and worth_a_look(node, edge):
            rating = edge["logit"] + lane["noise"][i] + scale * sign * mean(edge, otherwise)
            if rating > most:
                best, most = i, rating
    if best < 0:  # those moves were proven bad meanwhile
        return select_improved(lane, node, edges, how)
    return np.int64(node["first"]) + best


@compiled
def select(lane, node, edges, how, at_root, halving):
    """The edge to follow from a node."""
    if node["mover"] == CHANCE:
        return select_chance(node, edges)
    if how["rule"] == GUMBEL:
        if at_root:
            moves = min(np.int64(node["count"]), how["considered"])
            turn = min(lane["done"], halving.shape[1] - 1)
            return select_halving(lane, node, edges, how, halving[moves, turn])
        return select_improved(lane, node, edges, how)
    if how["rule"] == UCT:
        return select_uct(node, edges, how)
    return select_puct(node, edges, how, at_root)
