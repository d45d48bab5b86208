"""A figure of the first gradients head by head."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from vitviz import palette
from vitviz.figures import frame
from vitviz.figures.tiles import Floats

COLOURS = (palette.QUERY, palette.KEY, palette.VALUE, palette.OUTPUT)
HEIGHT, TOP = 200, 70  # pixels of a panel, and above the first


@frame.remembered
def by_head(starts: Mapping[str, Floats], matrices: Sequence[str]) -> go.Figure:
    """Lengths of the gradient, `matrix head` for each named start, as bars: a panel per start, on its own scale."""
    count, gap = len(starts), 0.34 / max(1, len(starts))
    fig = frame.figure(TOP + HEIGHT * count, margin=frame.MARGIN | {"t": TOP}, barmode="group", showlegend=True)
    fig.layout.legend.update(orientation="h", y=1 + 44 / (HEIGHT * count), yanchor="bottom")
    for place, (name, values) in enumerate(starts.items()):
        heads = np.arange(1, values.shape[1] + 1)
        top = 1 - place / count
        axis = str(place + 1) if place else ""
        fig.layout[f"yaxis{axis}"] = {
            "domain": (top - 1 / count + gap, top - 0.02),
            "anchor": f"x{axis}",
            "range": [0, 1.15 * float(values.max()) or 1.0],
            "nticks": 4,
        }
        fig.layout[f"xaxis{axis}"] = {
            "anchor": f"y{axis}",
            "dtick": max(1, len(heads) // 8),
            "tick0": 1,
            "title": "head" if place == count - 1 else "",
        }
        fig.add_annotation(
            text=f"<b>{name}</b>",
            x=0,
            xref="paper",
            y=top - 0.02,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            font={"size": frame.FONT_SIZE},
        )
        for matrix, row, colour in zip(matrices, values, COLOURS, strict=True):
            fig.add_trace(
                go.Bar(
                    x=heads,
                    y=row,
                    name=matrix,
                    marker={"color": colour},
                    showlegend=place == 0,
                    hovertemplate=f"{name}, {matrix} of head %{{x}}: %{{y:.4g}}<extra></extra>",
                    xaxis=f"x{axis}",
                    yaxis=f"y{axis}",
                )
            )
    return fig
