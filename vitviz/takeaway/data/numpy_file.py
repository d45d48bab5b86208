"""Numbers with named axes as the file that `np.load` reads."""

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.figure import Numbers
from vitviz.shown import one_line
from vitviz.takeaway.data.named import free, require_room

YEAR = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold: equal numbers make equal bytes


def npz(arrays: Sequence[Numbers], about: Mapping[str, str]) -> bytes:
    """The file for `np.load`, which needs no pickle; equal numbers make equal bytes.

    Raises `TakeawayError` where the numbers are more than a file should hold.
    """
    require_room(sum(it.values.nbytes for it in arrays), arrays, "choose a smaller picture size or model")
    entries: dict[str, NDArray[Any]] = {}
    for it in arrays:
        key = free(_key(it.name), entries)
        entries[key] = it.values
        header = {"axes": it.axes, "says": it.says, **{f"names.{axis}": names for axis, names in it.names.items()}}
        for part, words in header.items():
            entries[free(f"{key}.{_key(part)}", entries)] = _texts(words)
    for name, text in about.items():
        entries[free(f"about.{_key(name)}", entries)] = _texts(text)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as file:
        for key, array in entries.items():
            entry = ZipInfo(f"{key}.npy", YEAR)
            entry.compress_type, entry.create_system = ZIP_DEFLATED, 3
            with file.open(entry, "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
    return buffer.getvalue()


def _texts(words: str | Sequence[str]) -> NDArray[np.str_]:
    return np.array(one_line(words) if isinstance(words, str) else [one_line(word) for word in words], np.str_)


def _key(name: str) -> str:
    """A name that may stand in a zip file and in Python's brackets."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name)[:80].strip(".") or "values"
