"""The numbers of a Plotly figure with named axes: those that its function tells of, or else those of its traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.frame import told
from vitviz.takeaway.data import Named, outline
from vitviz.takeaway.figures.plots.pixels import outline_of, pixels_of
from vitviz.takeaway.figures.plots.rich import plain
from vitviz.takeaway.figures.plots.traces import is_photo

if TYPE_CHECKING:
    import plotly.graph_objects as go

CHANNELS = ("red", "green", "blue", "opacity")


def numbers_of_figure(figure: go.Figure, photos: bool, whole: bool) -> Iterator[Named]:
    """All arrays, each under a name of its own; those of somebody's own picture only with `photos`.

    Where they are not to be `whole`, they have shapes and names without numbers, and no picture is opened for them.
    """
    held = fitting if whole else outline
    if known := told(figure):
        for it in known:
            if photos or not it.photo:
                yield Named(it.name, held(it.values), tuple(it.axes.split()), {}, it.says)
        return
    names: list[str] = []
    for trace in figure.data:
        if trace.opacity == 0 or (is_photo(trace) and not photos):
            continue
        for made in _of_trace(figure, trace, held):
            names.append(made.name)
            count = names.count(made.name)
            name = made.name if count == 1 else f"{made.name} {count}"
            yield Named(name, made.values, made.axes, made.names, made.says)


def fitting(values: Any) -> NDArray[Any]:
    """Numbers as files hold them: whole ones as int64, others as float32."""
    numbers = np.asarray(values)
    return numbers.astype(np.int64 if numbers.dtype.kind in "iub" else np.float32)


def _of_trace(figure: go.Figure, trace: Any, held: Callable[[Any], NDArray[Any]]) -> Iterator[Named]:
    across, down = (_axis(figure, trace, letter) for letter in ("x", "y"))
    says = plain(trace.name)
    match trace.type:
        case "heatmap":
            axes = _different(_title(down, "row"), _title(across, "column"))
            places = (_places(trace.y, down), _places(trace.x, across))
            sizes = np.shape(trace.z)
            names = {axis: it for axis, it, size in zip(axes, places, sizes, strict=True) if len(it) == size}
            yield Named(says or "values", held(trace.z), axes, names, says)
        case "image":
            pixels = pixels_of(trace) if held is fitting else outline_of(trace)
            colours = {"channel": CHANNELS[: pixels.shape[2]]}
            yield Named(says or "pixels", held(pixels), ("row", "column", "channel"), colours, says)
        case "bar":
            lying = trace.orientation == "h"
            places, values, along = (trace.y, trace.x, down) if lying else (trace.x, trace.y, across)
            axis = _title(along, "bar")
            called = _places(places, along) or [_written(place) for place in places]
            yield Named(says or "values", held(values), (axis,), {axis: called}, says)
        case "scatter" if trace.mode not in ("none", "text"):
            pair = _different(_title(across, "x"), _title(down, "y"))
            points = np.stack([np.asarray(trace.x, np.float32), np.asarray(trace.y, np.float32)], axis=1)
            yield Named(says or "points", points, ("point", "coordinate"), {"coordinate": pair}, says)


def _axis(figure: go.Figure, trace: Any, letter: str) -> Any:
    name = getattr(trace, f"{letter}axis") or letter
    return figure.layout[f"{letter}axis{name[1:]}"]


def _title(axis: Any, usual: str) -> str:
    return plain(axis.title.text) or usual


def _different(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first != second else (f"{first} (down)", f"{second} (across)")


def _places(given: Any, axis: Any) -> Sequence[str]:
    """What the places along an axis are called, where they have names."""
    if given is None:
        return ()
    if all(isinstance(place, str) for place in given):
        return [plain(place) for place in given]
    texts = dict(zip(map(float, axis.tickvals), axis.ticktext, strict=True)) if axis.ticktext is not None else {}
    found = [plain(str(texts[float(place)])) for place in given if float(place) in texts]
    return found if len(found) == len(given) else ()


def _written(place: Any) -> str:
    return f"{float(place):g}"
