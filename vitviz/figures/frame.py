"""What all figures share: margins, fonts, square patches, one scale for panels that are compared, and pictures."""

import base64
import pickle
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import sha256
from html import escape
from io import BytesIO
from threading import Lock
from typing import Any, NamedTuple, ParamSpec

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from PIL import Image

from vitviz import numbers, palette

FONT_SIZE = 16
MARGIN = {"l": 8, "r": 8, "t": 12, "b": 8}
TITLE_ROOM = 44  # pixels above the plot for a title or a label
SCALE_ROOM = 56  # pixels below the plot for a colour scale
MOST_PIXELS = 2048  # of the longer side of a picture in a figure
MOST_FIGURES = 100
PHOTO = "photo"  # the `meta` of a trace, and the name of an annotation, that would give somebody's picture away

P = ParamSpec("P")
_figures: OrderedDict[str, go.Figure] = OrderedDict()
_lock = Lock()


class Told(NamedTuple):
    """Numbers beside a figure: the array's name, its axes in order, its values, and a sentence about them.

    Those of a `photo` are, or lead back to, the pixels of somebody's picture.
    """

    name: str
    axes: str
    values: NDArray[Any]
    says: str
    photo: bool


def figure(height: int, title: str = "", **layout: Any) -> go.Figure:
    """An empty figure in the form of them all. `height` in pixels; the width follows the page."""
    usual = {
        "height": height,
        "title": {"text": title, "font": {"size": FONT_SIZE + 2}, "x": 0, "xref": "paper"},
        "margin": MARGIN | ({"t": TITLE_ROOM} if title else {}),
        "font": {"size": FONT_SIZE},
        "legend": {"font": {"size": FONT_SIZE}},
        "hoverlabel": {"font": {"size": FONT_SIZE}},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
    }
    return go.Figure(layout=usual | layout)  # at once: an update afterwards takes Plotly eight times as long


def remembered(build: Callable[P, go.Figure]) -> Callable[P, go.Figure]:
    """`build`, with its last figures kept under a digest of all that it was given.

    Plotly takes milliseconds to build what is often the same as a moment ago. A kept figure must not be changed.
    """

    @wraps(build)
    def kept(*args: P.args, **kwargs: P.kwargs) -> go.Figure:
        key = f"{build.__module__}.{build.__qualname__} {sha256(pickle.dumps((args, kwargs))).hexdigest()}"
        with _lock:
            if key in _figures:
                _figures.move_to_end(key)
                return _figures[key]
        fig = build(*args, **kwargs)
        with _lock:
            _figures[key] = fig
            if len(_figures) > MOST_FIGURES:
                _figures.popitem(last=False)
        return fig

    return kept


def tell(fig: go.Figure, name: str, axes: str, values: NDArray[Any], says: str = "", photo: bool = False) -> go.Figure:
    """Keep numbers beside a figure that shows them otherwise than they are: as colours, or many maps as one."""
    vars(fig)["_told"] = [*told(fig), Told(name, axes, values, says, photo)]
    return fig


def told(fig: go.Figure) -> list[Told]:
    """The numbers that are kept beside a figure."""
    kept: list[Told] = vars(fig).get("_told", [])
    return kept


def escaped(text: str) -> str:
    """Untrusted text with its HTML escaped: Plotly would draw `<b>` and `<a href>` in it."""
    return escape(text, quote=False)


def square(fig: go.Figure, tall: float = 1, **which: Any) -> go.Figure:
    """Make a subplot a picture: equal scales, rows counted from the top, no axes; a cell is `tall` times as high."""
    for across in fig.select_xaxes(**which):
        across.update(visible=False, constrain="domain")
    for down in fig.select_yaxes(**which):
        down.update(visible=False, autorange="reversed", constrain="domain", constraintoward="top")
        down.update(scaleanchor=down.anchor or "x", scaleratio=tall)
    return fig


def picture(
    pixels: NDArray[np.uint8], extent: tuple[float, float] | None = None, photo: bool = True, **trace: Any
) -> go.Image:
    """An RGB picture `h w c` as a trace; `extent` = (rows, columns) lays it on a patch grid whose cells are 1 x 1.

    Cell (r, c) of the grid is centred at x = c, y = r, as in a heat map. More pixels than a screen has are averaged.
    What is no `photo`, but numbers as colours, may be taken away where somebody's picture may not.
    """
    rows, columns = extent or pixels.shape[:2]
    if (times := max(pixels.shape[:2]) / MOST_PIXELS) > 1:
        height, width = (max(1, round(side / times)) for side in pixels.shape[:2])
        pixels = np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.BOX))
    height, width = pixels.shape[:2]
    dx, dy = columns / width, rows / height
    return go.Image(
        source=data_uri(pixels),
        dx=dx,
        dy=dy,
        x0=-0.5 + dx / 2,
        y0=-0.5 + dy / 2,
        hoverinfo="skip",
        meta=PHOTO if photo else None,
        **trace,
    )


def heat(
    values: NDArray[np.floating[Any]],
    *,
    hover: str,
    limit: float | None = None,
    signed: bool = False,
    text: NDArray[Any] | None = None,
    show_scale: bool = True,
    **trace: Any,
) -> go.Heatmap:
    """A heat map `rows columns`: sequential from 0 to `limit`, or diverging around 0 when `signed`.

    `hover` is a Plotly template; `text` gives it one value per cell. NaN cells stay empty.
    """
    top = float(limit if limit is not None else np.nanmax(np.abs(values)))
    return go.Heatmap(
        z=np.asarray(values, np.float32),
        zmin=-top if signed else 0,
        zmax=top,
        colorscale=palette.SIGNED if signed else palette.WEIGHTS,
        hovertemplate=hover + "<extra></extra>",
        customdata=text,
        showscale=show_scale,
        colorbar={"thickness": 14, "len": 0.9, "outlinewidth": 0},
        **trace,
    )


def scale_below(fig: go.Figure, room: int = 0) -> go.Figure:
    """Lay the colour scale under the picture, which then has the whole width; its ends, and 0, are written on it.

    `room` pixels are left between the two, for an axis.
    """
    for shown in fig.select_traces({"type": "heatmap", "showscale": True}):
        marks = sorted({shown.zmin, 0, shown.zmax})
        shown.colorbar.update(
            orientation="h",
            y=0,
            yanchor="top",
            ypad=8 + room,
            len=1,
            tickvals=marks,
            ticktext=[numbers.small(mark) for mark in marks],
            ticklabeloverflow="allow",
            tickfont_size=FONT_SIZE,
        )
    fig.layout.margin.b = SCALE_ROOM + room
    return fig


def heading(text: str, x: float, y: float = 1, xref: str = "paper", yanchor: str = "bottom") -> dict[str, Any]:
    """What stands above a panel whose middle is at `x`."""
    place = {"x": x, "xref": xref, "xanchor": "center", "y": y, "yref": "paper", "yanchor": yanchor}
    return {"text": text, "font": {"size": FONT_SIZE + 2}, "showarrow": False} | place


def histogram(counts: NDArray[Any], edges: NDArray[Any], colour: str, hover: str, **trace: Any) -> go.Bar:
    """Bars without gaps from edge to edge; `hover` has the ends of a bar as `customdata`."""
    return go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": colour, "line": {"width": 0}},
        customdata=np.stack([edges[:-1], edges[1:]], axis=1),
        hovertemplate=hover + "<extra></extra>",
        **trace,
    )


def legend_above(fig: go.Figure, y: float = 1.01) -> None:
    """Lay the legend in a line above the plot, in the order of what is drawn."""
    fig.layout.legend.update(orientation="h", y=y, yanchor="bottom", traceorder="normal")


def outline(fig: go.Figure, row: int, column: int, colour: str = palette.FRAME, **which: Any) -> None:
    """Frame the grid cell (row, column), both counted from 0."""
    fig.add_shape(
        type="rect",
        x0=column - 0.5,
        x1=column + 0.5,
        y0=row - 0.5,
        y1=row + 0.5,
        line={"color": colour, "width": 4},
        **which,
    )


def grid_lines(fig: go.Figure, rows: int, columns: int, **which: Any) -> None:
    """Lines between the cells of a patch grid, whatever their number: white with a dark edge, seen on any picture."""
    right, bottom = columns - 0.5, rows - 0.5
    path = "".join(f"M-0.5,{row - 0.5}H{right}" for row in range(rows + 1))
    path += "".join(f"M{column - 0.5},-0.5V{bottom}" for column in range(columns + 1))
    for colour, width in (("rgba(0,0,0,0.3)", 3), ("rgba(255,255,255,0.8)", 1)):
        fig.add_shape(type="path", path=path, line={"color": colour, "width": width}, **which)


def data_uri(pixels: NDArray[np.uint8]) -> str:
    """Pixels `h w c`, RGB or RGBA, as a PNG in a data URI."""
    return _encoded(pixels.tobytes(), pixels.shape)


@lru_cache(maxsize=32)  # a slider draws the same pictures again and again
def _encoded(data: bytes, shape: tuple[int, ...]) -> str:
    buffer = BytesIO()
    Image.fromarray(np.frombuffer(data, np.uint8).reshape(shape)).save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
