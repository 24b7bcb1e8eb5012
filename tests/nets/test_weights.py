"""Nets in safetensors files come back byte for byte with their provenance, and damaged or foreign files are refused."""

import itertools
import json
import struct

import numpy as np
import pytest
from safetensors.numpy import save as save_tensors

from sparring.errors import WeightsError
from sparring.games.game import load as load_game
from sparring.nets import weights
from sparring.nets.weights import FORMAT, Net

TRAINING = {"generation": 7, "seed": 1, "note": "λ = 0.7", "settings": {"depth": 3, "learning_rate": 1e-3}}


def some_net(sizes=(52, 5, 3), head="results"):
    random = np.random.default_rng(4)
    layers = tuple(
        (random.normal(size=(a, b)).astype(np.float32), random.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    )
    return Net("tigers_and_sheep", 1, head, layers, TRAINING)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "net.safetensors"
    weights.save(some_net(), path)
    return path


def refused(path):
    """What is said about a file that cannot be read as a net."""
    with pytest.raises(WeightsError) as fault:
        weights.load(path)
    text = str(fault.value)
    assert text.count("\n") == 0 and str(path) in text
    return text.removeprefix(f"{path}: ")


def header_of(data):
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + length])


def test_a_net_comes_back_byte_for_byte(file):
    before, after = some_net(), weights.load(file)
    assert (after.game, after.features, after.head, after.training) == ("tigers_and_sheep", 1, "results", TRAINING)
    assert after.sizes == before.sizes == (52, 5, 3) and after.digest == before.digest
    for (a, b), (c, d) in zip(before.layers, after.layers, strict=True):
        assert a.tobytes() == c.tobytes() and b.tobytes() == d.tobytes() and c.dtype == np.float32
    again = file.with_name("again.safetensors")
    weights.save(after, again)
    assert again.read_bytes() == file.read_bytes()


def test_special_numbers_come_back_too(tmp_path):
    odd = np.array([[-0.0, 1e-45, np.float32(3.4028235e38)]], np.float32)
    net = Net("pig", 1, "tanh", ((odd, np.zeros(3, np.float32)), (odd.T, np.zeros(1, np.float32))))
    weights.save(net, tmp_path / "odd.safetensors")
    assert weights.load(tmp_path / "odd.safetensors").layers[0][0].tobytes() == odd.tobytes()


def test_the_metadata_tells_what_the_net_is(file):
    """Readable with any safetensors tool, without Sparring."""
    header = header_of(file.read_bytes())
    metadata = header.pop("__metadata__")
    assert len(metadata.pop("digest")) == 8
    assert json.loads(metadata.pop("training")) == TRAINING
    assert metadata == {
        "format": FORMAT,
        "game": "tigers_and_sheep",
        "features": "1",
        "head": "results",
        "activation": "relu",
        "architecture": "mlp 52-5-3",
    }
    assert {name: entry["shape"] for name, entry in header.items()} == {
        "layer0.weight": [52, 5],
        "layer0.bias": [5],
        "layer1.weight": [5, 3],
        "layer1.bias": [3],
    }


def test_a_changed_weight_changes_the_digest(file):
    net = weights.load(file)
    net.layers[1][1][2] = np.nextafter(net.layers[1][1][2], np.float32(9))
    assert net.digest != some_net().digest


@pytest.mark.parametrize("keep", [0.0, 0.001, 0.1, 0.3, 0.6, 0.9, 0.9999])
def test_a_file_cut_short_is_refused(file, keep):
    data = file.read_bytes()
    file.write_bytes(data[: int(keep * len(data))])
    text = refused(file)
    assert "damaged at its beginning" in text or "cut short or damaged" in text


def test_a_file_with_something_behind_it_is_refused(file):
    data = file.read_bytes()
    file.write_bytes(data + b"\0")
    assert refused(file) == f"{len(data) + 1} bytes, but its header says {len(data)}; cut short or damaged"


def test_a_flipped_bit_is_found_wherever_it_is(file):
    """In the length, the names, the provenance or the weights; each byte has its turn."""
    data = file.read_bytes()
    for at in range(len(data)):
        spoilt = bytearray(data)
        spoilt[at] ^= 1 << at % 8
        with pytest.raises(WeightsError):
            weights.from_safetensors(bytes(spoilt), f"byte {at}")


def test_other_files_are_refused(tmp_path):
    """Empty, text, JSON, random bytes, a header that is no table, another program's safetensors file."""
    path = tmp_path / "other"
    nested = b"[" * 5000
    for data in (
        b"",
        b"not a net at all\n",
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", len(nested)) + nested,
        packed_header({"a": {"data_offsets": [0, "x"]}}),
        packed_header({"a": {"data_offsets": []}}),
    ):
        path.write_bytes(data)
        assert refused(path) == "neither a safetensors nor a TSNN file, or damaged at its beginning"
    path.write_bytes(save_tensors({"weight": np.zeros(3, np.float32)}))
    assert refused(path) == "damaged (its content does not match its own digest)"


def packed_header(header):
    data = json.dumps(header).encode()
    return struct.pack("<Q", len(data)) + data


def write(path, arrays, **metadata):
    """A sound file of arrays, with metadata as a net has it but for what is given."""
    usual = weights.metadata_of(some_net())
    whole = {key: value for key, value in {**usual, **metadata}.items() if value is not None}
    path.write_bytes(weights.storage.pack(arrays, whole))


def test_files_of_another_kind_are_refused(tmp_path):
    """Sound files whose content is no net that this version knows."""
    path, arrays = tmp_path / "net.safetensors", some_net().arrays
    doubled = {name: array.astype(np.float64) for name, array in arrays.items()}
    for content, metadata, says in (
        (arrays, {"format": "sparring-net-9"}, "format 'sparring-net-9', but this version reads 'sparring-net-1'"),
        (arrays, {"format": None}, "format None, but this version reads 'sparring-net-1'"),
        (arrays, {"game": None}, "not a complete net ('game')"),
        (arrays, {"training": "{"}, "not a complete net (Expecting property name enclosed in double quotes: "),
        ({**arrays, "layer1.weight": arrays["layer1.bias"]}, {}, "not a net that this version knows: head 'results', "),
        ({k: v for k, v in arrays.items() if k != "layer0.weight"}, {}, "not a complete net ('layer0.weight')"),
        ({}, {}, "not a net that this version knows: head 'results', activation 'relu', layers []"),
        ({**arrays, "layer1.weight": np.zeros((4, 3), np.float32)}, {}, "not a net that this version knows: "),
        ({**arrays, "layer0.bias": np.zeros(4, np.float32)}, {}, "not a net that this version knows: "),
        (doubled, {}, "not a net that this version knows: "),
        (arrays, {"head": "wdl"}, "not a net that this version knows: head 'wdl', activation 'relu', layers [[52, 5],"),
    ):
        write(path, content, **metadata)
        assert refused(path).startswith(says)


def test_a_net_of_another_game_or_of_other_features_is_read_but_does_not_fit(tmp_path):
    """What the inputs mean is checked where a net meets a game."""
    path, arrays = tmp_path / "net.safetensors", some_net().arrays
    game = load_game("tigers-and-sheep")
    write(path, arrays)
    weights.check_fits(weights.load(path), game)
    for metadata, says in (
        ({"game": "othello"}, "it was trained for othello, not for tigers_and_sheep"),
        ({"features": "2"}, "it was trained on version 2 of the features of tigers_and_sheep, which has version 1 now"),
        ({"head": "tanh"}, "it has 3 outputs, but a 'tanh' head of tigers_and_sheep has 1"),
    ):
        write(path, arrays, **metadata)
        with pytest.raises(WeightsError) as fault:
            weights.check_fits(weights.load(path), game, "it")
        assert str(fault.value).startswith(says)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    newest = tmp_path / "nets" / "latest.safetensors"
    for path, named in ((tmp_path / "missing", tmp_path / "missing"), (tmp_path, newest)):  # a folder is a run's
        with pytest.raises(WeightsError) as fault:
            weights.load(path)
        assert str(fault.value) == f"cannot read {named}: No such file or directory"
