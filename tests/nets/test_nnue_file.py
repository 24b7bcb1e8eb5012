"""Quantised NNUE nets in files: what the documented layout says stands where it says, and damage is told."""

import struct
import zlib

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.nets import nnue_file, weights
from sparring.nets.nnue_quantised import quantised

SHAPES = {
    "plain": {"outputs": 1},
    "frames": {"buckets": (0, 1, 1, 2), "flips": (0, 0, 1, 1), "sets": 2},
    "mirrored": {"flips": (0, 0, 1, 1)},
    "block-sparse": {"hidden": 32, "layers": (4, 3), "block_sparse": True, "sets": 3},
}


@pytest.fixture
def file(framed, nnue_of):
    return nnue_file.to_bytes(quantised(nnue_of(framed, **SHAPES["frames"])))


@pytest.mark.parametrize("name", SHAPES)
def test_it_comes_back_as_it_was(framed, nnue_of, name):
    net = quantised(nnue_of(framed, **SHAPES[name]))
    back = nnue_file.from_bytes(nnue_file.to_bytes(net), "net")
    assert (back.game, back.features, back.shape) == (net.game, net.features, net.shape)
    assert list(back.arrays) == list(net.arrays)
    for part, array in net.arrays.items():
        assert back.arrays[part].dtype == array.dtype and np.array_equal(back.arrays[part], array)


@pytest.mark.parametrize("name", SHAPES)
def test_it_is_a_net_like_others_and_keeps_its_numbers(framed, nnue_of, name, tmp_path):
    net = nnue_of(framed, **SHAPES[name])
    weights.save(net, tmp_path / "net.nnue")
    read = weights.load_leaf_net(tmp_path / "net.nnue")
    weights.check_fits(read, framed)
    weights.save(read, tmp_path / "again.nnue")
    assert (tmp_path / "again.nnue").read_bytes() == (tmp_path / "net.nnue").read_bytes()


def test_it_lies_in_the_file_as_the_document_says(framed, nnue_of):
    """Read by hand, number by number, with nothing of ours."""
    net = nnue_of(framed, **SHAPES["frames"])
    data = nnue_file.to_bytes(quantised(net))
    header = struct.unpack_from("<8s14I", data)
    assert header[:12] == (b"SPARNNUE", 1, 18, 16, 3, 4, 0, 0, 0, 3, 2, 10)
    assert header[12:] == (1, zlib.crc32(data[64:]), len("framed"))
    assert data[64:70] == b"framed"
    assert struct.unpack_from("<8H", data, 128) == (0, 1, 1, 2, 0, 0, 1, 1)
    assert tuple(data[192:202]) == tuple(p * 2 // 10 for p in range(10))
    at = 256
    rows = struct.unpack_from(f"<{3 * 18 * 16}h", data, at)
    assert rows[16 * 20 + 7] == round(float(net.arrays["features.weight"][20, 7]) * 255)
    at += -(-2 * len(rows) // 64) * 64
    assert struct.unpack_from("<16h", data, at)[3] == round(float(net.arrays["features.bias"][3]) * 255)
    at += 64
    assert data[at + 32 * 4 + 5] % 256 == round(float(net.arrays["output.weight"][1, 1, 5]) * 64) % 256
    at += 2 * 3 * 32
    assert struct.unpack_from("<6i", data, at)[4] == round(float(net.arrays["output.bias"][1, 1]) * 255 * 255 * 64)
    assert len(data) == at + 64


def test_damage_is_told(file):
    flipped = bytearray(file)
    flipped[300] ^= 1
    wide = file[:20] + struct.pack("<I", 1 << 30) + file[24:]
    for data, says in (
        (b"SPARNNUE", "net: not a quantised NNUE net"),
        (b"TSNN" + file[4:], "net: not a quantised NNUE net"),
        (file[:8] + struct.pack("<I", 2) + file[12:], "net: version 2 of the format, but this version reads 1"),
        (bytes(flipped), "net: damaged or cut short"),
        (file[:-64], "net: damaged or cut short"),
        (file[:16] + struct.pack("<I", 24) + file[20:], "net: not a net that this version knows .*hidden is 24"),
        (file[:16] + struct.pack("<I", 2048) + file[20:], r"net: \d+ bytes, but its header asks for more; cut short"),
        (wide, "net: not a complete net"),
    ):
        with pytest.raises(WeightsError, match=f"^{says}"):
            nnue_file.from_bytes(data, "net")


def test_other_nets_do_not_fit(tmp_path, tower_of, framed):
    with pytest.raises(WeightsError, match=r"^a \.nnue file holds a quantised NNUE net; this one is a tower, "):
        weights.save(tower_of(framed), tmp_path / "net.nnue")
