"""Figures of attention maps: weights over the picture, many maps on one scale, and the whole matrix."""

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.tiles import tall

Floats = NDArray[np.floating[Any]]
Pixels = NDArray[np.uint8]
Cell = tuple[int, int]  # row and column of a patch

PICTURE = 262  # pixels: three pictures in a row fit the first screen of a projector
PANEL = 430  # pixels: two of these fit beside each other
AXIS_ROOM = 64  # pixels below a picture for an axis
FINEST = 12  # cells a panel of a wall has at least on each side, so that the gaps between panels can be narrow
LABEL = 0.065  # share of a wall's height that the number above a panel takes
COVER = 0.6  # how much of the picture the weights hide
LUMINANCE = (0.299, 0.587, 0.114)  # of red, green and blue (ITU-R BT.601)
PLACE = "patch %{customdata[0]} (row %{customdata[1]}, column %{customdata[2]})"


@frame.remembered
def crop(pixels: Pixels, grid: Cell, query: Cell | None) -> go.Figure:
    """Exactly the crop that the model sees, `h w c`, with the query patch framed."""
    fig = _figure(PICTURE)
    fig.add_trace(frame.picture(pixels, extent=grid))
    if query:
        frame.outline(fig, *query)
    return frame.square(fig, tall(pixels, *grid))


@frame.remembered
def overlay(pixels: Pixels, weights: Floats, limit: float, query: Cell | None) -> go.Figure:
    """Weights `gh gw` over exactly the crop that the model sees; colours from 0 to `limit`, the query patch framed.

    The picture below is grey, so that colour means weight and nothing else.
    """
    fig = _figure(PICTURE)
    fig.add_trace(frame.picture(grey(pixels), extent=weights.shape))
    shown = frame.heat(weights, hover=f"{PLACE}<br>%{{z:.4f}}", limit=limit, text=_places(*weights.shape))
    fig.add_trace(shown.update(opacity=COVER))
    if query:
        frame.outline(fig, *query)
    return frame.square(frame.scale_below(fig), tall(pixels, *weights.shape))


@frame.remembered
def wall(maps: Floats, noun: str, limit: float, chosen: int, query: Cell | None = None, patch: float = 1) -> go.Figure:
    """Maps `panel gh gw` side by side on one scale from 0 to `limit`, numbered from 1 as so many of a `noun`.

    The panel `chosen` is framed, and `query` in each; a patch is `patch` times as high as wide. All panels are one heat
    map with gaps between them, so that their number does not slow the page down.
    """
    panels, (rows, columns), across = len(maps), maps.shape[1:], ceil(sqrt(len(maps)))
    times = ceil(FINEST / rows)  # cells per patch and side
    high, wide = times * rows, times * columns
    gap_above, gap_beside = ceil(high * across * LABEL), ceil(wide * 0.06)
    down, right = high + gap_above, wide + gap_beside
    corners = [(line * down + gap_above, at * right) for line, at in (divmod(panel, across) for panel in range(panels))]
    cells = np.full((ceil(panels / across) * down, across * right - gap_beside), np.nan, np.float32)
    text = np.zeros((*cells.shape, 4), np.int32)
    for panel, (top, left) in enumerate(corners):
        inside = slice(top, top + high), slice(left, left + wide)
        said = np.dstack([_places(rows, columns), np.full((rows, columns), panel + 1)])
        cells[inside], text[inside] = _enlarged(maps[panel], times), _enlarged(said, times)

    shapes = [_box(*corners[chosen], high, wide)]
    fig = _figure(round(PANEL * patch * cells.shape[0] / cells.shape[1]), shapes=shapes)
    hover = f"{noun} %{{customdata[3]}}<br>{PLACE}<br>%{{z:.4f}}"
    shown = frame.heat(cells, hover=hover, limit=limit, text=text, hoverongaps=False)
    fig.add_traces([shown, _numbers(corners, chosen)])
    if query:
        below, beside = ((place + 0.5) * times - 0.5 for place in query)
        fig.add_trace(_dots([(top + below, left + beside) for top, left in corners]))
    return frame.tell(frame.square(frame.scale_below(fig), patch), "maps", f"{noun} row column", maps)


@frame.remembered
def matrix(weights: Floats, names: Sequence[str], prefix: Sequence[str], query: int) -> go.Figure:
    """Weights of one head, `q k`: a row per query token, a column per key token, the prefix tokens first.

    The row and the column of `query` are framed; lines in the class token's colour close the prefix tokens off.
    """
    tokens, edge = len(names), len(prefix) - 0.5
    border = {"type": "line", "line": {"color": palette.CLASS_TOKEN, "width": 2}}
    across = border | {"x0": -0.5, "x1": tokens - 0.5, "y0": edge, "y1": edge}
    down = border | {"x0": edge, "x1": edge, "y0": -0.5, "y1": tokens - 0.5}
    shapes = [_box(query, 0, 1, tokens, width=2), _box(0, query, tokens, 1, width=2)]
    fig = _figure(PANEL - AXIS_ROOM, AXIS_ROOM, shapes=[*([across, down] if prefix else []), *shapes])
    fig.add_trace(frame.heat(weights, hover="query: %{y}<br>key: %{x}<br>%{z:.4f}", x=list(names), y=list(names)))
    frame.square(frame.scale_below(fig, AXIS_ROOM))
    for axis, title in ((fig.layout.xaxis, "key token"), (fig.layout.yaxis, "query token")):
        axis.update(visible=True, type="category", title=title, **token_ticks(tokens, prefix))
    return fig


def token_ticks(tokens: int, prefix: Sequence[str]) -> dict[str, list[Any]]:
    """Ticks of an axis of tokens: the first prefix token by name, and about four patches with round numbers."""
    patches = tokens - len(prefix)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, patches) if patches / step <= 5)
    round_patches = range(step, patches + 1, step)
    return {
        "tickvals": [*range(len(prefix[:1])), *(len(prefix) - 1 + patch for patch in round_patches)],
        "ticktext": [*prefix[:1], *map(numbers.exact, round_patches)],
    }


def grey(pixels: Pixels) -> Pixels:
    """The brightness of RGB pixels `h w 3`, as RGB pixels."""
    bright = (pixels @ np.array(LUMINANCE)).round().astype(np.uint8)
    return np.repeat(bright[..., None], 3, axis=2)


def _figure(height: int, axis: int = 0, **layout: Any) -> go.Figure:
    """A figure whose picture has `height` pixels, with room below it for an axis and a scale."""
    room = frame.SCALE_ROOM + axis
    return frame.figure(frame.MARGIN["t"] + height + room, margin=frame.MARGIN | {"b": room}, **layout)


def _places(rows: int, columns: int) -> NDArray[np.int32]:
    """What the pointer says of each cell of the patch grid: patch, row and column, counted from 1."""
    row, column = np.mgrid[:rows, :columns]
    return np.stack([row * columns + column + 1, row + 1, column + 1], axis=-1).astype(np.int32)


def _enlarged(cells: NDArray[Any], times: int) -> NDArray[Any]:
    """Each cell `times` times in each direction."""
    return cells.repeat(times, axis=0).repeat(times, axis=1)


def _numbers(corners: Sequence[Cell], chosen: int) -> go.Scatter:
    """The number of each panel above its corner, that of the chosen one in bold."""
    return go.Scatter(
        x=[left - 0.5 for _, left in corners],
        y=[top - 0.5 for top, _ in corners],
        text=[f"<b>{panel + 1}</b>" if panel == chosen else f"{panel + 1}" for panel in range(len(corners))],
        mode="text",
        textposition="top right",
        textfont={"size": frame.FONT_SIZE},
        hoverinfo="skip",
    )


def _dots(cells: Sequence[tuple[float, float]]) -> go.Scatter:
    """A mark on each of some cells."""
    rows, columns = zip(*cells, strict=True)
    ring = {"symbol": "square-open", "size": 9, "color": palette.FRAME, "line": {"width": 2}}
    return go.Scatter(x=columns, y=rows, mode="markers", marker=ring, hoverinfo="skip")


def _box(top: int, left: int, rows: int, columns: int, width: int = 4) -> dict[str, Any]:
    """The frame of a rectangle of cells."""
    edges = {"x0": left - 0.5, "x1": left + columns - 0.5, "y0": top - 0.5, "y1": top + rows - 0.5}
    return {"type": "rect", "line": {"color": palette.FRAME, "width": width}, **edges}
