"""Numbers on their way to the board: arrays by name, as bytes behind a JSON header."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

TYPES = {"u1": np.uint8, "i1": np.int8, "i4": np.int32, "f2": np.float16, "f4": np.float32}
NAMES = {np.dtype(kind): name for name, kind in TYPES.items()}


def bundle(parcels: Sequence[bytes]) -> bytes:
    """Parcels as one, for a file: u32 length of the header, the header, then the parcels."""
    header = json.dumps({"bundle": [len(parcel) for parcel in parcels]}).encode()
    return b"".join([len(header).to_bytes(4, "little"), header, *parcels])


def pack(digest: str, name: str, arrays: Arrays) -> bytes:
    """One parcel: u32 length of the header, the header, then the arrays in its order, little-endian.

    `digest` says which model and picture it belongs to. Raises KeyError for arrays of types not in `TYPES`.
    """
    parts = [np.ascontiguousarray(array) for array in arrays.values()]
    listed = [
        {"name": key, "type": NAMES[part.dtype], "shape": part.shape, "length": part.nbytes}
        for key, part in zip(arrays, parts, strict=True)
    ]
    header = json.dumps({"digest": digest, "name": name, "arrays": listed}).encode()
    return b"".join([len(header).to_bytes(4, "little"), header, *(part.tobytes() for part in parts)])
