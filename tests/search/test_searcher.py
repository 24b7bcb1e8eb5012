"""The searcher keeps its limits, repeats itself exactly, tells the best lines, and compiles its kernels once."""

import os
import pathlib
import subprocess
import sys
import threading
import time
import uuid

import numpy as np
import pytest
from minimax import Minimax, as_function
from numba.core import event
from positions import played, small_net

from sparring.errors import PlayerError
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.search import judging
from sparring.search.context import MOST_HISTORY, new_context
from sparring.search.scores import UNIT
from sparring.search.searcher import DEEPEST, Limits, Searcher, usual_entries
from sparring.search.table import new_table


@pytest.fixture
def searcher(tigers_and_sheep):
    return Searcher(tigers_and_sheep, judging.usual(tigers_and_sheep))


# --- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ({"depth": 0}, "depth is 0, but it must be 1 to 99 plies"),
        ({"depth": DEEPEST + 1}, "depth is 100, but it must be 1 to 99 plies"),
        ({"nodes": 0}, "nodes is 0, but it must be at least 1"),
        ({"ms": 0}, "ms is 0, but it must be above 0 and at most 86400000 (a day)"),
        ({"ms": 86_400_001}, "ms is 8.64e+07, but it must be above 0 and at most 86400000 (a day)"),
    ],
)
def test_impossible_limits_are_refused(limits, says):
    with pytest.raises(PlayerError) as fault:
        Limits(**limits)
    assert str(fault.value) == says


def test_the_depth_that_was_completed_is_told(searcher, tigers_and_sheep):
    state = tigers_and_sheep.states()[0]
    for depth in (1, 2, 4):
        assert searcher.think(state, Limits(depth=depth)).depth == depth


@pytest.mark.parametrize("nodes", [1, 10, 100, 1000, 5000])
def test_the_nodes_are_kept_to(searcher, tigers_and_sheep, nodes):
    """Only the first iteration may take more, so that every move has been looked at once."""
    for plies in (0, 30, 60):
        state, past = played(tigers_and_sheep, plies, plies)
        searcher.begin_game()
        first = searcher.think(state, Limits(depth=1), past=past, plies=plies)
        searcher.begin_game()
        found = searcher.think(state, Limits(nodes=nodes), past=past, plies=plies)
        assert found.nodes <= max(nodes, first.nodes) + 10  # captures at the horizon may still be tried
        assert found.nodes >= min(nodes, first.nodes)
        assert found.depth >= 1 and found.move in tigers_and_sheep.legal_moves(state)
        if nodes == 1:
            assert found == first


def test_a_search_that_is_cut_short_tells_the_depth_before(searcher, tigers_and_sheep):
    state = tigers_and_sheep.states()[0]
    whole = searcher.think(state, Limits(depth=4)).nodes
    searcher.begin_game()
    assert searcher.think(state, Limits(depth=4, nodes=whole - 1)).depth == 3


@pytest.mark.compiled
def test_time_is_kept_to(tigers_and_sheep):
    """A search of 200 ms gets deep, and does not go on for ever."""
    fresh = Searcher(tigers_and_sheep, judging.usual(tigers_and_sheep))
    began = time.perf_counter()
    found = fresh.think(tigers_and_sheep.states()[0], Limits(ms=200))
    assert time.perf_counter() - began < 10
    assert found.depth >= 2


def test_a_deadline_of_one_search_does_not_end_the_next(searcher, tigers_and_sheep):
    state = tigers_and_sheep.states()[0]
    assert searcher.think(state, Limits(depth=1, ms=300)).depth == 1
    began = time.perf_counter()
    while time.perf_counter() - began < 0.5:
        assert searcher.think(state, Limits(depth=2)).depth == 2


@pytest.mark.compiled
def test_another_thread_ends_a_deep_search(searcher, tigers_and_sheep):
    found = []
    state = tigers_and_sheep.states()[0]
    thread = threading.Thread(target=lambda: found.append(searcher.think(state, Limits())), daemon=True)
    thread.start()
    for _ in range(100):
        time.sleep(0.05)
        searcher.stop()
        if not thread.is_alive():
            break
    thread.join(10)
    assert not thread.is_alive()
    assert found[0].move in tigers_and_sheep.legal_moves(state) and found[0].depth < DEEPEST
    assert searcher.think(state, Limits(depth=2)).depth == 2


# --- what it refuses, what it forgets ----------------------------------------------------------------------------


def test_dice_are_refused():
    pig = load("pig")
    with pytest.raises(PlayerError, match=r"^pig has dice; alpha-beta searches only games without chance$"):
        Searcher(pig, judging.by_rules(pig))


def test_a_judgement_that_does_not_exist_is_refused(tigers_and_sheep, connect_four):
    with pytest.raises(PlayerError, match=r"^tigers_and_sheep.py has no materials\(\).* Did you mean 'material'\?$"):
        judging.by_rules(tigers_and_sheep, "materials")
    with pytest.raises(PlayerError, match=r"^connect_four.py has no evaluate\(\)"):
        judging.by_rules(connect_four)


def test_equal_searches_are_equal(tigers_and_sheep):
    """Without a seed, or with equal ones, a game's searches are the same in every searcher and after `begin_game`."""
    lines = [played(tigers_and_sheep, plies, 1) for plies in (0, 10, 40, 60)]

    def searches(one, seed):
        return [
            one.think(state, Limits(depth=4), past=past, plies=len(past), lines=2, seed=seed) for state, past in lines
        ]

    for seed in (0, 7):
        first = Searcher(tigers_and_sheep, judging.usual(tigers_and_sheep))
        before = searches(first, seed)
        first.begin_game()
        assert searches(first, seed) == before
        assert searches(Searcher(tigers_and_sheep, judging.usual(tigers_and_sheep)), seed) == before


def test_other_seeds_choose_among_equal_moves(tigers_and_sheep):
    """The first move has 8 images under the symmetries of the board or fewer; each must come up, and no worse one."""
    judge = judging.usual(tigers_and_sheep)
    searcher = Searcher(tigers_and_sheep, judge)
    state = tigers_and_sheep.states()[0]
    scores = Minimax(tigers_and_sheep, judge).of_moves(state, 2)
    best = {move for move, score in scores.items() if score == max(scores.values())}
    found = set()
    for seed in range(1, 60):
        searcher.begin_game()
        found.add(searcher.think(state, Limits(depth=2), seed=seed, exact=True, quiescence=False).move)
    assert len(best) > 1 and found == best


# --- the history of the game -------------------------------------------------------------------------------------


def test_positions_of_the_game_make_draws(circle):
    """A position that occurred twice in the game is a draw when it comes again; twice in the search, at once."""
    searcher = Searcher(circle, judging.by_rules(circle))
    state = circle.states()[0]
    ahead = {move: circle.after(state, move) for move in circle.legal_moves(state)}
    for move, child in ahead.items():
        alone = {m: s for m, s in Minimax(circle, searcher.judge).of_moves(state, 1).items()}
        for times in (1, 2):
            past = np.array([circle.key(child)] * times, np.uint64)
            searcher.begin_game()
            found = searcher.think(state, Limits(depth=1), past=past, plies=times, lines=len(ahead))
            scores = {line.moves[0]: line.score for line in found.lines}
            assert scores == {**alone, move: 0 if times == 2 else alone[move]}


def test_the_limit_of_the_game_is_seen(circle):
    searcher = Searcher(circle, judging.by_rules(circle))
    state = circle.states()[0]
    assert searcher.think(state, Limits(depth=1), plies=circle.LIMIT - 2).lines[0].score != 0
    assert searcher.think(state, Limits(depth=1), plies=circle.LIMIT - 1).lines[0].score == 0


def test_only_the_last_positions_of_a_very_long_game_count(circle):
    searcher = Searcher(circle, judging.by_rules(circle))
    state = circle.states()[0]
    child = circle.key(circle.after(state, circle.legal_moves(state)[0]))
    other = np.arange(1, MOST_HISTORY + 1, dtype=np.uint64)
    alone = searcher.think(state, Limits(depth=3)).lines
    searcher.begin_game()
    assert searcher.think(state, Limits(depth=3), past=np.append([child, child], other)).lines == alone


# --- lines -------------------------------------------------------------------------------------------------------


def test_several_lines_are_the_best_of_all_moves(tigers_and_sheep):
    """Each root move searched alone gives the order; equal moves may change places."""
    game = tigers_and_sheep
    judge = judging.usual(game)
    searcher = Searcher(game, judge)
    for plies in (0, 25, 45, 70):
        state, past = played(game, plies, plies)
        found = searcher.think(
            state, Limits(depth=2), past=past, plies=plies, lines=3, exact=True, quiescence=False
        ).lines
        scores = Minimax(game, judge, past, plies).of_moves(state, 2)
        moves = [line.moves[0] for line in found]
        assert len(set(moves)) == len(moves) == min(3, len(scores))
        assert [line.score for line in found] == sorted(scores.values(), reverse=True)[:3]
        assert [scores[move] for move in moves] == [line.score for line in found]


def test_more_lines_than_moves_are_all_of_them(tic_tac_toe):
    state = tic_tac_toe.after(tic_tac_toe.states()[0], 0, 1, 2, 4, 7, 3)
    found = Searcher(tic_tac_toe, judging.usual(tic_tac_toe)).think(state, Limits(depth=9), lines=20)
    assert {line.moves[0] for line in found.lines} == set(tic_tac_toe.legal_moves(state)) == {5, 6, 8}


@pytest.mark.parametrize("plies", [0, 23, 40])
def test_lines_belong_to_their_moves_when_the_search_is_cut_short(searcher, tigers_and_sheep, plies):
    """Wherever the nodes run out: no move stands twice, and every line is legal."""
    state, past = played(tigers_and_sheep, plies, 4)
    for nodes in range(20, 1500, 20):
        searcher.begin_game()
        found = searcher.think(state, Limits(depth=4, nodes=nodes), past=past, plies=plies, lines=4)
        moves = [line.moves[0] for line in found.lines]
        assert len(set(moves)) == 4, f"{nodes} nodes: {moves}"
        for line in found.lines:
            here = state
            for move in line.moves:
                assert move in tigers_and_sheep.legal_moves(here), f"{nodes} nodes: {line.moves}"
                here = tigers_and_sheep.after(here, move)


def test_a_lost_third_line_does_not_end_the_search(connect_four):
    """One move parries, all others lose in two plies: asked for three lines, the search looks on for the best one."""
    game = connect_four
    state = game.after(game.states()[0], 0, 3, 0, 3, 6, 3)  # X must block the fourth column
    found = Searcher(game, judging.usual(game)).think(state, Limits(depth=6), lines=3)
    assert found.move == 3 and found.lines[0].end is None
    assert [line.end for line in found.lines[1:]] == [2, 2]
    assert found.depth == 6 and len(found.lines[0].moves) == 6


@pytest.mark.parametrize("plies", [0, 6, 12, 25, 33, 44])
def test_the_line_leads_to_its_score(tigers_and_sheep, plies):
    """Played out, an exact line ends after `depth` plies in a position whose judgement is the line's score."""
    game = tigers_and_sheep
    judge = judging.usual(game)
    state, past = played(game, plies, plies)
    options = {"past": past, "plies": plies, "exact": True, "quiescence": False}
    line = Searcher(game, judge).think(state, Limits(depth=4), **options).lines[0]
    here = game.after(state, *line.moves)
    assert line.end is None and game.result(here) == ONGOING and len(line.moves) == 4
    value = as_function(judge)(here)
    assert line.score == round(value * UNIT) and game.mover(here) == game.mover(state)
    assert line.value == line.score / UNIT


# --- compiled code -----------------------------------------------------------------------------------------------


ONE_OF_EACH = """
import numpy as np
from sparring.games.game import load
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher

game = load("tigers-and-sheep")
searcher = Searcher(game, judging.usual(game))
state, key = game.states()[0], game.key(game.states()[0])
print("depth", searcher.think(state, Limits(ms=300)).depth)
for exact in (False, True):
    for quiescence in (False, True):
        options = {"exact": exact, "quiescence": quiescence}
        searcher.think(state, Limits(depth=3), past=np.array([key, key], np.uint64), plies=9, **options)
        searcher.think(state, Limits(nodes=200, ms=1000), lines=3, seed=5, **options)
        searcher.think(state, Limits(depth=3), moves=[game.legal_moves(state)[1]], tell=lambda thought: None, **options)
top = vars(searcher.kernels)
below = top["tree"].py_func.__globals__
ordering = below["order"].py_func.__globals__
for scope in (ordering, below, top):
    for name, kernel in scope.items():
        if hasattr(kernel, "signatures") and kernel.py_func.__module__ == scope["__name__"]:
            print(name, len(kernel.signatures))
"""


@pytest.mark.compiled
def test_every_kernel_is_compiled_once_and_before_the_first_search(tmp_path):
    """A second version of a recursive kernel would double the compile time and crash when it came from the cache.

    The clock of the first search counts thinking and not compiling.
    """
    said = subprocess.run(
        [sys.executable, "-c", ONE_OF_EACH],
        env={**os.environ, "SPARRING_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    versions = {name: int(n) for name, n in (line.split() for line in said.stdout.splitlines())}
    assert versions.pop("depth") >= 2
    used = {"think", "goes_on", "root", "tree", "quiesce", "order", "known"}
    assert {versions[name] for name in used} == {1}
    assert set(versions.values()) <= {0, 1}, versions  # what only a selective search needs is compiled for none here


def test_a_context_begins_a_cache_line(tigers_and_sheep):
    """Nets are read by whole vectors of 64 bytes."""
    judge = judging.by_net(tigers_and_sheep, small_net(tigers_and_sheep, (8,)))
    for _ in range(5):
        context = new_context(tigers_and_sheep, judge.dtype)
        assert context.ctypes.data % 64 == 0
        assert context[0]["judge"][0]["weights1"].ctypes.data % 64 == 0
        assert not context.view(np.uint8).any()


@pytest.mark.parametrize(
    ("limits", "entries"),
    [
        ({"nodes": 1}, 1 << 16),
        ({"nodes": 25_000}, 1 << 16),
        ({"nodes": 1 << 16}, 1 << 16),
        ({"nodes": (1 << 16) + 1}, 1 << 17),
        ({"nodes": 300_000}, 1 << 19),
        ({"nodes": 10**9}, 1 << 20),
        ({"nodes": 100, "ms": 100, "depth": 30}, 1 << 16),
        ({"ms": 1}, 1 << 20),
        ({"ms": 100, "depth": 4}, 1 << 20),
        ({"depth": 10}, 1 << 16),
        ({"depth": 11}, 1 << 20),
        ({}, 1 << 20),
    ],
)
def test_a_table_is_as_large_as_what_limits_the_search_makes_use_of(limits, entries):
    assert usual_entries(Limits(**limits)) == entries


def test_a_table_has_a_power_of_two_of_entries():
    assert [len(new_table(n)) for n in (1, 16, 17, 31, 32, 1000)] == [16, 16, 16, 16, 32, 512]


@pytest.mark.compiled
@pytest.mark.parametrize("limits", [Limits(depth=2), Limits(depth=2, soft_ms=1000)])
def test_nothing_is_compiled_while_the_first_search_runs_so_that_no_clock_counts_it(tmp_path, limits):
    rules = tmp_path / "anew.py"  # rules that nobody has compiled yet
    text = pathlib.Path(load("tic-tac-toe").path).read_text()
    rules.write_text(f"{text}\n# {uuid.uuid4()}\n")
    game, heard = load(str(rules)), Heard()
    state = game.states(1)[0]
    searcher = Searcher(game, judging.by_nothing(game), tells=limits.soft_ms is not None)
    event.register("numba:compile", heard)
    try:
        searcher.think(state, limits)
    finally:
        event.unregister("numba:compile", heard)
    assert heard.names == []


class Heard(event.Listener):
    """Functions that Numba begins to compile."""

    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass
