"""Shapes and annotations of a Plotly figure as marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from vitviz.figures.frame import PHOTO
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.marks import TEXT, Anchor, Box, Dash, Line, Mark
from vitviz.takeaway.figures.plots.axes import Axes
from vitviz.takeaway.figures.plots.rich import inked, written

STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
ANCHORS: dict[str, Anchor] = {"left": "start", "center": "middle", "right": "end"}
LARGEST = 18  # pixels of letters
Point = tuple[float, float]


def shapes_of(layout: Any, axes: Axes, below: bool) -> Iterator[Mark]:
    """The shapes that lie `below` the traces, or those above them."""
    for shape in layout.shapes:
        if (shape.layer == "below") == below:
            yield from _shape(shape, axes)


def annotations_of(layout: Any, axes: Axes, photos: bool) -> Iterator[Mark]:
    """Words at their places; without `photos` not those that say the numbers of somebody's picture."""
    for it in layout.annotations:
        if it.name == PHOTO and not photos:
            continue
        x, y = _x(it.x, it.xref, axes), _y(it.y, it.yref, axes)
        y -= it.yshift or 0
        size = min(it.font.size or TEXT, LARGEST)
        across = ANCHORS[it.xanchor or ("left" if it.xref == "paper" and it.x < 1 / 3 else "center")]
        down = it.yanchor or "middle"
        yield from written(it.text, x, y, across, down, size)


def _shape(shape: Any, axes: Axes) -> Iterator[Mark]:
    line = shape.line
    width = 2.0 if line.width is None else float(line.width)
    colour, opacity = inked(line.color or "#444444")
    if shape.type == "path":
        for points in _strokes(shape.path):
            placed = tuple((_x(x, shape.xref, axes), _y(y, shape.yref, axes)) for x, y in points)
            yield Line(placed, colour, width, opacity=opacity)
        return
    xs = [_x(it, shape.xref, axes) for it in (shape.x0, shape.x1)]
    ys = [_y(it, shape.yref, axes) for it in (shape.y0, shape.y1)]
    if shape.type == "line":
        dash = cast("Dash", line.dash or "solid")
        yield Line(((xs[0], ys[0]), (xs[1], ys[1])), colour, width, dash, opacity)
    elif shape.type == "rect":
        box = min(xs), min(ys), abs(xs[1] - xs[0]), abs(ys[1] - ys[0])
        if shape.fillcolor:
            fill, light = inked(shape.fillcolor)
            yield Box(*box, fill, opacity=light * (1.0 if shape.opacity is None else shape.opacity))
        if width:
            yield Box(*box, colour, width)
    else:
        raise TakeawayError(f"a shape of the kind “{shape.type}” cannot be drawn for print")


def _strokes(path: str) -> Iterator[list[Point]]:
    """The lines of a path: M, L, H and V are all that our figures use."""
    points: list[Point] = []
    for letter, rest in STEP.findall(path):
        numbers = [float(it) for it in rest.replace(",", " ").split()]
        if letter == "M":
            if len(points) > 1:
                yield points
            points = [(numbers[0], numbers[1])]
        elif letter in "LHV":
            x, y = points[-1]
            here = {"L": tuple(numbers), "H": (*numbers[:1], y), "V": (x, *numbers[:1])}[letter]
            points.append(cast("Point", here))
        else:
            raise TakeawayError(f"a path with “{letter}” cannot be drawn for print")
    if len(points) > 1:
        yield points


def _x(value: Any, reference: str | None, axes: Axes) -> float:
    if reference == "paper":
        return axes.area.left + float(value) * axes.area.width
    return _along(value, reference or "x", axes)


def _y(value: Any, reference: str | None, axes: Axes) -> float:
    if reference == "paper":
        return axes.area.top + (1 - float(value)) * axes.area.height
    return _along(value, reference or "y", axes)


def _along(value: Any, reference: str, axes: Axes) -> float:
    """A place in pixels, given in the numbers of an axis or as a share of its length, as in "x2 domain"."""
    name, _, domain = reference.partition(" ")
    axis = axes.named[name]
    return axis.start + float(value) * (axis.end - axis.start) if domain else axis.one(value)
