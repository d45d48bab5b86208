"""The uncoded numbers of a view, with named axes, as files: `.npz` for Python, `.csv` for a spreadsheet.

file = np.load("view.npz")
file["values"]  # float32; file["values.axes"] are its axes: "head", "key"
file["values.names.key"]  # what the places along "key" are called: "[class]", "patch 1" ...
file["about.model"]

pandas.read_csv("view.csv", comment="#")  # one row for each number
"""

from __future__ import annotations

import csv as commas
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from itertools import chain, product
from math import prod
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from vitviz import __version__
from vitviz.counts import parameters
from vitviz.numbers import bytes_, exact
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.files import MOST_BYTES
from vitviz.takeaway.kinds import kind_of, patch_of, values
from vitviz.takeaway.view import View, token_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from vitviz.takeaway.opening import Opened
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

WORD = re.compile(r"\([^)]*\)|\S+")  # of axes: a name, or several in parentheses
FORMULA = "=+-@#＝＋－＠"  # what begins a formula in a spreadsheet, or a comment
AFTER_SEPARATOR = re.compile(rf"([,;|]\s*)(?=[{re.escape(FORMULA)}])")
DIGITS = 12  # letters of a number, about
YEAR = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold: equal numbers make equal bytes


@dataclass(frozen=True)
class Named:
    """Numbers with named axes.

    `axes` are in order ("head", "key"), `names` what the places along an axis are called; absent, they count from 0.
    `values` are float32 or int64, `name` is that of the array in a file, `says` what the numbers are, in a sentence.
    Raises `ValueError` where axes or names do not fit the values.
    """

    name: str
    values: NDArray[Any]
    axes: tuple[str, ...]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    says: str = ""

    def __post_init__(self) -> None:
        sizes = dict(zip(self.axes, self.values.shape, strict=False))
        if len(sizes) != self.values.ndim or len(self.axes) != self.values.ndim:
            raise ValueError(f"{self.name} has the shape {self.values.shape} and the axes {self.axes}")
        for axis, names in self.names.items():
            if len(names) != sizes.get(axis):
                raise ValueError(f"{len(names)} names for the {sizes.get(axis)} places of {axis} in {self.name}")


def named(view: View, trace: Trace | None = None, loaded: Loaded | None = None) -> list[Named]:
    """The numbers of a view of any kind, "values"; of *Heads* also all weights of its head, the array "matrix".

    Classes have their names with `loaded`; counts need no trace. Raises what the measures of the view raise.
    """
    kind = kind_of(view)
    numbers = values(view, trace)
    numbers = numbers.astype(np.int64 if numbers.dtype.kind in "iu" else np.float32, copy=False)
    axes: list[str] = []
    names: dict[str, Sequence[str]] = {}
    shape: list[int] = []
    for word, size in zip(WORD.findall(kind.axes), numbers.shape, strict=True):
        for axis, places, count in _axes(word, size, kind.places, view, loaded):
            axes.append(axis)
            shape.append(count)
            names |= {axis: places} if places else {}
    found = [Named("values", numbers.reshape(shape), tuple(axes), names, _sentence(kind.says))]
    if view.page == "heads" and trace is not None:
        found.append(_matrix(view, trace))
    return found


def about(it: Opened | View, link: str = "") -> dict[str, str]:
    """What a file says of its numbers: which model, which picture, what is chosen, from 1, and which vitviz."""
    view, here = (it, None) if isinstance(it, View) else (it.view, it)
    kind = kind_of(view)
    said = {
        "made with": f"vitviz {__version__}",
        "page": kind.title,
        "link": link,
        "model": PurePath(view.model).name,
        "sizes": view.config.key,
        "edits": str(view.edits),
    }
    if here:
        from vitviz.takeaway.notebook.proof import parameters_digest, picture_digest

        said["parameters sha256"] = parameters_digest(here.loaded.model)
        said |= {"picture": here.title, "picture sha256": picture_digest(here.crop)}
        places = {
            "layer": str(view.layer + 1),
            "head": str(view.head + 1),
            "query": token_names(view.config)[view.query],
        }
        places["patch"] = str(patch_of(view) + 1)
        said |= {name: place for name, place in places.items() if name in kind.given.split(", ")}
    return {name: text for name, text in said.items() if text}


def npz(arrays: Sequence[Named], about: Mapping[str, str]) -> bytes:
    """The file for `np.load`, which needs no pickle; equal numbers make equal bytes.

    Raises `TakeawayError` where the numbers are more than a file should hold.
    """
    _require(sum(it.values.nbytes for it in arrays), arrays, "choose a smaller picture size or model")
    entries: dict[str, NDArray[Any]] = {}
    for it in arrays:
        key = _free(_key(it.name), entries)
        entries[key] = it.values
        said = {"axes": it.axes, "says": it.says, **{f"names.{axis}": names for axis, names in it.names.items()}}
        for part, words in said.items():
            entries[_free(f"{key}.{_key(part)}", entries)] = _texts(words)
    for name, text in about.items():
        entries[_free(f"about.{_key(name)}", entries)] = _texts(text)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as file:
        for key, array in entries.items():
            entry = ZipInfo(f"{key}.npy", YEAR)
            entry.compress_type, entry.create_system = ZIP_DEFLATED, 3
            with file.open(entry, "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
    return buffer.getvalue()


def csv(arrays: Sequence[Named], about: Mapping[str, str]) -> bytes:
    """The file for a spreadsheet: one row for each number, the names of its places, then the number itself.

    Several arrays have their name in the first column, "array", and leave the axes empty that are not theirs. Lines
    that begin with # say what it is. A name that a spreadsheet would take for a formula begins with an apostrophe.
    Numbers have as many digits as give the float32 back. Raises `TakeawayError` where the file would be too large.
    """
    _require(sum(map(_row_bytes, arrays)), arrays, "take the .npz, which holds them in less")
    axes = list(dict.fromkeys(axis for it in arrays for axis in it.axes))
    several = len(arrays) > 1
    buffer = StringIO()
    for name, text in chain(about.items(), ((it.name, it.says) for it in arrays if it.says)):
        buffer.write(f"# {_comment(f'{name}: {text}')}\n")
    writer = commas.writer(buffer, quoting=commas.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([*(["array"] if several else []), *map(_cell, axes), "value"])
    for it in arrays:
        places = [_places(it, axis) for axis in axes]
        ahead = [[_cell(it.name)]] if several else []
        # the axes stand in the order of the header, and those of the array in its own
        ordered = it.values.transpose([it.axes.index(axis) for axis in axes if axis in it.axes])
        rows = product(*ahead, *places)
        writer.writerows((*row, value) for row, value in zip(rows, ordered.ravel(), strict=True))
    text = buffer.getvalue()
    mark = "" if text.isascii() else "\ufeff"  # without which Excel takes UTF-8 for something else
    return (mark + text).encode()


def _axes(
    word: str, size: int, given: Sequence[str], view: View, loaded: Loaded | None
) -> Iterator[tuple[str, Sequence[str], int]]:
    """Name, places and size of an axis, or of each in a group such as (c ph pw)."""
    group = [AXES[part] for part in word.strip("()").split() if part in AXES]
    places = [names(view, loaded) for _, names in group]
    if len(group) > 1 and prod(map(len, places)) == size:
        yield from ((axis, names, len(names)) for (axis, _), names in zip(group, places, strict=True))
        return
    axis, names = AXES.get(word, (word, lambda *_: ()))
    if word.isdecimal():
        axis, names = "what", lambda *_: given
    found = names(view, loaded)
    yield axis, found if len(found) == size else (), size


def _numbered(noun: str, count: int) -> list[str]:
    return [f"{noun} {number}" for number in range(1, count + 1)]


def _tokens(view: View, loaded: Loaded | None) -> Sequence[str]:
    return token_names(view.config)


def _channels(view: View, loaded: Loaded | None) -> Sequence[str]:
    channels = view.config.channels
    return ("red", "green", "blue") if channels == 3 else _numbered("channel", channels)


# Words of axes: what an axis is called, and its places.
AXES: dict[str, tuple[str, Callable[[View, Loaded | None], Sequence[str]]]] = {
    "q": ("query", _tokens),
    "k": ("key", _tokens),
    "t": ("token", _tokens),
    "n": ("patch", lambda view, _: _numbered("patch", view.config.patches)),
    "gh": ("row", lambda view, _: _numbered("row", view.config.grid[0])),
    "gw": ("column", lambda view, _: _numbered("column", view.config.grid[1])),
    "c": ("channel", _channels),
    "ph": ("pixel_row", lambda view, _: _numbered("row", view.config.patch_sides[0])),
    "pw": ("pixel_column", lambda view, _: _numbered("column", view.config.patch_sides[1])),
    "d": ("component", lambda view, _: _numbered("component", view.config.dim)),
    "dh": ("component", lambda view, _: _numbered("component", view.config.head_dim)),
    "m": ("hidden", lambda view, _: _numbered("component", view.config.mlp_dim)),
    "head": ("head", lambda view, _: _numbered("head", view.config.heads)),
    "layer": ("layer", lambda view, _: _numbered("layer", view.config.depth)),
    "(depth + 1)": ("after", lambda view, _: ["embedding", *_numbered("layer", view.config.depth)]),
    "classes": ("class", lambda view, loaded: loaded.labels if loaded else ()),
    "tensors": ("tensor", lambda view, _: sorted(row.tensor for row in parameters(view.config))),
}


def _matrix(view: View, trace: Trace) -> Named:
    """All weights of the head that is chosen."""
    from vitviz.measures.attention import attention_weights

    tokens = token_names(view.config)
    says = f"What every query looks at in head {view.head + 1} of layer {view.layer + 1}."
    weights = attention_weights(trace, view.layer)[view.head].copy()
    return Named("matrix", weights, ("query", "key"), {"query": tokens, "key": tokens}, says)


def _require(size: int, arrays: Sequence[Named], way_out: str) -> None:
    """Raise `TakeawayError` where a file would have more bytes than it should."""
    if size > MOST_BYTES:
        count = exact(sum(it.values.size for it in arrays))
        limit = bytes_(MOST_BYTES)
        raise TakeawayError(f"{count} numbers make a file of about {bytes_(size)} and the limit is {limit}; {way_out}")


def _row_bytes(it: Named) -> int:
    """About how many bytes the rows of an array take."""
    letters = DIGITS + len(it.name)
    for axis, size in zip(it.axes, it.values.shape, strict=True):
        names = it.names.get(axis)
        letters += 3 + (sum(map(len, names)) // max(1, size) if names else len(str(size)))
    return it.values.size * letters


def _places(it: Named, axis: str) -> Sequence[str | int]:
    """What stands in the column of an axis: names, numbers from 0, or nothing where it is none of the array's."""
    if axis not in it.axes:
        return [""]
    if axis in it.names:
        return [_cell(name) for name in it.names[axis]]
    return range(it.values.shape[it.axes.index(axis)])


def _cell(text: str) -> str:
    """A name as text, whatever it begins with."""
    line = _line(text)
    return f"'{line}" if line.lstrip("\"' ")[:1] in tuple(FORMULA) else line


def _comment(text: str) -> str:
    """A line that is no cell's beginning and opens no quotes, also where a spreadsheet splits it."""
    return AFTER_SEPARATOR.sub(r"\1'", _line(text).replace('"', "'"))


def _line(text: str) -> str:
    """Foreign words on one line, without what no file can hold."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())


def _texts(words: str | Sequence[str]) -> NDArray[np.str_]:
    return np.array(_line(words) if isinstance(words, str) else [_line(word) for word in words], np.str_)


def _key(name: str) -> str:
    """A name that may stand in a zip file and in Python's brackets."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name)[:80].strip(".") or "values"


def _free(key: str, taken: Mapping[str, Any]) -> str:
    """The key, numbered where another has it already."""
    lower = {other.lower() for other in taken}
    return next(it for it in chain([key], (f"{key}_{number}" for number in range(2, 10**6))) if it.lower() not in lower)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
