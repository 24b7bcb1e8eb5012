"""What a finished tree search proves, and the line that it expects."""

import numpy as np
import pytest

from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.search.fleet import Fleet
from sparring.search.reading import Proof, line_below, proof_of
from sparring.search.tree import EDGE, NODE, Forest, Selection


def how(haste=0.5, longest=10):
    return Selection(haste=haste).record(longest)[0]


def utility(plies, haste=0.5, longest=10):
    """Of a win after so many plies of the game."""
    return 1.0 - haste * plies / longest


@pytest.mark.parametrize(
    ("low", "high", "proof"),
    [
        (utility(6), utility(6), Proof(1, 3, True)),
        (utility(6), utility(4), Proof(1, 3, False)),
        (-utility(5), -utility(5), Proof(-1, 2, True)),
        (-utility(4), -utility(8), Proof(-1, 5, False)),
        (0.0, 0.0, Proof(0, None, True)),
        (0.0, utility(4), None),
        (-utility(4), utility(4), None),
    ],
)
def test_a_proof_tells_who_wins_and_in_how_many_plies_from_here(low, high, proof):
    assert proof_of(load("tic-tac-toe"), np.array([low, high], np.float32), how(), plies=3) == proof


def test_without_haste_a_proof_tells_no_time():
    assert proof_of(load("tic-tac-toe"), np.array([1.0, 1.0]), how(haste=0.0), 3) == Proof(1, None, True)


def test_bounds_of_a_game_with_dice_prove_nothing():
    assert proof_of(load("pig"), np.array([0.5, 0.5]), how(), 3) is None


def forest_of(*nodes):
    """A forest of one lane from nodes (mover, low, high, edges); an edge is (move, child, visits, low, high)."""
    made = Forest(np.zeros(1), np.zeros((1, len(nodes)), NODE), np.zeros((1, sum(len(n[3]) for n in nodes)), EDGE))
    count = 0
    for i, (mover, low, high, edges) in enumerate(nodes):
        node = made.nodes[0, i]
        node["first"], node["count"], node["mover"], node["low"], node["high"] = count, len(edges), mover, low, high
        node["visits"] = sum(edge[2] for edge in edges)
        for edge in edges:
            record = made.edges[0, count]
            record["move"], record["child"], record["visits"], record["low"], record["high"] = edge
            count += 1
    return made


def test_a_line_follows_the_visits_to_the_end_of_the_tree():
    root = (0, -1, 1, [(5, -1, 1, -1, 1), (6, 1, 9, -1, 1)])
    below = (1, -1, 1, [(7, -1, 2, -1, 1), (8, -1, 6, -1, 1)])
    assert line_below(forest_of(root, below), 0, 1) == [6, 8]
    assert line_below(forest_of(root, below), 0, 0) == [5]


@pytest.mark.parametrize(("mover", "sign"), [(0, 1), (1, -1)])
def test_a_line_passes_over_what_is_proven_to_be_worse(mover, sign):
    lost, open_ = sorted((-sign, -sign)), sorted((-sign, sign))
    root = (1 - mover, -1, 1, [(6, 1, 9, -1, 1)])
    below = (mover, *sorted((-0.5 * sign, sign)), [(7, -1, 6, *lost), (8, -1, 3, *open_)])
    assert line_below(forest_of(root, below), 0, 0) == [6, 8]


def test_a_line_stops_before_dice():
    root = (0, -1, 1, [(6, 1, 9, -1, 1)])
    assert line_below(forest_of(root, (CHANCE, -1, 1, [(1, -1, 9, -1, 1)])), 0, 0) == [6]


@pytest.mark.compiled
def test_a_proven_line_ends_the_game_when_the_proof_says():
    game = load("connect-four")
    state = game.states(1)[0]
    moves = (3, 0, 2, 0)  # two of X side by side on the floor, open at both ends, and X to move
    for move in moves:
        state = game.after(state, move)
    fleet = Fleet(game, None, 400, Selection(rule="uct", puct=1.0, haste=0.5))
    (answer,) = fleet.answer(np.array([state]), plies=[len(moves)], seeds=np.array([1], np.uint64))
    proof = proof_of(game, np.array([answer["low"], answer["high"]]), fleet.how[0], len(moves))
    assert proof == Proof(1, 3, True)
    line = line_below(fleet.forest, 0, int(np.flatnonzero(answer["moves"] == answer["best"])[0]))
    assert len(line) == 3
    for move in line:
        assert game.result(state) < 0
        state = game.after(state, move)
    assert game.result(state) == 2
