"""What is in a checkpoint file: names and shapes first, numbers when asked for. Nothing in a file is ever run.

A file is what its first bytes say it is; where the suffix says something else, it is refused.
"""

import argparse
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.lib import format as npy
from safetensors import SafetensorError, safe_open
from torch import Tensor

from vitviz.config import LIMITS
from vitviz.weights.errors import WeightsError, quoted

LONGEST_HEADER = 1_000_000  # bytes; the header of a Vision Transformer of a billion parameters takes 90,000
MOST_TENSORS = 10_000
MOST_AXES = 8
LONGEST_AXIS = max(LIMITS.values())
MOST_UNPACKING = 10  # trained parameters do not compress; zeros do, a thousand to one
LOCKED = 1  # the flag of a ZIP member that asks for a password
DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}

SUFFIXES = {".safetensors": "safetensors", ".npz": "npz", ".pth": "pickle", ".pt": "pickle", ".bin": "pickle"}
KINDS = {"safetensors": "a safetensors file", "npz": "a NumPy archive", "pickle": "a PyTorch pickle"}
STRANGERS = (
    (b"<", "a web page, as a refused download leaves behind; download the file itself"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the file that it points to"),
    (b"{", "JSON text; the checkpoint is the file beside it"),
    (b"\x89HDF", "an HDF5 file; save it as safetensors"),
    (b"GGUF", "a GGUF file of a language model"),
    (b"\x89PNG", "a picture; choose it above, as the picture"),
    (b"\xff\xd8\xff", "a picture; choose it above, as the picture"),
)
STACK = "/encoderblock/"
WRAPPERS = ("model", "state_dict", "model_state_dict", "teacher", "model_ema", "module")

# Training programs save their settings beside the tensors. Here and not around each load: the list is the process's.
torch.serialization.add_safe_globals([argparse.Namespace])


@dataclass(frozen=True, slots=True)
class Source:
    """An open checkpoint: the shape of every tensor by name, and `read(name)`, which makes one in its own memory.

    Whatever is derived from a checkpoint may rely on its shapes: they are refused here, with a `WeightsError`, where a
    Vision Transformer has no such number of tensors or axes, and where an axis is empty or longer than any of its own.
    """

    title: str
    shapes: Mapping[str, tuple[int, ...]]
    read: Callable[[str], Tensor]

    def __post_init__(self) -> None:
        if len(self.shapes) > MOST_TENSORS:
            raise WeightsError(
                f"{self.title} holds {len(self.shapes):,} tensors; a Vision Transformer has fewer than {MOST_TENSORS:,}"
            )
        for name, shape in self.shapes.items():
            if len(shape) > MOST_AXES or not all(type(size) is int and 1 <= size <= LONGEST_AXIS for size in shape):
                raise WeightsError(
                    f"{quoted(name)} in {self.title} has the shape {quoted(shape)}; a parameter has at most "
                    f"{MOST_AXES} axes, each of 1 to {LONGEST_AXIS:,} numbers"
                )


def open_source(path: Path) -> Source:
    """Look into a checkpoint. Raises `WeightsError` for whatever is not one, without running or unpacking any of it."""
    try:
        with open(path, "rb") as file:
            start = file.read(512)
    except OSError as error:
        raise WeightsError(f"{path.name} cannot be read: {error.strerror}") from error
    expected = SUFFIXES.get(path.suffix.lower())
    if expected is None:
        raise WeightsError(f"{path.name} has none of the suffixes of a checkpoint: {', '.join(SUFFIXES)}")
    found = _kind(path, start)
    if found is None:
        raise WeightsError(f"{path.name} is {_stranger(start, expected)}")
    if found != expected:
        raise WeightsError(
            f"{path.name} is not {KINDS[expected]} but {KINDS[found]}; "
            + ("pickles can run code, so save it as safetensors" if found == "pickle" else "give it its own suffix")
        )
    return {"safetensors": _safetensors, "npz": _npz, "pickle": _pickle}[found](path)


def _kind(path: Path, start: bytes) -> str | None:
    if zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                return "pickle" if any(name.endswith(".pkl") for name in archive.namelist()) else "npz"
        except Exception as error:  # zipfile raises what it likes
            raise WeightsError(f"{path.name} is a damaged archive; copy or download it again") from error
    if start[:1] == b"\x80" and start[1:2] <= b"\x05" and start[8:9] != b"{":
        return "pickle"
    return "safetensors" if start[8:9] == b"{" else None


def _stranger(start: bytes, expected: str) -> str:
    if not start:
        return "empty; copy or download it again"
    for magic, what in STRANGERS:
        if start.lstrip().startswith(magic):
            return what
    return f"not {KINDS[expected]}, or cut off; copy or download it again"


def _safetensors(path: Path) -> Source:
    """The library checks the header; the numbers are then read one tensor at a time, so that none is held twice."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > LONGEST_HEADER:
            raise WeightsError(
                f"{path.name} announces a header of {length:,} bytes; that of a Vision Transformer has fewer than "
                f"{LONGEST_HEADER:,}, so it is none or was cut off"
            )
        _refuse_duplicates(path, file.read(length))
    try:
        with safe_open(path, "pt") as opened:
            names = opened.offset_keys()
            slices = {name: opened.get_slice(name) for name in names}
            shapes = {name: tuple(part.get_shape()) for name, part in slices.items()}
            kinds = {name: part.get_dtype() for name, part in slices.items()}
    except SafetensorError as error:
        raise WeightsError(f"{path.name} is not a whole safetensors file; save it again or download it anew") from error
    places, end = {}, 8 + length
    for name in names:  # the library has checked that they stand side by side, in this order, up to the end
        places[name], end = end, end + prod(shapes[name]) * _width(kinds[name])

    def read(name: str) -> Tensor:
        if kinds[name] not in DTYPES:
            raise WeightsError(f"{quoted(name)} holds {kinds[name]} numbers; parameters are {', '.join(DTYPES)}")
        raw = torch.empty(prod(shapes[name]) * _width(kinds[name]), dtype=torch.uint8)
        with open(path, "rb", buffering=0) as file:
            file.seek(places[name])
            if file.readinto(raw.numpy().data) != len(raw):
                raise WeightsError(f"{path.name} became shorter while it was read; load it again")
        return raw.view(DTYPES[kinds[name]]).reshape(shapes[name])

    return Source(path.name, shapes, read)


def _refuse_duplicates(path: Path, header: bytes) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = sorted(name for name, _ in pairs)
        for name, following in pairwise(names):
            if name == following:
                raise WeightsError(f"{path.name} names {quoted(name)} twice; which of the two is meant cannot be told")
        return dict(pairs)

    try:
        json.loads(header, object_pairs_hook=once)
    except WeightsError:
        raise
    except (ValueError, RecursionError):
        return  # the library says more


def _width(kind: str) -> int:
    """Bytes of one number: "BF16" -> 2."""
    digits = "".join(filter(str.isdigit, kind.partition("_")[0]))
    return int(digits) // 8 if digits else 1


def _npz(path: Path) -> Source:
    archive = zipfile.ZipFile(path)
    members = archive.infolist()
    packed, unpacked = path.stat().st_size, sum(member.file_size for member in members)
    if unpacked > MOST_UNPACKING * packed or len(members) > MOST_TENSORS:
        raise WeightsError(
            f"{path.name} would unpack {packed:,} bytes to {unpacked:,} in {len(members):,} arrays; "
            "trained parameters do not compress like that, so it is refused"
        )
    try:
        shapes = {member.filename.removesuffix(".npy"): _npy_shape(archive, member) for member in members}
    except WeightsError as error:
        raise WeightsError(f"{path.name} is no whole archive of plain arrays: {error}") from error
    except Exception as error:  # and so does NumPy's reader of headers
        raise WeightsError(
            f"{path.name} is no whole archive of plain arrays; save it again or download it anew"
        ) from error

    def read(name: str) -> Tensor:
        try:
            with archive.open(f"{name}.npy") as member:
                return torch.from_numpy(npy.read_array(member, allow_pickle=False))
        except Exception as error:
            raise WeightsError(
                f"{quoted(name)} in {path.name} cannot be read; save it again or download it anew"
            ) from error

    return Source(path.name, shapes, read)


def _npy_shape(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[int, ...]:
    """The shape of one array, from its header; refuses what is no plain array."""
    if member.flag_bits & LOCKED:
        raise WeightsError(f"{quoted(member.filename)} is locked, password required")
    with archive.open(member) as file:
        version = npy.read_magic(file)
        header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = header(file)
        held = member.file_size - file.tell()
    if dtype.hasobject:
        raise WeightsError(f"{quoted(member.filename)} holds Python objects, which can run code")
    if prod(shape) * max(1, dtype.itemsize) > held:
        raise WeightsError(f"{quoted(member.filename)} announces {quoted(shape)} and holds {held:,} bytes")
    return tuple(shape)


def _pickle(path: Path) -> Source:
    """A PyTorch file from the server's own disk, opened by the reader that runs nothing."""
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # the unpickler raises whatever the bytes make it raise
        raise WeightsError(
            f"{path.name} is not a whole PyTorch file of plain tensors; save its state_dict as safetensors"
        ) from error
    state = _unwrap(content)
    if not state:
        raise WeightsError(f"{path.name} holds no tensors by name; save the model's state_dict")
    return Source(path.name, {name: tuple(tensor.shape) for name, tensor in state.items()}, state.__getitem__)


def _unwrap(content: object) -> dict[str, Tensor]:
    """The tensors by name, looking into the dictionaries that training programs put around them."""
    if not isinstance(content, Mapping):
        return {}
    tensors = {str(name): value for name, value in content.items() if isinstance(value, Tensor)}
    inner = (content[name] for name in WRAPPERS if name in content)
    return tensors or next(filter(None, map(_unwrap, inner)), {})


def unstacked(source: Source) -> Source:
    """big_vision stacks the blocks of a model into one array per parameter; here each block has its own name again."""
    layers = {name: _layers(source, name) for name in source.shapes if STACK in name}
    if not layers:
        return source
    if (names := sum(layers.values())) > MOST_TENSORS:
        raise WeightsError(
            f"{source.title} stacks {names:,} tensors; a Vision Transformer has fewer than {MOST_TENSORS:,}"
        )
    places = {
        name.replace(STACK, f"/encoderblock_{layer}/"): (name, layer)
        for name, depth in layers.items()
        for layer in range(depth)
    }
    if twice := next((name for name in places if name in source.shapes), None):
        raise WeightsError(f"{source.title} holds {quoted(twice)} twice, of its own and in a stack; keep one of them")
    whole = lru_cache(maxsize=3)(source.read)  # q, k and v are read in turns

    def read(name: str) -> Tensor:
        if name not in places:
            return source.read(name)
        array, layer = places[name]
        return whole(array)[layer].clone()

    shapes = {name: shape for name, shape in source.shapes.items() if name not in layers}
    return Source(source.title, shapes | {name: source.shapes[array][1:] for name, (array, _) in places.items()}, read)


def _layers(source: Source, name: str) -> int:
    """How many blocks are stacked in an array: its first axis."""
    layers = source.shapes[name][0] if source.shapes[name] else 0
    if not 1 <= layers <= LIMITS["depth"]:
        raise WeightsError(
            f"{quoted(name)} in {source.title} stacks {layers:,} blocks; a Vision Transformer has 1 to "
            f"{LIMITS['depth']:,}"
        )
    return layers


def as_float(tensor: Tensor, name: str) -> Tensor:
    """The tensor in float32. Raises `WeightsError` where it holds other than finite floating-point numbers."""
    if not tensor.is_floating_point():
        raise WeightsError(
            f"{quoted(name)} holds {str(tensor.dtype).removeprefix('torch.')} numbers, not floating point"
        )
    tensor = tensor.float()
    if tensor.numel() and not all(np.isfinite(float(end)) for end in torch.aminmax(tensor)):
        raise WeightsError(
            f"{quoted(name)} holds infinite numbers or none (NaN); the file is damaged or training diverged"
        )
    return tensor
