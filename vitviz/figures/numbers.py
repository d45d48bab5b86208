"""The numbers of a figure with named axes: those that it says it shows and its curves, or else those of its marks."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Area, Bars, Heat, Line, Mark, Picture, Points, Spot

CHANNELS = ("red", "green", "blue", "opacity")
ENDS = ("from", "to")


def numbers_of(figure: Figure, photos: bool = True) -> list[Numbers]:
    """All arrays, each under a name of its own: those that the figure says, then its marks' as they are drawn.

    Those of somebody's own picture only with `photos`.
    """
    found: dict[str, Numbers] = {}
    for it in chain(figure.numbers, _of_marks(figure)):
        if photos or not it.photo:
            free = next(name for at in count(1) if (name := f"{it.name} {at}" if at > 1 else it.name) not in found)
            found[free] = replace(it, name=free)
    return list(found.values())


def whole(values: Any) -> NDArray[Any]:
    """Numbers, as integers where all of them are whole."""
    found = np.asarray(values)
    exact = bool(np.all(found == np.rint(found))) and float(np.abs(found).max(initial=0)) < 2**53
    return found.astype(np.int64) if exact else found


def _of_marks(figure: Figure) -> Iterator[Numbers]:
    """Marks of one array where the first of them is drawn; of a figure that says its numbers other curves alone."""
    names = {it.name for it in figure.numbers}
    for panel in (panel for row in figure.rows for panel in row):
        arrays: dict[Hashable, list[Mark]] = {}
        for at, mark in enumerate(panel.marks, start=1):
            key = _array(mark, at, figure.legend)
            if not names or (isinstance(mark, Line) and len(mark.points) > 2 and key not in names):
                arrays.setdefault(key, []).append(mark)
        for key, marks in arrays.items():
            if key:
                yield from _of_array(str(key), marks, panel)


def _array(mark: Mark, at: int, legend: Sequence[Key]) -> Hashable:
    """What marks of one array have in common: the name of a curve, or where it is drawn; nothing of an unnamed one."""
    match mark:
        case Line():
            return _line_name(mark, legend)
        case Area():
            return Area if mark.says else ""
        case Spot():
            return Spot
    return at


def _of_array(name: str, marks: Sequence[Any], panel: Panel) -> Iterator[Numbers]:
    mark, pair = marks[0], (panel.across.title or "x", panel.down.title or "y")
    match mark:
        case Line():
            says = mark.says if isinstance(mark.says, str) else ""
            points = whole(mark.points).reshape(-1, 2)
            yield Numbers(name, ("point", "coordinate"), points, says, names={"coordinate": pair})
            if short := [it.points for it in marks[1:] if len(it.points) == len(ENDS)]:
                ends, says = {"end": ENDS, "coordinate": pair}, f"From where to where each line of {name} goes."
                yield Numbers(f"{name} ranges", ("line", *ends), whole(short), says, names=ends)
        case Area():
            sides = whole([(it.x, it.y, it.width, it.height) for it in marks])
            names = {"area": _texts(marks), "side": ("x", "y", "width", "height")}
            yield Numbers("areas", ("area", "side"), sides, "Places and sizes of the areas.", names=names)
        case Spot():
            places, names = whole([(it.x, it.y) for it in marks]), {"spot": _texts(marks), "coordinate": pair}
            yield Numbers("spots", ("spot", "coordinate"), places, "Places of the spots.", names=names)
        case Heat():
            axes = (panel.down.title or "row", panel.across.title or "column")
            called = (_places(panel.down, mark.values.shape[0]), _places(panel.across, mark.values.shape[1]))
            names = {axis: it for axis, it in zip(axes, called, strict=True) if it}
            yield Numbers("values", axes, mark.values, panel.title, mark.photo, names)
        case Picture():
            channels = {"channel": CHANNELS[: mark.pixels.shape[2]]}
            yield Numbers("pixels", ("row", "column", "channel"), mark.pixels, panel.title, mark.photo, channels)
        case Bars():
            along = panel.down if mark.level else panel.across
            axis = along.title or "bar"
            bars = _places(along, len(mark.values)) or [f"{float(place):g}" for place in mark.places]
            yield Numbers("values", (axis,), np.asarray(mark.values), panel.title, mark.photo, {axis: bars})
        case Points():
            points = np.stack([mark.x, mark.y], axis=1)
            yield Numbers("points", ("point", "coordinate"), points, "", mark.photo, {"coordinate": pair})


def _line_name(line: Line, legend: Sequence[Key]) -> str:
    """What a line is called, and what its colour means beside that."""
    own = line.row or line.moves
    names = [it.text for it in legend if it.colour == line.colour and it.dash in ("area", line.dash)]
    if own in (*names, *(it.row for it in legend)) or not names:
        return own
    return f"{own}: {names[0]}" if own else names[0]


def _texts(marks: Sequence[Area | Spot]) -> list[str]:
    return [it.says or it.row or it.text for it in marks]


def _places(axis: Axis, many: int) -> Sequence[Any]:
    """What the places along an axis are called, where all have names."""
    texts = dict(axis.ticks) if axis.named else {}
    return [texts[float(at)] for at in range(many)] if len(texts) == many else ()
