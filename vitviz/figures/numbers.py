"""The numbers of a figure with named axes: those that it says it shows and its curves, or else those of its marks."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Area, Bars, Heat, Line, Mark, Picture, Points, Spot

CHANNELS = ("red", "green", "blue", "opacity")
ENDS = ("from", "to")


def numbers_of(figure: Figure, photos: bool = True) -> list[Numbers]:
    """All arrays, each under a name of its own; those of somebody's own picture only with `photos`."""
    found: dict[str, Numbers] = {}
    for it in (*figure.numbers, *_of_marks(figure)):
        if photos or not it.photo:
            free = next(name for at in count(1) if (name := f"{it.name} {at}" if at > 1 else it.name) not in found)
            found[free] = it if free == it.name else Numbers(free, it.axes, it.values, it.says, it.photo, it.names)
    return list(found.values())


def whole(values: Any) -> NDArray[Any]:
    """Numbers, as integers where all of them are whole."""
    found = np.asarray(values)
    exact = bool(np.all(found == np.rint(found))) and float(np.abs(found).max(initial=0)) < 2**53
    return found.astype(np.int64) if exact else found


def _of_marks(figure: Figure) -> Iterator[Numbers]:
    for panel in (panel for row in figure.rows for panel in row):
        pair = (panel.across.title or "x", panel.down.title or "y")
        if figure.numbers:
            long = [it for it in panel.marks if isinstance(it, Line) and len(it.points) > 2]
            told = {it.name for it in figure.numbers}
            yield from (it for it in _curves(long, figure, pair) if it.name not in told)
            continue
        yield from _areas([it for it in panel.marks if isinstance(it, Area) and it.says])
        yield from _curves([it for it in panel.marks if isinstance(it, Line)], figure, pair)
        yield from _spots([it for it in panel.marks if isinstance(it, Spot)], pair)
        for mark in panel.marks:
            yield from _of_mark(mark, panel, pair)


def _areas(areas: Sequence[Area]) -> Iterator[Numbers]:
    if areas:
        names = {"area": [it.says or it.row or it.text for it in areas], "side": ("x", "y", "width", "height")}
        sizes = whole([(it.x, it.y, it.width, it.height) for it in areas])
        yield Numbers("areas", ("area", "side"), sizes, "Places and sizes of the areas.", names=names)


def _curves(lines: Iterable[Line], figure: Figure, pair: tuple[str, str]) -> Iterator[Numbers]:
    """Curves under their names; the short lines that belong to one together."""
    named: dict[str, list[Line]] = {}
    for line in lines:
        if name := _line_name(line, figure.legend):
            named.setdefault(name, []).append(line)
    for name, (first, *others) in named.items():
        says = first.says if isinstance(first.says, str) else ""
        yield Numbers(
            name, ("point", "coordinate"), whole(first.points).reshape(-1, 2), says, names={"coordinate": pair}
        )
        if short := [line.points for line in others if len(line.points) == len(ENDS)]:
            axes, says = ("line", "end", "coordinate"), f"From where to where each line of {name} goes."
            yield Numbers(f"{name} ranges", axes, whole(short), says, names={"end": ENDS, "coordinate": pair})


def _line_name(line: Line, legend: Sequence[Key]) -> str:
    """What a line is called, and what its colour means beside that."""
    own = line.row or line.moves
    meant = [it.text for it in legend if it.colour == line.colour and it.dash in ("area", line.dash)]
    if own in (*meant, *(it.row for it in legend)) or not meant:
        return own
    return f"{own}: {meant[0]}" if own else meant[0]


def _spots(spots: Sequence[Spot], pair: tuple[str, str]) -> Iterator[Numbers]:
    if spots:
        names = {"spot": [it.says or it.row or it.text for it in spots], "coordinate": pair}
        places = whole([(it.x, it.y) for it in spots])
        yield Numbers("spots", ("spot", "coordinate"), places, "Places of the spots.", names=names)


def _of_mark(mark: Mark, panel: Panel, pair: tuple[str, str]) -> Iterator[Numbers]:
    match mark:
        case Heat():
            axes = (panel.down.title or "row", panel.across.title or "column")
            places = (_places(panel.down, mark.values.shape[0]), _places(panel.across, mark.values.shape[1]))
            names = {axis: it for axis, it in zip(axes, places, strict=True) if it}
            yield Numbers("values", axes, mark.values, panel.title, mark.photo, names)
        case Picture():
            colours = {"channel": CHANNELS[: mark.pixels.shape[2]]}
            yield Numbers("pixels", ("row", "column", "channel"), mark.pixels, panel.title, mark.photo, colours)
        case Bars():
            along = panel.down if mark.level else panel.across
            axis = along.title or "bar"
            called = _places(along, len(mark.values)) or [f"{float(place):g}" for place in mark.places]
            yield Numbers("values", (axis,), np.asarray(mark.values), panel.title, mark.photo, {axis: called})
        case Points():
            points = np.stack([mark.x, mark.y], axis=1)
            yield Numbers("points", ("point", "coordinate"), points, "", mark.photo, {"coordinate": pair})


def _places(axis: Axis, many: int) -> Sequence[Any]:
    """What the places along an axis are called, where all have names."""
    texts = dict(axis.ticks) if axis.named else {}
    return [texts[float(at)] for at in range(many)] if len(texts) == many else ()
