"""Numbers with named axes: those of a view, and what a file says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz import __version__
from vitviz.addresses.links import as_seen
from vitviz.figures.figure import Figure, Numbers
from vitviz.figures.numbers import numbers_of
from vitviz.numbers import bytes_, exact
from vitviz.takeaway.calculations import (
    calculation_of,
    called,
    known_of,
    named_values,
    names_of,
    title_of,
)
from vitviz.takeaway.data.axes import WORD, axes_of
from vitviz.takeaway.errors import NEEDS_TICK, TakeawayError
from vitviz.takeaway.file import MOST_BYTES
from vitviz.takeaway.notebook.proof import loaded_digest, picture_digest
from vitviz.view import View

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.takeaway.opening import Opened
    from vitviz.trace import Trace
    from vitviz.weights import Loaded


def outlines(view: View) -> list[Numbers]:
    """Of a view whose numbers may be too many for a spreadsheet what `named` makes of it, without them; else nothing.

    Classes are named by their numbers.
    """
    its = calculation_of(view)
    return [called(its.outline, known_of(view))] if its.outline and (view.config.classes or not its.headed) else []


def named(
    view: View, trace: Trace | None = None, loaded: Loaded | None = None, picture: Image.Image | None = None
) -> list[Numbers]:
    """The numbers of a view of any kind, "values", and what there is beside them.

    Classes have their names with `loaded`; counts need no trace; `named_values` says what needs the whole
    `picture`. Raises what the measures of the view raise.
    """
    found, its = [with_axes(view, *named_values(view, trace, loaded, picture), loaded)], calculation_of(view)
    return [*found, called(its.also, known_of(view, trace, loaded))] if its.also else found


def with_axes(
    view: View, values: NDArray[Any], own: Mapping[str, Sequence[str]], loaded: Loaded | None = None
) -> Numbers:
    """What `named_values` has made of a view, with names of its axes and of the places along them."""
    its, numbers = calculation_of(view), _fitting(values)
    axes: list[str] = []
    names: dict[str, Sequence[str]] = {}
    shape: list[int] = []
    for word, size in zip(WORD.findall(its.axes), numbers.shape, strict=True):
        for axis, places, many in axes_of(word, size, {**own, "what": its.places}, view, loaded):
            axes.append(axis)
            shape.append(many)
            names |= {axis: places} if places else {}
    return Numbers("values", tuple(axes), numbers.reshape(shape), _sentence(its.says), names=names)


def named_numbers(figure: Figure, *, photos: bool = True, whole: bool = True) -> list[Numbers]:
    """All arrays of a figure; without `photos` not those of somebody's own picture, not `whole` their shapes alone.

    Raises `TakeawayError` where there are no others.
    """
    arrays = numbers_of(figure, photos)
    found = [replace(it, values=_fitting(it.values) if whole else _empty(*it.values.shape)) for it in arrays]
    if not found:
        raise TakeawayError(NEEDS_TICK)
    return found


def about(it: Opened | View, link: str = "") -> dict[str, str]:
    """What a file says of its numbers: which model, which picture, what is chosen, from 1, and which vitviz.

    Of somebody's own picture it says no more than the digest of what the model sees, and nothing that leads to it.
    """
    view, here = (it, None) if isinstance(it, View) else (it.view, it)
    its = calculation_of(view)
    lines = {
        "made with": f"vitviz {__version__}",
        "page": title_of(view),
        "column": view.column if view.column != "first" else "",
        "link": as_seen(link),
    }
    if its.pictured or its.uses("config") or view.learned is not None:
        lines |= {"model": PurePath(view.model).name, "config": view.config.key}
    if here:
        lines["edits"] = str(view.edits)
        lines["parameters sha256"] = loaded_digest(here.loaded)
        lines |= _picture("picture", view.picture, here.title, here.crop)
        lines |= _picture("second picture", view.donor, view.donor or "", here.donor)
    chosen = names_of(view)
    chosen |= {name: chosen[name] + 1 for name in ("layer", "head", "patch", "other_patch") if name in chosen}
    chosen |= {"query": view.config.token_names[view.query]}
    lines |= {name: str(value) for name, value in chosen.items() if its.uses(name)}
    return {name: text for name, text in lines.items() if text}


def _picture(name: str, sample: str | None, title: str, crop: Image.Image | None) -> dict[str, str]:
    if crop is None:
        return {}
    return {name: title if sample else "somebody's own", f"{name} sha256": picture_digest(crop)}


def require_room(size: int, arrays: Sequence[Numbers], way_out: str) -> None:
    """Raise `TakeawayError` where a file would have more bytes than it should."""
    if size > MOST_BYTES:
        many = exact(sum(it.values.size for it in arrays))
        limit = bytes_(MOST_BYTES)
        raise TakeawayError(f"{many} numbers make a file of about {bytes_(size)} and the limit is {limit}; {way_out}")


def free(name: str, names: Collection[str]) -> str:
    """The name in a file, numbered where another has it already, in capitals or not."""
    lower = {other.lower() for other in names}
    return next(it for it in chain([name], (f"{name}_{number}" for number in count(2))) if it.lower() not in lower)


def _empty(*shape: int) -> NDArray[np.int64]:
    """Numbers of a shape that take no memory: what a file would be of."""
    return np.broadcast_to(np.int64(0), shape)


def _fitting(values: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers as int64, others as float32."""
    return values.astype(np.int64 if values.dtype.kind in "iub" else np.float32, copy=False)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
