"""TSNN, the reference program's file of weights: its bytes, both ways, and what is refused."""

import itertools
import struct

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.nets import weights
from sparring.nets.weights import Net


@pytest.fixture
def parts():
    """W1 (unit of layer 1 by input), B1, W2, B2, W3, B3, told apart by their numbers."""
    random = np.random.default_rng(3)
    shapes = [(64, 52), (64,), (32, 64), (32,), (1, 32), (1,)]
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


def written(parts, magic=b"TSNN", version=1, sizes=(52, 64, 32)):
    """The file as its description says, number by number."""
    w1, b1, w2, b2, w3, b3 = parts
    data = magic + struct.pack("<I", version) + struct.pack("<III", *sizes)
    for i in range(52):  # the 64 weights of input 0, then of input 1, ...
        data += b"".join(struct.pack("<f", w1[unit, i]) for unit in range(64))
    data += b"".join(struct.pack("<f", x) for x in b1)
    for unit in range(32):  # the 64 weights into unit 0, ...
        data += b"".join(struct.pack("<f", x) for x in w2[unit])
    data += b"".join(struct.pack("<f", x) for x in b2)
    data += b"".join(struct.pack("<f", x) for x in w3[0])
    return data + struct.pack("<f", b3[0])


def test_a_file_by_the_description_is_read(parts, tmp_path):
    file = tmp_path / "reference.tsnn"
    file.write_bytes(written(parts))
    assert file.stat().st_size == 22_040
    net = weights.load(file)
    assert (net.game, net.features, net.head, net.sizes) == ("tigers_and_sheep", 1, "tanh", (52, 64, 32, 1))
    assert net.parameters == 5505
    w1, b1, w2, b2, w3, b3 = parts
    for got, wanted in zip(net.layers, ((w1.T, b1), (w2.T, b2), (w3.T, b3)), strict=True):
        np.testing.assert_array_equal(got[0], wanted[0])
        np.testing.assert_array_equal(got[1], wanted[1])
    weights.check_fits(net, load_game("tigers-and-sheep"))


def test_it_is_written_as_it_was_read(parts, tmp_path):
    data = written(parts)
    assert weights.to_tsnn(weights.from_tsnn(data, "")) == data
    weights.save(weights.from_tsnn(data, ""), tmp_path / "copy.tsnn")
    assert (tmp_path / "copy.tsnn").read_bytes() == data


def test_it_is_told_by_its_content_whatever_it_is_called(parts, tmp_path):
    (tmp_path / "net.bin").write_bytes(written(parts))
    assert weights.load(tmp_path / "net.bin").sizes == (52, 64, 32, 1)


def test_through_safetensors_it_stays_the_same(parts, tmp_path):
    net = weights.from_tsnn(written(parts), "")
    weights.save(net, tmp_path / "net.safetensors")
    again = weights.load(tmp_path / "net.safetensors")
    assert weights.to_tsnn(again) == written(parts)
    assert again.digest == net.digest and again.training == {"from": "TSNN"}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"magic": b"TSNX"}, "begins with b'TSNX', not with b'TSNN'"),
        ({"version": 2}, "TSNN version 2, but this version reads 1"),
        ({"sizes": (52, 64, 16)}, "layers [52, 64, 16], but TSNN nets of Tigers and Sheep have [52, 64, 32]"),
        ({"sizes": (50, 64, 32)}, "layers [50, 64, 32], but TSNN nets of Tigers and Sheep have [52, 64, 32]"),
    ],
)
def test_a_file_of_another_kind_is_refused(parts, tmp_path, changed, says):
    file = tmp_path / "other.tsnn"
    file.write_bytes(written(parts, **changed))
    with pytest.raises(WeightsError) as fault:
        weights.load(file)
    assert str(fault.value) == f"{file}: {says}"


@pytest.mark.parametrize(
    ("length", "says"),
    [
        (0, "begins with b'', not with b'TSNN'"),
        (3, "begins with b'TSN', not with b'TSNN'"),
        (4, "4 bytes, too short for a TSNN header of 20"),
        (19, "19 bytes, too short for a TSNN header of 20"),
        (20, "20 bytes, but a TSNN file of 52-64-32-1 has 22040"),
        (22_036, "22036 bytes, but a TSNN file of 52-64-32-1 has 22040"),
        (22_039, "22039 bytes, but a TSNN file of 52-64-32-1 has 22040"),
        (22_041, "22041 bytes, but a TSNN file of 52-64-32-1 has 22040"),
    ],
)
def test_a_file_of_another_length_is_refused(parts, tmp_path, length, says):
    file = tmp_path / "cut.tsnn"
    file.write_bytes((written(parts) + b"\0")[:length])
    with pytest.raises(WeightsError) as fault:
        weights.load(file)
    assert str(fault.value) == f"{file}: {says}"


def test_other_nets_cannot_be_written_as_tsnn(tmp_path):
    """Nothing is written then."""

    def net(sizes, head):
        layers = tuple((np.zeros((a, b), np.float32), np.zeros(b, np.float32)) for a, b in itertools.pairwise(sizes))
        return Net("tigers_and_sheep", 1, head, layers)

    for sizes, head, name in (
        ((52, 64, 16, 1), "tanh", "52-64-16-1"),
        ((52, 64, 32, 3), "results", "52-64-32-3"),
        ((52, 64, 1), "tanh", "52-64-1"),
    ):
        with pytest.raises(WeightsError) as fault:
            weights.save(net(sizes, head), tmp_path / "net.tsnn")
        assert str(fault.value) == (
            f"TSNN holds 52-64-32-1 nets with a tanh head; this one is {name} with a {head!r} head"
        )
    assert not list(tmp_path.iterdir())
