"""A win that the search has seen is won, in the plies it was seen to take, whatever the other side does."""

import numpy as np
import pytest
from positions import played

from sparring.games.contract import ONGOING
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher

DEEP = {"connect_four": Limits(depth=9), "tigers_and_sheep": Limits(depth=7)}


@pytest.fixture(params=["connect_four", "tigers_and_sheep"])
def game(request):
    return request.getfixturevalue(request.param)


def won_positions(game, limits, want, longest):
    """`want` positions in which the search sees a win of at least 3 plies, with the plies it takes."""
    searcher = Searcher(game, judging.usual(game))
    found = []
    for seed in range(400):
        plies = 8 + seed % 24 if game.name == "connect_four" else 30 + seed % 50
        state, past = played(game, plies, seed)
        searcher.begin_game()
        line = searcher.think(state, limits, past=past, plies=len(past)).lines[0]
        if line.score > 0 and line.end is not None and 3 <= line.end <= longest:
            found.append((state, past, line.end))
        if len(found) == want:
            return found
    raise AssertionError(f"only {len(found)} won positions")


def play_out(game, state, past, choose, answer):
    """Plies until the game is over, won by the player to move; None where it was not won."""
    winner, past, plies = game.mover(state), [int(k) for k in past], 0
    while game.result(state) == ONGOING:
        here = np.array(past, np.uint64)
        move = (choose if game.mover(state) == winner else answer)(state, here)
        past.append(int(game.key(state)))
        state = game.after(state, move)
        plies += 1
        if game.REPETITION and past.count(int(game.key(state))) >= game.REPETITION - 1:
            return None
    return plies if game.RESULTS[game.result(state)] == (1.0 if winner == 0 else -1.0) else None


def chooser(searcher, limits, forgetful):
    """Moves of a searcher, whose table is kept or not from one move to the next."""

    def choose(state, past):
        if forgetful:
            searcher.begin_game()
        return searcher.think(state, limits, past=past, plies=len(past)).move

    return choose


def answers(game, kind):
    """A side that is lost: it plays at random, or holds out for as long as it can."""
    if kind == "random":
        random = np.random.default_rng(5)
        return lambda state, past: int(random.choice(game.legal_moves(state)))
    return chooser(Searcher(game, judging.usual(game)), DEEP[game.name], forgetful=True)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["random", "longest"])
@pytest.mark.parametrize("forgetful", [True, False], ids=["table forgotten", "table kept"])
@pytest.mark.parametrize("nodes", [None, 20_000], ids=["depth", "nodes"])
def test_a_win_that_was_seen_is_won_in_time(game, kind, forgetful, nodes):
    limits = DEEP[game.name] if nodes is None else Limits(nodes=nodes)
    searcher, answer = Searcher(game, judging.usual(game)), answers(game, kind)
    for state, past, end in won_positions(game, limits, want=8, longest=9):
        searcher.begin_game()
        plies = play_out(game, state, past, chooser(searcher, limits, forgetful), answer)
        assert plies is not None and plies <= end


@pytest.mark.compiled
@pytest.mark.parametrize("little", [Limits(nodes=30), Limits(depth=1), Limits(depth=3)], ids=str)
@pytest.mark.parametrize("kind", ["random", "longest"])
def test_a_win_seen_once_is_not_forgotten_by_searches_that_see_less(game, kind, little):
    searcher, answer = Searcher(game, judging.usual(game)), answers(game, kind)
    for state, past, end in won_positions(game, DEEP[game.name], want=8, longest=9):
        searcher.begin_game()
        searcher.think(state, DEEP[game.name], past=past, plies=len(past))
        plies = play_out(game, state, past, chooser(searcher, little, forgetful=False), answer)
        assert plies is not None and plies <= end


@pytest.mark.compiled
def test_the_end_is_where_it_is_said_to_be(game):
    """A win in `end` plies is not there one ply shallower, and the loser who tries hardest holds out just so long."""
    searcher = Searcher(game, judging.usual(game))
    loser = answers(game, "longest")
    for state, past, end in won_positions(game, DEEP[game.name], want=8, longest=7):
        exact = {"past": past, "plies": len(past), "exact": True, "quiescence": False}
        line = searcher.think(state, Limits(depth=end), **exact).lines[0]
        assert line.end == end == len(line.moves) and line.value == 1.0
        assert searcher.think(state, Limits(depth=end - 1), **exact).lines[0].end is None
        assert play_out(game, state, past, chooser(searcher, DEEP[game.name], True), loser) == end
        after, then = game.after(state, line.moves[0]), np.append(past, game.key(state))
        lost = searcher.think(after, Limits(depth=end), past=then, plies=len(then)).lines[0]
        assert (lost.end, lost.value) == (end - 1, -1.0)


def test_the_soonest_win_is_chosen(connect_four):
    """A win on the move is taken, not one of the many slower ones."""
    game = connect_four
    searcher = Searcher(game, judging.by_nothing(game))
    three = game.after(game.states()[0], 2, 2, 3, 3, 4, 6)  # X: c1 d1 e1, both ends free
    found = searcher.think(three, Limits(depth=8))
    assert found.move in (1, 5) and found.lines[0].end == 1 and len(found.lines[0].moves) == 1
    two = game.after(game.states()[0], 2, 2, 3, 3)  # X to move makes an open three
    assert searcher.think(two, Limits(depth=8)).lines[0].end == 3
    lost = game.after(two, 4)  # whatever O does, X wins at his next move
    assert searcher.think(lost, Limits(depth=8)).lines[0].end == 2


def test_a_forced_end_is_not_searched_past(connect_four):
    game = connect_four
    two = game.after(game.states()[0], 2, 2, 3, 3)
    found = Searcher(game, judging.by_nothing(game)).think(two, Limits(depth=30))
    assert found.depth == found.lines[0].end == 3


@pytest.mark.compiled
def test_a_win_beyond_the_limit_is_no_win(tigers_and_sheep):
    """The game is drawn after so many moves; a table full of wins must not say otherwise."""
    game = tigers_and_sheep
    searcher = Searcher(game, judging.usual(game))
    for state, past, end in won_positions(game, DEEP[game.name], want=3, longest=7):
        for depth in (7, 2, 1):
            searcher.begin_game()
            assert searcher.think(state, Limits(depth=7), past=past, plies=50).lines[0].end == end
            for plies, seen in ((game.LIMIT - end, end), (game.LIMIT - end + 1, None)):
                assert searcher.think(state, Limits(depth=depth), past=past, plies=plies).lines[0].end == seen
