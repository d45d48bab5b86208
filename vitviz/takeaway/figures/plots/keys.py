"""What says how to read a Plotly figure: its legend, and the scales of its colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz.takeaway.figures.marks import Anchor, Box, Line, Mark, Picture, Words, moved
from vitviz.takeaway.figures.plots import ticks
from vitviz.takeaway.figures.plots.axes import Axes
from vitviz.takeaway.figures.plots.pixels import coloured
from vitviz.takeaway.figures.plots.rich import inked, lines_of, plain
from vitviz.takeaway.figures.plots.traces import dots, ends_of, line_of, scale_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

THICK, AWAY, SHADES = 14, 16, 256
SWATCH, GAP, ROW = 30, 22, 24  # pixels of a line's sample, between two names, and of a row of names


def scales_of(figure: go.Figure, axes: Axes, bottom: float) -> Iterator[Mark]:
    """The colours of each heat map that has a scale: beside the plot, or below its `bottom`, as the figure says."""
    for trace in figure.data:
        if trace.type == "heatmap" and trace.showscale is not False and trace.opacity != 0:
            yield from _below(trace, axes, bottom) if trace.colorbar.orientation == "h" else _beside(trace, axes)


def legend_of(figure: go.Figure, axes: Axes, bottom: float) -> Iterator[Mark]:
    """A sample and the name of each trace that has one: in lines above the plot or below its `bottom`, or inside."""
    if not figure.layout.showlegend:
        return
    named = [trace for trace in figure.data if trace.name and trace.showlegend is not False]
    legend, area = figure.layout.legend, axes.area
    flat = legend.orientation == "h"
    rows = list(_rows(named, area.width)) if flat else [[trace] for trace in named]
    y = 1.0 if legend.y is None else legend.y
    place = area.top + (1 - y) * area.height
    if not flat:
        left, top = area.left + (legend.x or 0) * area.width + 8, place + 8
    elif y < 0:
        left, top = area.left, max(place, bottom + 10)
    else:
        left, top = area.left, place - ROW * len(rows)
    for at, row in enumerate(rows):
        x = left
        for trace in row:
            yield from (moved(mark, x, top + at * ROW + ROW / 2) for mark in _sample(trace))
            yield Words(x + SWATCH + 6, top + at * ROW + ROW / 2 + 5, plain(trace.name))
            x += _wide(trace)


def _rows(named: Sequence[Any], width: float) -> Iterator[list[Any]]:
    row: list[Any] = []
    for trace in named:
        if row and sum(map(_wide, [*row, trace])) - GAP > width:
            yield row
            row = []
        row.append(trace)
    if row:
        yield row


def _wide(trace: Any) -> float:
    return SWATCH + 6 + sum(line.width for line in lines_of(trace.name)) + GAP


def _sample(trace: Any) -> Iterator[Mark]:
    """What a trace is drawn with, around the middle of a swatch."""
    if trace.type == "bar":
        colour = trace.marker.color
        yield Box(8, -7, 14, 14, inked(colour if isinstance(colour, str) else colour[0])[0])
        return
    modes = (trace.mode or "").split("+")
    if "lines" in modes:
        yield line_of(trace, [(0.0, 0.0), (float(SWATCH), 0.0)])
    if "markers" in modes:
        yield next(dots(trace, np.array([SWATCH / 2]), np.zeros(1)))


def _shades(trace: Any) -> tuple[Any, float, float]:
    low, high = ends_of(trace, np.asarray(trace.z, float))
    return coloured(np.linspace(low, high, SHADES)[None], low, high, scale_of(trace))[0], low, high


def _ticks(trace: Any, low: float, high: float) -> ticks.Ticks:
    bar = trace.colorbar
    if bar.tickvals is None:
        return ticks.linear(low, high, 6) if high > low else []
    return list(zip(map(float, bar.tickvals), map(plain, bar.ticktext), strict=True))


def _below(trace: Any, axes: Axes, bottom: float) -> Iterator[Mark]:
    """A bar as wide as the plot."""
    shades, low, high = _shades(trace)
    left, right = min(it.span[0] for it in axes.across()), max(it.span[1] for it in axes.across())
    yield Picture(left, bottom + AWAY, right - left, THICK, shades)
    drawn = _ticks(trace, low, high)
    for value, text in drawn:
        share = (value - low) / ((high - low) or 1)
        anchor: Anchor = "start" if share < 0.02 else "end" if share > 0.98 else "middle"
        yield Words(left + share * (right - left), bottom + AWAY + THICK + 20, text, anchor)


def _beside(trace: Any, axes: Axes) -> Iterator[Mark]:
    """A bar as high as the plot, to its right."""
    shades, low, high = _shades(trace)
    x = max(it.span[1] for it in axes.across()) + AWAY
    top, bottom = min(it.span[0] for it in axes.up()), max(it.span[1] for it in axes.up())
    yield Picture(x, top, THICK, bottom - top, np.ascontiguousarray(shades.transpose(1, 0, 2)[::-1]))
    for value, text in _ticks(trace, low, high):
        y = bottom - (value - low) / ((high - low) or 1) * (bottom - top)
        yield Line(((x + THICK, y), (x + THICK + 4, y)), "#444444", 1)
        yield Words(x + THICK + 8, y + 5, text)
