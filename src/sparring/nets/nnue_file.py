"""A quantised NNUE net as a plain binary file, for engines in other languages; docs/nnue.md draws the layout.

Everything is little-endian. A header of 64 bytes is followed by sections, each of which begins at a multiple of 64: the
game's name, the tables, then the arrays in the order of `NnueShape.arrays`.
"""

import struct
import zlib

import numpy as np

from sparring.errors import WeightsError
from sparring.nets.nnue import NnueShape
from sparring.nets.nnue_quantised import Quantised, first_dense

MAGIC = b"SPARNNUE"
VERSION = 1
HEADER = struct.Struct("<8s14I")  # of NUMBERS
NUMBERS = (
    *("version", "inputs", "hidden", "input_sets", "frames", "layer1", "layer2", "block_sparse", "outputs"),
    *("output_sets", "phases", "features", "checksum", "name"),
)
ALIGNED = 64


def to_bytes(net: Quantised) -> bytes:
    """The file of a net."""
    shape, name = net.shape, net.game.encode()
    frames = max(len(shape.buckets), len(shape.flips))
    sections = [name]
    if frames:
        sections.append(np.array([shape.buckets or (0,) * frames, shape.flips or (0,) * frames], "<u2").tobytes())
    if shape.phases:
        sections.append(bytes(shape.phases))
    kinds = kinds_of(shape)
    sections += [np.ascontiguousarray(net.arrays[part], kind).tobytes() for part, kind in kinds.items()]
    body = b"".join(section + bytes(-len(section) % ALIGNED) for section in sections)
    layers = (*shape.layers, 0, 0)[:2]
    sizes = (shape.inputs, shape.hidden, shape.input_buckets, frames, *layers, shape.block_sparse)
    ends = (shape.outputs, shape.output_buckets, len(shape.phases), net.features, zlib.crc32(body), len(name))
    return HEADER.pack(MAGIC, VERSION, *sizes, *ends) + body


def from_bytes(data: bytes, where: str) -> Quantised:
    """The net in a file; `where` names it in messages. WeightsError where it is damaged or of another kind."""
    if data[: len(MAGIC)] != MAGIC or len(data) < HEADER.size:
        raise WeightsError(f"{where}: not a quantised NNUE net, which begins with {MAGIC.decode()} and 56 bytes more")
    numbers = dict(zip(NUMBERS, HEADER.unpack_from(data)[1:], strict=True))
    if numbers["version"] != VERSION:
        raise WeightsError(f"{where}: version {numbers['version']} of the format, but this version reads {VERSION}")
    body = _Sections(data, where)
    if zlib.crc32(data[HEADER.size :]) != numbers["checksum"]:
        raise WeightsError(f"{where}: damaged or cut short (its content does not match its own checksum)")
    name = body.take("u1", numbers["name"]).tobytes().decode(errors="replace")
    frames, phases = numbers["frames"], ()
    buckets, flips = body.take("<u2", (2, frames)).tolist() if frames else ([], [])
    if numbers["phases"]:
        phases = tuple(body.take("u1", numbers["phases"]).tolist())
    try:
        shape = NnueShape(
            numbers["inputs"],
            numbers["hidden"],
            tuple(buckets) if any(buckets) else (),
            tuple(flips) if any(flips) else (),
            tuple(size for size in (numbers["layer1"], numbers["layer2"]) if size),
            bool(numbers["block_sparse"]),
            numbers["outputs"],
            phases,
        )
    except WeightsError as fault:
        raise WeightsError(f"{where}: not a net that this version knows ({fault})") from fault
    if (shape.input_buckets, shape.output_buckets) != (numbers["input_sets"], numbers["output_sets"]):
        raise WeightsError(f"{where}: not a complete net (its tables name other sets of weights than its header)")
    arrays = {part: body.take(kind, shape.arrays[part]) for part, kind in kinds_of(shape).items()}
    body.end()
    return Quantised(name, numbers["features"], shape, arrays)


def kinds_of(shape: NnueShape) -> dict[str, str]:
    """Names and types of the arrays, in the order of the file."""
    whole = first_dense(shape)
    kinds = {"features.weight": "<i2", "features.bias": "<i2", f"{whole}.weight": "<i1", f"{whole}.bias": "<i4"}
    return {part: kinds.get(part, "<f4") for part in shape.arrays}


class _Sections:
    """The file's sections, one after the other."""

    def __init__(self, data: bytes, where: str) -> None:
        self.data, self.where, self.at = data, where, HEADER.size

    def take(self, kind: str, shape: int | tuple[int, ...]) -> np.ndarray:
        """The next section as an array of its own."""
        sizes = (shape,) if isinstance(shape, int) else shape
        length = np.dtype(kind).itemsize
        for size in sizes:
            length *= size
        if length > len(self.data) - self.at:
            raise WeightsError(f"{self.where}: {len(self.data)} bytes, but its header asks for more; cut short")
        found = np.frombuffer(self.data, kind, length // np.dtype(kind).itemsize, self.at).reshape(sizes)
        self.at += -(-length // ALIGNED) * ALIGNED
        return found.astype(np.dtype(kind).newbyteorder("="))

    def end(self) -> None:
        """Nothing may follow."""
        if self.at != len(self.data):
            raise WeightsError(f"{self.where}: {len(self.data)} bytes, but its header asks for {self.at}")
