"""The native engine says what the net says, of as many rows as it is asked for."""

import numpy as np
import pytest

from sparring.errors import EngineError
from sparring.games.game import load as load_game
from sparring.nets import engines
from sparring.nets.move_net import MoveNet, MoveShape, evaluate

SHAPES = [
    MoveShape(23, 28, 4, 2, (16, 16), (16, 16)),
    MoveShape(3, 5, 1, 3, (7,), (9,)),
    MoveShape(8, 1, 7, 2, (17, 5, 33), (3, 18, 2)),
    MoveShape(1, 4, 9, 6, (5,), (40, 20, 10)),
]


def random_net(shape, seed=1):
    random = np.random.default_rng(seed)
    arrays = {name: random.normal(size=size) / np.sqrt(size[-1]) for name, size in shape.arrays.items()}
    return MoveNet("nim", 1, shape, {name: array.astype(np.float32) for name, array in arrays.items()})


def random_inputs(shape, n, seed=2):
    return np.random.default_rng(seed).normal(size=(n, shape.inputs)).astype(np.float32)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_says_what_the_net_says(shape):
    net, inputs = random_net(shape), random_inputs(shape, 5)
    engine = engines.make("native", net, 5)
    engine.inputs[:] = inputs
    engine.run()
    wanted = evaluate(net, inputs)
    assert engine.outputs.shape == wanted.shape and engine.outputs.dtype == np.float32
    np.testing.assert_allclose(engine.outputs, wanted, atol=1e-5)
    assert wanted.std() > 0.1


@pytest.mark.parametrize("kind", engines.FOR_MOVE_NETS)
def test_only_as_many_rows_are_run_as_are_asked_for(kind):
    net, inputs = random_net(SHAPES[0]), random_inputs(SHAPES[0], 6)
    engine = engines.make(kind, net, 6)
    engine.inputs[:] = inputs
    engine.run(4)
    np.testing.assert_allclose(engine.outputs[:4], evaluate(net, inputs[:4]), atol=1e-5)
    assert not engine.outputs[4:].any()


def test_a_row_does_not_depend_on_its_neighbours():
    net, inputs = random_net(SHAPES[2]), random_inputs(SHAPES[2], 6)
    engine = engines.make("native", net, 6)
    engine.inputs[:] = inputs
    engine.run()
    before = engine.outputs.copy()
    engine.inputs[:] = inputs[::-1]
    engine.run()
    assert np.array_equal(engine.outputs, before[::-1])


@pytest.mark.parametrize("kind", engines.FOR_MOVE_NETS)
def test_another_net_of_the_shape_is_taken_into_the_same_arrays(kind):
    net, other, inputs = random_net(SHAPES[2]), random_net(SHAPES[2], 7), random_inputs(SHAPES[2], 3)
    engine = engines.make(kind, net, 3)
    places = engine.inputs, engine.outputs
    engine.inputs[:] = inputs
    engine.load(other)
    engine.run()
    assert engine.inputs is places[0] and engine.outputs is places[1]
    np.testing.assert_allclose(engine.outputs, evaluate(other, inputs), atol=1e-5)
    with pytest.raises(EngineError, match=r"^an engine made for MoveShape\(.*\) cannot run MoveShape\("):
        engine.load(random_net(SHAPES[1]))


def test_a_move_net_has_one_kind_of_engine(monkeypatch):
    monkeypatch.setattr(engines, "_trial", lambda kind, net, batch: {"native": 2e6, "numpy": 5e4}[kind])
    net = random_net(SHAPES[1])
    make, line = engines.choose(net, 4)
    assert line == "Engine: native code, 2,000,000 evaluations/s" and make(net).name == "native"
    assert engines.choose(net, 4, wanted="numpy")[1] == "Engine: NumPy, 50,000 evaluations/s"


def test_kinds_for_other_nets_are_refused_in_a_line(tower_of):
    with pytest.raises(EngineError, match=r"^engine openvino runs towers; a MoveNet takes auto, native or numpy$"):
        engines.make("openvino", random_net(SHAPES[1]), 4)
    with pytest.raises(EngineError, match=r"^engine native runs MoveNets; a tower takes auto or another kind$"):
        engines.make("native", tower_of(load_game("tic-tac-toe")), 4)
    with pytest.raises(EngineError, match=r"^a batch of 10000000000 positions needs about .* fit$"):
        engines.make("native", random_net(SHAPES[1]), 10**10)
