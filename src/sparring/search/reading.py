"""A finished tree search as people read it: what its bounds prove, and the line of play that it expects."""

from dataclasses import dataclass

import numpy as np

from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.search.scores import largest
from sparring.search.tree import Forest


@dataclass(frozen=True)
class Proof:
    """A result that nothing can change, if both play their best.

    winner: 1: the player to move wins; -1: it loses; 0: a draw. plies: until then, None where that is not known; just
    so many if exact, else at most.
    """

    winner: int
    plies: int | None
    exact: bool


def proof_of(game: Game, bound: np.ndarray, how: np.void, plies: int) -> Proof | None:
    """What is proven of a position or of a move in it; None where more than one result is possible.

    bound: the lowest and the highest utility there may be, for the player to move. how: of the search. plies: played
    before the position. The time of a win is read from its utility, which tells it where all wins are worth the same.
    """
    low, high = float(bound[0]), float(bound[1])
    winner = int(np.sign(low))
    if np.sign(high) != winner or game.defines("chance"):  # between the ends of dice games lie means of results
        return None
    top, haste = largest(game.RESULTS), float(how["haste"])
    alike = all(abs(value) in (0.0, top) for value in game.RESULTS)
    late = (1.0 - min(abs(low), abs(high))) / haste if haste > 0 else 1.0  # share of the longest game
    after = round(late * float(how["longest"])) - plies if winner and alike and late < 1.0 else None
    return Proof(winner, after, low == high)


def line_below(forest: Forest, lane: int, place: int) -> list[int]:
    """The root's move at `place` and those looked at most after it, up to the dice or the end of the tree."""
    nodes, edges = forest.nodes[lane], forest.edges[lane]
    edge = edges[nodes[0]["first"] + place]
    line = [int(edge["move"])]
    while edge["child"] >= 0:
        node = nodes[edge["child"]]
        below = edges[node["first"] : node["first"] + node["count"]]
        if node["mover"] == CHANCE or (node["visits"] == 0 and node["low"] != node["high"]):
            break
        if node["low"] == node["high"]:
            sound = (below["low"] == node["low"]) & (below["high"] == node["low"])
        else:  # not proven to be worse than another
            sound = below["high"] >= node["low"] if node["mover"] == 0 else below["low"] <= node["high"]
        edge = below[np.where(sound, below["visits"], -1).argmax()]
        line.append(int(edge["move"]))
    return line
