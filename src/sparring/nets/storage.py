"""Arrays on disk: safetensors files that carry a digest of their content, written whole or not at all."""

import hashlib
import json
import os
import pathlib
import struct
import tempfile
from collections.abc import Mapping

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from sparring.errors import WeightsError

SHIPPED = pathlib.Path(__file__).parent / "trained"  # nets that come with the package, one a game


def digest_of(arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str] | None = None) -> str:
    """Eight hex digits of the arrays' names and bytes, and of the metadata but for the digest it holds itself."""
    seed = hashlib.sha256()
    for name in sorted(arrays):
        seed.update(name.encode() + b"\0" + np.ascontiguousarray(arrays[name]).tobytes())
    for name in sorted((metadata or {}).keys() - {"digest"}):
        seed.update(f"\0{name}\0{(metadata or {})[name]}".encode())
    return seed.hexdigest()[:8]


def pack(arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> bytes:
    """A safetensors file of the arrays, whose metadata also holds a digest of it all."""
    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    data = save_tensors(whole, {**metadata, "digest": digest_of(whole, metadata)})
    # the library writes the header's entries in any order; sorted, equal nets are equal files
    (length,) = struct.unpack("<Q", data[:8])
    header = json.dumps(json.loads(data[8 : 8 + length]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + bytes(data[8 + length :])


def unpack(data: bytes, where: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Arrays and metadata of such a file; WeightsError where it is cut short, damaged or something else."""
    try:
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8 : 8 + length])
        end = max((int(v["data_offsets"][1]) for k, v in header.items() if k != "__metadata__"), default=0)
        metadata = dict(header.get("__metadata__", {}))
    except (struct.error, ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise WeightsError(f"{where}: neither a safetensors nor a TSNN file, or damaged at its beginning") from fault
    if len(data) != 8 + length + end:
        raise WeightsError(f"{where}: {len(data)} bytes, but its header says {8 + length + end}; cut short or damaged")
    try:
        arrays = dict(load_tensors(data))
    except SafetensorError as fault:
        raise WeightsError(f"{where}: damaged ({fault})") from fault
    if metadata.get("digest") not in (digest_of(arrays, metadata), digest_of(arrays)):  # once it left metadata out
        raise WeightsError(f"{where}: damaged (its content does not match its own digest)")
    return arrays, metadata


def read(path: pathlib.Path) -> bytes:
    """The bytes of a file, or a WeightsError that names it."""
    try:
        return path.read_bytes()
    except OSError as fault:
        raise WeightsError(f"cannot read {path}: {fault.strerror}") from fault


def write_whole(path: pathlib.Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, whatever happens meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        pathlib.Path(temporary).unlink(missing_ok=True)
        raise
