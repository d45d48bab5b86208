"""A chart of ours for print, as the app draws it in the browser: the same axes, marks and words on white paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vitviz import palette
from vitviz.charts.chart import Amount, Area, Chart, Handle, Key, Line, Spot, Text
from vitviz.takeaway.data import Named
from vitviz.takeaway.figures import marks
from vitviz.takeaway.figures.bounds import bounds
from vitviz.takeaway.figures.captioned import EDGE, captioned
from vitviz.takeaway.figures.charts.scaled import Scale, bent, scale_of
from vitviz.takeaway.figures.letters import width_of
from vitviz.takeaway.figures.marks import INK, PALE, TEXT, Box, Dot, Mark, Sheet, Words, moved

INSIDE = 19  # pixels of the letters in an area
LINE = 22  # pixels from one line of them to the next
HATCH = 11  # pixels from one stripe to the next
NO_FILL = ("none", "transparent")
KEY_GAP, KEY_LINE = 18, 24
FOOT = 12
ENDS = ("from", "to")


def sheet_of(chart: Chart, caption: str, width: int = 960) -> Sheet:
    """A chart with its legend, what it says of its handle, its caption and its source."""
    drawn = drawn_of(chart, width - 2 * EDGE)
    box = bounds(drawn)
    placed = [moved(mark, EDGE, EDGE - min(0.0, box[1])) for mark in drawn]
    return captioned(width, box[3] - min(0.0, box[1]) + EDGE + FOOT, placed, caption)


def drawn_of(chart: Chart, width: float) -> list[Mark]:
    """A chart with its legend within a `width`, from 0 downwards."""
    scale = scale_of(chart, width)
    found = [*_axes(chart, scale)]
    for area in chart.areas:
        found += _area(area, scale)
    for area in chart.areas:
        found += _inside(area, scale)
    for line in chart.lines:
        found += _line(line, scale)
    for rule in chart.rules:
        found += _rule(scale.x(rule.x), rule.text, scale)
    for text in chart.texts:
        found += _text(text, scale)
    for spot in chart.spots:
        found += _spot(spot, scale)
    if chart.plane:
        x, y = scale.x(chart.plane.at[0]), scale.y(chart.plane.at[1])
        found += [Dot(x, y, 26, "#222222", hollow=True, edge=8), Dot(x, y, 26, palette.FRAME, hollow=True, edge=5)]
    for handle in chart.handles:
        found += _handle(handle, scale)
    bottom = max(float(chart.height), bounds(found)[3])
    says = [Words(0, bottom + 24, chart.says, bold=True)] if chart.says and chart.handles else []
    return [*found, *says, *_legend(chart.legend, width, bottom + KEY_LINE * len(says))]


def arrays_of(chart: Chart) -> list[Named]:
    """The numbers of a chart: its amounts, else areas and spots in the units of its axes, and curves."""
    pair = (chart.across.title or "x", chart.down.title or "y")
    if chart.amounts:
        curves = replace(chart, lines=tuple(it for it in chart.lines if len(it.points) > len(ENDS)))
        return [*_amounts(chart.amounts), *_lines(curves, pair)]
    found = []
    if chart.areas:
        sizes = np.array([(it.x, it.y, it.width, it.height) for it in chart.areas])
        names = {"area": [_called(it) for it in chart.areas], "side": ("x", "y", "width", "height")}
        found.append(Named("areas", _fitting(sizes), ("area", "side"), names, "Places and sizes of the areas."))
    found += _lines(chart, pair)
    if chart.spots:
        names = {"spot": [_called(it) for it in chart.spots], "coordinate": pair}
        places = _fitting(np.array([(it.x, it.y) for it in chart.spots]))
        found.append(Named("spots", places, ("spot", "coordinate"), names, "Places of the spots."))
    return found


def _amounts(amounts: Sequence[Amount]) -> Iterator[Named]:
    """One array for each measure, of one number for each part that has it."""
    for measure in dict.fromkeys(it.measure for it in amounts):
        those = [it for it in amounts if it.measure == measure]
        values, parts = np.array([it.value for it in those]), [it.part for it in those]
        yield Named(measure, _fitting(values), ("part",), {"part": parts}, "One number for each part.")


def _lines(chart: Chart, pair: tuple[str, str]) -> Iterator[Named]:
    """Curves under their names; the short lines that belong to one, or to none, together."""
    named: dict[str, list[Line]] = {}
    for line in chart.lines:
        named.setdefault(_line_name(line, chart.legend), []).append(line)
    for name, lines in named.items():
        if name:
            points = _fitting(np.array(lines[0].points).reshape(-1, 2))
            yield Named(name, points, ("point", "coordinate"), {"coordinate": pair}, lines[0].says)
        if short := [line.points for line in (lines[1:] if name else lines) if len(line.points) == len(ENDS)]:
            names = {"end": ENDS, "coordinate": pair}
            says = f"From where to where each line{' of ' * bool(name)}{name} goes."
            yield Named(f"{name} ranges".lstrip(), _fitting(np.array(short)), ("line", *names), names, says)


def _line_name(line: Line, legend: Sequence[Key]) -> str:
    """What a line is called, and what its colour means beside that."""
    own = line.row or line.moves
    meant = [it.text for it in legend if it.colour == line.colour and it.dash in ("area", line.dash)]
    if own in (*meant, *(it.row for it in legend)) or not meant:
        return own
    return f"{own}: {meant[0]}" if own else meant[0]


def _called(mark: Area | Spot) -> str:
    return mark.says or mark.row or mark.text


def _fitting(values: np.ndarray) -> np.ndarray:
    """Whole numbers as they are, others as float32."""
    whole = bool(np.all(values == np.rint(values))) and float(np.abs(values).max(initial=0)) < 2**53
    return values.astype(np.int64 if whole else np.float32)


def _axes(chart: Chart, scale: Scale) -> Iterator[Mark]:
    for at, text in chart.down.ticks:
        y = scale.y(at)
        yield marks.Line(((scale.left, y), (scale.right, y)), PALE, 0.8)
        yield Words(scale.left - 8, y + 5, text, "end")
    for at, text in chart.across.ticks:
        x = scale.x(at)
        yield marks.Line(((x, scale.top), (x, scale.bottom)), PALE, 0.8)
        yield Words(x, scale.bottom + 20, text, "middle")
    if chart.across.title:
        yield Words((scale.left + scale.right) / 2, scale.bottom + 44, chart.across.title, "middle")
    if chart.down.title:
        yield Words(16, (scale.top + scale.bottom) / 2, chart.down.title, "middle", turned=True)


def _box(area: Area, scale: Scale) -> tuple[float, float, float, float]:
    x0, x1 = sorted((scale.x(area.x), scale.x(area.x + area.width)))
    y0, y1 = sorted((scale.y(area.y), scale.y(area.y + area.height)))
    return x0, y0, x1 - x0, y1 - y0


def _area(area: Area, scale: Scale) -> Iterator[Mark]:
    box = x, y, width, height = _box(area, scale)
    if area.colour not in NO_FILL:
        yield Box(*box, area.colour)
    if area.hatched:
        yield from _stripes(x, y, width, height)
    if area.framed:
        yield Box(*box, palette.FRAME, 4)
    elif min(width, height) > 4 and area.colour not in NO_FILL:
        yield Box(*box, "#ffffff", 0.7)


def _stripes(x: float, y: float, width: float, height: float) -> Iterator[Mark]:
    """Slanted stripes within a box."""
    for start in np.arange(-height, width, HATCH):
        first, last = max(0.0, -float(start)), min(height, width - float(start))
        if last > first:
            ends = tuple((x + float(start) + at, y + height - at) for at in (first, last))
            yield marks.Line(ends, "#ffffff", 3, opacity=0.55)


def _inside(area: Area, scale: Scale) -> Iterator[Mark]:
    """The words in an area, where there is room for them."""
    x, y, width, height = _box(area, scale)
    lines = area.text.split("\n") if area.text else []
    if not lines or height - 4 < LINE * len(lines) or max(width_of(it, INSIDE) for it in lines) > width - 10:
        return
    for at, line in enumerate(lines):
        foot = y + height / 2 + 7 + (at - (len(lines) - 1) / 2) * LINE
        yield Words(x + width / 2, foot, line, "middle", True, INSIDE, "#ffffff")


def _line(line: Line, scale: Scale) -> Iterator[Mark]:
    points = [(scale.x(x), scale.y(y)) for x, y in line.points]
    for part in scale.within(bent(points) if line.smooth else points):
        yield marks.Line(tuple(part), _ink(line.colour), line.width, line.dash)


def _rule(x: float, text: str, scale: Scale) -> Iterator[Mark]:
    late = x > (scale.left + scale.right) / 2
    yield marks.Line(((x, scale.top), (x, scale.bottom)), INK, 1.5, "dot")
    yield Words(x - 8 if late else x + 8, scale.top + 16, text, "end" if late else "start")


def _text(text: Text, scale: Scale) -> Iterator[Mark]:
    x, y = scale.x(text.x), scale.y(text.y)
    if text.chooses:  # a button in the app, of several lines below its place
        for at, line in enumerate(text.text.split("\n")):
            yield Words(x, y + 18 + at * 20, line, "middle")
        return
    gap = {"end": -8, "middle": 0, "start": 7}[text.anchor] if text.side == "middle" else 0
    lift = {"above": -6, "middle": 5, "below": 18}[text.side]
    yield Words(x + gap, y + lift, text.text, text.anchor)


def _spot(spot: Spot, scale: Scale) -> Iterator[Mark]:
    x, y = scale.x(spot.x), scale.y(spot.y)
    if spot.shape == "ring":
        yield Dot(x, y, 18, _ink(spot.colour), hollow=True, edge=4)
    else:
        yield Dot(x, y, 14, _ink(spot.colour), spot.shape, edge=1.5, edge_colour="#222222")
    if spot.text:
        yield Words(x, y - 13, spot.text, "middle")


def _handle(handle: Handle, scale: Scale) -> Iterator[Mark]:
    stop = handle.stops[handle.at]
    x, y = scale.x(stop.x), scale.y(stop.y)
    if handle.shape == "diamond":
        yield Dot(x, y, 17, palette.FRAME, "diamond", edge=2, edge_colour="#222222")
        return
    upright = handle.shape == "right edge"
    across, down = scale.x(0), scale.y(0)
    ends = ((x, down), (x, 2 * y - down)) if upright else ((across, y), (2 * x - across, y))
    yield marks.Line(ends, palette.FRAME, 4)


def _legend(legend: Sequence[Key], width: float, top: float) -> Iterator[Mark]:
    x, y = 0.0, top + KEY_LINE - 4
    for key in legend:
        swatch = 0 if key.colour in NO_FILL else 15 if key.dash == "area" else 30
        wide = swatch + 6 * bool(swatch) + width_of(key.text, TEXT)
        if x and x + wide > width:
            x, y = 0.0, y + KEY_LINE
        if swatch and key.dash == "area":
            yield Box(x, y - 12, swatch, 14, key.colour)
        elif swatch and key.dash != "area":
            yield marks.Line(((x, y - 5), (x + swatch, y - 5)), key.colour, 4, key.dash)
        yield Words(x + swatch + 6 * bool(swatch), y, key.text)
        x += wide + KEY_GAP


def _ink(colour: str) -> str:
    return INK if colour == "currentColor" else colour
