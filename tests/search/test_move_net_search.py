"""A MoveNet in alpha-beta: its policy changes the order of moves and nothing else; its judgements may be rounded."""

import numpy as np
import pytest

from sparring.errors import PlayerError
from sparring.nets.move_net import MoveNet, shape_for
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher


def knowing(game, right):
    """A net that expects nothing of any position, and likes the moves that leave a multiple of four best, or least."""
    shape = shape_for(game, (1,), (1,))
    arrays = {name: np.zeros(size, np.float32) for name, size in shape.arrays.items()}
    arrays["policy0.weight"][0, game.OVERVIEW + 1] = 1.0  # a quarter of what is left over
    arrays["policy1.weight"][0, 0] = -1.0 if right else 1.0
    return MoveNet(game.name, game.FEATURES_VERSION, shape, arrays)


def searched(game, net, order, heap=13, **more):
    (state,) = game.states(1)
    state["heap"] = heap
    searcher = Searcher(game, judging.by_net(game, net), 16, order=order)
    return searcher.think(state, Limits(**more), exact=True)


def test_a_policy_that_knows_the_game_spares_nodes_and_one_that_is_wrong_costs_some(nim):
    right, wrong, none = (
        searched(nim, knowing(nim, right), order, depth=7) for right, order in ((True, 1), (False, 1), (True, 0))
    )
    assert right.nodes < none.nodes and right.nodes < wrong.nodes
    assert right.lines[0].value == wrong.lines[0].value == none.lines[0].value


@pytest.mark.parametrize("heap", range(1, 9))
def test_what_is_found_does_not_depend_on_the_order(nim, move_net_of, heap):
    net = move_net_of(nim)
    found = [searched(nim, net, order, heap, depth=4) for order in (0, 1, 2, 9)]
    assert len({thought.lines[0].score for thought in found}) == 1


def test_where_fewer_plies_are_left_the_policy_is_not_asked(nim):
    """From a depth on that the search never has, it visits the nodes that it visits without a policy."""
    never = searched(nim, knowing(nim, False), 8, depth=7)
    assert never.nodes == searched(nim, knowing(nim, False), 0, depth=7).nodes


def test_the_first_move_tried_is_the_policys(nim):
    assert searched(nim, knowing(nim, True), 1, nodes=1, depth=1, heap=11).move == 2


def test_a_judgement_without_a_policy_cannot_order(nim):
    with pytest.raises(PlayerError, match=r"^order is 2, but nothing has no policy; only a MoveNet orders moves$"):
        Searcher(nim, judging.by_nothing(nim), 16, order=2)


def test_judgements_are_rounded_to_multiples_of_the_grain(nim, move_net_of):
    net, found = move_net_of(nim), {}
    for grain in (0.0, 0.125):
        searcher = Searcher(nim, judging.by_net(nim, net), 16, grain=grain)
        found[grain] = searcher.think(nim.states(1)[0], Limits(depth=1), lines=3, exact=True).lines
    assert sorted(line.moves for line in found[0.0]) == sorted(line.moves for line in found[0.125])
    exact = {line.moves: line.value for line in found[0.0]}
    for line in found[0.125]:
        assert line.value == round(exact[line.moves] / 0.125) * 0.125
    assert any(value % 0.125 for value in exact.values())
