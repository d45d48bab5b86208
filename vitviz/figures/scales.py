"""Plotly's colour scales as tables of 256 colours, for whatever is not drawn by Plotly."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from plotly.colors import sample_colorscale


@cache
def colours(scale: str) -> NDArray[np.uint8]:
    """A colour scale by Plotly's name for it, `256 rgb`."""
    shades = sample_colorscale(scale, np.linspace(0, 1, 256).tolist(), colortype="tuple")
    table = np.rint(255 * np.array(shades)).astype(np.uint8)
    table.flags.writeable = False
    return table
