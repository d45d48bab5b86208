"""Figures of the page Patch embedding: one patch on its way to a token, the filters, the cloud of all tokens."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vitviz import palette
from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats, Pixels

FILTERS_PER_LINE = 7
COLOURS = "red %{customdata[0]:.4f}<br>green %{customdata[1]:.4f}<br>blue %{customdata[2]:.4f}"
ALONE = "%{customdata[0]:.4f}"
COORDINATES = "%{customdata[3]:.3f}, %{customdata[4]:.3f}, %{customdata[5]:.3f}"


@frame.remembered
def one_component(patch: Floats, column: Floats, component: int) -> go.Figure:
    """One component of a token: the patch times one column of E, pixel by pixel; all `c ph pw`.

    The product is summed over the colours of each pixel. All pixels together, and one number of b, make the component.
    Divided by the filter, the product is the patch again.
    """
    product = (patch * column).sum(axis=0)
    side = product.shape[1]
    factors = [
        [
            frame.picture(tiles.tinted(values.transpose(1, 2, 0)), photo=values is patch),
            tiles.hover(COLOURS if len(values) > 1 else ALONE, values.reshape(len(values), -1).T, side),
        ]
        for values in (patch, column)
    ]
    limit = float(np.abs(product).max()) or 1.0
    panels = [*factors, [frame.heat(product, hover="product %{z:.4f}", limit=limit, signed=True, meta=frame.PHOTO)]]
    places = [panel * 1.15 * side for panel in range(3)]
    for place, traces in zip(places, panels, strict=True):
        for trace in traces:
            trace.x0 = place + (trace.x0 or 0)
    titles = zip(places, ["patch", f"· filter {component + 1}", "= product"], strict=True)
    fig = frame.figure(
        330,
        f"Component {component + 1} of the token",
        margin=frame.MARGIN | {"t": frame.TITLE_ROOM + 28},
        annotations=[_above(title, place, side) for place, title in titles],
        shapes=[_edge(place, side) for place in places],
    )
    filter_ = f"filter {component + 1}"
    frame.tell(fig, "patch", "channel row column", patch, "The patch, or what a stem makes of it.", photo=True)
    frame.tell(fig, filter_, "channel row column", column, "The column of E that makes this component.")
    frame.tell(fig, "product", "row column", product, "Patch times filter, summed over the channels.", photo=True)
    return frame.square(fig.add_traces(list(chain(*panels))))


@frame.remembered
def filters(directions: Floats) -> go.Figure:
    """Principal components of the filters, `k c ph pw`, as pictures, each scaled to its own largest number."""
    pictures = directions.transpose(0, 2, 3, 1)
    largest = np.abs(pictures).max(axis=(1, 2, 3), keepdims=True)
    per_line = min(FILTERS_PER_LINE, len(pictures))
    lines = -(-len(pictures) // per_line)
    fig = frame.figure(360, "Principal components of the filters, largest variance first")
    mosaic = tiles.mosaic(tiles.tinted(pictures, largest), per_line)
    fig.add_trace(frame.picture(mosaic, extent=(lines, per_line), photo=False))
    frame.tell(fig, "filters", "component channel row column", directions)
    fig.add_trace(
        tiles.hover("principal component %{customdata[0]}", np.arange(1, len(pictures) + 1)[:, None], per_line)
    )
    return frame.square(fig, tiles.tall(mosaic, lines, per_line))


@frame.remembered
def shares(share: Floats) -> go.Figure:
    """How much of the variance each principal component explains, in percent."""
    fig = frame.figure(360, "Variance explained", xaxis_title="component", yaxis_title="%")
    fig.add_trace(
        go.Bar(
            x=np.arange(1, len(share) + 1),
            y=100 * share,
            marker_color=palette.PATCH,
            hovertemplate="component %{x}<br>%{y:.2f} %<extra></extra>",
        )
    )
    return fig


@frame.remembered
def stem_map(coordinates: Floats, rows: int, columns: int, number: int, place: float = 1) -> go.Figure:
    """A map that a stem makes, `n 3`: its first three principal components as red, green and blue.

    A place of it is `place` times as high as wide. The picture can be seen in it.
    """
    coordinates = np.pad(coordinates, [(0, 0), (0, 3 - coordinates.shape[1])])
    pixels = tiles.tinted(coordinates, np.abs(coordinates).max(axis=0)).reshape(rows, columns, 3)
    fig = frame.figure(260, f"Map {number} of the stem")
    says = "The first principal components of the channels at each place of the map."
    frame.tell(fig, "coordinates", "row column component", coordinates.reshape(rows, columns, 3), says, photo=True)
    return frame.square(fig.add_trace(frame.picture(pixels, extent=(rows, columns))), place)


@frame.remembered
def token_grid(coordinates: Floats, rows: int, columns: int, chosen: int, patch: float = 1) -> go.Figure:
    """Each token as a colour where its patch lies: `n 3`, the first three components as red, green and blue.

    A patch is `patch` times as high as wide. The picture can be seen in it.
    """
    coordinates = np.pad(coordinates, [(0, 0), (0, 3 - coordinates.shape[1])])
    largest = np.abs(coordinates).max(axis=0)
    fig = frame.figure(420, "Tokens as colours")
    colours = tiles.tinted(coordinates, largest).reshape(rows, columns, 3)
    fig.add_trace(frame.picture(colours, extent=(rows, columns)))
    says = "The first principal components of the token of each patch."
    frame.tell(fig, "coordinates", "row column component", coordinates.reshape(rows, columns, 3), says, photo=True)
    told = np.hstack([tiles.places(np.arange(len(coordinates)), columns), coordinates])
    fig.add_trace(tiles.hover(f"{tiles.PLACE}<br>{COORDINATES}", told, columns))
    frame.outline(fig, *divmod(chosen, columns))
    return frame.square(fig, patch)


@frame.remembered
def token_cloud(coordinates: Floats, pixels: Pixels, rows: int, columns: int, chosen: int) -> go.Figure:
    """Each token as a point on the first two components, in the mean colour of its patch of the crop `h w c`.

    In the order of the patches, colours and places are both a small copy of the picture.
    """
    across, up = np.pad(coordinates, [(0, 0), (0, 1)]).T[:2]
    colours = tiles.cut(pixels, rows, columns).mean(axis=(1, 2)).round().astype(int)
    fig = frame.figure(420, "Tokens as points", xaxis_title="component 1", yaxis_title="component 2")
    fig.add_trace(
        go.Scatter(
            x=across,
            y=up,
            mode="markers",
            marker={
                "size": 12,
                "color": [f"rgb({red},{green},{blue})" for red, green, blue in colours],
                "line": {"color": palette.RESIDUAL, "width": 1},
            },
            customdata=tiles.places(np.arange(len(coordinates)), columns),
            hovertemplate=tiles.PLACE + "<br>%{x:.3f}, %{y:.3f}<extra></extra>",
            meta=frame.PHOTO,
        )
    )
    fig.add_trace(
        go.Scatter(
            x=across[[chosen]],
            y=up[[chosen]],
            mode="markers",
            marker={"size": 20, "symbol": "square-open", "color": palette.FRAME, "line": {"width": 4}},
            hoverinfo="skip",
            meta=frame.PHOTO,
        )
    )
    says = "The first two principal components of the token of each patch."
    return frame.tell(fig, "coordinates", "patch component", np.stack([across, up], axis=1), says, photo=True)


@frame.remembered
def look_up(words: Sequence[str], ids: Sequence[int], one_hot: Floats, table: Floats, tokens: Floats) -> go.Figure:
    """One-hot rows, `word id`, times a table of words, `id d`, is a row of it for each word; rows count from 0."""
    panels, (rows, width) = (one_hot, table, tokens), table.shape
    places = [0.0, rows + 2.0, rows + width + 4.0]
    limit = float(np.abs(table).max())
    titles = zip(places, panels, ["one-hot", "· table", "= tokens"], strict=True)
    fig = frame.figure(
        270,
        f"{' '.join(words)} → {' '.join(map(str, ids))} → tokens",
        margin=frame.MARGIN | {"t": frame.TITLE_ROOM + 28, "l": 48},
        annotations=[
            *(_above(title, place, panel.shape[1]) for place, panel, title in titles),
            *(_beside(word, at) for at, word in enumerate(words)),
        ],
        shapes=[
            {"type": "rect", **_across(place, width), "y0": at - 0.5, "y1": at + 0.5, "line": {"color": palette.FRAME}}
            for place, at in [*((places[1], row) for row in ids), *((places[2], at) for at in range(len(ids)))]
        ],
    )
    for place, name, panel in zip(places, ("one-hot", "table", "tokens"), panels, strict=True):
        hover = f"{name} %{{z:.3f}}"
        heat = frame.heat(panel, hover=hover, limit=limit, signed=True, show_scale=False, name=name)
        heat.x0 = place
        fig.add_trace(heat)
    return frame.square(fig)


def _beside(word: str, at: int) -> dict[str, Any]:
    """A word before its row."""
    return {"text": word, "x": -0.7, "y": at, "xanchor": "right", "showarrow": False}


def _across(place: float, width: int) -> dict[str, float]:
    return {"x0": place - 0.5, "x1": place + width - 0.5}


def _above(title: str, place: float, side: int) -> dict[str, Any]:
    """The title of a panel whose first cell is at x = `place`."""
    middle = place + (side - 1) / 2
    return {"text": title, "x": middle, "y": -0.5, "yanchor": "bottom", "yshift": 2, "showarrow": False}


def _edge(place: float, side: int) -> dict[str, Any]:
    """A thin line around a panel: white pixels end somewhere too; `side` is its width."""
    x, y = {"x0": place - 0.5, "x1": place + side - 0.5}, {"y0": -0.5, "y1": side - 0.5}
    return {"type": "rect", **x, **y, "line": {"color": palette.RESIDUAL, "width": 1}}
