"""Self-play over whole turns: what it learns from are positions after turns, with TD(λ) targets of every result."""

import numpy as np
import pytest

from sparring.games.contract import ONGOING
from sparring.games.game import Game, load
from sparring.learn.turn_play import TurnPlay
from sparring.nets.mlp import new_net

RESULTS = 3


@pytest.fixture(scope="module")
def game() -> Game:
    return load("pig")


def play(game: Game, threads: int = 1, seed: int = 3, explore: float = 0.2, longest: int = 3000):
    net = new_net(game, (8,), "results", 3.0, 1, "leaky")
    return TurnPlay(game, net, threads, longest).play(net, 4, (seed,), 0.6, explore)


@pytest.mark.compiled
def test_a_game_is_the_same_whichever_thread_plays_it(game):
    one, two = play(game, 1), play(game, 2)
    for name in ("states", "eyes", "targets", "ends"):
        assert np.array_equal(getattr(one.rows, name), getattr(two.rows, name)), name
    assert not np.array_equal(one.rows.targets, play(game, seed=4).rows.targets)


@pytest.mark.compiled
def test_rows_are_positions_after_turns_and_the_last_of_a_game_has_its_result(game):
    played = play(game)
    rows = played.rows
    over = np.flatnonzero([game.result(state) != ONGOING for state in rows.states])
    assert len(over) == len(played.ends) == 4
    for at in over:
        wanted = np.zeros(2)
        wanted[rows.ends[at]] = 1
        assert np.array_equal(rows.targets[at], wanted)
        assert rows.ends[at] == 1, "in Pig one wins by one's own turn"
    np.testing.assert_allclose(rows.targets.sum(1), 1, atol=1e-5)


@pytest.mark.compiled
def test_where_nets_look_through_one_players_eyes_so_do_the_targets(game, tmp_path):
    file = tmp_path / "one_eyed.py"
    file.write_text(f"{game.path.read_text()}\nVIEWER = 1\n")
    rows = play(load(str(file))).rows
    assert (rows.eyes == 1).all()
    ends = [(int(game.result(state)), target.tolist()) for state, target in zip(rows.states, rows.targets, strict=True)]
    won = [(end, target) for end, target in ends if end != ONGOING]
    assert {end for end, _ in won} == {0, 1}, "four games are enough for both to win one"
    assert all(target == [end == 1, end == 0] for end, target in won), "what player 0 wins, the viewer loses"


def slow_targets(end: int, players: list[int], verdicts: np.ndarray, loose: list[int], trace: float) -> np.ndarray:
    """Each position's target, straight from the definition, as player 0 sees RESULTS; then turned."""
    own = [v if who == 0 else v[::-1] for v, who in zip(verdicts, players, strict=True)]
    n, found = len(players), []
    for t in range(n):
        target, weight = np.zeros(RESULTS), 1.0
        for later in range(t + 1, n):
            carried = 0.0 if loose[later] else trace
            target += weight * (1 - carried) * own[later]
            weight *= carried
        target[end] += weight
        found.append(target if players[t] == 0 else target[::-1])
    return np.array(found)


def test_targets_are_those_of_the_definition(game):
    kernels = game.bind("learn.turn_play", ENDS=RESULTS)
    rng = np.random.default_rng(1)
    for case in range(20):
        n, end = int(rng.integers(1, 9)), int(rng.integers(RESULTS))
        players = rng.integers(0, 2, n).astype(np.uint8)
        verdicts = rng.dirichlet(np.ones(RESULTS), n).astype(np.float32)
        loose = (rng.random(n) < 0.3).astype(np.uint8)
        targets = np.zeros((n, RESULTS), np.float32)
        kernels.label(end, n, players, verdicts, loose, case / 20, targets)
        wanted = slow_targets(end, list(players), verdicts, list(loose), case / 20)
        np.testing.assert_allclose(targets, wanted, atol=1e-5)


@pytest.mark.compiled
def test_games_that_are_cut_off_are_not_learned_from(game):
    played = play(game, longest=20)
    assert (played.ends == ONGOING).all()
    assert len(played.rows) == 0
