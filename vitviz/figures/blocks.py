"""Figures of one encoder block: layer norm, residual stream, GELU, and how alike the tokens become."""

from collections.abc import Sequence
from math import erf
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats

BINS = 48
LARGEST_BUBBLE = 44  # pixels across


def spread(before: Floats, after: Floats, reach: float, colour: str) -> go.Figure:
    """How the d numbers of one token are spread before and, in `colour`, after a layer norm, from -reach to reach."""
    fig = frame.figure(400)
    _panels(fig, rows=2, titles=["before", "after"], vertical_spacing=0.24)
    for row, (values, shade) in enumerate([(before, palette.RESIDUAL), (after, colour)], start=1):
        counts, edges = np.histogram(values, BINS)
        fig.add_trace(
            go.Bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=counts,
                width=np.diff(edges),
                marker={"color": shade, "line": {"width": 0}},
                customdata=np.stack([edges[:-1], edges[1:]], axis=1),
                hovertemplate="%{y} numbers from %{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
            ),
            row=row,
            col=1,
        )
        _mean_and_deviation(fig, row, float(values.mean()), float(values.std()))
    fig.update_xaxes(range=[-reach, reach], zeroline=False)
    fig.update_yaxes(visible=False)
    return fig


def lengths(panels: dict[str, Floats], rows: int, columns: int, chosen: int | None) -> go.Figure:
    """Lengths of vectors on the patch grid, one named panel each, `n`, on one scale from 0; `chosen` is framed."""
    limit = max(float(values.max()) for values in panels.values())
    fig = frame.figure(330)
    _panels(fig, cols=len(panels), titles=list(panels), horizontal_spacing=0.04)
    for column, values in enumerate(panels.values(), start=1):
        fig.add_trace(
            frame.heat(
                values.reshape(rows, columns),
                hover="%{customdata}<br>length %{z:.3f}",
                limit=limit,
                text=_places(rows, columns),
                show_scale=column == 1,
            ),
            row=1,
            col=column,
        )
        if chosen is not None:
            frame.outline(fig, *divmod(chosen, columns), xref=f"x{column}", yref=f"y{column}")
    return frame.square(frame.scale_below(fig))


def gelu(hidden: Floats) -> go.Figure:
    """GELU, and on its curve the hidden values of one token, `m`: a bubble's area says how many lie there."""
    counts, edges = np.histogram(hidden, BINS)
    kept = counts > 0
    counts, left, right = counts[kept], edges[:-1][kept], edges[1:][kept]
    middle = (left + right) / 2
    low, high = min(-3.0, float(hidden.min())), max(3.0, float(hidden.max()))
    line = np.linspace(low, high, 201)
    fig = frame.figure(420, xaxis_title="hidden value x", yaxis_title="GELU(x)")
    fig.add_vrect(x0=0, x1=high, fillcolor=palette.VALUE, opacity=0.12, line_width=0)
    fig.add_trace(_line(line, curve(line)))
    fig.add_trace(
        go.Scatter(
            x=middle,
            y=curve(middle),
            mode="markers",
            marker={
                "size": LARGEST_BUBBLE * np.sqrt(counts / counts.max()),
                "color": palette.VALUE,
                "opacity": 0.55,
                "line": {"width": 1},
            },
            customdata=np.stack([counts, left, right], axis=1),
            hovertemplate="%{customdata[0]} hidden values from %{customdata[1]:.3f} to %{customdata[2]:.3f}<br>"
            "GELU of their middle: %{y:.3f}<extra></extra>",
        )
    )
    for side, text in [(low / 2, "inactive"), (high / 2, "active")]:
        fig.add_annotation(x=side, y=1, yref="paper", text=text, showarrow=False)
    fig.update_xaxes(zeroline=True)
    return fig


def active(share: Floats, rows: int, columns: int, chosen: int | None) -> go.Figure:
    """The share of hidden units above 0 on the patch grid, `n`, from 0 to the largest share."""
    fig = frame.figure(420, "Share of active units")
    hover = "%{customdata}<br>active share %{z:.3f}"
    fig.add_trace(frame.heat(share.reshape(rows, columns), hover=hover, text=_places(rows, columns)))
    if chosen is not None:
        frame.outline(fig, *divmod(chosen, columns))
    return frame.square(frame.scale_below(fig))


def similarity_by_depth(means: Floats, layer: int) -> go.Figure:
    """Mean cosine between two tokens before the first block and after each, `depth + 1`; `layer` is marked."""
    fig = frame.figure(470, "Mean cosine of two tokens", xaxis_title="after layer (0: the embedding)")
    fig.add_trace(
        go.Scatter(
            x=np.arange(len(means)),
            y=means,
            mode="lines+markers",
            line={"color": palette.RESIDUAL, "width": 3},
            marker={
                "size": [16 if place == layer + 1 else 9 for place in range(len(means))],
                "color": [palette.FRAME if place == layer + 1 else palette.RESIDUAL for place in range(len(means))],
            },
            hovertemplate="after %{x}: %{y:.3f}<extra></extra>",
        )
    )
    fig.update_yaxes(range=[min(0.0, float(means.min())) - 0.05, 1.05])
    fig.update_xaxes(dtick=max(1, len(means) // 8), zeroline=False)
    return fig


def similarity(cosines: Floats, names: Sequence[str], chosen: int) -> go.Figure:
    """Cosine of every token with every token, `t t`, from -1 to 1; the row of token `chosen` is framed."""
    fig = frame.figure(470, "Every token with every token")
    fig.add_trace(
        frame.heat(
            cosines,
            hover="%{y}<br>%{x}<br>cosine %{z:.3f}",
            limit=1,
            signed=True,
            x=list(names),
            y=list(names),
        )
    )
    fig.add_shape(
        type="rect",
        x0=-0.5,
        x1=len(names) - 0.5,
        y0=chosen - 0.5,
        y1=chosen + 0.5,
        line={"color": palette.FRAME, "width": 2},
    )
    return frame.square(frame.scale_below(fig))


def curve(x: Floats) -> Floats:
    """x · Φ(x), exact: the share of a normal distribution that lies below x scales x (Hendrycks & Gimpel 2016)."""
    return x * (1 + np.array([erf(value / 2**0.5) for value in x])) / 2


def _places(rows: int, columns: int) -> NDArray[Any]:
    """What the pointer reads in each cell of the patch grid."""
    return np.array([tiles.place(patch, columns) for patch in range(rows * columns)]).reshape(rows, columns)


def _panels(fig: go.Figure, titles: Sequence[str], rows: int = 1, cols: int = 1, **layout: Any) -> None:
    """Divide the figure into titled panels."""
    fig.set_subplots(rows, cols, subplot_titles=titles, **layout)
    fig.update_layout(margin_t=frame.TITLE_ROOM)
    fig.update_annotations(font_size=frame.FONT_SIZE + 2)


def _mean_and_deviation(fig: go.Figure, row: int, mean: float, deviation: float) -> None:
    fig.add_vrect(
        x0=mean - deviation, x1=mean + deviation, fillcolor=palette.FRAME, opacity=0.25, line_width=0, row=row, col=1
    )
    fig.add_vline(x=mean, line={"color": palette.FRAME, "width": 3}, row=row, col=1)
    fig.layout.annotations[row - 1].text += f": mean {numbers.small(mean)}, variance {numbers.small(deviation**2)}"


def _line(x: Floats, y: Floats) -> go.Scatter:
    return go.Scatter(x=x, y=y, mode="lines", line={"color": palette.RESIDUAL, "width": 3}, hoverinfo="skip")
