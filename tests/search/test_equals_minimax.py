"""With `exact` the search equals plain minimax, whatever its table, its bounds and its order of moves spare it."""

import numpy as np
import pytest
from minimax import Minimax
from positions import played, shuffle, small_net

from sparring.games.contract import ONGOING
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher


def agree(game, judge, positions, depths, quiescence=False, fresh=True, table=1 << 12):
    """Score and move at each depth equal minimax's; how many searches that were."""
    searcher = Searcher(game, judge, table)
    searches = 0
    for plies, seed in positions:
        state, past = played(game, plies, seed)
        if fresh:
            searcher.begin_game()
        plain = Minimax(game, judge, past, len(past), quiescence)
        for depth in depths:
            found = searcher.think(
                state, Limits(depth=depth), past=past, plies=len(past), exact=True, quiescence=quiescence
            )
            scores = plain.of_moves(state, depth)
            where = f"{game.name}, {plies} plies, seed {seed}, depth {depth}: {scores}"
            assert found.lines[0].score == max(scores.values()), where
            assert scores[found.move] == max(scores.values()), where
            searches += 1
    return searches


def test_tic_tac_toe_to_the_end(tic_tac_toe):
    positions = [(plies, seed) for plies in (3, 4, 5, 6) for seed in range(5)]
    assert agree(tic_tac_toe, judging.by_nothing(tic_tac_toe), positions, [9]) == 20


def test_connect_four_judged_by_the_result(connect_four):
    positions = [(plies, plies) for plies in range(6, 38, 4)]
    assert agree(connect_four, judging.by_nothing(connect_four), positions, [4]) == 8


def test_tigers_and_sheep_with_its_own_judgement(tigers_and_sheep):
    judge = judging.by_rules(tigers_and_sheep)
    agree(tigers_and_sheep, judge, [(plies, plies) for plies in range(0, 120, 8)], [1, 2])
    agree(tigers_and_sheep, judge, [(plies, plies) for plies in (40, 45, 60, 100)], [3])


def test_tigers_and_sheep_with_positions_that_occurred_before(tigers_and_sheep):
    """The same four positions come twice; whoever lets one come a third time has a draw."""
    game = tigers_and_sheep
    searcher = Searcher(game, judging.by_rules(game))
    other = 0
    quiet = [played(game, 50 + seed, seed)[0] for seed in range(4)]
    just_taken = next(s for seed in range(100) if game.quiet(s := played(game, 42, seed)[0]) == 0)
    for first in (*quiet, just_taken):
        states = [first]
        for move in shuffle(game, states[0]) * 2:
            states.append(game.after(states[-1], move))
        past = np.array([game.key(state) for state in states], np.uint64)
        for n in (5, 6, 7):
            for depth in (1, 2, 3):
                options = {"past": past[:n], "plies": 100, "exact": True, "quiescence": False}
                found = searcher.think(states[n], Limits(depth=depth), lines=game.MOVES, **options)
                scores = Minimax(game, searcher.judge, past[:n], 100).of_moves(states[n], depth)
                assert {line.moves[0]: line.score for line in found.lines} == scores
                other += scores != Minimax(game, searcher.judge, [], 100).of_moves(states[n], depth)
    assert other > 0, "no case in which the earlier positions matter"


def test_a_net_as_judge(tigers_and_sheep, connect_four):
    for game in (tigers_and_sheep, connect_four):
        judge = judging.by_net(game, small_net(game, (16, 8)))
        agree(game, judge, [(plies, plies) for plies in (0, 7, 20, 31)], [1, 2])


def test_noisy_moves_at_the_horizon(tigers_and_sheep):
    judge = judging.by_rules(tigers_and_sheep)
    positions = [(plies, plies) for plies in range(10, 110, 6)]
    agree(tigers_and_sheep, judge, positions, [1, 2], quiescence=True)
    assert any(takes(tigers_and_sheep, *played(tigers_and_sheep, *where)[:1]) for where in positions)


def takes(game, state):
    return game.noisy(state, np.zeros(game.MOST_MOVES, np.int32)) > 0


@pytest.mark.parametrize("fresh", [True, False], ids=["own table", "one table"])
def test_lines_that_come_back_to_a_position(circle, fresh):
    """Repetition makes the value of a position depend on the way to it, and the limit on the number of moves played;
    a table that forgot either would be found out here."""
    positions = [(plies, seed) for seed in range(3) for plies in (0, 2, 5, 9, 20, 31, 34, 36, 38, 39)]
    agree(circle, judging.by_rules(circle), positions, range(1, 8), fresh=fresh)


@pytest.mark.compiled
def test_the_limit_of_the_game(hurried):
    """When a position comes back with the end nearer, what the table holds of it need not hold any more.

    That it matters is rare: it does in two of these searches.
    """
    judge = judging.by_rules(hurried)
    searcher = Searcher(hurried, judge)
    random = np.random.default_rng(1)
    for seed in range(60):
        state, _ = played(hurried, int(random.integers(0, 20)), seed)
        for _ in range(6):
            depth, left = int(random.integers(2, 7)), int(random.choice([40, 1, 2, 3, 4, 5, 6, 7]))
            plies = hurried.LIMIT - left
            found = searcher.think(state, Limits(depth=depth), plies=plies, exact=True, quiescence=False)
            assert found.lines[0].score == Minimax(hurried, judge, plies=plies).best(state, depth)
            after = hurried.after(state, found.move)
            state = after if hurried.result(after) == ONGOING else state


def test_a_player_who_moves_twice_in_a_row(twice):
    positions = [(plies, seed) for seed in range(2) for plies in range(7)]
    agree(twice, judging.by_rules(twice), positions, range(1, 5))
    agree(twice, judging.by_rules(twice), positions, range(1, 4), quiescence=True)
    agree(twice, judging.by_nothing(twice), [(plies, 0) for plies in range(2, 7)], [6])


def test_a_table_of_a_few_entries_changes_nothing(circle, tigers_and_sheep):
    agree(circle, judging.by_rules(circle), [(plies, 1) for plies in (0, 5, 30)], range(1, 8), table=16)
    agree(tigers_and_sheep, judging.by_rules(tigers_and_sheep), [(30, 1), (70, 2)], [2], table=16)


def test_scores_of_another_kind_are_forgotten(tigers_and_sheep):
    """A table filled with and without noisy moves, exactly or not, does not spoil an exact search."""
    game = tigers_and_sheep
    judge = judging.by_rules(game)
    searcher = Searcher(game, judge)
    for plies in (28, 34, 45, 60, 80):
        state, past = played(game, plies, plies)
        plain = Minimax(game, judge, past, len(past)).best(state, 2)
        for exact, quiescence in ((False, True), (True, True), (False, False)):
            searcher.think(state, Limits(depth=4), past=past, plies=len(past), exact=exact, quiescence=quiescence)
            found = searcher.think(state, Limits(depth=2), past=past, plies=len(past), exact=True, quiescence=False)
            assert found.lines[0].score == plain
