"""The compiled twin of a net equals the plain product of matrices."""

import itertools

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load
from sparring.nets import twin
from sparring.nets.weights import HEADS, Net
from sparring.rng import seeded

SEES_AS_SECOND = '''
"""Two players add 1 to 3 to a sum until it passes 20; nets always look through the second player's eyes."""

import numpy as np

ONGOING = -1
STATE = np.dtype([("sum", "i2"), ("turn", "i1")], align=True)
MOVES = 3
RESULTS = (-2.0, -0.5, 0.0, 1.0, 3.0)
FEATURES = 23
MOST_FEATURES = 4
VIEWER = 1


def start(state):
    state["turn"] = 0


def mover(state):
    return state["turn"]


def legal(state, moves):
    for i in range(3):
        moves[i] = i
    return 3


def play(state, move):
    state["sum"] += move + 1
    state["turn"] = 1 - state["turn"]


def result(state):
    return ONGOING if state["sum"] <= 20 else (state["sum"] + 2 * state["turn"]) % 5


def features(state, viewer, index, value):
    index[0], value[0] = state["sum"] % 21, 1.0
    index[1], value[1] = 21, 0.25 * state["turn"]
    index[2], value[2] = 22, state["sum"] / 20.0 - viewer
    return 3
'''

CASES = [
    *(("tic-tac-toe", hidden, head) for hidden in ((), (17,), (5, 17), (17, 5, 9)) for head in HEADS),
    *(("tic-tac-toe", hidden, "tanh") for hidden in ((1,), (32,), (16, 16))),
    ("connect-four", (5, 17), "results"),
    ("tigers-and-sheep", (64, 32), "tanh"),
    ("tigers-and-sheep", (17,), "results"),
    ("second", (5, 17), "tanh"),
    ("second", (5, 17), "results"),
]


@pytest.fixture(scope="module")
def game(request, tmp_path_factory):
    if request.param != "second":
        return load(request.param)
    path = tmp_path_factory.mktemp("rules") / "second.py"
    path.write_text(SEES_AS_SECOND, encoding="utf-8")
    return load(str(path))


def random_net(game, hidden, head):
    random = np.random.default_rng([len(hidden), sum(hidden)])
    sizes = (game.FEATURES, *hidden, 1 if head == "tanh" else len(game.RESULTS))
    layers = [
        ((random.normal(size=(a, b)) / a**0.5).astype(np.float32), random.uniform(0, 0.5, b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]
    return Net(game.name, game.FEATURES_VERSION, head, tuple(layers))


def positions(game, n):
    """From all stages of random games."""
    walk = game.bind("games.walk")
    states, moves, chances = game.states(n), np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    for i, state in enumerate(states):
        walk.random_plies(state, i % 40, moves, chances, seeded(i))
    return states


def by_matrices(net, game, state, viewer):
    """The expected result for `viewer` in double precision."""
    eyes = viewer if game.VIEWER < 0 else game.VIEWER
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, eyes, index, value)
    out = np.zeros(game.FEATURES)
    out[index[:n]] = value[:n]
    for i, (weights, bias) in enumerate(net.layers):
        out = (np.maximum(out, 0) if i else out) @ weights.astype(np.float64) + bias
    if net.head == "tanh":
        seen = np.tanh(out[0])
    else:
        chances = np.exp(out - out.max())
        results = np.array(game.RESULTS) if eyes == 0 else -np.array(game.RESULTS)[::-1]
        seen = chances @ results / chances.sum()
    return seen if eyes == viewer else -seen


@pytest.mark.parametrize(("game", "hidden", "head"), CASES, indirect=["game"], ids=str)
def test_it_equals_the_product_of_matrices(game, hidden, head):
    """As both players see it, at all stages of the game; nothing is kept between one position and the next."""
    net = random_net(game, hidden, head)
    kernels = twin.join(net, game)
    work = np.zeros(1, twin.record_dtype(net, game))
    twin.fill(work[0], net)
    states = positions(game, 40)
    viewers = np.arange(len(states)) // 2 % 2
    values = np.zeros(len(states))
    kernels.values(work[0], states, viewers, values)
    wanted = [by_matrices(net, game, *case) for case in zip(states, viewers, strict=True)]
    np.testing.assert_allclose(values, wanted, atol=1e-5)
    assert np.std(values) > 1e-3, "the net says the same about everything"
    stack = states[:5]
    for ply in range(5):
        judged = kernels.judge(work[0], stack, ply)
        assert judged == pytest.approx(by_matrices(net, game, stack[ply], game.mover(stack[ply])), abs=1e-5)


def test_equal_architectures_share_their_code():
    """Another net of the same sizes needs only another record."""
    game = load("tic-tac-toe")
    first, second = random_net(game, (17,), "tanh"), random_net(game, (17,), "tanh")
    assert twin.join(first, game) is twin.join(second, game)
    assert twin.join(random_net(game, (5, 17), "tanh"), game) is not twin.join(first, game)


@pytest.mark.compiled
def test_each_kernel_is_compiled_once():
    game = load("tic-tac-toe")
    net = random_net(game, (17,), "results")
    kernels = twin.join(net, game)
    work = np.zeros(1, twin.record_dtype(net, game))
    kernels.values(work[0], game.states(3), np.zeros(3, np.int64), np.zeros(3))
    kernels.judge(work[0], game.states(3), 1)
    assert len(kernels.values.signatures) == len(kernels.judge.signatures) == 1


def test_the_fields_of_a_record_begin_cache_lines():
    """Vectors of weights are read whole then."""
    game = load("tic-tac-toe")
    dtype = twin.record_dtype(random_net(game, (17, 5), "tanh"), game)
    offsets = [offset for _, offset, *_ in dtype.fields.values()]
    assert dtype.itemsize % 64 == 0 and not any(offset % 64 for offset in offsets)


def test_nets_that_do_not_fit_are_refused():
    """In one line that names both sides."""
    game, other = load("tic-tac-toe"), load("connect-four")
    net = random_net(game, (8,), "tanh")
    newer = Net(net.game, 3, net.head, net.layers)
    fewer = Net(net.game, 1, "results", net.layers)
    short = Net(net.game, 1, "tanh", ((net.layers[0][0][:-1], net.layers[0][1]), net.layers[1]))
    deep = random_net(game, (8, 8, 8, 8), "tanh")
    for wrong, rules, says in (
        (net, other, "a.net was trained for tic_tac_toe, not for connect_four"),
        (
            newer,
            game,
            "a.net was trained on version 3 of the features of tic_tac_toe, which has version 1 now; train it anew",
        ),
        (fewer, game, "a.net has 1 outputs, but a 'results' head of tic_tac_toe has 3"),
        (short, game, "a.net has 17 inputs, but tic_tac_toe has 18"),
        (deep, game, "a.net has 4 hidden layers, but a search runs at most 3"),
    ):
        with pytest.raises(WeightsError) as fault:
            twin.join(wrong, rules, "a.net")
        assert str(fault.value) == says
