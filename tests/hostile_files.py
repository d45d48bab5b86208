"""Checkpoint files written by hand, so that anything can stand in them."""

import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from vitviz.weights import WeightsError, load


def safetensors(header: object, body: bytes = b"") -> bytes:
    """A safetensors file with a header of one's own: JSON, or the bytes that stand for it."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def npy(shape: object, descr: str = "<f4", body: bytes = b"") -> bytes:
    """A NumPy array whose header announces `shape`, whatever that is."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + body


def npz(path: Path, members: Mapping[str, bytes]) -> Path:
    """A NumPy archive of these arrays; the names get their suffix here."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return path


class Bomb:
    """Unpickling it leaves a mark on the disk."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def refused(path: Path, content: bytes, sentence: str) -> None:
    """Loading `content` from `path` must end with this sentence, in one line."""
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=sentence) as error:
        load(path, heads=3)
    assert "\n" not in str(error.value)
