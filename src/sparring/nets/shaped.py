"""What nets that are told by a shape have in common on disk: their metadata, and what is read back of it."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sparring.errors import WeightsError
from sparring.nets import storage


class Learned:
    """What can be said of a net by its arrays alone."""

    arrays: dict[str, np.ndarray]

    @property
    def parameters(self) -> int:
        """How many numbers were learned."""
        return sum(array.size for array in self.arrays.values())

    @property
    def digest(self) -> str:
        """Eight hex digits of the weights: tells nets apart whatever their files are called."""
        return storage.digest_of(self.arrays)


def metadata_of(net: Any, kind: str, layout: str) -> dict[str, str]:
    """All of a net but its arrays, as safetensors metadata. kind: such as "tower". layout: the name of the format."""
    return {
        "format": layout,
        "game": net.game,
        "features": str(net.features),
        "architecture": f"{kind} {net.shape.name}",
        "shape": json.dumps(dataclasses.asdict(net.shape)),
        "training": json.dumps(net.training),
    }


def read_back(
    arrays: dict[str, np.ndarray],
    metadata: dict[str, str],
    layout: str,
    shape_from: Callable[[dict[str, Any]], Any],
    where: str,
) -> tuple[str, int, Any, dict[str, np.ndarray], dict[str, Any]]:
    """Game, version of the features, shape, arrays and training of a file; arrays of other names are passed over.

    shape_from: makes the shape of what its fields were. WeightsError where the file is no complete net of that layout.
    """
    if metadata.get("format") != layout:
        raise WeightsError(f"{where}: format {metadata.get('format')!r}, but this version reads {layout!r}")
    try:
        shape = shape_from(json.loads(metadata["shape"]))
        found = {name: arrays[name] for name in shape.arrays}
        return metadata["game"], int(metadata["features"]), shape, found, json.loads(metadata["training"])
    except (KeyError, ValueError, TypeError, WeightsError) as fault:
        raise WeightsError(f"{where}: not a complete net ({fault})") from fault


def check_arrays(
    arrays: Mapping[str, np.ndarray], wanted: Mapping[str, tuple[int, ...]], kind: str, where: str
) -> None:
    """WeightsError unless every array is float32 of the shape that is wanted. kind: such as "a tower"."""
    for name, array in arrays.items():
        if array.shape != wanted[name] or array.dtype != np.float32:
            has = f"{name} is {array.dtype} {list(array.shape)}"
            raise WeightsError(f"{where}: {has}, but {kind} of its shape has float32 {list(wanted[name])}")
