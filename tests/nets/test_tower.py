"""Towers: what they compute, their shapes, and their files."""

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.nets import shaped, storage, tower, weights
from sparring.nets.tower import Shape, Tower, calibrated, edge_bias, evaluate, planes_of, shape_for
from sparring.nets.weights import Net

TINY = {"blocks": 1, "width": 3, "policy": 2, "value": 2, "hidden": 4}


@pytest.fixture
def file(tmp_path, tower_of):
    path = tmp_path / "tower.safetensors"
    weights.save(tower_of(load_game("connect-four")), path)
    return path


# --- what it computes ------------------------------------------------------------------------------------------------


def slowly(net: Tower, inputs):
    """Outputs of one position, number by number."""
    s = net.shape
    ones = [[[1.0] * s.columns for _ in range(s.rows)]]
    x = convolved(net, "stem", [*inputs.tolist(), *ones])
    for i in range(s.blocks):
        first = convolved(net, f"block{i}.first", clipped(x))
        second = convolved(net, f"block{i}.second", clipped(first))
        x = [add(a, b) for a, b in zip(clipped(x), second, strict=True)]
    kernel, bias = net.layer("heads")
    points = [(r, c) for r in range(s.rows) for c in range(s.columns)]
    heads = [  # of each channel, point by point
        [max(bias[o] + sum(kernel[o, i] * max(x[i][r][c], 0) for i in range(s.width)), 0) for r, c in points]
        for o in range(s.policy + s.value)
    ]
    moves = layer(net, "policy", list(itertools.chain(*heads[: s.policy])))
    hidden = [max(v, 0) for v in layer(net, "value", list(itertools.chain(*heads[s.policy :])))]
    *ends, score = layer(net, "result", hidden)
    return [*moves, *ends, math.tanh(score)]


def clipped(planes):
    return [[[max(v, 0.0) for v in row] for row in plane] for plane in planes]


def add(a, b):
    return [[p + q for p, q in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def convolved(net, name, planes):
    kernel, bias = net.layer(name)
    rows, columns, (high, wide) = net.shape.rows, net.shape.columns, kernel.shape[2:]
    out = [[[float(b)] * columns for _ in range(rows)] for b in bias]
    for o, i, r, c, dr, dc in np.ndindex(len(bias), len(planes), rows, columns, high, wide):
        y, x = r + dr - high // 2, c + dc - wide // 2
        if 0 <= y < rows and 0 <= x < columns:
            out[o][r][c] += float(kernel[o, i, dr, dc]) * planes[i][y][x]
    return out


def layer(net, name, values):
    weight, bias = net.layer(name)
    return [
        float(b) + sum(float(w) * v for w, v in zip(row, values, strict=True))
        for row, b in zip(weight, bias, strict=True)
    ]


@pytest.mark.parametrize("name", ["connect-four", "tigers-and-sheep", "pig"])
def test_it_computes_what_it_should_number_by_number(name, tower_of, inputs_of):
    """On boards, with inputs of the whole position, and without a board."""
    net = tower_of(load_game(name), **TINY)
    inputs = inputs_of(net.shape, 2)
    got = evaluate(net, inputs)
    assert got.dtype == np.float32 and got.shape == (2, net.shape.outputs)
    np.testing.assert_allclose(got, [slowly(net, one) for one in inputs], atol=2e-5)


def test_the_bias_that_tells_the_edge_is_what_a_plane_of_ones_adds(tower_of):
    net = tower_of(load_game("connect-four"), **TINY)
    ones = np.zeros((3, 7, 6))
    np.testing.assert_allclose(
        edge_bias(net), convolved(net, "stem", [*ones.tolist(), *np.ones((1, 7, 6)).tolist()]), atol=1e-5
    )
    inside = edge_bias(net)[:, 1:-1, 1:-1]
    assert np.ptp(inside, axis=(1, 2)).max() < 1e-6 < np.ptp(edge_bias(net), axis=(1, 2)).min()


def test_ranges_lie_above_nearly_all_activations(tower_of, inputs_of):
    net = tower_of(load_game("connect-four"))
    inputs = inputs_of(net.shape, 64)
    ranges = calibrated(net, inputs).ranges
    assert ranges.shape == (6,) and ranges.dtype == np.float32 and net.ranges is None
    for most, x in zip(ranges, tower.activations(net, inputs), strict=True):
        assert np.mean(x > most) < 2e-4 and x.max() > 0.5 * most


def test_tower_and_ranges_have_one_digest_whatever_the_ranges(tower_of, inputs_of):
    net = tower_of(load_game("pig"))
    assert calibrated(net, inputs_of(net.shape, 8)).digest == net.digest
    net.arrays["policy.bias"][0] += 1
    assert net.digest != tower_of(load_game("pig")).digest


# --- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "planes"),
    [("connect-four", (3, 7, 6)), ("tigers-and-sheep", (4, 5, 5)), ("tic-tac-toe", (2, 3, 3)), ("pig", None)],
)
def test_inputs_behind_the_board_become_planes_of_their_own(name, planes):
    game = load_game(name)
    assert planes_of(game) == (planes or (game.FEATURES, 1, 1))


def test_without_a_board_a_convolution_looks_at_one_point():
    assert shape_for(load_game("pig")).kernel == (1, 1)
    assert Shape(2, 1, 5, 3, 3).kernel == (1, 3)
    assert Shape(2, 3, 3, 3, 3).kernel == (3, 3)


def test_parameters_are_counted(tower_of):
    net = tower_of(load_game("tic-tac-toe"), **TINY)
    stem, block, heads = 3 * 3 * 9 + 3, 2 * (3 * 3 * 9 + 3), 3 * 4 + 4
    assert net.parameters == stem + block + heads + (2 * 9 * 9 + 9) + (2 * 9 * 4 + 4) + (4 * 4 + 4)


@pytest.mark.parametrize(("size", "value"), [("width", 0), ("hidden", 1.5), ("blocks", -1)])
def test_a_size_that_makes_no_sense_is_told(size, value):
    with pytest.raises(
        WeightsError, match=rf"^a tower's {size} is {value}, but it must be a whole number, at least [01]$"
    ):
        shape_for(load_game("pig"), **{size: value})


def test_a_game_without_features_has_no_tower(tmp_path):
    rules = (load_game("pig").path).read_text(encoding="utf-8")
    rules = "".join(
        line for line in rules.splitlines(keepends=True) if not line.startswith(("FEATURES", "MOST_FEATURES"))
    )
    path = tmp_path / "blind.py"
    path.write_text(rules.replace("def features(", "def unseen("), encoding="utf-8")
    with pytest.raises(WeightsError, match=r"^blind has no features\(\), so no net can look at it"):
        shape_for(load_game(str(path)))


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_tower_comes_back_byte_for_byte(tmp_path, tower_of, inputs_of):
    before = tower_of(load_game("connect-four"))
    for net in (before, calibrated(before, inputs_of(before.shape, 8))):
        weights.save(net, tmp_path / "a.safetensors")
        after = weights.load(tmp_path / "a.safetensors")
        assert isinstance(after, Tower)
        assert (after.game, after.features, after.shape, after.training) == ("connect_four", 1, net.shape, {"seed": 4})
        assert after.arrays.keys() == net.arrays.keys() and after.digest == net.digest
        assert (after.ranges is None) == (net.ranges is None)
        assert after.ranges is None or np.array_equal(after.ranges, net.ranges)
        weights.save(after, tmp_path / "b.safetensors")
        assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_the_metadata_tells_what_the_tower_is(file):
    _, metadata = storage.unpack(file.read_bytes(), "")
    assert len(metadata.pop("digest")) == 8
    assert json.loads(metadata.pop("shape")) == dataclasses.asdict(weights.load(file).shape)
    assert metadata == {
        "format": "sparring-tower-1",
        "game": "connect_four",
        "features": "1",
        "architecture": "tower 2×8",
        "training": '{"seed": 4}',
    }


def test_a_flipped_bit_is_found(file):
    data = file.read_bytes()
    for at in range(0, len(data), 101):
        spoilt = bytearray(data)
        spoilt[at] ^= 1 << at % 8
        with pytest.raises(WeightsError):
            weights.from_safetensors(bytes(spoilt), f"byte {at}")


def test_files_that_are_no_complete_tower_are_refused(tmp_path, tower_of):
    net, path = tower_of(load_game("connect-four")), tmp_path / "tower.safetensors"
    usual, shape = shaped.metadata_of(net, "tower", tower.FORMAT), dataclasses.asdict(net.shape)
    for arrays, metadata, says in (
        ({"policy.bias": None}, {}, "not a complete net ('policy.bias')"),
        ({}, {"shape": None}, "not a complete net ('shape')"),
        ({}, {"shape": "[1]"}, "not a complete net ("),
        ({}, {"shape": json.dumps({**shape, "colour": 3})}, "not a complete net ("),
        ({}, {"shape": json.dumps({**shape, "width": 0})}, "not a complete net (a tower's width is 0, but it must"),
        (
            {},
            {"shape": json.dumps({**shape, "moves": 9})},
            "policy.weight is float32 [7, 126], but a tower of its shape",
        ),
        ({"policy.bias": np.zeros(7)}, {}, "policy.bias is float64 [7], but a tower of its shape has float32 [7]"),
        ({"ranges": np.zeros(7, np.float32)}, {}, "ranges is float32 [7], but a tower of its shape has float32 [6]"),
    ):
        whole = {key: value for key, value in {**usual, **metadata}.items() if value is not None}
        path.write_bytes(storage.pack({k: v for k, v in {**net.arrays, **arrays}.items() if v is not None}, whole))
        with pytest.raises(WeightsError) as fault:
            weights.load(path)
        assert str(fault.value).startswith(f"{path}: {says}") and "\n" not in str(fault.value)


def test_each_kind_of_net_is_told_by_its_file(tmp_path, file):
    layers = ((np.zeros((84, 3), np.float32), np.zeros(3, np.float32)),)
    perceptron = tmp_path / "perceptron.safetensors"
    weights.save(Net("connect_four", 1, "results", layers), perceptron)
    assert isinstance(weights.load_perceptron(perceptron), Net) and isinstance(weights.load_tower(file), Tower)
    with pytest.raises(WeightsError, match=r"is a tower, 2×8, but TD learning and games with dice take a perceptron$"):
        weights.load_perceptron(file)
    with pytest.raises(WeightsError, match=r"is a perceptron, 84-3, but AlphaZero learning takes a tower$"):
        weights.load_tower(perceptron)
    with pytest.raises(WeightsError, match=r"TSNN holds .* this one is a tower, 2×8$"):
        weights.save(weights.load(file), tmp_path / "tower.tsnn")


def test_a_tower_of_another_game_or_of_other_features_does_not_fit(tower_of):
    game = load_game("connect-four")
    net = tower_of(game)
    weights.check_fits(net, game)
    for change, says in (
        ({"game": "othello"}, "it was trained for othello, not for connect_four"),
        ({"features": 2}, "it was trained on version 2 of the features of connect_four, which has version 1 now"),
        ({"planes": 2}, "it sees 2 planes of 7 × 6, but connect_four has 3 of 7 × 6"),
        ({"moves": 9}, "it knows 9 moves, but connect_four has 7"),
        ({"results": 2}, "it knows 2 results, but connect_four has 3"),
    ):
        shaped = {k: v for k, v in change.items() if k not in ("game", "features")}
        other = dataclasses.replace(net, **{k: v for k, v in change.items() if k not in shaped})
        other = dataclasses.replace(other, shape=dataclasses.replace(net.shape, **shaped))
        with pytest.raises(WeightsError) as fault:
            weights.check_fits(other, game, "it")
        assert str(fault.value).startswith(says)
