"""Rollouts: they are unbiased, their errors are right, and with the luck taken out they are smaller."""

import numpy as np
import pytest
from slow_turns import judged, looked, some_net

from sparring.errors import PlayerError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game, load
from sparring.games.walk import random_positions
from sparring.nets.weights import Net
from sparring.search.expectimax import ROOT
from sparring.search.rollouts import Rollouts, spread
from sparring.search.turns import Turns, points_for


def fair_net(game: Game) -> Net:
    """A net that knows Pig: who has more is ahead."""
    weights = np.array([[-20, 20], [20, -20], [-20, 20], [20, -20]], np.float32)
    return Net("pig", game.FEATURES_VERSION, "results", ((weights, np.zeros(2, np.float32)),))


def exact_chance(game: Game, net: Net, start: np.void) -> float:
    """Of player 0 to win if both take the turns that the net likes best: solved over all positions that may come."""
    after: dict[bytes, list[tuple[bytes, float]]] = {}
    waiting, won = [start], {}
    while waiting:
        state = waiting.pop()
        if state.tobytes() in after:
            continue
        if game.result(state) != ONGOING:
            won[state.tobytes()] = float(game.result(state))
            follow = []
        elif game.mover(state) == CHANCE:
            follow = [(game.after(state, face), 1 / 6) for face in range(1, 7)]
        else:
            who = int(game.mover(state))
            best = max(Turns(game).of(state), key=lambda t: judged(game, net, t.state, who) @ points_for(game, who))
            follow = [(best.state, 1.0)]
        after[state.tobytes()] = [(s.tobytes(), p) for s, p in follow]
        waiting += [s for s, _ in follow]
    order = {key: i for i, key in enumerate(after)}
    matrix, right = np.eye(len(order)), np.zeros(len(order))
    for key, follow in after.items():
        right[order[key]] = won.get(key, 0.0)
        for other, p in follow:
            matrix[order[key], order[other]] -= p
    return float(np.linalg.solve(matrix, right)[order[start.tobytes()]])


@pytest.fixture(scope="module")
def late() -> tuple[Game, np.void]:
    """A position of Pig that can be solved."""
    game = load("pig")
    state = game.states(1)[0]
    state["score"], state["gathered"], state["turn"], state["rolling"] = (95, 94), 0, 0, 1
    return game, state


@pytest.mark.compiled
@pytest.mark.parametrize("eyes", [0, 1])
def test_the_mean_is_the_exact_chance_with_the_luck_and_without_it_but_then_surer(late, eyes):
    game, state = late
    net = fair_net(game)
    exact = exact_chance(game, net, state)
    fair, lucky = (Rollouts(game, net).run(state, eyes, 4000, luck=luck) for luck in (False, True))
    for rolled in (fair, lucky):
        assert rolled.chances.sum() == pytest.approx(1, abs=1e-5)
        assert rolled.equity == pytest.approx(rolled.chances @ [-1, 1])
        error = rolled.chances[1] - (exact if eyes == 0 else 1 - exact)
        assert abs(error) < 3 * rolled.errors[1] < 0.05
        assert rolled.error == pytest.approx(2 * rolled.errors[1])
    assert fair.error < 0.6 * lucky.error
    assert set(np.unique(lucky.samples)) == {0.0, 1.0}


@pytest.mark.parametrize("plies", [0, 1])
def test_one_turn_over_all_rolls_is_a_ply_of_lookahead_more(dare, plies):
    net = some_net(dare, (12,))
    for state in random_positions(dare, 2, seed=8):
        after = Turns(dare).of(state)[0].state
        eyes = int(dare.mover(state))
        wanted = looked(dare, net, after, eyes, plies + 1, inner=ROOT)
        fair, lucky = (Rollouts(dare, net, plies).run(after, eyes, 12, turns=1, luck=luck) for luck in (False, True))
        np.testing.assert_allclose(lucky.chances, wanted, atol=1e-6)
        if plies == 0:
            np.testing.assert_allclose(fair.samples, np.tile(wanted, (12, 1)), atol=1e-6)


@pytest.mark.compiled
def test_turns_with_lookahead_are_played_if_asked_for(dare):
    net = some_net(dare, (12,), seed=3)
    state = Turns(dare).of(dare.after(dare.states(1)[0], 1, 2))[0].state
    by_plies = [Rollouts(dare, net, plies).run(state, 0, 2000) for plies in (0, 1, 2)]
    equities = [rolled.equity for rolled in by_plies]
    assert len(set(np.round(equities, 3))) == 3, "other turns, other chances"
    assert all(rolled.turns > 2 for rolled in by_plies)


@pytest.mark.compiled
def test_a_rollout_depends_on_its_seed_and_not_on_threads(late):
    game, state = late
    net = fair_net(game)
    one, two = (Rollouts(game, net, threads=threads).run(state, 0, 50) for threads in (1, 2))
    assert np.array_equal(one.samples, two.samples)
    assert not np.array_equal(one.samples, Rollouts(game, net).run(state, 0, 50, seed=2).samples)


def test_the_first_rolls_are_spread_evenly():
    shares = spread(72, seed=5)
    assert (np.bincount((shares[:, 0] * 36).astype(int)) == 2).all()
    assert np.bincount((shares[:, 1] * 6).astype(int)).min() >= 10
    assert not np.array_equal(shares, spread(72, seed=6))


def test_what_results_are_worth_gives_another_mean_with_its_error(late):
    game, state = late
    rolled = Rollouts(game, fair_net(game)).run(state, 0, 8)
    mean, error = rolled.worth(np.array([0.0, 1.0]))
    assert (mean, error) == (pytest.approx(rolled.chances[1]), pytest.approx(rolled.errors[1]))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"games": 1}, "games is 1, but a rollout plays 2 or more"),
        ({"turns": -1}, "turns is -1, but it must be 0 (to the end) or more"),
        ({"plies": 3}, "plies is 3, but it must be 0 to 2"),
        ({"threads": 0}, "threads is 0, but it must be at least 1"),
    ],
)
def test_numbers_that_cannot_be_are_refused(late, changed, says):
    game, state = late
    made = {name: changed[name] for name in ("plies", "threads") if name in changed}
    with pytest.raises(PlayerError, match=says.replace("(", r"\(").replace(")", r"\)")):
        Rollouts(game, fair_net(game), **made).run(state, 0, **{n: v for n, v in changed.items() if n not in made})
