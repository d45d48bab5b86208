"""Lines, ticks and titles of axes as marks."""

from __future__ import annotations

from collections.abc import Iterator
from math import log10
from typing import Any

from vitviz.takeaway.figures.letters import width_of
from vitviz.takeaway.figures.marks import PALE, TEXT, Line, Mark, Words
from vitviz.takeaway.figures.plots import ticks
from vitviz.takeaway.figures.plots.axes import Axes, Axis
from vitviz.takeaway.figures.plots.rich import plain, shortened
from vitviz.takeaway.figures.plots.ticks import Ticks

APART = {"x": 90, "y": 44}  # pixels from one tick to the next, about
ROOM = 380  # pixels for the names of places beside a plot, at most
ZERO = "#8c8c8c"
BELOW, TITLE, BESIDE = 20, 24, 8  # pixels from an axis to its ticks, from those to its title, and sideways


def behind(axes: Axes) -> Iterator[Mark]:
    """Lines at the ticks, and at 0."""
    for axis in axes.named.values():
        if axis.given.visible is False:
            continue
        flat = axis.name.startswith("x")
        start, end = axes.anchor(axis).span
        lined = axis.given.showgrid is True if flat else axis.given.showgrid is not False and not axis.categories
        places = [axis.one(value) for value, _ in ticks_of(axis)] if lined else []
        colours = [(place, PALE, 0.7) for place in places]
        low, high = axis.bounds
        if axis.given.zeroline is not False and not axis.log and not axis.categories and low <= 0 <= high:
            colours.append((axis.one(0.0), ZERO, 1.2))
        for place, colour, width in colours:
            ends = ((place, start), (place, end)) if flat else ((start, place), (end, place))
            yield Line(ends, colour, width)


def before(axes: Axes) -> Iterator[Mark]:
    """What is written at the ticks, and the titles."""
    for axis in axes.named.values():
        if axis.given.visible is False:
            continue
        drawn = [] if axis.given.showticklabels is False else ticks_of(axis)
        title = plain(axis.given.title.text)
        if axis.name.startswith("x"):
            yield from _below(axis, axes.anchor(axis), drawn, title)
        else:
            yield from _beside(axis, axes.anchor(axis), drawn, title)


def ticks_of(axis: Axis) -> Ticks:
    """The ticks of an axis with what is written at them, in the units of the axis."""
    low, high = axis.bounds
    found = [(value, text) for value, text in _ticks(axis) if low - 1e-9 <= _number(axis, value) <= high + 1e-9]
    length = axis.span[1] - axis.span[0]
    flat = axis.name.startswith("x")
    wide = [width_of(text, TEXT) if flat else TEXT for _, text in found]
    return ticks.thinned(found, wide, length / max(1, len(found)))


def _number(axis: Axis, value: float) -> float:
    return log10(value) if axis.log else value


def _ticks(axis: Axis) -> Ticks:
    given = axis.given
    if given.tickvals is not None:
        values = [float(value) for value in given.tickvals]
        apart = min((abs(it - other) for it in values for other in values if it != other), default=1.0)
        texts = [plain(str(text)) for text in given.ticktext] if given.ticktext is not None else None
        return list(zip(values, texts or [ticks.number(value, apart) for value in values], strict=True))
    if axis.categories:
        return [(float(at), plain(name)) for at, name in enumerate(axis.categories)]
    most = given.nticks or max(2, round((axis.span[1] - axis.span[0]) / APART[axis.name[0]]))
    if axis.log:
        return ticks.logarithmic(*axis.bounds, most)
    step = given.dtick if isinstance(given.dtick, (int, float)) else 0
    return ticks.linear(*axis.bounds, most, step, float(given.tick0 or 0))


def _below(axis: Axis, down: Axis, drawn: Ticks, title: str) -> Iterator[Words]:
    top, bottom = down.span
    above = axis.given.side == "top"
    foot = top - BESIDE if above else bottom + BELOW
    for value, text in drawn:
        yield Words(axis.one(value), foot, text, "middle")
    if title:
        gap = TITLE if drawn else 0
        yield Words(sum(axis.span) / 2, foot - gap if above else foot + gap, title, "middle")


def _beside(axis: Axis, across: Axis, drawn: Ticks, title: str) -> Iterator[Words]:
    left, right = across.span
    after = axis.given.side == "right"
    x = right + BESIDE if after else left - BESIDE
    texts = [(axis.one(value), shortened(text, ROOM)) for value, text in drawn]
    for y, text in texts:
        yield Words(x, y + 5, text, "start" if after else "end")
    if title:
        away = max((width_of(text, TEXT) for _, text in texts), default=0.0) + 10
        yield _turned(x + away + TEXT if after else x - away, sum(axis.span) / 2, title)


def _turned(x: float, y: float, text: Any) -> Words:
    return Words(x, y, text, "middle", turned=True)
