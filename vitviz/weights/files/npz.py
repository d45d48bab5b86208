"""NumPy archives: a ZIP file of arrays, each with a header of its own."""

import io
import re
import zipfile
from functools import lru_cache
from math import prod
from pathlib import Path

import numpy as np
import torch
from numpy.lib import format as npy
from torch import Tensor

from vitviz.config import LIMITS
from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.source import Source, require_count, require_unique

LONGEST_DIRECTORY = 1_000_000  # bytes; five thousand names of a hundred letters take 730,000
LONGEST_LINE = 1_000  # bytes of an array's header; one has 118
MOST_UNPACKING = 10  # trained parameters do not compress; zeros do, a thousand to one
LOCKED = 1  # the flag of a member that asks for a password
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DTYPES = tuple(np.dtype(code) for code in ("<f8", "<f4", "<f2", "|i1"))
# An array's header is a line of Python, always written alike; NumPy's own reader may take a millisecond for each.
LINE = re.compile(
    rb"\{\s*'descr':\s*'([^']{1,20})',\s*'fortran_order':\s*(?:True|False),\s*'shape':\s*\(([\d, ]*)\),?\s*\}\s*"
)
STACK = "/encoderblock/"


class _Archive(io.FileIO):
    """A file on the disk of which a little is read at once: `zipfile` reads a directory whole, however long."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_DIRECTORY:
            raise WeightsError(
                f"{Path(str(self.name)).name} announces a table of contents of {size:,} bytes; that of a Vision "
                f"Transformer has fewer than {LONGEST_DIRECTORY:,}, so it is none"
            )
        return super().read(size)

    def __del__(self) -> None:
        self.close()  # here, because nobody closes a `Source`


def open_archive(path: Path) -> zipfile.ZipFile:
    """The ZIP file at `path`, its table of contents read. Raises `WeightsError` for what is no whole one."""
    try:
        return zipfile.ZipFile(_Archive(path))
    except WeightsError:
        raise
    except Exception as error:  # zipfile raises what it likes
        raise WeightsError(f"{path.name} is a damaged archive; copy or download it again") from error


def open_npz(path: Path) -> Source:
    """Shapes come from the arrays' headers; an array is unpacked when it is asked for."""
    archive = open_archive(path)
    members = archive.infolist()
    require_count(path.name, len(members))
    packed, unpacked = path.stat().st_size, sum(member.file_size for member in members)
    if unpacked > MOST_UNPACKING * packed:
        raise WeightsError(
            f"{path.name} would unpack {packed:,} bytes to {unpacked:,} in {len(members):,} arrays; "
            "trained parameters do not compress like that, so it is refused"
        )
    names = [member.filename.removesuffix(".npy") for member in members]
    require_unique(path.name, names)
    try:
        shapes = {name: _shape(archive, member) for name, member in zip(names, members, strict=True)}
    except WeightsError as error:
        raise WeightsError(f"{path.name} is no whole archive of plain arrays: {error}") from error
    except Exception as error:
        raise WeightsError(
            f"{path.name} is no whole archive of plain arrays; save it again or download it anew"
        ) from error

    def read(name: str) -> Tensor:
        try:
            with archive.open(f"{name}.npy") as member:
                array = npy.read_array(member, allow_pickle=False)
        except Exception as error:
            raise WeightsError(
                f"{quoted(name)} in {path.name} cannot be read; save it again or download it anew"
            ) from error
        if array.dtype not in DTYPES:
            kinds = ", ".join(kind.name for kind in DTYPES)
            raise WeightsError(
                f"{quoted(name)} holds {quoted(array.dtype)} numbers; parameters are {kinds} with a scale"
            )
        return torch.from_numpy(array)

    return Source(path.name, shapes, read)


def _shape(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[int, ...]:
    """The shape of one array, from its header; refuses what is no plain array."""
    name = quoted(member.filename)
    if member.flag_bits & LOCKED:
        raise WeightsError(f"{name} is locked, password required")
    if member.compress_type not in PACKINGS:
        raise WeightsError(f"{name} is packed as NumPy does not pack")
    with archive.open(member) as file:
        major, _ = npy.read_magic(file)
        length = int.from_bytes(file.read(2 if major == 1 else 4), "little")
        line = LINE.fullmatch(file.read(length) if length <= LONGEST_LINE else b"")
        nbytes = member.file_size - file.tell()
    if line is None:
        raise WeightsError(f"{name} begins as no plain array does")
    dtype, sizes = np.dtype(line[1].decode()), line[2].decode().split(",")
    if dtype.hasobject:
        raise WeightsError(f"{name} holds Python objects, which can run code")
    shape = tuple(int(size) for size in sizes if size.strip())
    if prod(shape) * max(1, dtype.itemsize) > nbytes:
        raise WeightsError(f"{name} announces {quoted(shape)} and holds {nbytes:,} bytes")
    return shape


def unstacked(source: Source) -> Source:
    """The checkpoint with a name of its own for each block, as older files have it; others stay as they are."""
    layers = {name: _layers(source, name) for name in source.shapes if STACK in name}
    if not layers:
        return source
    require_count(source.title, sum(layers.values()))
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
