"""NNUE nets: what they compute, in floats and in whole numbers, their shapes, their files."""

import dataclasses
import json
import math

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.games.walk import random_positions
from sparring.nets import nnue_quantised, storage, weights
from sparring.nets.nnue import (
    NnueShape,
    chances_of,
    evaluate,
    even_phases,
    expectation,
    inputs_seen,
    log_odds,
    shape_for,
)
from sparring.nets.nnue_quantised import check_sums, quantised, restored

SHAPES = {
    "plain": {},
    "one output": {"outputs": 1},
    "phases": {"sets": 3},
    "frames": {"buckets": (0, 1, 1, 2), "flips": (0, 0, 1, 1), "sets": 2},
    "layers": {"layers": (6, 5), "sets": 2},
    "block-sparse": {"hidden": 32, "layers": (4,), "block_sparse": True, "sets": 3},
}


@pytest.fixture
def file(tmp_path, nnue_of, framed):
    path = tmp_path / "net.safetensors"
    weights.save(nnue_of(framed, **SHAPES["frames"]), path)
    return path


# --- what it computes ------------------------------------------------------------------------------------------------


def slowly(net, game, state):
    """Outputs of one position, number by number."""
    shape, arrays, units = net.shape, net.arrays, []
    for viewer in (int(game.mover(state)), 1 - int(game.mover(state))):
        index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
        n, at = game.features(state, viewer, index, value), int(game.frame(state, viewer))
        sums = [float(b) for b in arrays["features.bias"]]
        for one in index[:n]:
            flipped = int(one) ^ (shape.flips[at] if shape.flips else 0)
            row = arrays["features.weight"][(shape.buckets[at] if shape.buckets else 0) * shape.inputs + flipped]
            sums = [s + float(w) for s, w in zip(sums, row, strict=True)]
        units.append([screlu(s) for s in sums])
    x, bucket = units[0] + units[1], shape.phases[game.phase(state)] if shape.phases else 0
    for name in shape.dense:
        weight, bias = arrays[f"{name}.weight"][bucket], arrays[f"{name}.bias"][bucket]
        out = []
        for j in range(len(bias)):
            read = x
            if name == "layer1" and shape.block_sparse:  # the same half of both views
                cut = len(units[0]) // 2
                read = units[0][:cut] + units[1][:cut] if j < len(bias) // 2 else units[0][cut:] + units[1][cut:]
            out.append(float(bias[j]) + sum(float(w) * v for w, v in zip(weight[j], read, strict=True)))
        x = out if name == "output" else [screlu(v) for v in out]
    return x


def screlu(v):
    return min(max(v, 0.0), 1.0) ** 2


@pytest.mark.parametrize("name", SHAPES)
def test_both_views_are_summed_clipped_squared_and_mixed(framed, nnue_of, name):
    net, states = nnue_of(framed, **SHAPES[name]), random_positions(framed, 6)
    said = evaluate(net, *inputs_seen(framed, net.shape, states))
    np.testing.assert_allclose(said, [slowly(net, framed, state) for state in states], atol=1e-4)


@pytest.mark.parametrize("name", SHAPES)
def test_whole_numbers_say_what_floats_of_the_same_weights_say_within_a_centipawn(framed, nnue_of, name):
    whole = quantised(nnue_of(framed, **SHAPES[name]))
    seen = inputs_seen(framed, whole.shape, random_positions(framed, 40))
    off = 400 * (nnue_quantised.evaluate(whole, *seen) - evaluate(restored(whole), *seen))
    assert np.abs(off).max() < (1 if whole.shape.layers else 1e-2)


@pytest.mark.parametrize("name", SHAPES)
def test_little_is_lost_by_rounding(framed, nnue_of, name):
    net = nnue_of(framed, **SHAPES[name])
    seen = inputs_seen(framed, net.shape, random_positions(framed, 40))
    said = evaluate(net, *seen)
    assert np.abs(nnue_quantised.evaluate(quantised(net), *seen) - said).max() < 0.1 * said.std() + 0.05


def test_equal_positions_for_their_movers_get_equal_outputs(framed, nnue_of):
    """What a position is worth to its mover does not depend on who that is."""
    net, states = nnue_of(framed), framed.states(2)
    states["board"] = [[1, 2, 0, 0, 1, 0, 0, 0, 2], [2, 1, 0, 0, 2, 0, 0, 0, 1]]
    states["turn"] = 0, 1
    first, second = evaluate(net, *inputs_seen(framed, net.shape, states))
    np.testing.assert_array_equal(first, second)


def test_log_odds_and_expectation_are_two_ways_to_say_one_thing(framed, nnue_of):
    net = nnue_of(framed)
    outputs = evaluate(net, *inputs_seen(framed, net.shape, random_positions(framed, 10))).astype(np.float64)
    odds = log_odds(chances_of(outputs), framed.RESULTS)
    np.testing.assert_allclose(np.tanh(odds / 2), expectation(net, framed.RESULTS, outputs), atol=1e-9)
    single = nnue_of(framed, outputs=1)
    assert expectation(single, framed.RESULTS, np.array([[math.log(3)]]))[0] == pytest.approx(0.5)


def test_inputs_that_are_not_one_are_refused(nnue_of, framed, tmp_path):
    path = tmp_path / "weighed.py"
    path.write_text(framed.path.read_text(encoding="utf-8").replace("value[n] = 1.0", "value[n] = 0.5"))
    game = load_game(str(path))
    states = game.states(1)
    game.play(states[0], 4)
    with pytest.raises(
        WeightsError, match=r"^an NNUE net takes inputs that are 0 or 1, but input 13 of weighed is 0\.5$"
    ):
        inputs_seen(game, shape_for(game, 16), states)


# --- whole numbers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHAPES)
def test_whole_numbers_turned_into_floats_and_back_are_the_same(framed, nnue_of, name):
    whole = quantised(nnue_of(framed, **SHAPES[name]))
    again = quantised(restored(whole))
    for part, array in whole.arrays.items():
        assert again.arrays[part].dtype == array.dtype and np.array_equal(again.arrays[part], array)


@pytest.mark.parametrize("bad", [2.1, -2.1, math.nan, math.inf])
def test_weights_that_do_not_fit_are_named(framed, nnue_of, bad):
    net = nnue_of(framed)
    net.arrays["output.weight"][0, 1, 2] = bad
    with pytest.raises(
        WeightsError, match=r"^output\.weight holds \S+, but a quantised net has -1\.984 to 1\.984; clip"
    ):
        quantised(net)


def test_sums_that_could_leave_sixteen_bits_are_refused(framed, nnue_of):
    net = nnue_of(framed)
    net.arrays["features.weight"][:, 3] = -20
    whole = quantised(net)
    check_sums(whole, 6, "net")
    with pytest.raises(
        WeightsError, match=r"^net does not fit into whole numbers: .* 180\.\d with 9 inputs, but the most is 128\.5$"
    ):
        check_sums(whole, 9, "net")


# --- shapes ----------------------------------------------------------------------------------------------------------


def test_its_shape_follows_from_the_game(framed):
    assert shape_for(framed, 32) == NnueShape(18, 32, outputs=3)
    shape = shape_for(framed, 32, 2, 1, layers=(16, 8), buckets=(0, 0, 1, 1))
    assert shape.phases == (0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
    assert shape.name == "(18×2→32)×2→16→8→1 ×2"
    assert shape.arrays == {
        "features.weight": (36, 32),
        "features.bias": (32,),
        "layer1.weight": (2, 16, 64),
        "layer1.bias": (2, 16),
        "layer2.weight": (2, 8, 16),
        "layer2.bias": (2, 8),
        "output.weight": (2, 1, 8),
        "output.bias": (2, 1),
    }


def test_a_block_sparse_layer_has_half_the_weights_for_as_many_units(framed):
    dense, sparse = (shape_for(framed, 64, layers=(8,), block_sparse=sparse) for sparse in (False, True))
    assert dense.arrays["layer1.weight"] == (1, 8, 128) and sparse.arrays["layer1.weight"] == (1, 8, 64)


def test_phases_are_shared_out_evenly():
    assert even_phases(33, 1) == ()
    assert np.bincount(even_phases(33, 8)).tolist() == [5, 4, 4, 4, 4, 4, 4, 4]
    with pytest.raises(
        WeightsError, match="^output buckets are 9, but they must be 1 to 8, which are the game's PHASES$"
    ):
        even_phases(8, 9)


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ({"inputs": 0}, "an NNUE net's inputs is 0, but it must be a whole number, at least 1"),
        ({"outputs": True}, "an NNUE net's outputs is True, but it must be"),
        ({"hidden": 24}, "an NNUE net's hidden is 24, but it must be a multiple of 16, up to 2048"),
        ({"hidden": 4096}, "an NNUE net's hidden is 4096, but it must be a multiple of 16, up to 2048"),
        ({"layers": [8]}, r"an NNUE net's layers is \[8\], but it must be a tuple of whole numbers, at least 1"),
        ({"layers": (8, 8, 8)}, r"an NNUE net's layers is \(8, 8, 8\), but it must be up to 2 numbers"),
        ({"buckets": (-1,)}, r"an NNUE net's buckets is \(-1,\), but it must be a tuple of whole numbers, at least 0"),
        ({"block_sparse": True}, r"an NNUE net's layers is \(\) over 32 units, but a block-sparse layer wants an even"),
        ({"block_sparse": True, "layers": (3,)}, r"an NNUE net's layers is \(3,\) over 32 units, but a block-sparse"),
        ({"flips": (0, 7)}, "an NNUE net's flips has 7, but xored with it some of 18 inputs are none"),
    ],
)
def test_sizes_without_sense_are_told(sizes, says):
    with pytest.raises(WeightsError, match=f"^{says}"):
        NnueShape(**{"inputs": 18, "hidden": 32} | sizes)


# --- games and files -------------------------------------------------------------------------------------------------


def test_nets_of_another_game_version_or_shape_are_refused(nnue_of, framed):
    net = nnue_of(framed, sets=2)
    for shape, says in (
        ({"inputs": 9}, "the net has 9 inputs, but framed has 18"),
        ({"outputs": 2}, "the net has 2 outputs, but it must have 1 or 3, one for each of framed's RESULTS"),
        ({"phases": (0, 1)}, "the net has phases for 2 PHASES, but framed has 10"),
        ({"buckets": (0, 1, 2)}, "the net has buckets for 3 FRAMES, but framed has 4"),
        ({"flips": (0,) * 5}, "the net has flips for 5 FRAMES, but framed has 4"),
    ):
        with pytest.raises(WeightsError, match=f"^{says}$"):
            weights.check_fits(dataclasses.replace(net, shape=dataclasses.replace(net.shape, **shape)), framed)
    with pytest.raises(WeightsError, match=r"^the net was trained for chess, not for framed$"):
        weights.check_fits(dataclasses.replace(net, game="chess"), framed)
    with pytest.raises(WeightsError, match=r"^the net was trained on version 7 of the features of framed, which has"):
        weights.check_fits(dataclasses.replace(net, features=7), framed)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nim", r"the net is an NNUE net, which sees through the eyes of both players; nim has no features\(\)$"),
        ("tigers-and-sheep", r"the net .* both players; tigers_and_sheep is only seen through the eyes of one player$"),
        ("sprint", "the net tells log odds, which are of results from -1 to 1, but sprint's RESULTS go from -3 to 3$"),
    ],
)
def test_games_that_it_cannot_look_at_are_told(data, name, says):
    game = load_game(str(path) if (path := data / f"{name}.py").is_file() else name)
    with pytest.raises(WeightsError, match=f"^{says}"):
        shape_for(game, 16, outputs=1)


def test_it_comes_back_from_a_file_as_it_was(file, nnue_of, framed):
    net, read = nnue_of(framed, **SHAPES["frames"]), weights.load(file)
    assert (read.game, read.features, read.shape, read.training) == (net.game, net.features, net.shape, net.training)
    assert read.digest == net.digest and read.parameters == net.parameters
    weights.check_fits(read, framed)
    assert weights.kind_of(read) == "an NNUE net, (18×3→16)×2→3 ×2"
    weights.save(read, file.with_name("again.safetensors"))
    assert file.with_name("again.safetensors").read_bytes() == file.read_bytes()


def test_alpha_beta_takes_it_and_nothing_else_does(file):
    weights.load_leaf_net(file)
    for read in (weights.load_batch_net, weights.load_perceptron, weights.load_tower):
        with pytest.raises(WeightsError, match=r"is an NNUE net, .*, but .* takes? a"):
            read(file)


def changed(file, **metadata):
    """The file's bytes with other metadata and a digest that fits."""
    arrays, found = storage.unpack(file.read_bytes(), "")
    return storage.pack(arrays, {**{k: v for k, v in found.items() if k != "digest"}, **metadata})


def test_damaged_files_are_told(file):
    arrays, found = storage.unpack(file.read_bytes(), "")
    other = json.dumps(json.loads(found["shape"]) | {"hidden": 32})
    for data, says in (
        (changed(file, shape="{}"), "net: not a complete net"),
        (changed(file, shape="[1]"), "net: not a complete net"),
        (changed(file, shape=json.dumps(json.loads(found["shape"]) | {"hidden": 3})), "net: not a complete net"),
        (changed(file, shape=other), r"net: features.weight is float32 \[54, 16\], but an NNUE net of its shape has"),
        (storage.pack({k: v for k, v in arrays.items() if k != "output.bias"}, found), "net: not a complete net"),
        (storage.pack(arrays | {"features.bias": np.zeros(16)}, found), r"net: features.bias is float64 \[16\], but"),
    ):
        with pytest.raises(WeightsError, match=f"^{says}"):
            weights.from_safetensors(data, "net")
