"""Random games and perft: draws by repetition and by the limit, decisions and rolls, slices."""

import numpy as np
import pytest

from sparring.games import walk as unbound
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.walk import count_lines
from sparring.rng import seeded

SHUTTLE = """
import numpy as np

STATE = np.dtype([("place", "i1"), ("turn", "i1"), ("quiet", "i2")])
MOVES = 1
{constants}


def start(state):
    state["place"] = 0


def mover(state):
    return state["turn"]


def legal(state, moves):
    moves[0] = 0
    return 1


def play(state, move):
    state["place"] = 1 - state["place"]
    state["turn"] = 1 - state["turn"]
    state["quiet"] += 1


def result(state):
    return -1


def key(state):
    return np.uint64(state["place"])


def quiet(state):
    return {quiet}
"""


@pytest.fixture
def shuttle(tmp_path, monkeypatch):
    """Makes a game in which a piece goes to and fro for ever."""
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path / "cache"))

    def make(constants, quiet="int(state['quiet'])"):
        path = tmp_path / "shuttle.py"
        path.write_text(SHUTTLE.format(constants=constants, quiet=quiet))
        return load(str(path))

    return make


def one_game(game, most=50):
    """(the end, the number of moves) of a random game."""
    moves, probabilities = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    keys = np.zeros(most + 1, np.uint64)
    return game.bind("games.walk").random_game(game.states()[0], moves, probabilities, seeded(1), keys, most)


@pytest.mark.parametrize(("times", "moves"), [(2, 2), (3, 4)])
def test_a_game_is_drawn_when_a_position_occurs_for_that_time(shuttle, times, moves):
    assert one_game(shuttle(f"REPETITION = {times}")) == (unbound.DRAWN, moves)


def test_repetition_is_not_looked_for_before_the_last_move_that_cannot_be_undone(shuttle):
    assert one_game(shuttle("REPETITION = 3", quiet="1")) == (ONGOING, 50)


def test_a_game_is_drawn_at_the_limit(shuttle):
    assert one_game(shuttle("LIMIT = 30")) == (unbound.DRAWN, 30)


def test_a_game_without_end_is_left_after_the_moves_that_were_asked_for(shuttle):
    assert one_game(shuttle("")) == (ONGOING, 50)


def test_occurrences_are_counted_within_reach():
    keys = np.array([5, 7, 5, 7, 5], np.uint64)
    assert [unbound.occurrences(keys, 4, reach) for reach in range(6)] == [0, 0, 1, 1, 2, 2]


def test_a_line_of_no_moves_is_one_line():
    game = load("tic-tac-toe")
    assert count_lines(game, game.states()[0], 0) == 1


def test_a_finished_game_has_no_lines():
    game = load("tic-tac-toe")
    over = game.after(game.states()[0], 0, 3, 1, 4, 2)
    assert game.result(over) == 2
    assert count_lines(game, over, 1) == 0


def test_counting_in_small_slices_gives_the_same():
    game = load("tic-tac-toe")
    plies, probabilities = np.zeros(5, unbound.plies_dtype(game)), np.zeros(game.MOST_MOVES)
    plies[0]["state"], plies[0]["next"] = game.states()[0], -1
    perft = game.bind("games.walk").perft
    lines = calls = 0
    while calls == 0 or plies[4]["next"] >= 0:
        lines += perft(plies, probabilities, 4, False, 10)
        calls += 1
    assert lines == 9 * 8 * 7 * 6
    assert calls > 20


def test_the_outcomes_of_chance_are_lines_too():
    game = load("pig")
    assert [count_lines(game, game.states()[0], depth) for depth in (1, 2, 3)] == [1, 6, 1 + 5 * 2]


def test_random_plies_count_decisions_and_never_stop_at_a_roll():
    game = load("pig")
    moves, probabilities = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    random_plies = game.bind("games.walk").random_plies
    rng = seeded(6)
    for plies in (1, 2, 5, 10):
        state = game.states()[0]
        assert random_plies(state, plies, moves, probabilities, rng) == plies
        assert game.mover(state) != CHANCE
    state = game.states()[0]
    assert random_plies(state, 100_000, moves, probabilities, rng) < 100_000
    assert game.result(state) != ONGOING


def test_random_games_of_a_seed_are_the_same_every_time():
    game = load("connect-four")
    moves, probabilities = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    random_games = game.bind("games.walk").random_games
    runs = []
    for _ in range(2):
        states, lengths, ends = game.states(10), np.zeros(10, np.int64), np.zeros(10, np.int64)
        total = random_games(states, moves, probabilities, seeded(8), np.zeros(43, np.uint64), 42, lengths, ends)
        assert total == lengths.sum()
        assert [game.result(state) for state in states] == ends.tolist()
        runs.append((states.tobytes(), lengths.tolist(), ends.tolist()))
    assert runs[0] == runs[1]
    assert len(set(runs[0][1])) > 1
