"""A Plotly figure of ours for print: the same axes, colours and words on white paper, without Plotly's own programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vitviz.takeaway.data import Named
from vitviz.takeaway.errors import NEEDS_TICK, TakeawayError
from vitviz.takeaway.figures.bounds import bounds
from vitviz.takeaway.figures.captioned import EDGE, captioned
from vitviz.takeaway.figures.marks import Mark, Sheet, Words, moved
from vitviz.takeaway.figures.plots import guides, keys, over
from vitviz.takeaway.figures.plots.arrays import numbers_of_figure
from vitviz.takeaway.figures.plots.axes import Area, Axes, Axis, axes_of, height_for, laid
from vitviz.takeaway.figures.plots.rich import plain
from vitviz.takeaway.figures.plots.traces import marks_of, require_known

if TYPE_CHECKING:
    import plotly.graph_objects as go

USUAL_HEIGHT = 450  # pixels, Plotly's own
HIGHEST = 560  # pixels of a picture, where the figure asks for no more
LEAST = 120
HEADING = 18  # pixels of its letters
FOOT = 14


def sheet_of(figure: go.Figure, caption: str, width: int = 960, *, photos: bool = True) -> Sheet:
    """A figure with its caption and its source; without `photos` somebody's own picture is left out of it.

    Raises `TakeawayError` for what our figures do not have: other types of traces, shapes, colours by name.
    """
    require_known(figure)
    named = axes_of(figure)
    left = right = float(EDGE)
    for _ in range(3):  # names and scales beside the plot take their room from it
        marks = _drawn(figure, named, left, width - left - right, photos)
        box = bounds(marks)
        before, after = max(0.0, EDGE - box[0]), max(0.0, box[2] - (width - EDGE))
        if before + after < 1:
            break
        left, right = left + before, right + after
    if title := plain(figure.layout.title.text):
        marks.append(Words(EDGE, box[1] - 12, title, bold=True, size=HEADING))
        box = bounds(marks)
    placed = [moved(mark, 0, EDGE - box[1]) for mark in marks]
    return captioned(width, box[3] - box[1] + EDGE + FOOT, placed, caption)


def arrays_of(figure: go.Figure, *, photos: bool = True, whole: bool = True) -> list[Named]:
    """The numbers of a figure; without `photos` not those of somebody's own picture, not `whole` their outlines alone.

    Raises `TakeawayError` where there are no others.
    """
    require_known(figure)
    found = list(numbers_of_figure(figure, photos, whole))
    if not found:
        raise TakeawayError(NEEDS_TICK)
    return found


def _drawn(figure: go.Figure, named: dict[str, Axis], left: float, width: float, photos: bool) -> list[Mark]:
    """All marks; the plot's upper edge is at 0."""
    axes = laid(named, Area(left, 0, width, _height(figure, named, width)))
    layout = figure.layout
    marks = [
        *guides.behind(axes),
        *over.shapes_of(layout, axes, below=True),
        *marks_of(figure, axes, photos),
        *over.shapes_of(layout, axes, below=False),
        *over.annotations_of(layout, axes, photos),
        *guides.before(axes),
    ]
    marks += keys.scales_of(figure, axes, _bottom(marks, axes))
    marks += keys.legend_of(figure, axes, _bottom(marks, axes))
    return marks


def _height(figure: go.Figure, named: dict[str, Axis], width: float) -> float:
    layout = figure.layout
    asked = (layout.height or USUAL_HEIGHT) - (layout.margin.t or 0) - (layout.margin.b or 0)
    pictured = height_for(named, width)
    return min(pictured, max(asked, HIGHEST)) if pictured else max(asked, LEAST)


def _bottom(marks: Sequence[Mark], axes: Axes) -> float:
    return max(bounds(marks)[3], *(it.span[1] for it in axes.up())) if marks else axes.area.height
