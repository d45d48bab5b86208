"""Figures of the page Patch grid: the picture, cut into patches, read as a sequence of numbers."""

from math import ceil

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame, tiles
from vitviz.figures.strips import strips
from vitviz.figures.tiles import Floats, Pixels

LINE, LINES = 28, 8  # patches in a line of the sequence, unless that makes too many lines
LEADING = 3
LINED = 32  # pixels a side: up to here a patch is drawn with lines between them
PIXEL = (
    "row %{customdata[0]}, column %{customdata[1]}<br>"
    "red %{customdata[2]}, green %{customdata[3]}, blue %{customdata[4]}"
)


@frame.remembered
def original(pixels: Pixels, size: tuple[int, int], box: tuple[int, int, int, int]) -> go.Figure:
    """The picture as it was given, `size` = (width, height), with a frame around the part that the model sees.

    `pixels` may be a smaller copy; `box` = (left, top, right, bottom) counts the pixels of the original.
    """
    fig = frame.figure(460, "The picture as given")
    fig.add_trace(frame.picture(pixels, extent=(size[1], size[0])))
    left, top, right, bottom = (edge - 0.5 for edge in box)
    fig.add_shape(type="rect", x0=left, x1=right, y0=top, y1=bottom, line={"color": palette.FRAME, "width": 4})
    return frame.square(fig)


@frame.remembered
def patch_grid(pixels: Pixels, rows: int, columns: int, chosen: int) -> go.Figure:
    """The crop that the model sees, `h w c`, cut into rows x columns patches; hover gives index, row and column."""
    fig = frame.figure(460, "What the model sees")
    fig.add_trace(frame.picture(pixels, extent=(rows, columns)))
    fig.add_trace(tiles.hover(tiles.PLACE, tiles.places(np.arange(rows * columns), columns), columns))
    frame.grid_lines(fig, rows, columns)
    frame.outline(fig, *divmod(chosen, columns))
    return frame.square(fig, tiles.tall(pixels, rows, columns))


@frame.remembered
def sequence(pixels: Pixels, rows: int, columns: int, chosen: int) -> go.Figure:
    """All patches in raster order, as one strip that is broken into lines like text."""
    patches = rows * columns
    lines = min(ceil(patches / LINE), LINES)
    per_line = ceil(patches / lines)
    strip = tiles.mosaic(tiles.cut(pixels, rows, columns), per_line, LEADING)
    cell = tiles.tall(strip, lines, per_line)
    fig = frame.figure(64 + round(34 * cell) * lines, "The sequence")
    fig.add_trace(frame.picture(strip, extent=(lines, per_line)))
    fig.add_trace(tiles.hover(tiles.PLACE, tiles.places(np.arange(patches), columns), per_line))
    frame.outline(fig, *divmod(chosen, per_line))
    frame.square(fig, cell)
    labelled = list(range(0, lines, 2 if lines > 4 else 1))  # a phone has no room for more
    fig.update_yaxes(
        visible=True,
        showgrid=False,
        zeroline=False,
        tickvals=labelled,
        ticktext=[numbers.exact(line * per_line + 1) for line in labelled],
        scaleratio=strip.shape[0] * per_line / (strip.shape[1] * lines),
    )
    return fig


@frame.remembered
def enlarged(pixels: Pixels, rows: int, columns: int, chosen: int) -> go.Figure:
    """One patch, pixel by pixel; hover gives the red, green and blue of each pixel, from 0 to 255."""
    patch = tiles.cut(pixels, rows, columns)[chosen]
    tall, wide = patch.shape[:2]
    fig = frame.figure(320, f"Patch {chosen + 1}, enlarged")
    fig.add_trace(frame.picture(patch))
    row, column = np.divmod(np.arange(tall * wide), wide)
    fig.add_trace(tiles.hover(PIXEL, np.column_stack([row + 1, column + 1, patch.reshape(-1, 3)]), wide))
    if max(tall, wide) <= LINED:
        frame.grid_lines(fig, tall, wide)
    return frame.square(fig)


@frame.remembered
def flattened(values: Floats, chosen: int) -> go.Figure:
    """The numbers of one patch, `(c ph pw)`, channel by channel."""
    red, green, blue = values.reshape(3, -1)
    return strips({"red": red, "green": green, "blue": blue}, title=f"Patch {chosen + 1}, flattened", photo=True)
