"""The perfect player of Connect Four says what the slow obvious one says, and what others have published."""

import threading
from functools import cache

import numpy as np
import pytest
from reference_connect_four import LINES, Board

from sparring.arena.yardsticks import NO_MOVE, known, truth_for
from sparring.arena.yardsticks import connect_four as positions
from sparring.arena.yardsticks import connect_four_search as search
from sparring.arena.yardsticks.connect_four_solver import BOOK, Solver, Stopped, opening_book
from sparring.compiled import INTERPRETED, compiled, interpreted
from sparring.errors import GameError, SparringError
from sparring.games import connect_four as rules
from sparring.games.connect_four import STATE
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.rng import draw_below, seeded

PUBLISHED_NODES = {"L3_R1": 51, "L2_R1": 449, "L1_R1": 3296}  # of a solver in C++, a position, for its score


@cache
def solver():
    """One for all tests that do not look at what it remembers."""
    return Solver(table_mb=16)


def random_state(seed, plies):
    """A position after so many random moves, none of which ends the game."""
    game = load("connect-four")
    for attempt in range(100):
        rng, state = seeded(seed, attempt), game.states(1)[0]
        for _ in range(plies):
            after = [game.after(state, move) for move in game.legal_moves(state)]
            after = [child for child in after if game.result(child) == ONGOING]
            if not after:
                break
            state = after[draw_below(rng, len(after))]
        if state["placed"] == plies:
            return state
    raise AssertionError(f"no position after {plies} moves")


def random_states(count, low, high):
    return np.array([random_state(i, low + i % (high - low + 1)) for i in range(count)], STATE)


def board_of(state):
    """The position as the slow, obvious rules see it."""
    board = Board(turn="XO"[int(state["placed"]) % 2])
    for x, column in enumerate(board.columns):
        for y in range(6):
            stone = rules.stone(state, x, y)
            if stone != ".":
                column.append(stone)
    return board


def slow_score(board, placed):
    """Plain minimax to the end of the game."""
    end = board.result()
    if end is not None:
        return 0 if end == 1 else -(22 - (placed + 1) // 2)  # the winner has just moved
    return max(slow_columns(board, placed)[column] for column in board.moves())


def slow_columns(board, placed):
    scores = [NO_MOVE] * 7
    for column in board.moves():
        turn = board.turn
        board.play(column)
        scores[column] = -slow_score(board, placed + 1)
        board.columns[column].pop()
        board.turn = turn
    return scores


def kept():
    """A record for kernels and a small empty table."""
    work = np.zeros(1, search.WORK)
    work["buckets"] = 64 - 9
    return work[0], np.zeros(1 << 10, search.ENTRY)[0]


# --- scores ----------------------------------------------------------------------------------------------------------


def test_endings_have_the_scores_that_plain_minimax_finds():
    states = random_states(8 if INTERPRETED else 25, 36, 40)
    expected = [slow_columns(board_of(state), int(state["placed"])) for state in states]
    assert solver().columns_of(states).tolist() == expected
    assert solver().scores_of(states).tolist() == [max(row) for row in expected]


@pytest.mark.compiled
def test_endings_with_eight_empty_points_have_the_scores_that_plain_minimax_finds():
    states = random_states(3, 34, 34)
    expected = [slow_columns(board_of(state), int(state["placed"])) for state in states]
    assert solver().columns_of(states).tolist() == expected


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["L2_R1", "L3_R1"])
def test_all_columns_of_the_public_positions_have_their_published_scores(name):
    truth = positions.truth(name)
    np.testing.assert_array_equal(solver().columns_of(truth.states), truth.scores)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", ["L1_R1", "L1_R2"])
def test_all_columns_of_the_public_openings_have_their_published_scores(name):
    truth = positions.truth(name)
    np.testing.assert_array_equal(Solver().columns_of(truth.states, threads=2), truth.scores)


@pytest.mark.compiled
@pytest.mark.parametrize("name", PUBLISHED_NODES)
def test_scores_of_the_public_positions_take_no_more_nodes_than_the_published_solver_needs(name):
    truth, fresh = positions.truth(name), Solver(table_mb=64)
    np.testing.assert_array_equal(fresh.scores_of(truth.states), truth.scores.max(axis=1))
    assert fresh.nodes / len(truth.states) <= PUBLISHED_NODES[name]


@pytest.mark.compiled
def test_the_independent_solver_bitbully_agrees():
    bitbully = pytest.importorskip("bitbully")
    other = bitbully.BitBully()
    for state in random_states(200, 16, 38):
        moves = [[{".": 0, "X": 1, "O": 2}[s] for s in (rules.stone(state, c, r) for r in range(6))] for c in range(7)]
        board = bitbully.Board()
        assert board.reset_board(moves)
        theirs = other.score_all_moves(board)
        ours = {column: score for column, score in enumerate(solver().columns(state)) if score is not None}
        assert theirs == ours, load("connect-four").draw(state)


@pytest.mark.compiled
def test_a_mirror_image_has_the_mirrored_scores():
    game = load("connect-four")
    states = random_states(20, 18, 30)
    images = states.copy()
    for image in images:
        game.transform(image, 1)
    np.testing.assert_array_equal(solver().columns_of(images), solver().columns_of(states)[:, ::-1])


@pytest.mark.compiled
def test_scores_depend_neither_on_the_table_nor_on_threads():
    truth = positions.truth("L2_R1").part(300)
    for mb, threads in ((1, 1), (1, 3), (32, 2)):
        np.testing.assert_array_equal(Solver(mb).columns_of(truth.states, threads), truth.scores)


@pytest.mark.compiled
def test_where_a_question_is_interrupted_changes_nothing():
    truth = positions.truth("L1_R1").part(20)
    nodes = []
    for budget in (1, 7, 1 << 40):
        (work, table), scores = kept(), np.full(20, search.UNKNOWN, np.int8)
        work["low"], work["ply"] = 1, -1
        while not search.solve(work, table, truth.states, scores, budget):
            pass
        assert scores.tolist() == truth.scores.max(axis=1).tolist()
        nodes.append(int(work["nodes"]))
    assert len(set(nodes)) == 1


def test_progress_is_told_to_the_last_position():
    told = []
    Solver(table_mb=1, book=False).columns_of(random_states(5, 38, 40), tell=told.append)
    assert told == sorted(told)
    assert told[-1] == 5


@pytest.mark.compiled
def test_another_thread_can_stop_a_long_question():
    asked, told = Solver(table_mb=16, book=False), []

    def ask():
        try:
            asked.score(load("connect-four").states(1)[0])
        except Stopped:
            told.append("stopped")

    thread = threading.Thread(target=ask)
    thread.start()
    while thread.is_alive():
        asked.stop()
        thread.join(0.01)
    assert told == ["stopped"]


@pytest.mark.compiled
def test_the_long_kernels_are_compiled_once():
    solver().columns_of(random_states(2, 36, 38), threads=2)
    assert len(search.solve.signatures) == 1
    for kernel in (search.search, search.visit, search.store):  # none where `solve` came from the cache, with all in it
        assert len(kernel.signatures) <= 1, kernel.__name__


# --- openings --------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_the_first_moves_have_their_known_scores_at_once():
    fresh = Solver(table_mb=1)
    assert fresh.columns(load("connect-four").states(1)[0]) == [-2, -1, 0, 1, 0, -1, -2]
    assert fresh.nodes < 100_000


def test_the_book_holds_every_position_of_its_ply_once():
    states, scores = opening_book()
    game = load("connect-four")
    level = {0: game.states(1)[0]}
    for _ in range(positions.BOOK_PLY + 1):
        after = [game.after(state, move) for state in level.values() for move in game.legal_moves(state)]
        level = {int(search.key_of(s["own"], s["own"] | s["other"], s["placed"])): s for s in after}
    keys = [int(search.key_of(s["own"], s["own"] | s["other"], s["placed"])) for s in states]
    assert sorted(keys) == sorted(level)
    assert len(scores) == len(keys)


@pytest.mark.compiled
def test_the_book_says_what_bitbully_says():
    bitbully = pytest.importorskip("bitbully")
    pytest.importorskip("bitbully_databases")
    other = bitbully.BitBully(opening_book="12-ply-dist")
    for state, score in zip(*opening_book(), strict=True):
        moves = [[{".": 0, "X": 1, "O": 2}[s] for s in (rules.stone(state, c, r) for r in range(6))] for c in range(7)]
        board = bitbully.Board()
        assert board.reset_board(moves)
        assert max(other.score_all_moves(board).values()) == score


@pytest.mark.slow
@pytest.mark.compiled
def test_scores_of_the_book_are_found_again_without_it():
    states, scores = opening_book()
    at = np.arange(0, len(states), len(states) // 3)[:3]
    assert Solver(table_mb=256, book=False).scores_of(states[at], threads=2).tolist() == scores[at].tolist()


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "placed", "says"),
    [
        (0b1, 0b1, 2, "impossible: both players have a stone on one point"),
        (1 << 6, 1 << 7, 2, "impossible: a stone lies outside of the board"),
        (0b10, 1 << 7, 2, "impossible: a stone floats"),
        (0b1, 0b10, 3, "impossible: the players' stones do not fit the number of moves"),
        (0b111, 1 << 7, 4, "impossible: the players' stones do not fit the number of moves"),
        (0b1111, 0b1111 << 7, 8, "impossible: both players have four in a row"),
        (0b1111, 0b11 << 7 | 0b11 << 14, 8, "impossible: the player to move has four in a row already"),
        (0b111 << 7, 0b1111, 7, "over: the player who moved last has four in a row"),
    ],
)
def test_positions_that_cannot_be_or_are_over_are_refused(own, other, placed, says):
    states = np.array([(0, 0, 0), (own, other, placed)], STATE)
    with pytest.raises(GameError, match=f"the position is {says}"):
        Solver(1).score(states[1])
    with pytest.raises(GameError, match=f"the position of number 1 is {says}"):
        Solver(1).columns_of(states)


def test_a_full_board_is_over():
    text = "121212" + "212121" + "343434" + "434343" + "565656" + "656565" + "777777"
    with pytest.raises(GameError, match="over: the board is full"):
        Solver(1).score(positions.states_of([text])[0])


def test_a_table_of_no_size_is_refused():
    with pytest.raises(SparringError, match="the solver's table has 0 MiB, but it must be 1 to 65536"):
        Solver(0)


# --- parts -----------------------------------------------------------------------------------------------------------


def test_winning_points_complete_a_line_of_the_board_in_a_column_at_its_top():
    rng = seeded(3)
    for _ in range(200):
        stones = {(x, y) for x in range(7) for y in range(6) if draw_below(rng, 3) == 0}
        points = int(search.winning_points(np.uint64(sum(1 << 7 * x + y for x, y in stones))))
        found = {(x, y) for x in range(7) for y in range(6) if points >> 7 * x + y & 1}
        lines = [(line, p) for line in LINES for p in line if line[0][0] < line[3][0] or p == line[3]]
        expected = {p for line, p in lines if all(q in stones for q in line if q != p)}
        assert found == expected


def test_the_mirror_of_a_set_is_the_rules_own():
    mirrored = compiled(rules.mirrored)
    for state in random_states(20, 10, 30):
        assert search.mirror(state["own"]) == mirrored(state["own"])


def test_columns_that_win_by_two_threats_come_first_then_those_with_more_winning_points_then_the_centre():
    ranks = np.zeros(8, np.int64)
    own, mask = np.uint64(1 << 14 | 1 << 21), np.uint64(0b11 << 14 | 0b11 << 21)  # 3 and 4 of the lowest row
    search.rank_columns(ranks, own, mask, (mask + search.BOTTOM) & search.BOARD)
    order, rank = [], 1 << 40
    while (rank := search.next_rank(ranks, rank)) >= 0:
        order.append(search.column_of(rank) + 1)
    assert order == [5, 2, 6, 1, 4, 3, 7]
    assert [column + 1 for column in range(7) if ranks[column] >= 8 * search.WINNING] == [2, 5]


@pytest.mark.compiled
def test_the_bound_by_pairs_is_never_below_the_score():
    rng, bounds = seeded(5), []
    while len(bounds) < 100:
        heights = [2 * draw_below(rng, 4) for _ in range(7)]
        cells = [(x, y) for x in range(7) for y in range(heights[x])]
        order = [cells.pop(draw_below(rng, len(cells))) for _ in range(len(cells))]
        sides = [sum(1 << 7 * x + y for x, y in order[i::2]) for i in range(2)]
        state = np.array([(*sides, len(order))], STATE)
        mask = sum(sides)
        if len(order) < 20 or len(order) > 40 or any(search.winning_points(s) & s for s in state[0].tolist()[:2]):
            continue
        own = state[0]["own"]
        if search.wins_at_once(own, np.uint64(mask)):
            continue
        threats = search.winning_points(state[0]["other"]) & int(search.BOARD) & ~mask
        bound = int(search.most_by_pairs(own, np.uint64(mask), np.uint64(threats), len(order)))
        score = solver().score(state[0])
        assert bound >= score
        bounds.append(bound)
    assert {0, search.UNKNOWN} <= set(bounds)
    assert min(bounds) < 0


def test_the_table_keeps_what_took_most_work_and_what_came_last():
    work, table = kept()
    keys, bucket = [], None
    key = 0
    while len(keys) < 4:  # four keys of one bucket
        key += 1
        this = key * int(search.MIX) % (1 << 64) >> 55
        bucket = this if bucket is None else bucket
        if this == bucket:
            keys.append(np.uint64(key))
    for key, least, effort in zip(keys[:3], (-21, 0, 21), (5, 2, 1), strict=True):
        search.store(work, table, key, least, 21, np.uint64(effort))
    words = [int(search.probe(work, table, key)) for key in keys]
    assert [bool(word) for word in words] == [True, False, True, False]
    assert [(word >> 49 & 63) - 32 for word in words if word] == [-21, 21]
    for key in keys[:2]:
        search.store(work, table, key, 0, 0, search.FOREVER)
    search.store(work, table, keys[3], 0, 0, np.uint64(6))
    assert [bool(int(search.probe(work, table, key))) for key in keys] == [True, True, False, False]


def test_interpreted_the_kernels_find_the_same():
    plain = interpreted({"solve": search.solve})["solve"]
    work, _ = kept()
    table, states = np.zeros(1 << 10, search.ENTRY), random_states(3, 35, 38)
    scores = np.full(3, search.UNKNOWN, np.int8)
    work["low"], work["ply"] = 1, -1
    with np.errstate(over="ignore"):
        assert plain(work, table[0], states, scores, 1 << 40)
    assert scores.tolist() == solver().scores_of(states).tolist()


# --- sets of positions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*positions.PUBLIC, positions.SELECTION])
def test_sets_hold_positions_that_go_on_with_a_score_for_each_free_column(name):
    truth, game = positions.truth(name), load("connect-four")
    assert len(truth.states) == (2000 if name == positions.SELECTION else 1000)
    assert truth.scores.shape == (len(truth.states), 7)
    np.testing.assert_array_equal(truth.plies, truth.states["placed"])
    for state, scores in zip(truth.states[::50], truth.scores[::50], strict=True):
        assert game.legal_moves(state) == [column for column in range(7) if scores[column] != NO_MOVE]


def test_the_selection_is_apart_from_the_public_positions_and_seldom_has_a_win_at_once():
    truth = positions.truth(positions.SELECTION)
    assert set(truth.plies.tolist()) == set(range(6, 35))
    keys = {name: set(keys_of(positions.truth(name))) for name in (*positions.PUBLIC, positions.SELECTION)}
    assert len(keys[positions.SELECTION]) == len(truth.states)
    assert not any(keys[positions.SELECTION] & keys[name] for name in positions.PUBLIC)
    won = truth.scores.max(axis=1) == (43 - truth.plies) // 2
    assert 0 < won.mean() <= 0.2
    assert ((truth.scores != NO_MOVE).sum(axis=1) > 1).all()


@pytest.mark.compiled
def test_scores_of_the_selection_are_found_again():
    truth = positions.truth(positions.SELECTION)
    late = truth.plies > 17
    np.testing.assert_array_equal(solver().columns_of(truth.states[late]), truth.scores[late])


def keys_of(truth):
    """Alike for mirror images."""
    return [int(search.key_of(s["own"], s["own"] | s["other"], 0)) for s in truth.states]


def test_a_part_of_a_set_is_spread_evenly_over_it():
    truth = positions.truth("L3_R1")
    assert truth.part(None) is truth.part(1000) is truth.part(5000) is truth
    np.testing.assert_array_equal(truth.part(10).states, truth.states[::100])


def test_a_set_that_does_not_exist_is_told():
    with pytest.raises(SparringError, match=r"no set 'L1_R9' of positions. Did you mean 'L1_R2'"):
        positions.truth("L1_R9")


def test_positions_and_scores_are_read_as_they_are_written():
    texts = ["", "4444", "1212121"[:6]]
    scores = np.array([[NO_MOVE, -2, 0, 1, 18, -18, 3]] * 3, np.int8)
    read = positions.read("name", ["# a comment", *positions.write(texts, scores).splitlines()[1:]])
    np.testing.assert_array_equal(read.scores, scores[1:])
    game = load("connect-four")
    assert game.draw(read.states[0]) == game.draw(game.after(game.states(1)[0], 3, 3, 3, 3))
    assert read.plies.tolist() == [4, 6]


def test_only_the_packages_own_games_have_a_truth(tmp_path):
    assert known() == "connect-four"
    assert truth_for(load("connect-four")) is positions
    assert truth_for(load("tic-tac-toe")) is None
    path = tmp_path / "connect_four.py"
    path.write_text(load("connect-four").path.read_text())
    assert truth_for(load(str(path))) is None


def test_scores_are_told_in_stones():
    told = [positions.told(score, 0, ("X", "O")) for score in (18, 1, 0, -1, -19)]
    assert told == [
        "X wins with its 4th stone",
        "X wins with its 21st stone",
        "draw",
        *("O wins with its 21st stone", "O wins with its 3rd stone"),
    ]


def test_the_book_is_in_the_package():
    assert BOOK.is_file()
