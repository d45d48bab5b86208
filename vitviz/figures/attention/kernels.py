"""Figure of a head as a kernel, beside one of 3 × 3."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures import frame

HEIGHT = 300  # pixels


@frame.remembered
def beside_a_convolution(kernel: NDArray[np.floating[Any]], name: str, patch: float = 1) -> go.Figure:
    """The mean weights of a head by offset, `down across`, and a 3 × 3 kernel of equal weights, both on one scale.

    A patch is `patch` times as high as wide.
    """
    side = len(kernel)
    middle = side // 2
    equal = np.zeros_like(kernel)
    near = slice(middle - 1, middle + 2)
    equal[near, near] = 1 / 9
    cells = np.concatenate([kernel, np.full((side, 1), np.nan), equal], axis=1)
    steps = np.arange(side) - middle
    down, across = np.meshgrid(steps, [*steps, 0, *steps], indexing="ij")
    fig = frame.figure(HEIGHT)
    hover = "%{customdata[0]} rows down, %{customdata[1]} columns right: %{z:.4f}"
    fig.add_trace(frame.heat(cells, hover=hover, text=np.dstack([down, across]), hoverongaps=False))
    for left, words in ((0, name), (side + 1, "a 3 × 3 kernel")):
        at = left + middle
        fig.add_shape(
            type="rect",
            x0=at - 1.5,
            x1=at + 1.5,
            y0=middle - 1.5,
            y1=middle + 1.5,
            line={"color": palette.FRAME, "width": 3},
        )
        fig.add_annotation(x=at, y=-0.6, text=words, showarrow=False, yanchor="bottom", font={"size": frame.FONT_SIZE})
    fig.update_yaxes(range=[side - 0.5, -1.6])
    return frame.square(frame.scale_below(fig), patch)
