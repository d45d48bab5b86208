"""Marks and panels that many figures have: a frame around a cell, a histogram, a level, a picture on its grid."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures.axes import cells
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import (
    Area,
    Bars,
    Colours,
    Floats,
    Grid,
    Heat,
    Line,
    Mark,
    Picture,
    Pixels,
    Rule,
    Says,
    Spot,
    Text,
)
from vitviz.figures.numbers import CHANNELS, numbers_of, whole
from vitviz.figures.tiles import places_of, tall

Span = tuple[float, float, float]  # the middle, the least and the most
RGB = CHANNELS[:3]
ABREAST, WIDEST = 3, 420  # pictures in a row, and pixels of one


def framed(row: float, column: float, rows: float = 1, columns: float = 1, edge: str = "") -> Area:
    """The frame of what is chosen around cells of a grid, the first of them (row, column), counted from 0.

    One around something else has another colour, its `edge`.
    """
    return Area(column - 0.5, row - 0.5, columns, rows, "none", framed=True, edge=edge)


def level(y: float, low: float, high: float) -> Line:
    """A dashed line across, from `low` to `high`."""
    return Line(((low, y), (high, y)), palette.RESIDUAL, dash="dash", width=2, smooth=False)


def histogram(counts: NDArray[Any], edges: NDArray[np.floating], colour: str, words: str) -> Bars:
    """Bars without gaps from edge to edge; `words` may say {value}, and the ends of a bar as {low} and {high}."""
    says = Says(words, {"low": edges[:-1], "high": edges[1:]})
    return Bars((edges[:-1] + edges[1:]) / 2, counts, (colour,), says, thick=np.diff(edges))


def on_patches(values: Floats, words: str, colours: Colours, x: float = 0, y: float = 0, opacity: float = 1) -> Heat:
    """A map of the patches, `gh gw`, whose cells say `words` with their number and place, as `tiles.PLACE` does."""
    return Heat(values, colours, Says(words, places_of(*values.shape)), x, y, opacity=opacity)


def pictured(
    marks: Sequence[Mark], rows: float, columns: float, height: int, patch: float = 1, title: str = ""
) -> Panel:
    """Marks on a grid of `rows` x `columns` cells, each `patch` times as high as wide, without axes."""
    return Panel(cells(columns), Axis(rows - 0.5, -0.5), tuple(marks), height, title, square=patch)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that is drawn: what `part` it is of, and which `measure` of that, or its unit."""

    part: str
    measure: str
    value: float


def chart(
    across: Axis,
    down: Axis,
    height: int,
    *,
    areas: Sequence[Area] = (),
    lines: Sequence[Line] = (),
    rules: Sequence[Rule] = (),
    texts: Sequence[Text] = (),
    spots: Sequence[Spot] = (),
    left: int = 0,
    amounts: Sequence[Amount] = (),
    **around: Any,
) -> Figure:
    """A figure of one panel, whose marks are drawn in the order of their kinds; `around` it stands what a `Figure` has.

    `amounts` are the numbers that areas and spots stand for, where these are not their places on the axes alone.
    """
    panel = Panel(across, down, (*areas, *lines, *rules, *texts, *spots), height, left=left)
    return Figure(((panel,),), numbers=tuple(_measured(amounts)), **around)


def spanned(
    named: Sequence[tuple[str, str, Sequence[tuple[float, str, Span]]]],
    measure: str,
    say: Callable[[float, float, float], str],
    middle: str = "mean",
    width: float = 4,
) -> dict[str, Any]:
    """What a `chart` has of curves (name, colour, places as a number and in words, with the middle, least and most).

    A line at each place goes from the least to the most.
    """
    lines, spots, amounts = [], [], []
    for name, colour, points in named:
        lines.append(Line(tuple((x, it[0]) for x, _, it in points), colour, name, width=width, smooth=False))
        for x, place, (at, least, most) in points:
            says = f"{name}, {place}: {say(at, least, most)}"
            if least < most:
                lines.append(Line(((x, least), (x, most)), colour, name, says, width=6, smooth=False))
            spots.append(Spot(x, at, colour, row=name, says=says))
            amounts += of_span(f"{name}, {place}", measure, (at, least, most), middle)
    legend = tuple(Key(name, colour, name, "solid") for name, colour, _ in named)
    return {"lines": lines, "spots": spots, "amounts": amounts, "legend": legend}


def of_span(part: str, measure: str, span: Span, middle: str = "mean") -> list[Amount]:
    """The middle, the least and the most, each a measure of its own."""
    return [Amount(part, f"{measure}, {of}", value) for of, value in zip((middle, "least", "most"), span, strict=True)]


def _measured(amounts: Sequence[Amount]) -> Iterator[Numbers]:
    """One array for each measure, of one number for each part that has it."""
    for measure in dict.fromkeys(it.measure for it in amounts):
        those = [it for it in amounts if it.measure == measure]
        names = {"part": [it.part for it in those]}
        values = whole([it.value for it in those])
        yield Numbers(measure, ("part",), values, "One number for each part.", names=names)


def picture(
    title: str, pixels: Pixels, *, grid: tuple[int, int] = (1, 1), marks: Sequence[Mark] = (), photo: bool = True
) -> Panel:
    """Pixels `h w c` under a title, with marks in the units of a grid, whose lines lie over it where it has several."""
    rows, columns = grid
    lines = (Grid(rows, columns),) if rows * columns > 1 else ()
    drawn = Picture(pixels, rows, columns, photo=photo), *lines, *marks
    return pictured(drawn, rows, columns, WIDEST, tall(pixels, rows, columns), title)


def beside_each_other(panels: Sequence[Panel], charts: Sequence[Figure] = ()) -> Figure:
    """Panels with one picture each, up to three in a row, and charts under them; the numbers are those of the charts.

    Without charts they are the pixels.
    """
    lacking = -len(panels) % ABREAST if len(panels) > ABREAST else 0  # so that all are as large
    placed = [*panels, *[pictured((), 1, 1, WIDEST)] * lacking]
    rows = [tuple(placed[start : start + ABREAST]) for start in range(0, len(placed), ABREAST)]
    pixels = (
        Numbers(panel.title, ("row", "column", "channel"), mark.pixels, "", mark.photo, {"channel": RGB})
        for panel in panels
        for mark in panel.marks
        if isinstance(mark, Picture)
    )
    numbers = (it for chart in charts for it in numbers_of(chart))
    rows += [row for chart in charts for row in chart.rows]
    legend = tuple(key for chart in charts for key in chart.legend)
    return Figure(tuple(rows), numbers=tuple(numbers if charts else pixels), legend=tuple(dict.fromkeys(legend)))
