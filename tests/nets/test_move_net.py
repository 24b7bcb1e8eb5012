"""MoveNets: what they compute, their shapes, their files, and the torch module they fold from."""

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.nets import storage, weights
from sparring.nets.move_net import LEAK, MoveShape, evaluate, inputs_seen, shape_for
from sparring.nets.weights import Net


@pytest.fixture
def file(tmp_path, move_net_of, nim):
    path = tmp_path / "net.safetensors"
    weights.save(move_net_of(nim), path)
    return path


# --- what it computes ------------------------------------------------------------------------------------------------


def slowly(net, inputs):
    """Outputs of one position, number by number; the policy is asked about one move after the other."""
    shape, x = net.shape, [float(number) for number in inputs]
    overview = x[: shape.overview]
    logits = []
    for move in range(shape.moves):
        at = shape.overview + move * shape.prospects
        logits += through(net, "policy", overview + x[at : at + shape.prospects])
    *ends, score = through(net, "value", overview)
    return [*logits, *ends, math.tanh(score)]


def through(net, part, x):
    for i in itertools.count():
        weight, bias = net.layer(f"{part}{i}")
        x = [b + sum(w * a for w, a in zip(row, x, strict=True)) for row, b in zip(weight, bias, strict=True)]
        if f"{part}{i + 1}.bias" not in net.arrays:
            return x
        x = [a if a > 0 else LEAK * a for a in x]


@pytest.mark.parametrize("hidden", [((5,), (3,)), ((6, 4), (7, 2)), ((3, 5, 4), (2, 3, 6))])
def test_the_policy_looks_at_each_move_alone_and_the_value_at_the_overview_alone(move_net_of, nim, hidden):
    net = move_net_of(nim, *hidden)
    inputs = np.random.default_rng(3).normal(size=(4, net.shape.inputs)).astype(np.float32)
    np.testing.assert_allclose(evaluate(net, inputs), [slowly(net, row) for row in inputs], atol=1e-5)


def test_the_inputs_are_the_overview_and_then_every_moves_prospects(nim):
    (state,) = nim.states(1)
    nim.play(state, 1)
    overview, prospects = np.zeros(nim.OVERVIEW, np.float32), np.zeros((nim.MOVES, nim.PROSPECTS), np.float32)
    nim.overview(state, overview)
    nim.prospects(state, prospects)
    seen = inputs_seen(nim, np.array([state]))
    assert seen.dtype == np.float32 and seen.tolist() == [[*overview, *prospects.flatten()]] and overview.any()


# --- shapes ----------------------------------------------------------------------------------------------------------


def test_its_shape_follows_from_the_game(nim):
    shape = shape_for(nim, (9, 8), (7,))
    assert shape == MoveShape(nim.OVERVIEW, nim.PROSPECTS, 3, 2, (9, 8), (7,))
    assert (shape.inputs, shape.outputs) == (nim.OVERVIEW + 3 * nim.PROSPECTS, 3 + 2 + 1)
    assert shape.name == f"{nim.OVERVIEW + nim.PROSPECTS}-9-8-1 and {nim.OVERVIEW}-7-3"
    assert shape_for(nim).policy == (64, 32) and shape_for(nim).value == (64, 32)


def test_a_game_that_describes_nothing_has_none():
    with pytest.raises(WeightsError, match=r"^tic_tac_toe has no overview\(\) and prospects\(\), so no MoveNet can"):
        shape_for(load_game("tic-tac-toe"))


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ({"moves": 0}, "a MoveNet's moves is 0, but it must be a whole number, at least 1"),
        ({"overview": 2.0}, "a MoveNet's overview is 2.0, but it must be"),
        ({"policy": ()}, r"a MoveNet's policy is \(\), but it must be one to 3 hidden layers, as in \(64, 32\)"),
        ({"value": (4, 4, 4, 4)}, r"a MoveNet's value is \(4, 4, 4, 4\), but it must be one to 3 hidden layers"),
        ({"value": (4, 0)}, r"a MoveNet's value is \(4, 0\), but"),
        ({"policy": [4]}, r"a MoveNet's policy is \[4\], but"),
    ],
)
def test_sizes_without_sense_are_told(sizes, says):
    with pytest.raises(WeightsError, match=f"^{says}"):
        MoveShape(**{"overview": 3, "prospects": 2, "moves": 3, "results": 2} | sizes)


# --- files -----------------------------------------------------------------------------------------------------------


def test_it_comes_back_from_a_file_as_it_was(file, move_net_of, nim):
    net, read = move_net_of(nim), weights.load(file)
    assert (read.game, read.features, read.shape, read.training) == (net.game, net.features, net.shape, net.training)
    assert read.digest == net.digest and read.parameters == net.parameters
    weights.check_fits(read, nim)
    weights.save(read, file.with_name("again.safetensors"))
    assert file.with_name("again.safetensors").read_bytes() == file.read_bytes()


def test_what_takes_which_kind_of_net(file, tmp_path, tower_of):
    tower, perceptron = tmp_path / "tower.safetensors", tmp_path / "perceptron.safetensors"
    weights.save(tower_of(load_game("connect-four")), tower)
    layers = ((np.zeros((2, 3), np.float32), np.zeros(3, np.float32)),)
    weights.save(Net("nim", 1, "results", layers), perceptron)
    for read, takes in (
        (weights.load_leaf_net, {file, perceptron}),
        (weights.load_batch_net, {file, tower}),
        (weights.load_perceptron, {perceptron}),
        (weights.load_tower, {tower}),
    ):
        for path in (file, tower, perceptron):
            if path in takes:
                read(path)
            else:
                with pytest.raises(WeightsError, match=r"is a (MoveNet|tower|perceptron), .*, but .* takes? a"):
                    read(path)


def changed(file, **metadata):
    """The file's bytes with other metadata and a digest that fits."""
    arrays, found = storage.unpack(file.read_bytes(), "")
    return storage.pack(arrays, {**{k: v for k, v in found.items() if k != "digest"}, **metadata})


def test_damaged_files_are_told(file):
    arrays, found = storage.unpack(file.read_bytes(), "")
    other = json.dumps(json.loads(found["shape"]) | {"overview": 4})
    for data, says in (
        (changed(file, shape="{}"), "net: not a complete net"),
        (changed(file, shape="[1]"), "net: not a complete net"),
        (changed(file, shape=json.dumps(json.loads(found["shape"]) | {"policy": []})), "net: not a complete net"),
        (
            changed(file, shape=other),
            r"net: policy0.weight is float32 \[6, 7\], but a MoveNet of its shape has float32",
        ),
        (storage.pack({k: v for k, v in arrays.items() if k != "value1.bias"}, found), "net: not a complete net"),
        (storage.pack(arrays | {"value0.bias": np.zeros(5)}, found), r"net: value0.bias is float64 \[5\], but"),
    ):
        with pytest.raises(WeightsError, match=f"^{says}"):
            weights.from_safetensors(data, "net")


def test_nets_of_another_game_version_or_shape_are_refused(move_net_of, nim):
    net = move_net_of(nim)
    for shape, says in (
        ({"overview": 9}, r"the net sees 9 numbers of a position and 4 of a move, but nim has 3 and 4"),
        ({"prospects": 9}, r"the net sees 3 numbers of a position and 9 of a move, but nim has 3 and 4"),
        ({"moves": 9}, "the net knows 9 moves, but nim has 3"),
        ({"results": 3}, "the net knows 3 results, but nim has 2"),
    ):
        with pytest.raises(WeightsError, match=f"^{says}$"):
            weights.check_fits(dataclasses.replace(net, shape=dataclasses.replace(net.shape, **shape)), nim)
    with pytest.raises(WeightsError, match=r"^the net was trained for chess, not for nim$"):
        weights.check_fits(dataclasses.replace(net, game="chess"), nim)
    with pytest.raises(WeightsError, match=r"^the net was trained on version 7 of the features of nim, which has"):
        weights.check_fits(dataclasses.replace(net, features=7), nim)


def test_it_does_not_fit_into_tsnn(move_net_of, nim, tmp_path):
    with pytest.raises(WeightsError, match=r"^TSNN holds .*; this one is a MoveNet, 7-6-4-1 and 3-5-4-3$"):
        weights.save(move_net_of(nim), tmp_path / "net.tsnn")
