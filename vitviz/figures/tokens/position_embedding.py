"""Figures of the page Position embedding: which places are similar, and the table of all positions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats


@frame.remembered
def similarity_maps(maps: Floats, patches: NDArray[Any], chosen: tuple[int, int], patch: float = 1) -> go.Figure:
    """One small map per patch, `down across gh gw`, each where its patch lies; all on one scale from -1 to 1.

    `patches` `down across` says which patch each map belongs to; the one at `chosen` = (down, across) is framed. A
    patch is `patch` times as high as wide.
    """
    down, across, rows, columns = maps.shape
    shown = tiles.glazed(maps.reshape(-1, rows, columns), limit=1)
    fig = frame.figure(500, "One map per patch")
    mosaic = tiles.mosaic(shown, across)
    fig.add_trace(frame.picture(mosaic, extent=(down, across), photo=False))
    fig.add_trace(tiles.hover(f"map of {tiles.PLACE}", tiles.places(patches.ravel(), columns), across))
    frame.outline(fig, *chosen)
    frame.tell(fig, "similarity", "map_row map_column row column", maps)
    return frame.square(fig, tiles.tall(mosaic, down, across) * patch)


@frame.remembered
def similarity_map(similarity: Floats, chosen: int, patch: float = 1) -> go.Figure:
    """The map of one patch, `gh gw`, from -1 to 1; a patch is `patch` times as high as wide."""
    rows, columns = similarity.shape
    fig = frame.figure(500, f"The map of patch {chosen + 1}")
    hover = tiles.PLACE + "<br>similarity %{z:.3f}"
    fig.add_trace(frame.heat(similarity, hover=hover, limit=1, signed=True, text=tiles.places_of(rows, columns)))
    frame.outline(fig, *divmod(chosen, columns))
    return frame.square(fig, patch)


@frame.remembered
def table(positions: Floats, names: Sequence[str]) -> go.Figure:
    """All positions as they are, `t d`: one row per token, called by its name in `names`."""
    fig = frame.figure(480, "The table", xaxis_title="number")
    fig.add_trace(frame.heat(positions, hover="%{y}<br>number %{x}: %{z:.4f}", signed=True, x0=1, y=list(names)))
    fig.update_yaxes(autorange="reversed")
    return fig


@frame.remembered
def angles(degrees: Floats) -> go.Figure:
    """How many tokens have which angle to their position, from 0° to 180°."""
    counts, edges = np.histogram(degrees, 60, (0, 180))
    fig = frame.figure(240, xaxis_title="angle between token and position, degrees", yaxis_title="patches")
    fig.add_trace(frame.histogram(counts, edges, palette.POSITION, "%{y} patches at %{x:.0f}°"))
    fig.update_xaxes(range=[0, 180], tickvals=[0, 45, 90, 135, 180])
    return fig
