"""Figures of the chapter from pixels to tokens."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz.figures import frame


def patch_grid(pixels: NDArray[np.uint8], rows: int, columns: int, chosen: int) -> go.Figure:
    """The crop that the model sees, `h w c`, cut into rows x columns patches; hover gives index, row and column."""
    fig = frame.figure(height=560)
    fig.add_trace(frame.picture(pixels, extent=(rows, columns)))
    fig.add_trace(_hover_cells(rows, columns))
    frame.grid_lines(fig, rows, columns)
    frame.outline(fig, *divmod(chosen, columns))
    return frame.square(fig)


def _hover_cells(rows: int, columns: int) -> go.Heatmap:
    """Invisible cells that say where the pointer is."""
    cells: list[list[Any]] = [
        [(row * columns + column + 1, row + 1, column + 1) for column in range(columns)] for row in range(rows)
    ]
    return go.Heatmap(
        z=np.zeros((rows, columns)),
        customdata=cells,
        opacity=0,
        showscale=False,
        hovertemplate="patch %{customdata[0]}<br>row %{customdata[1]}, column %{customdata[2]}<extra></extra>",
    )
