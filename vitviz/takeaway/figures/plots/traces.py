"""Traces of a Plotly figure as marks: heat maps, pictures, bars, curves and dots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from vitviz.figures.frame import PHOTO
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.marks import (
    PALE,
    TEXT,
    Anchor,
    Box,
    Dash,
    Dot,
    Line,
    Mark,
    Picture,
    Shape,
    Words,
    left_out,
)
from vitviz.takeaway.figures.plots.axes import Axes, Axis
from vitviz.takeaway.figures.plots.extents import bar_width, cells
from vitviz.takeaway.figures.plots.pixels import FINEST, coloured, opaque, pixels_of, sharp
from vitviz.takeaway.figures.plots.rich import inked, lines_of, plain
from vitviz.takeaway.figures.symbols import CORNERS, STROKES

if TYPE_CHECKING:
    import plotly.graph_objects as go

TYPES = ("heatmap", "image", "bar", "scatter")
Floats = NDArray[np.float64]


def require_known(figure: go.Figure) -> None:
    """Raise `TakeawayError` for a figure with traces that none of ours has."""
    for trace in figure.data:
        if trace.type not in TYPES:
            raise TakeawayError(f"a figure of the type “{trace.type}” cannot be drawn for print")


def marks_of(figure: go.Figure, axes: Axes, photos: bool) -> Iterator[Mark]:
    """All traces in the order in which they are drawn.

    Without `photos` a grey area says that a picture is left out, and dots of one lose their colours and their order.
    """
    for trace in figure.data:
        across, down = axes.of(trace)
        hidden = is_photo(trace) and not photos
        match trace.type:
            case "heatmap" | "image":
                drawn = _heat(trace, across, down) if trace.type == "heatmap" else _image(trace, across, down)
                for it in drawn:
                    yield from left_out(it.x, it.y, it.width, it.height) if hidden else (it,)
            case "bar":
                yield from _bars(trace, across, down, _beside(figure, trace), figure.layout)
            case "scatter":
                found = _scatter(trace, across, down)
                yield from _nameless(found) if hidden else found


def is_photo(trace: Any) -> bool:
    """Whether a trace shows somebody's picture."""
    return bool(trace.meta == PHOTO)


def _nameless(drawn: Iterator[Mark]) -> list[Dot]:
    """Dots of which nobody can tell which is which."""
    return sorted((replace(it, colour=PALE) for it in drawn if isinstance(it, Dot)), key=lambda it: (it.x, it.y))


def ends_of(trace: Any, values: Floats) -> tuple[float, float]:
    """The numbers that have the first and the last colour of a heat map."""
    low = float(np.nanmin(values)) if trace.zmin is None else float(trace.zmin)
    return low, float(np.nanmax(values)) if trace.zmax is None else float(trace.zmax)


def scale_of(trace: Any) -> Any:
    """The colour scale of a heat map."""
    if trace.colorscale is None:
        raise TakeawayError("a heat map without a colour scale of its own cannot be drawn for print")
    return trace.colorscale


def _heat(trace: Any, across: Axis, down: Axis) -> Iterator[Picture]:
    if trace.opacity == 0:  # only the pointer reads it
        return
    values = np.asarray(trace.z, float)
    pixels, there = coloured(values, *ends_of(trace, values), scale_of(trace))
    places = [None if given is None else axis.numbers(given) for axis, given in ((across, trace.x), (down, trace.y))]
    xs = across.at_numbers(cells(trace, "x", values.shape[1], places[0]))
    ys = down.at_numbers(cells(trace, "y", values.shape[0], places[1]))
    opacity = 1.0 if trace.opacity is None else trace.opacity
    for rows, columns in _islands(there):
        part = pixels[rows, columns]
        yield _laid(part, xs[[columns.start, columns.stop]], ys[[rows.start, rows.stop]], opacity)


def _image(trace: Any, across: Axis, down: Axis) -> Iterator[Picture]:
    pixels = opaque(pixels_of(trace))
    xs, ys = (
        axis.at_numbers(cells(trace, letter, count, None))[[0, -1]]
        for axis, letter, count in ((across, "x", pixels.shape[1]), (down, "y", pixels.shape[0]))
    )
    yield _laid(pixels, xs, ys, 1.0)


def _laid(pixels: NDArray[np.uint8], xs: Floats, ys: Floats, opacity: float) -> Picture:
    """Pixels between two edges on either axis, whichever way that runs."""
    pixels = pixels[:: 1 if ys[1] > ys[0] else -1, :: 1 if xs[1] > xs[0] else -1]
    width, height = abs(float(xs[1] - xs[0])), abs(float(ys[1] - ys[0]))
    fine = pixels.shape[1] > FINEST * width or pixels.shape[0] > FINEST * height
    shown = pixels if fine else sharp(pixels, width, height)
    return Picture(float(min(xs)), float(min(ys)), width, height, np.ascontiguousarray(shown), fine, opacity)


def _islands(there: NDArray[np.bool_]) -> Iterator[tuple[slice, slice]]:
    """The rectangles of cells that have numbers: one heat map may be many maps with gaps between them."""
    if there.all():
        yield slice(0, there.shape[0]), slice(0, there.shape[1])
        return
    for rows in _runs(there.any(axis=1)):
        for columns in _runs(there[rows].any(axis=0)):
            yield rows, columns


def _runs(there: Any) -> Iterator[slice]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], there.astype(int), [0]])))
    yield from (slice(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True))


def _beside(figure: go.Figure, trace: Any) -> Sequence[Any]:
    """The bars that stand beside each other at the same places."""
    same = ("xaxis", "yaxis", "type")
    return [it for it in figure.data if all(getattr(it, name) == getattr(trace, name) for name in same)]


def _bars(trace: Any, across: Axis, down: Axis, beside: Sequence[Any], layout: Any) -> Iterator[Mark]:
    lying = trace.orientation == "h"
    along, up = (down, across) if lying else (across, down)
    places, values = along.numbers(trace.y if lying else trace.x), np.asarray(trace.x if lying else trace.y, float)
    if trace.width is not None:
        widths, first = np.broadcast_to(np.asarray(trace.width, float), places.shape), 0.0
    else:
        wide = bar_width(places, beside, layout)
        widths, first = np.full(len(places), wide), (beside.index(trace) - (len(beside) - 1) / 2) * wide
    starts, stops = (along.at_numbers(places + first + half * widths / 2) for half in (-1, 1))
    feet, tips = up.one(0.0), up.at_numbers(values)
    colours = _each(trace.marker.color, len(places), "#7d7d85")
    texts = trace.text if trace.text is not None else ()
    for at, (start, stop, tip, colour) in enumerate(zip(starts, stops, tips, colours, strict=True)):
        ink, opacity = inked(colour)
        side, length = min(start, stop), abs(stop - start)
        low, long = min(feet, tip), abs(tip - feet)
        x, y, wide, high = (low, side, long, length) if lying else (side, low, length, long)
        yield Box(float(x), float(y), float(wide), float(high), ink, opacity=opacity)
        if at < len(texts) and texts[at]:
            yield _tip(plain(str(texts[at])), float(tip), float(start + stop) / 2, lying, tip < feet)


def _tip(text: str, tip: float, middle: float, lying: bool, below: bool) -> Words:
    """What is written at the end of a bar."""
    if lying:
        return Words(tip - 5 if below else tip + 5, middle + 5, text, "end" if below else "start")
    return Words(middle, tip + TEXT + 3 if below else tip - 4, text, "middle")


def _scatter(trace: Any, across: Axis, down: Axis) -> Iterator[Mark]:
    modes = (trace.mode or "").split("+")
    xs, ys = across.at(trace.x), down.at(trace.y)
    if "lines" in modes:
        yield from _curves(trace, xs, ys)
    if "markers" in modes:
        (left, right), (top, bottom) = across.span, down.span
        for dot in dots(trace, xs, ys):
            if left - 1 <= dot.x <= right + 1 and top - 1 <= dot.y <= bottom + 1:
                yield dot
    if "text" in modes:
        yield from _texts(trace, xs, ys)


def line_of(trace: Any, points: Sequence[tuple[float, float]]) -> Line:
    """A line in the colour, width and dashes of a trace's."""
    colour, opacity = inked(trace.line.color or "#7d7d85")
    dash = trace.line.dash or "solid"
    if dash not in STROKES:
        raise TakeawayError(f"a line of the kind “{dash}” cannot be drawn for print")
    return Line(
        tuple(points), colour, 2.0 if trace.line.width is None else trace.line.width, cast("Dash", dash), opacity
    )


def _curves(trace: Any, xs: Floats, ys: Floats) -> Iterator[Line]:
    """The curve, broken where there are no numbers."""
    for part in _runs(np.isfinite(xs) & np.isfinite(ys)):
        if part.stop - part.start > 1:
            yield line_of(trace, [(float(x), float(y)) for x, y in zip(xs[part], ys[part], strict=True)])


def dots(trace: Any, xs: Floats, ys: Floats) -> Iterator[Dot]:
    """The markers of a trace."""
    marker, count = trace.marker, len(xs)
    edge, edged = marker.line.width or 0, inked(marker.line.color or "#444444")[0]
    colours = _each(marker.color, count, trace.line.color or marker.line.color or "#7d7d85")
    opacity = 1.0 if marker.opacity is None else float(marker.opacity)
    symbol = str(marker.symbol or "circle")
    shape, hollow = symbol.removesuffix("-open"), symbol.endswith("-open")
    if shape != "circle" and shape not in CORNERS:
        raise TakeawayError(f"dots of the kind “{symbol}” cannot be drawn for print")
    sizes = _each(marker.size, count, 6)
    for x, y, size, colour in zip(xs, ys, sizes, colours, strict=True):
        if np.isfinite(x) and np.isfinite(y):
            ink, light = inked(colour)
            width = float(edge or (1 if hollow else 0))
            place = float(x), float(y), float(size), ink
            yield Dot(*place, cast("Shape", shape), hollow, width, edged, opacity * light)


def _texts(trace: Any, xs: Floats, ys: Floats) -> Iterator[Words]:
    upright, _, sideways = (trace.textposition or "middle center").partition(" ")
    anchor = cast("Anchor", {"right": "start", "left": "end", "center": "middle"}[sideways])
    lift = {"top": -5, "middle": 5, "bottom": TEXT + 3}[upright]
    for x, y, text in zip(xs, ys, trace.text, strict=True):
        for line in lines_of(text)[:1]:
            yield Words(float(x), float(y) + lift, line.text, anchor, lead=line.lead)


def _each(given: Any, count: int, usual: Any) -> Sequence[Any]:
    """One for each of so many."""
    if given is None or isinstance(given, (str, int, float)):
        return [usual if given is None else given] * count
    return list(given)
