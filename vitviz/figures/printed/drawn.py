"""A figure as marks on white paper: the same axes, marks and words as on screen."""

from collections.abc import Iterator
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from vitviz import palette
from vitviz.figures import marks as it
from vitviz.figures.colours import shades
from vitviz.figures.figure import Figure, Handle, Panel
from vitviz.figures.printed.layout import HEADING, Scale, bent, placed
from vitviz.figures.printed.letters import fitting, width_of
from vitviz.figures.printed.marks import INK, PALE, TEXT, Box, Dot, Mark, Picture, Polyline, Words
from vitviz.figures.tiles import on_white

NO_FILL = ("none", "transparent")
INSIDE = 19  # pixels of the letters in an area
LINE = 22  # pixels from one line of them to the next
ROOM = 12  # pixels that a frame takes at least
HATCH = 11  # pixels from one stripe to the next
TITLE, TITLE_LINE = 18, 30
FINEST = 2  # pixels of the file for each of the sheet, so that cells have sharp edges when it is enlarged


def drawn(figure: Figure, width: float, photos: bool = True) -> list[Mark]:
    """The title and the panels of a figure within a `width`, from 0 downwards.

    Without `photos` what shows somebody's own picture is left out, and says so.
    """
    found: list[Mark] = [Words(0, TITLE, figure.title, bold=True, size=TITLE)] if figure.title else []
    for panel, scale in placed(figure, width, TITLE_LINE if figure.title else 0):
        if panel.title:
            found += _title(panel.title, scale)
        found += _axes(panel, scale)
        for mark in panel.marks:
            if not photos and getattr(mark, "photo", False):
                found += _left_out(mark, scale)
            else:
                found += _drawn(mark, scale)
        for mark in panel.marks:
            if isinstance(mark, it.Area):
                found += _inside(mark, scale)
        if panel is figure.rows[0][0]:
            found += _handles(figure, scale)
    return found


def _title(title: str, scale: Scale) -> Iterator[Mark]:
    lines = title.splitlines()
    for at, line in enumerate(lines):
        yield Words(scale.left, scale.top - 14 - HEADING * (len(lines) - 1 - at), line, bold=not at)


def _axes(panel: Panel, scale: Scale) -> Iterator[Mark]:
    for at, text in panel.down.ticks:
        y = scale.y(at)
        if panel.down.grid:
            yield Polyline(((scale.left, y), (scale.right, y)), PALE, 0.8)
        yield Words(scale.left - 8, y + 5, fitting(text, TEXT, scale.left - 8 - scale.edge), "end")
    for at, text in panel.across.ticks:
        x = scale.x(at)
        if panel.across.grid:
            yield Polyline(((x, scale.top), (x, scale.bottom)), PALE, 0.8)
        yield Words(x, scale.bottom + 20, text, "middle")
    if panel.right:
        low, high = panel.right.low, panel.right.high
        for at, text in panel.right.ticks:
            y = scale.bottom + (at - low) / (high - low) * (scale.top - scale.bottom)
            yield Words(scale.right + 8, y + 5, text)
        x = scale.right + 24 + max(width_of(text, TEXT) for _, text in panel.right.ticks)
        yield Words(x, (scale.top + scale.bottom) / 2, panel.right.title, "middle", turned=True)
    if panel.across.title:
        yield Words((scale.left + scale.right) / 2, scale.bottom + 44, panel.across.title, "middle")
    if panel.down.title:
        longest = max((width_of(text, TEXT) for _, text in panel.down.ticks), default=0.0)
        yield Words(scale.left - longest - 20, (scale.top + scale.bottom) / 2, panel.down.title, "middle", turned=True)


def _box(scale: Scale, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    x0, x1 = sorted((scale.x(x), scale.x(x + width)))
    y0, y1 = sorted((scale.y(y), scale.y(y + height)))
    return x0, y0, x1 - x0, y1 - y0


def _cells(mark: it.Heat | it.Picture, scale: Scale) -> tuple[float, float, float, float]:
    if isinstance(mark, it.Heat):
        (rows, columns), across, down = mark.values.shape, mark.across, mark.down
    else:
        rows, columns, across, down = mark.rows, mark.columns, 1.0, 1.0
    return _box(scale, mark.x - across / 2, mark.y - down / 2, columns * across, rows * down)


def _left_out(mark: Any, scale: Scale) -> Iterator[Mark]:
    if isinstance(mark, it.Points):  # in no order, and in one colour
        order = np.argsort(mark.x)
        yield from _points(replace(mark, x=mark.x[order], y=mark.y[order], colours=(palette.PATCH,)), scale)
    elif not isinstance(mark, it.Text):
        plot = scale.left, scale.top, scale.right - scale.left, scale.bottom - scale.top
        x, y, width, height = plot if isinstance(mark, it.Bars) else _cells(mark, scale)
        yield Box(x, y, width, height, "#e6e6e6")
        yield Words(x + width / 2, y + height / 2 + TEXT / 3, "the picture is left out", "middle")


@singledispatch
def _drawn(mark: Any, scale: Scale) -> Iterator[Mark]:
    raise TypeError(f"{type(mark).__name__} is no mark of a figure")


@_drawn.register
def _heat(mark: it.Heat, scale: Scale) -> Iterator[Mark]:
    x, y, width, height = _cells(mark, scale)
    rows, columns = mark.values.shape
    pixels = shades(mark.values, mark.colours)
    down, across = (max(1, round(FINEST * side / many)) for side, many in ((height, rows), (width, columns)))
    yield Picture(x, y, width, height, pixels.repeat(down, axis=0).repeat(across, axis=1), opacity=mark.opacity)


@_drawn.register
def _picture(mark: it.Picture, scale: Scale) -> Iterator[Mark]:
    smooth = mark.photo and mark.pixels.shape[:2] != (mark.rows, mark.columns)  # a pixel for each cell is a cell
    yield Picture(*_cells(mark, scale), on_white(mark.pixels), smooth)


@_drawn.register
def _bars(mark: it.Bars, scale: Scale) -> Iterator[Mark]:
    thick = np.broadcast_to(np.asarray(mark.thick, float), np.shape(mark.values))
    for at, (place, value) in enumerate(zip(mark.places, mark.values, strict=True)):
        colour, wide = mark.colours[at % len(mark.colours)], float(thick[at])
        start, value = float(place) - wide / 2, float(value)
        sides = (0.0, start, value, wide) if mark.level else (start, 0.0, wide, value)
        yield Box(*_box(scale, *sides), colour)
        if mark.texts:
            x, y = (
                (scale.x(value), scale.y(float(place)) + 5) if mark.level else (scale.x(float(place)), scale.y(value))
            )
            before = mark.level and value < 0
            yield Words(x - 8 if before else x + 8 * mark.level, y, mark.texts[at], "end" if before else "start")


@_drawn.register
def _points(mark: it.Points, scale: Scale) -> Iterator[Mark]:
    for at, (x, y) in enumerate(zip(mark.x, mark.y, strict=True)):
        colour, size = mark.colours[at % len(mark.colours)], mark.sizes[at % len(mark.sizes)]
        edge = 2.5 if mark.shape in ("ring", "box") else 0.8 * bool(mark.edge)
        place = scale.x(float(x)), scale.y(float(y))
        yield Dot(*place, size, colour, mark.shape, edge, mark.edge or colour, mark.opacity)


@_drawn.register
def _area(mark: it.Area, scale: Scale) -> Iterator[Mark]:
    box = x, y, width, height = _box(scale, mark.x, mark.y, mark.width, mark.height)
    if mark.colour not in NO_FILL:
        yield Box(*box, mark.colour, opacity=mark.opacity)
    if mark.hatched:
        yield from _stripes(x, y, width, height)
    if mark.framed:  # around what is too narrow to hold it
        aside, above = (max(0.0, ROOM - side) / 2 for side in (width, height))
        around = x - aside, y - above, width + 2 * aside, height + 2 * above
        if mark.edge:
            yield Box(*around, "#000000", 4)
        yield Box(*around, mark.edge or palette.FRAME, 2.5 if mark.edge else 4)
    elif min(width, height) > 4 and mark.colour not in NO_FILL and mark.opacity == 1:
        yield Box(*box, "#ffffff", 0.7)


def _stripes(x: float, y: float, width: float, height: float) -> Iterator[Mark]:
    """Slanted stripes within a box."""
    for start in np.arange(-height, width, HATCH):
        first, last = max(0.0, -float(start)), min(height, width - float(start))
        if last > first:
            ends = tuple((x + float(start) + at, y + height - at) for at in (first, last))
            yield Polyline(ends, "#ffffff", 3, opacity=0.55)


def _inside(area: it.Area, scale: Scale) -> Iterator[Mark]:
    """The words in an area, where there is room for them."""
    x, y, width, height = _box(scale, area.x, area.y, area.width, area.height)
    lines = area.text.split("\n") if area.text else []
    if not lines or height - 4 < LINE * len(lines) or max(width_of(line, INSIDE) for line in lines) > width - 10:
        return
    if area.ground:
        wide, high = max(width_of(line, INSIDE) for line in lines) + 8, LINE * len(lines)
        yield Box(x + (width - wide) / 2, y + (height - high) / 2, wide, high, area.ground)
    for at, line in enumerate(lines):
        foot = y + height / 2 + 7 + (at - (len(lines) - 1) / 2) * LINE
        yield Words(x + width / 2, foot, line, "middle", True, INSIDE, "#ffffff")


@_drawn.register
def _line(mark: it.Line, scale: Scale) -> Iterator[Mark]:
    points = [(scale.x(x), scale.y(y)) for x, y in mark.points]
    for part in scale.within(bent(points) if mark.smooth else points):
        yield Polyline(tuple(part), _ink(mark.colour), mark.width, mark.dash)


@_drawn.register
def _rule(mark: it.Rule, scale: Scale) -> Iterator[Mark]:
    x = scale.x(mark.x)
    late = x > (scale.left + scale.right) / 2
    yield Polyline(((x, scale.top), (x, scale.bottom)), INK, 1.5, "dot")
    yield Words(x - 8 if late else x + 8, scale.top + 16, mark.text, "end" if late else "start")


@_drawn.register
def _grid(mark: it.Grid, scale: Scale) -> Iterator[Mark]:
    left, top, width, height = _box(scale, -0.5, -0.5, mark.columns, mark.rows)
    for row in range(mark.rows + 1):
        y = top + row / mark.rows * height
        yield Polyline(((left, y), (left + width, y)), "#ffffff", 0.7, opacity=0.8)
    for column in range(mark.columns + 1):
        x = left + column / mark.columns * width
        yield Polyline(((x, top), (x, top + height)), "#ffffff", 0.7, opacity=0.8)


@_drawn.register
def _text(mark: it.Text, scale: Scale) -> Iterator[Mark]:
    x, y = scale.x(mark.x), scale.y(mark.y)
    if mark.chooses:  # a button in the app, of several lines below its place
        for at, line in enumerate(mark.text.split("\n")):
            yield Words(x, y + 18 + at * 20, line, "middle")
        return
    gap = {"end": -8, "middle": 0, "start": 7}[mark.anchor] if mark.side == "middle" else 0
    lift = {"above": -6, "middle": 5, "below": 18}[mark.side]
    yield Words(x + gap, y + lift, mark.text, mark.anchor, lead=mark.lead)


@_drawn.register
def _spot(mark: it.Spot, scale: Scale) -> Iterator[Mark]:
    x, y = scale.x(mark.x), scale.y(mark.y)
    if mark.shape == "ring":
        yield Dot(x, y, 18, _ink(mark.colour), "ring", 4)
    else:
        yield Dot(x, y, 14, _ink(mark.colour), mark.shape, 1.5, "#222222")
    if mark.text:
        yield Words(x, y - 13, mark.text, "middle")


def _handles(figure: Figure, scale: Scale) -> Iterator[Mark]:
    """What a hand has taken hold of."""
    if figure.plane:
        x, y = scale.x(figure.plane.at[0]), scale.y(figure.plane.at[1])
        yield Dot(x, y, 26, "#222222", "ring", 8)
        yield Dot(x, y, 26, palette.FRAME, "ring", 5)
    for handle in figure.handles:
        yield _handle(handle, scale)


def _handle(handle: Handle, scale: Scale) -> Mark:
    stop = handle.stops[handle.at]
    x, y = scale.x(stop.x), scale.y(stop.y)
    if handle.shape == "diamond":
        return Dot(x, y, 17, palette.FRAME, "diamond", 2, "#222222")
    across, down = scale.x(0), scale.y(0)
    ends = ((x, down), (x, 2 * y - down)) if handle.shape == "right edge" else ((across, y), (2 * x - across, y))
    return Polyline(ends, palette.FRAME, 4)


def _ink(colour: str) -> str:
    return INK if colour == "currentColor" else colour
