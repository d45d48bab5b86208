"""Long vectors as strips of colour, one below the other on one scale, with their first numbers written out."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import frame

Floats = NDArray[np.floating[Any]]

HEIGHT = 84  # pixels of one strip and its heading
WRITTEN = 3  # numbers in a heading: as many as a phone has room for


@frame.remembered
def strips(vectors: Mapping[str, Floats], title: str = "", mark: int | None = None, photo: bool = False) -> go.Figure:
    """One strip per named vector, all of one length and on one scale around 0; `mark` frames one place in all.

    In a `photo` the numbers are those of a patch of the picture on screen, or of its token before the first block:
    whoever has the parameters finds the pixels in it.
    """
    longest = max(len(vector) for vector in vectors.values())
    limit = max(float(np.abs(vector).max()) for vector in vectors.values()) or 1.0
    room = (frame.TITLE_ROOM if title else frame.MARGIN["t"]) + frame.MARGIN["b"]
    fig = frame.figure(
        len(vectors) * HEIGHT + room,
        title,
        xaxis={"visible": False, "range": [0.5, longest + 0.5]},
        yaxis={"visible": False, "range": [len(vectors), 0]},
        annotations=[_heading(name, vector, line) for line, (name, vector) in enumerate(vectors.items())],
        shapes=[] if mark is None else [_box(mark, line) for line in range(len(vectors))],
    )
    drawn = [_strip(name, vector, line, limit) for line, (name, vector) in enumerate(vectors.items())]
    for strip in drawn if photo else ():
        strip.meta = frame.PHOTO
    for heading in fig.layout.annotations if photo else ():
        heading.name = frame.PHOTO
    for name, vector in vectors.items():
        frame.tell(fig, name, "number", vector, f"{title}: {name}." if title else "", photo)
    return fig.add_traces(drawn)


def _strip(name: str, vector: Floats, line: int, limit: float) -> go.Heatmap:
    strip = frame.heat(
        np.asarray(vector)[None],
        hover=f"{name}<br>number %{{x}} of {numbers.exact(len(vector))}: %{{z:.4f}}",
        limit=limit,
        signed=True,
        show_scale=line == 0,
        x0=1,
        dx=1,
        y0=line + 0.66,
        dy=0.6,
    )
    ends = [-limit, 0, limit]
    strip.colorbar.update(tickvals=ends, ticktext=[numbers.small(end) for end in ends])
    return strip


def _heading(name: str, vector: Floats, line: int) -> dict[str, Any]:
    """The name, and the first numbers of the vector."""
    written = "  ".join(numbers.small(float(number)) for number in vector[:WRITTEN])
    more = " …" if len(vector) > WRITTEN else ""
    return {
        "text": f"<b>{name}</b>  {written}{more}",
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": line + 0.36,
        "yanchor": "bottom",
        "showarrow": False,
    }


def _box(place: int, line: int) -> dict[str, Any]:
    """A frame around one number of a strip."""
    x, y = {"x0": place + 0.5, "x1": place + 1.5}, {"y0": line + 0.36, "y1": line + 0.96}
    return {"type": "rect", **x, **y, "line": {"color": palette.FRAME, "width": 3}}
