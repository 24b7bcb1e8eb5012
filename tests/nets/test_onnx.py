"""An ONNX model answers in onnxruntime as the net does, and tells what it is."""

import dataclasses
import itertools

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.games.walk import random_positions
from sparring.nets import engines
from sparring.nets.tower import evaluate
from sparring.nets.weights import Net

onnx_library = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from sparring.nets import onnx  # noqa: E402 (it needs the library)


def perceptron(game, head, *hidden):
    random = np.random.default_rng(3)
    sizes = (game.FEATURES, *hidden, 1 if head == "tanh" else len(game.RESULTS))
    draw = lambda *size: random.normal(size=size).astype(np.float32)  # noqa: E731
    layers = tuple((draw(a, b) / 4, draw(b)) for a, b in itertools.pairwise(sizes))
    return Net(game.name, game.FEATURES_VERSION, head, layers)


@pytest.fixture(
    params=["connect-four tower", "tigers-and-sheep tower", "pig tower", "pig tanh", "tigers-and-sheep results"]
)
def case(request, tower_of):
    """A net and its game."""
    name, kind = request.param.split()
    game = load_game(name)
    return (tower_of(game) if kind == "tower" else perceptron(game, kind, 9, 5)), game


def test_it_answers_as_the_net_does_whatever_the_batch(case):
    net, game = case
    run = onnx.runner_of(onnx.model_of(net, game))
    assert onnx.difference(run, net, game, random_positions(game, 6)) < 1e-5


def test_a_model_that_answers_otherwise_is_found_out(case):
    net, game = case
    run = onnx.runner_of(onnx.model_of(net, game))
    wrong = lambda inputs: {name: array + 0.01 * (len(inputs) == 1) for name, array in run(inputs).items()}  # noqa: E731
    assert onnx.difference(wrong, net, game, random_positions(game, 4)) > 0.009


def test_a_towers_answers_are_those_of_the_engines(tower_of):
    """Results as chances, the others as they are."""
    game = load_game("connect-four")
    net = tower_of(game)
    inputs = onnx.inputs_of(net, game, random_positions(game, 5))
    engine = engines.make("torch", net, 5)
    engine.inputs[:] = inputs
    engine.run()
    said = onnx.runner_of(onnx.model_of(net, game))(inputs)
    np.testing.assert_allclose(said["policy"], engine.outputs[:, :7], atol=1e-5)
    np.testing.assert_allclose(said["score"], engine.outputs[:, 10], atol=1e-5)
    chances = np.exp(engine.outputs[:, 7:10])
    np.testing.assert_allclose(said["results"], chances / chances.sum(1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(said["value"], said["results"] @ np.array([-1, 0, 1]), atol=1e-5)


@pytest.mark.parametrize(("eyes", "values"), [(0, (-3, 1)), (1, (-1, 3)), (-1, (-3, 1))])
def test_for_the_second_players_eyes_the_results_are_mirrored(eyes, values):
    """Of a net that is sure of one of the two results, the value is that result as those eyes see it."""
    pig = load_game("pig")
    game = dataclasses.replace(pig, constants={**pig.constants, "VIEWER": eyes, "RESULTS": (-3.0, 1.0)})
    weights = np.zeros((game.FEATURES, 2), np.float32)
    for sure, value in enumerate(values):
        bias = np.where(np.arange(2) == sure, 9, -9).astype(np.float32)
        net = Net(game.name, game.FEATURES_VERSION, "results", ((weights, bias),))
        said = onnx.runner_of(onnx.model_of(net, game))(np.zeros((1, game.FEATURES), np.float32))
        assert said["value"][0] == pytest.approx(value, abs=1e-3)


def test_the_model_tells_what_it_is(tower_of):
    game = load_game("tigers-and-sheep")
    net = tower_of(game)
    model = onnx_library.load_from_string(onnx.model_of(net, game).SerializeToString())
    told = {entry.key: entry.value for entry in model.metadata_props}
    assert (told["game"], told["features"], told["architecture"], told["net"]) == (
        *("tigers_and_sheep", "1", "tower 2×8"),
        net.digest,
    )
    named = {v.name: v for v in (*model.graph.input, *model.graph.output)}
    sizes = {
        name: [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim] for name, value in named.items()
    }
    assert sizes == {
        "inputs": ["batch", 4, 5, 5],
        "policy": ["batch", game.MOVES],
        "results": ["batch", 3],
        "score": ["batch"],
        "value": ["batch"],
    }
    for name, value in named.items():
        assert value.doc_string == told[f"about {name}"]
    assert told["about results"] == "chances of the results -1, 0, 1 for tigers"
    assert told["about inputs"] == (
        "(batch, 4, 5, 5): feature (plane * 5 + row) * 5 + column of the rules; the last 2 hold a feature of the whole "
        "position on every point; as tigers sees them, version 1"
    )


def test_what_the_net_sees_is_written_as_the_description_says(tower_of):
    game = load_game("tigers-and-sheep")
    state = game.after(game.states()[0], 12)
    (planes,) = onnx.inputs_of(tower_of(game), game, np.array([state]))
    assert planes[0].sum() == 4 and planes[0, 0, 4] == 1 and planes[1].sum() == planes[1, 2, 2] == 1
    assert np.all(planes[2] == np.float32(19 / 20)) and np.all(planes[3] == 1)
    perceptrons = onnx.inputs_of(perceptron(game, "tanh"), game, np.array([state]))
    assert perceptrons.shape == (1, 52) and perceptrons.sum() == pytest.approx(4 + 1 + 19 / 20 + 1)


def test_positions_of_random_games_are_open_and_differ():
    game = load_game("pig")
    states = random_positions(game, 20)
    assert all(game.mover(state) in (0, 1) and game.legal_moves(state) for state in states)
    assert len({state.tobytes() for state in states}) > 5


def test_a_net_of_another_game_is_refused(tower_of):
    with pytest.raises(WeightsError, match=r"^a\.safetensors was trained for pig, not for connect_four$"):
        onnx.model_of(tower_of(load_game("pig")), load_game("connect-four"), "a.safetensors")


def test_the_checks_own_answers_are_the_towers(tower_of, inputs_of):
    net = tower_of(load_game("connect-four"))
    inputs = inputs_of(net.shape, 3)
    assert np.array_equal(onnx.answers(net, load_game("connect-four"), inputs)["policy"], evaluate(net, inputs)[:, :7])
