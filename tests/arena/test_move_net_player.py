"""Players with a MoveNet: its policy alone, tree search, alpha-beta; and a policy's temperature."""

import numpy as np
import pytest

from sparring.arena import mcts_player
from sparring.arena.batch import Batch
from sparring.arena.player import parse_player
from sparring.errors import PlayerError, WeightsError
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.move_net import evaluate, inputs_seen
from sparring.nets.tower import Tower, shape_for
from sparring.nets.weights import Net


@pytest.fixture
def net(nim, move_net_of):
    return move_net_of(nim)


@pytest.fixture
def file(net, tmp_path):
    """In a run's folder."""
    weights.save(net, tmp_path / "nets" / "latest.safetensors")
    return tmp_path


def heaps(game, sizes):
    states = game.states(1).repeat(len(sizes))
    states["heap"] = sizes
    return states


def batch(states, seeds=None):
    n = len(states)
    seeds = np.arange(1, n + 1) if seeds is None else seeds
    return Batch(states, [np.zeros(0, np.uint64)] * n, [0] * n, np.array(seeds, np.uint64), list(range(n)))


def chances(net, game, state):
    logits = evaluate(net, inputs_seen(game, np.array([state])))[0, : len(game.legal_moves(state))]
    return np.exp(logits) / np.exp(logits).sum()


@pytest.mark.compiled
@pytest.mark.parametrize("engine", ["auto", "numpy"])
def test_the_policy_plays_its_likeliest_legal_move(nim, net, file, engine):
    states = heaps(nim, np.arange(1, 14).repeat(6))  # more than the largest batch
    entry = parse_player(f"policy:net={file},engine={engine}", nim)
    assert entry.label.endswith(f"#{net.digest}") and entry.net.shape == net.shape
    wanted = [int(chances(net, nim, state).argmax()) for state in states]
    assert entry.make().choose(batch(states)) == wanted and len(set(wanted)) > 1


@pytest.mark.compiled
def test_at_a_temperature_moves_are_drawn_by_their_chances_and_the_seeds(nim, net, file):
    state, seeds = heaps(nim, [9])[0], np.arange(1, 3001)
    shares = {}
    for temperature in (1.0, 0.25):
        player = parse_player(f"policy:net={file},temperature={temperature}", nim).make()
        drawn = player.choose(batch(np.repeat(np.array([state]), len(seeds)), seeds))
        assert drawn[:20] == player.choose(batch(np.repeat(np.array([state]), 20), seeds[:20]))
        shares[temperature] = np.bincount(drawn, minlength=3) / len(seeds)
    once = chances(net, nim, state)
    np.testing.assert_allclose(shares[1.0], once, atol=0.03)
    np.testing.assert_allclose(shares[0.25], once**4 / (once**4).sum(), atol=0.03)
    assert once.std() > 0.02


@pytest.mark.compiled
def test_a_tree_search_asks_the_net_and_finds_the_win_all_the_same(nim, net, file):
    player = parse_player(f"mcts:sims=200,lookahead=0,net={file}", nim).make()
    states = heaps(nim, [9, 7, 6])
    states["turn"] = [0, 1, 0]
    assert player.choose(batch(states)) == [0, 2, 1]  # leaves a multiple of four
    for state in states:
        opinion = player.glance(state)
        np.testing.assert_allclose(opinion.priors, chances(net, nim, state), atol=1e-5)
        results = evaluate(net, inputs_seen(nim, np.array([state])))[0, 3:5]
        np.testing.assert_allclose(opinion.own, np.exp(results) / np.exp(results).sum(), atol=1e-5)  # loss, win


@pytest.mark.compiled
@pytest.mark.parametrize("order", [0, 1, 3])
def test_alpha_beta_with_it_finds_the_win(nim, net, file, order):
    player = parse_player(f"alphabeta:depth=12,order={order},net={file}", nim).make()
    assert player.choose(batch(heaps(nim, [11, 10, 9]))) == [2, 1, 0]
    assert player.searcher.judge.name == net.digest


def test_its_judgements_are_rounded_unless_one_says_otherwise(nim, file):
    for spec, grain in ((f"net={file}", 15625), (f"net={file},grain=0", 0), ("grain=0.5", 500_000), ("depth=2", 0)):
        assert parse_player(f"alphabeta:{spec}", nim).make().searcher.context["grain"] == grain


def test_what_makes_no_sense_is_told_in_a_line(nim, file, tmp_path):
    perceptron, tower = tmp_path / "perceptron.safetensors", tmp_path / "tower.safetensors"
    weights.save(Net("nim", 1, "results", ((np.zeros((2, 2), np.float32), np.zeros(2, np.float32)),)), perceptron)
    shape = shape_for(load("tic-tac-toe"), blocks=0, width=2, policy=1, value=1, hidden=1)
    arrays = {name: np.zeros(size, np.float32) for name, size in shape.arrays.items()}
    weights.save(Tower("tic_tac_toe", 1, shape, arrays), tower)
    for spec, says in (
        (f"policy:net={file},temperature=-1", "temperature is -1, but it must be 0 to 100"),
        (f"policy:net={file},temperature=nan", "temperature is nan, but it must be 0 to 100"),
        (f"policy:net={file},temperature=hot", "temperature is 'hot', but it must be a number"),
        (f"alphabeta:net={file},order=100", "order is 100, but it must be 0 to 99"),
        (f"alphabeta:net={file},grain=-0.5", "grain is -0.5, but it must be 0 to 1"),
        (f"alphabeta:net={file},grain=2", "grain is 2, but it must be 0 to 1"),
        ("alphabeta:order=3,judge=nothing", "order needs a net with a policy, which is a MoveNet"),
    ):
        with pytest.raises(PlayerError, match=f"{says}$"):
            parse_player(spec, nim)
    for spec, says in (
        (f"alphabeta:net={tower}", "is a tower, 0×2, but alpha-beta takes a perceptron, a MoveNet or an NNUE net"),
        (f"policy:net={perceptron}", "is a perceptron, 2-2, but MCTS takes a tower or a MoveNet"),
        (f"mcts:net={perceptron}", "is a perceptron, 2-2, but MCTS takes a tower or a MoveNet"),
        (f"mcts:net={tower}", "was trained for tic_tac_toe, not for nim"),
    ):
        with pytest.raises(WeightsError, match=f"{says}$"):
            parse_player(spec, nim)


def test_without_a_net_that_comes_with_the_package_one_is_told_to_train_it(nim):
    for spec in ("policy", "mcts:net=shipped", "alphabeta:net=shipped"):
        with pytest.raises(PlayerError, match=r"^no net for nim comes with the package; train one: sparring train nim"):
            parse_player(spec, nim)


@pytest.mark.compiled
def test_a_tree_search_is_the_same_whether_kernels_ask_the_net_or_python_does(nim, file):
    states, past = heaps(nim, [13, 12, 9]), [np.zeros(0, np.uint64)] * 3
    kernels, python = (
        parse_player(f"mcts:sims=60,lookahead=0,rule=puct,engine={engine},net={file}", nim).make()
        for engine in ("native", "numpy")
    )
    seeds = np.arange(1, 4, dtype=np.uint64)
    pairs = zip(*(player.consider(states, past, [0] * 3, seeds) for player in (kernels, python)), strict=True)
    for one, other in pairs:
        assert one.visits.tolist() == other.visits.tolist() and one.move == other.move
        np.testing.assert_allclose(one.values, other.values, atol=1e-5)


@pytest.mark.compiled
def test_a_search_by_time_takes_as_many_simulations_as_its_speed_so_far_allows(nim, file, monkeypatch):
    clock = iter(np.arange(1, 10_000) * 0.01)
    monkeypatch.setattr(mcts_player.time, "perf_counter", lambda: next(clock))  # every search takes 10 ms
    player = parse_player(f"mcts:ms=40,net={file},lookahead=0,haste=0", nim).make()
    assert player.lanes == 1
    asked = []
    consider = player._consider

    def watched(states, past, plies, seeds, budget):
        asked.append((len(states), budget))
        return consider(states, past, plies, seeds, budget)

    monkeypatch.setattr(player, "_consider", watched)
    monkeypatch.setattr(player, "_pace", lambda simulations, seconds: setattr(player, "speed", 20_000.0))
    moves = player.choose(batch(heaps(nim, [9, 10])))
    assert moves == [0, 1]  # to leave a multiple of four
    assert [n for n, _ in asked] == [1, 1, 1, 1]  # two that tell the speed, then one position at a time
    assert asked[3][1] == 768  # 800, in steps of 64


def test_no_time_is_no_search(nim, file):
    with pytest.raises(PlayerError, match="ms is -1, but it must be 0 to 3600000"):
        parse_player(f"mcts:ms=-1,net={file}", nim)
