"""Plain alpha-beta has the score of minimax and of the search that people use, in a fixed number of nodes."""

import numpy as np
import pytest
from minimax import Minimax
from positions import played

from sparring.search import judging
from sparring.search.plain import solve_from
from sparring.search.scores import UNIT
from sparring.search.searcher import Limits, Searcher


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "twice"])
def test_it_equals_minimax(request, name):
    game = request.getfixturevalue(name)
    plain = Minimax(game, judging.by_nothing(game))
    for plies in range(7):
        state, _ = played(game, plies, plies)
        for depth in range(1, 5):
            score, nodes = solve_from(game, state, depth)
            assert score == plain.best(state, depth)
            assert nodes <= visited(game, state, depth)


def visited(game, state, depth):
    """Positions in the whole tree."""
    moves = game.legal_moves(state) if depth else []
    return 1 + sum(visited(game, game.after(state, move), depth - 1) for move in moves)


def test_a_player_who_moves_twice_in_a_row(twice):
    """The whole game, so that bounds of both signs are handed on to the same player and to the other."""
    start = twice.states()[0]
    assert solve_from(twice, start, 8)[0] == Minimax(twice, judging.by_nothing(twice)).best(start, 8) > UNIT


def test_a_game_that_is_over_has_its_result(tic_tac_toe):
    won = tic_tac_toe.after(tic_tac_toe.states()[0], 0, 3, 1, 4, 2)
    score, nodes = solve_from(tic_tac_toe, won, 5)
    assert score < -UNIT and nodes == 1  # O is to move, and lost
    assert solve_from(tic_tac_toe, tic_tac_toe.states()[0], 0) == (0, 1)


def test_tic_tac_toe_is_a_draw(tic_tac_toe):
    assert solve_from(tic_tac_toe, tic_tac_toe.states()[0], 9)[0] == 0


@pytest.mark.compiled
@pytest.mark.parametrize("plies", [0, 8, 16, 22])
def test_it_equals_the_search_that_people_use(connect_four, plies):
    state, _ = played(connect_four, plies, plies)
    searcher = Searcher(connect_four, judging.by_nothing(connect_four))
    assert solve_from(connect_four, state, 8)[0] == searcher.think(state, Limits(depth=8)).lines[0].score


@pytest.mark.parametrize(("depth", "nodes"), [(1, 8), (2, 21), (5, 564), (9, 90_765)])
def test_the_nodes_of_connect_four(connect_four, depth, nodes):
    """The same loop written in C visits as many (benchmarks/plain_search.c)."""
    assert solve_from(connect_four, connect_four.states()[0], depth) == (0, nodes)


@pytest.mark.compiled
def test_thirteen_plies_of_connect_four(connect_four):
    """No win in them, in 36 323 921 positions; a C++ program made for it visits as many."""
    assert solve_from(connect_four, connect_four.states()[0], 13) == (0, 36_323_921)
    searcher = Searcher(connect_four, judging.by_nothing(connect_four), 1 << 20)
    assert searcher.think(connect_four.states()[0], Limits(depth=13)).lines[0].score == 0


def test_the_position_is_left_alone(connect_four):
    state, _ = played(connect_four, 9, 3)
    before = np.array([state])[0]
    solve_from(connect_four, state, 4)
    assert state == before
