"""Where Plotly lays panels, axes and the colour scale."""

from collections.abc import Iterator, Sequence
from math import log10

from vitviz.figures.figure import Axis, Panel
from vitviz.figures.marks import Colours
from vitviz.figures.plotly.hover import Spec, escaped
from vitviz.numbers import small

FONT_SIZE = 16
EDGE, TITLE_ROOM, LEGEND_ROOM, SCALE_ROOM, HEADING = 8, 44, 30, 56, 28  # pixels
LINE = 22  # pixels of one more line of a heading
TICKS, TICKED = 64, 26  # pixels below a plot, with and without a title of the axis
BESIDE, APART = 0.04, 0.09  # share of the width between panels, without and with an axis between them


def foot(axis: Axis) -> int:
    return (TICKS if axis.title else TICKED) if axis.ticks else 0


def heading(row: Sequence[Panel]) -> int:
    """Pixels above a row for the titles of its panels."""
    lines = max(len(panel.title.splitlines()) for panel in row)
    return HEADING + LINE * (lines - 1) if lines else 0


def domains(panels: Sequence[Panel]) -> Iterator[tuple[float, float]]:
    gaps = [APART if panel.down.ticks else BESIDE for panel in panels[1:]]
    room, whole, left = 1 - sum(gaps), sum(panel.wide for panel in panels), 0.0
    for panel, gap in zip(panels, (*gaps, 0.0), strict=True):
        yield left, min(1.0, left + room * panel.wide / whole)
        left += room * panel.wide / whole + gap


def axis_spec(axis: Axis) -> Spec:
    ends = [log10(axis.low), log10(axis.high)] if axis.log else [axis.low, axis.high]
    spec: Spec = {"range": ends, "zeroline": False, "visible": bool(axis.ticks), "showgrid": axis.grid}
    if axis.log:
        spec |= {"type": "log"}
    if axis.title:
        spec |= {"title": {"text": escaped(axis.title)}}
    if axis.named or axis.log or axis.whole:  # Plotly would write 20 as a small 2, and halves between heads
        places, texts = zip(*axis.ticks, strict=True) if axis.ticks else ((), ())
        spec |= {"tickvals": list(places), "ticktext": list(map(escaped, texts))}
    return spec


def colour_bar(scale: Colours, room: int) -> Spec:
    """The scale under the picture, which then has the whole width; its ends, and 0, are written on it."""
    where = {"orientation": "h", "y": 0, "yanchor": "top", "ypad": 8 + room, "len": 1, "thickness": 14}
    ticks = {"tickvals": list(scale.ends), "ticktext": list(map(small, scale.ends)), "ticklabeloverflow": "allow"}
    return {"colorbar": where | ticks | {"outlinewidth": 0, "tickfont": {"size": FONT_SIZE}}}
