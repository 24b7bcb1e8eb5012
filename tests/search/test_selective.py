"""A selective search leaves out what cannot matter: mates stay exact, tactics are found, chess is searched deep."""

import numpy as np
import pytest
from epd import known
from minimax import Minimax

from sparring.errors import PlayerError
from sparring.games.game import load
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher, skills_without
from sparring.search.selective import ALL_SKILLS, BITS, LESS, SKILLS
from sparring.search.table import data_of, depth_in, move_in, new_table, score_in, write_entry

OPEN = "r1bq1rk1/ppp1nppp/2n1p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQ1RK1 w - - 0 9"
ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"


@pytest.fixture(scope="module")
def chess():
    return load("chess")


def at(game, fen):
    return np.array([game.module.position(fen)], game.STATE)[0]


def searcher(game, **options):
    return Searcher(game, judging.by_rules(game, "material"), 1 << 18, **options)


# --- chess ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_every_mate_in_one_to_four_is_found_and_its_length_is_exact(chess):
    """At 16 plies."""
    search = searcher(chess)
    for case in known("mates.epd", chess):
        search.begin_game()
        found = search.think(case.state, Limits(depth=16))
        assert found.lines[0].end == 2 * case.mate - 1, case.name


@pytest.mark.compiled
def test_the_winning_moves_of_win_at_chess_are_found(chess):
    """In 300 000 positions each: all of the first sixty but those few that want a deeper search."""
    search = searcher(chess)
    missed = []
    for case in known("wac.epd", chess):
        search.begin_game()
        move = search.think(case.state, Limits(nodes=300_000)).move
        if chess.move_name(case.state, move).rstrip("+#") not in case.best:
            missed.append(case.name)
    assert len(missed) <= 5, missed


@pytest.mark.compiled
@pytest.mark.parametrize("fen", [OPEN, ENDING])
def test_with_exact_nothing_is_left_out(chess, fen):
    """The score of every move is that of plain minimax."""
    state, search = at(chess, fen), searcher(chess)
    for depth in (1, 2):
        found = search.think(state, Limits(depth=depth), lines=300, exact=True, quiescence=False)
        plain = Minimax(chess, search.judge).of_moves(state, depth)
        assert {line.moves[0]: line.score for line in found.lines} == plain


@pytest.mark.compiled
def test_each_technique_spares_positions_or_finds_more(chess):
    """Without any of them the tree is another one, and without all of them far larger."""
    state = at(chess, OPEN)
    sizes = {
        name: searcher(chess, skills=skills_without([name])).think(state, Limits(depth=9)).nodes for name in SKILLS
    }
    whole = searcher(chess).think(state, Limits(depth=9)).nodes
    assert all(nodes != whole for nodes in sizes.values()), sizes
    assert searcher(chess, skills=0).think(state, Limits(depth=6)).nodes > whole


@pytest.mark.compiled
def test_the_same_search_visits_the_same_positions(chess):
    state = at(chess, OPEN)
    first, second = (searcher(chess).think(state, Limits(nodes=50_000)) for _ in range(2))
    assert first == second and first.nodes == pytest.approx(50_000, abs=40)
    assert first.deepest > first.depth > 5 and 0 < first.full < 1


@pytest.mark.compiled
def test_several_threads_share_a_table_and_agree_on_mates(chess):
    search = searcher(chess, threads=3)
    for case in known("mates.epd", chess)[:20]:
        search.begin_game()
        found = search.think(case.state, Limits(depth=14))
        assert found.lines[0].end == 2 * case.mate - 1, case.name


@pytest.mark.compiled
def test_only_the_moves_asked_for_are_looked_at(chess):
    state = at(chess, OPEN)
    moves = [chess.parse_move(state, name) for name in ("a3", "h3")]
    found = searcher(chess).think(state, Limits(depth=5), moves=moves, lines=5)
    assert sorted(line.moves[0] for line in found.lines) == sorted(moves)


@pytest.mark.compiled
def test_every_iteration_is_told(chess):
    told = []
    found = searcher(chess).think(at(chess, OPEN), Limits(depth=6), tell=told.append)
    assert [thought.depth for thought in told] == [1, 2, 3, 4, 5, 6] and told[-1] == found
    assert [thought.nodes for thought in told] == sorted({thought.nodes for thought in told})


@pytest.mark.compiled
def test_no_iteration_begins_after_a_soft_limit(chess):
    state, every = at(chess, OPEN), []
    searcher(chess).think(state, Limits(depth=8), tell=every.append)
    middle = every[4].nodes
    found = searcher(chess).think(state, Limits(soft_nodes=middle))
    assert (found.depth, found.nodes) == (5, middle)
    assert searcher(chess).think(state, Limits(soft_nodes=middle + 1)).depth == 6
    assert searcher(chess).think(state, Limits(soft_ms=1e-9)).depth == 1


@pytest.mark.compiled
def test_an_expected_result_is_what_centipawns_stand_for(chess):
    """2 / (1 + 10 ** (-cp / 400 / ln 10)) - 1, and 1 for a forced mate."""
    state = at(chess, "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1")
    line = searcher(chess).think(state, Limits(depth=1)).lines[0]
    assert line.score == 20_000 and line.value == pytest.approx(2 / (1 + np.exp(-200 / 400)) - 1)
    assert searcher(chess).think(known("mates.epd", chess)[0].state, Limits(depth=3)).lines[0].value == 1


# --- what it is made of --------------------------------------------------------------------------------------------


def test_an_unknown_technique_is_named():
    with pytest.raises(PlayerError) as fault:
        skills_without(["nul"])
    assert "no technique 'nul' to do without. Did you mean 'null'?" in str(fault.value)
    assert skills_without([]) == ALL_SKILLS and skills_without(SKILLS) == 0
    assert skills_without(["null", "late"]) == ALL_SKILLS & ~BITS["null"] & ~BITS["late"]


def test_later_and_deeper_moves_are_reduced_more():
    assert (np.diff(LESS[1:, 1:], axis=0) >= 0).all() and (np.diff(LESS[1:, 1:], axis=1) >= 0).all()
    assert LESS[3, 3] == 1 and LESS[20, 30] == 5


@pytest.mark.parametrize("score", [-1_010_000, -1, 0, 1, 1_009_999])
@pytest.mark.parametrize(("move", "depth"), [(0, 0), (65535, 100), (1234, 7)])
def test_an_entry_of_the_table_holds_what_was_written(score, move, depth):
    entry = new_table(16)[3]
    hashed = np.uint64(0x9876543210FEDCBA)
    write_entry(entry, hashed, 31, depth, score, 2, np.int64(move))
    data = data_of(entry, hashed)
    assert (score_in(data), move_in(data), depth_in(data), data >> 56 & 3, data >> 58) == (score, move, depth, 2, 31)
    assert data_of(entry, hashed + np.uint64(1)) == 0


def test_half_an_entry_of_one_thread_and_half_of_another_is_nothing():
    entries, hashed = new_table(16), np.uint64(0x123456789ABCDEF)
    write_entry(entries[0], hashed, 1, 5, 100, 0, np.int64(3))
    write_entry(entries[1], hashed, 1, 6, 200, 0, np.int64(4))
    entries[0]["data"] = entries[1]["data"]
    assert data_of(entries[0], hashed) == 0
