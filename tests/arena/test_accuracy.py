"""Shares of ideal and sound moves, of blunders and of wrong value classes, where the truth is known."""

from types import SimpleNamespace

import numpy as np
import pytest

from sparring.arena import accuracy
from sparring.arena.accuracy import Tally, mean, measure, own_games, positions_of
from sparring.arena.player import Entry, parse_player
from sparring.arena.yardsticks import NO_MOVE, Truth
from sparring.arena.yardsticks import connect_four as known
from sparring.errors import MatchError
from sparring.games.connect_four import STATE
from sparring.games.game import load
from sparring.intervals import wilson


@pytest.fixture(scope="module")
def game():
    return load("connect-four")


@pytest.fixture(scope="module")
def endings():
    return known.truth("L3_R1").part(200)


class Knowing:
    """Chooses by the truth: `choose(scores)` names the column. Notes what it was shown."""

    def __init__(self, truth, choose, lanes=7):
        self.truth, self.choice, self.lanes = truth, choose, lanes
        self.at = {state.tobytes(): i for i, state in enumerate(truth.states)}
        self.begun, self.batches = [], []

    def begin(self, lane):
        self.begun.append(lane)

    def choose(self, batch):
        self.batches.append(batch)
        return [self.choice(self.truth.scores[self.at[state.tobytes()]]) for state in batch.states]

    def stop(self):
        pass


class Opinionated(Knowing):
    """Tells chances too."""

    def __init__(self, truth, choose, outcome):
        super().__init__(truth, choose)
        self.outcome = outcome

    def opinions(self, batch):
        return [SimpleNamespace(move=move, outcome=np.array(self.outcome)) for move in self.choose(batch)]


def best(scores):
    return int(scores.argmax())


def worst(scores):
    return int(np.where(scores == NO_MOVE, 127, scores).argmin())


def truth_of(*rows):
    """Positions without meaning that have these scores of their columns, `None` for a full one."""
    scores = np.array([[NO_MOVE if score is None else score for score in row] for row in rows], np.int8)
    states = np.zeros(len(rows), STATE)
    states["placed"] = np.arange(len(rows))
    return Truth("made up", states, scores, np.zeros(len(rows), np.int64))


def test_the_perfect_player_is_ideal_everywhere(game, endings):
    shares = measure(lambda: Knowing(endings, best), game, endings).shares
    assert (shares["ideal"].share, shares["sound"].share, shares["blunder"].share) == (1, 1, 0)
    assert shares["value_class_error"] is None


def test_each_choice_is_counted_as_what_it_is(game):
    rows = [
        [5, 3, 0, -2, None, None, None],  # a slower win is sound
        [5, 3, 0, -2, None, None, None],  # a draw instead of a win is a blunder
        [-1, -9, None, None, None, None, None],  # to lose sooner is sound
        [0, 0, -1, None, None, None, None],  # one of two best moves is ideal
        [-4, None, None, None, None, None, None],  # the only move says nothing
    ]
    truth, choice = truth_of(*rows), iter([1, 2, 1, 1, 0])
    found = measure(lambda: Knowing(truth, lambda scores: next(choice), lanes=1), game, truth)
    assert (found.positions, found.choices, found.ideal, found.sound) == (5, 4, 1, 3)
    assert found.shares["blunder"].count == 1


def test_shares_have_wilsons_interval(game, endings):
    share = measure(lambda: Knowing(endings, worst), game, endings).shares["ideal"]
    assert 0 < share.share < 1
    assert share.interval == wilson(share.count, share.of)


@pytest.mark.parametrize(
    ("outcome", "misjudged"),
    [((0.6, 0.3, 0.1), 2), ((0.1, 0.3, 0.6), 2), ((0.2, 0.5, 0.3), 2)],
    ids=["loss", "win", "draw"],
)
def test_the_likeliest_class_counts_even_where_there_is_one_move(game, outcome, misjudged):
    truth = truth_of([4, -1, None, None, None, None, None], [0] + [None] * 6, [-3, -5, None, None, None, None, None])
    found = measure(lambda: Opinionated(truth, best, outcome), game, truth)
    assert (found.judged, found.misjudged, found.choices) == (3, misjudged, 2)


def test_chances_of_several_results_of_a_class_add_up(game):
    graded = SimpleNamespace(RESULTS=(-2.0, -1.0, 0.0, 1.0, 2.0))
    truth = truth_of([4, -1, None, None, None, None, None])
    found = measure(lambda: Opinionated(truth, best, (0.0, 0.1, 0.4, 0.25, 0.25)), graded, truth)
    assert found.misjudged == 0


def test_positions_come_in_batches_of_the_players_lanes(game, endings):
    player = Knowing(endings, best)
    measure(lambda: player, game, endings)
    sizes = [len(batch.states) for batch in player.batches]
    assert sizes == [7] * 28 + [4]
    assert player.begun == [lane for size in sizes for lane in range(size)]
    assert all(batch.lanes == list(range(len(batch.states))) for batch in player.batches)
    assert [ply for batch in player.batches for ply in batch.plies] == endings.plies.tolist()
    seeds = np.concatenate([batch.seeds for batch in player.batches])
    assert len(set(seeds.tolist())) == len(endings.states)
    assert seeds.min() > 0


@pytest.mark.parametrize("spec", ["random", "alphabeta:depth=1"])
def test_it_depends_on_the_seed_and_not_on_threads(game, endings, spec):
    entry, truth = parse_player(spec, game), endings.part(40)
    one = measure(entry.make, game, truth, seed=3)
    assert measure(entry.make, game, truth, seed=3, threads=3) == one
    assert {measure(entry.make, game, truth, seed=seed).ideal for seed in range(4, 12)} != {one.ideal}


def test_a_limit_asks_about_an_even_part(game, endings):
    player = Knowing(endings, best)
    found = measure(lambda: player, game, endings, limit=20)
    assert found.positions == 20
    shown = np.concatenate([batch.states for batch in player.batches])
    np.testing.assert_array_equal(shown, endings.states[::10])


def test_a_move_that_is_not_legal_is_told(game, endings):
    full = lambda scores: int((scores == NO_MOVE).argmax())  # noqa: E731
    with pytest.raises(MatchError, match=r"chose move \d in position \d+ of L3_R1, where it is not legal"):
        measure(lambda: Knowing(endings, full), game, endings)


def test_a_fault_of_a_player_on_a_thread_comes_through(game, endings):
    def fail(scores):
        raise MatchError("no idea")

    with pytest.raises(MatchError, match="no idea"):
        measure(lambda: Knowing(endings, fail), game, endings, threads=2)


def test_numbers_that_make_no_sense_are_refused(game, endings):
    for more in ({"limit": 0}, {"threads": 0}):
        with pytest.raises(MatchError, match="both must be at least 1"):
            measure(lambda: Knowing(endings, best), game, endings, **more)


def test_every_set_counts_alike_in_the_mean():
    tallies = [Tally("a", 10, 10, 5, 10, 10, 1), Tally("b", 1000, 1000, 1000, 1000, 0, 0)]
    assert mean(tallies) == {"ideal": 0.75, "sound": 1.0, "blunder": 0.0, "value_class_error": None}


# --- own games -------------------------------------------------------------------------------------------------------


def test_positions_of_games_are_those_after_the_opening_in_which_somebody_moved(game):
    states, plies = positions_of(game, [(3, 3, 0, 1), (0, 0, 1)])
    assert plies.tolist() == [2, 3, 2]
    expected = known.states_of(["44", "441", "11"])
    np.testing.assert_array_equal(states, expected)


class Falling:
    """Solves nothing: the leftmost free column is best."""

    FIRST_PLY = 5

    class Solver:
        """As the real one is called."""

        def columns_of(self, states, threads, tell):
            game = load("connect-four")
            scores = np.full((len(states), 7), NO_MOVE, np.int8)
            for i, state in enumerate(states):
                legal = game.legal_moves(state)
                scores[i, legal] = -1
                scores[i, legal[0]] = 1
            if tell:
                tell(len(states))
            return scores


class Leftmost:
    """Plays the leftmost free column."""

    lanes = 3

    def begin(self, lane):
        pass

    def choose(self, batch):
        return [load("connect-four").legal_moves(state)[0] for state in batch.states]

    def stop(self):
        pass


def test_own_games_are_measured_from_the_first_ply_that_is_solved_in_time(game):
    told = []
    entry = Entry("leftmost", "", Leftmost)
    found = own_games(entry, game, Falling, games=6, tell=lambda done, of: told.append((done, of)))
    assert found.name == accuracy.OWN
    assert found.early == 6 * 3  # plies 2, 3 and 4
    assert found.positions > 6
    assert found.ideal == found.sound == found.choices
    assert told[-1][0] == told[-1][1] <= found.positions


@pytest.mark.compiled
def test_own_games_are_solved_by_the_perfect_player(game):
    late = SimpleNamespace(FIRST_PLY=20, Solver=known.Solver)
    entry = parse_player("random", game)
    one = own_games(entry, game, late, games=8, seed=2)
    assert one == own_games(entry, game, late, games=8, seed=2, threads=2)
    assert 0 < one.ideal < one.sound <= one.choices <= one.positions
