"""The figure of a view of any kind: the picture, and beside it what its page draws of its notebook's numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.config.sides import tall
from vitviz.figures.figure import Figure, Panel
from vitviz.figures.marks import Grid, Mark, Picture
from vitviz.figures.parts import framed, pictured
from vitviz.figures.printed.captioned import sheet_of
from vitviz.figures.printed.marks import Sheet
from vitviz.takeaway.calculations import calculation_of, called, known_of, patch_of, print_of, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.captioned import caption
from vitviz.view import View
from vitviz.weights.arrays import pixels_of

if TYPE_CHECKING:
    from vitviz.takeaway.opening import Opened
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

PHOTO = 280  # pixels of the picture
WIDTH, NARROW = 960, 480  # pixels of a sheet, and of one for a phone


def sheet(it: Opened | View, title: str = "", photo: bool = True, width: int = WIDTH) -> Sheet:
    """The figure of a view for print, with its caption and its source; `title` is what the picture is called.

    On one that is not twice as wide as the picture, everything else is below that. Without the `photo` its place stays
    empty, and says so; a moment of training needs no picture. Raises `TakeawayError` for a page that is not in
    `PRINTED`: its figures are those that it draws.
    """
    if isinstance(it, View):
        if it.learned is None:
            raise TakeawayError("this page counts: there is no picture to draw; take its data or its notebook")
        numbers = values(it)
        return sheet_of(_drawn(it, numbers), caption(it, numbers), width)
    print_of(it.view)
    numbers = values(it.view, it.trace, it.loaded, it.picture)
    figure = figure_of(it.view, numbers, it.trace, it.loaded)
    if width < 3 * PHOTO:
        figure = replace(figure, rows=tuple((panel,) for row in figure.rows for panel in row))
    text = caption(it.view, numbers, title or it.title, it.loaded)
    return sheet_of(figure, text, width, photos=photo)


def figure_of(view: View, numbers: NDArray[Any], trace: Trace, loaded: Loaded | None = None) -> Figure:
    """The picture, and beside it the figure of a view's `numbers`; classes have their names with `loaded`."""
    figure = _drawn(view, numbers, trace, loaded)
    picture = _picture(view, pixels_of(trace, loaded))
    (first, *others), *rows = figure.rows
    if others or rows or print_of(view).below:
        return replace(figure, rows=((picture,), *figure.rows), title="")
    return replace(figure, rows=((picture, replace(first, wide=2.2)),), title="")


def _drawn(view: View, numbers: NDArray[Any], trace: Trace | None = None, loaded: Loaded | None = None) -> Figure:
    """What its page draws of them."""
    labels = loaded.labels if loaded else [f"class {index}" for index in range(view.config.classes)]
    known = {**known_of(view, trace, loaded), "values": numbers, "labels": labels}
    figure: Figure = called(print_of(view).figure, known)
    return figure


def _picture(view: View, pixels: NDArray[np.uint8]) -> Panel:
    """What the model sees, with the patch that is asked or looked at; one that asks in the colour of a query."""
    its, grid, printed = calculation_of(view), view.config.grid, print_of(view)
    asks = its.uses("query") and view.query >= len(view.config.prefix_tokens)
    marks: list[Mark] = [Picture(pixels, *grid)]
    if printed.grid:
        marks.append(Grid(*grid))
    if its.uses("patch") or asks:
        edge = palette.QUERY if asks or printed.strongest else ""
        marks.append(framed(*divmod(patch_of(view), grid[1]), edge=edge))
    return pictured(marks, *grid, PHOTO, tall(view.config.patch_sides), "what the model sees")
