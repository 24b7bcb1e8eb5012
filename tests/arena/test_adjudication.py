"""Matches whose games end where the players' scores leave no doubt."""

import pathlib
import re

import pytest

from sparring.arena.match import play_pairs
from sparring.arena.player import Entry, parse_player
from sparring.arena.under_way import Terms
from sparring.errors import MatchError
from sparring.games.game import load

LENGTH = 120


class Sayer:
    """Takes one from the heap each time, so that player 1 wins after LENGTH moves, and says what it is told to.

    says(ply): the score as player 0 sees it, or None.
    """

    lanes = 64

    def __init__(self, game, says):
        self.game, self.says, self.scores = game, says, []

    def begin(self, lane):
        pass

    def choose(self, batch):
        signs = [1 - 2 * int(self.game.mover(state)) for state in batch.states]
        said = [self.says(ply) for ply in batch.plies]
        self.scores = [None if score is None else sign * score for sign, score in zip(signs, said, strict=True)]
        return [0] * len(batch.states)

    def stop(self):
        pass


@pytest.fixture(scope="module")
def heap(tmp_path_factory):
    """Nim with a heap of LENGTH, whose judgements are said to be log odds."""
    rules = (pathlib.Path(__file__).parents[1] / "data" / "nim.py").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("rules") / "heap.py"
    path.write_text(
        rules.replace("SIZE = 13", f"SIZE = {LENGTH}\nODDS = 12.5").replace("1 + seed % np.uint64(SIZE)", "SIZE"),
        encoding="utf-8",
    )
    return load(str(path))


def played(game, a, b=None, **terms):
    """Both games of a pair between players who say that; of each its moves, points for the first, who ended it."""
    one, two = (Entry("", "", lambda says=says: Sayer(game, says), scores=True) for says in (a, b or a))
    given = {"opening": 0, "seed": 1, "threads": 1, "adjudicate": True, **terms}
    (pair,) = play_pairs(game, one, two, [0], **given)
    return [(len(record.moves), record.points, record.adjudicated) for record in pair.games]


def after(ply, score, before=100):
    return lambda n: score if n >= ply else before


@pytest.mark.parametrize("ply", [0, 1, 2, 37])
def test_who_both_players_say_is_far_ahead_for_eight_moves_on_end_has_won(heap, ply):
    assert played(heap, after(ply, 1000)) == [(ply + 8, 1.0, True), (ply + 8, 0.0, True)]
    assert played(heap, after(ply, -1000)) == [(ply + 8, 0.0, True), (ply + 8, 1.0, True)]


def test_both_must_say_so_four_times_on_end(heap):
    assert played(heap, after(0, 5000), after(0, 999)) == [(LENGTH, 0.0, False), (LENGTH, 1.0, False)]
    assert played(heap, after(0, 5000), after(0, -5000)) == [(LENGTH, 0.0, False), (LENGTH, 1.0, False)]
    assert played(heap, after(0, 5000), after(20, 5000)) == [(28, 1.0, True), (27, 0.0, True)]


def test_a_move_without_a_score_begins_the_count_anew(heap):
    silent = lambda n: None if n == 6 else 1000  # noqa: E731
    assert played(heap, silent) == [(7 + 8, 1.0, True), (7 + 8, 0.0, True)]
    assert played(heap, lambda n: None) == [(LENGTH, 0.0, False), (LENGTH, 1.0, False)]


@pytest.mark.parametrize(("ply", "moves"), [(0, 92), (79, 92), (80, 92), (81, 93), (95, 107)])
def test_level_scores_of_both_for_twelve_moves_on_end_from_move_eighty_on_are_a_draw(heap, ply, moves):
    for level in (0, 10, -10):
        assert played(heap, after(ply, level)) == [(moves, 0.5, True)] * 2
    assert played(heap, after(ply, 11)) == [(LENGTH, 0.0, False), (LENGTH, 1.0, False)]


def test_what_the_rules_say_counts_before_what_the_players_say(heap):
    assert played(heap, after(LENGTH - 8, 1000)) == [(LENGTH, 0.0, False), (LENGTH, 1.0, False)]
    assert played(heap, after(LENGTH - 9, 1000)) == [(LENGTH - 1, 1.0, True), (LENGTH - 1, 0.0, True)]


def test_random_moves_at_the_start_count_as_moves_and_say_nothing(heap):
    records = played(heap, after(0, 1000), opening=5)
    assert [moves for moves, *_ in records] == [13, 13]


def test_without_it_scores_end_nothing(heap):
    assert played(heap, after(0, 5000), adjudicate=False) == [(LENGTH, 0.0, False), (LENGTH, 1.0, False)]


# --- what it is not for ----------------------------------------------------------------------------------------------


def refused(game, a, b, says):
    entries = [parse_player(text, game) for text in (a, b)]
    with pytest.raises(MatchError, match=re.escape(says)):
        list(play_pairs(game, *entries, [0], opening=0, seed=1, threads=1, adjudicate=True))


def test_players_that_tell_no_scores_are_refused_by_name():
    says = "adjudicate needs players that tell scores (alphabeta, greedy and uci); random tells none"
    for players in (("greedy", "random"), ("random", "greedy")):
        refused(load("chess"), *players, says)


def test_games_whose_judgements_are_expected_results_are_refused():
    says = "adjudicate needs a game whose judgements are log odds (ODDS); tic_tac_toe has no ODDS"
    refused(load("tic-tac-toe"), "greedy", "alphabeta:depth=2", says)


@pytest.mark.parametrize("stakes", [{"points": 3}, {"cube": True}])
def test_it_goes_without_the_cube(stakes):
    with pytest.raises(MatchError, match="adjudicate is for single games without the cube"):
        Terms(adjudicate=True, **stakes)
