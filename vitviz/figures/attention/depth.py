"""Figures of what becomes of attention from layer to layer, one dot per head."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import frame

Floats = NDArray[np.floating[Any]]

HEIGHT = 400
SPREAD = 0.6  # of a layer's room: its heads stand beside each other


@frame.remembered
def distance(values: Floats, uniform: float, patch_size: float) -> go.Figure:
    """Mean attention distance `layer head`, in patches and in pixels; dashed: where attention is uniform."""
    pixels = {"overlaying": "y", "side": "right", "range": [0, _top(values, uniform) * patch_size], "showgrid": False}
    fig = _per_head(values, "patches", values * patch_size, "pixels", uniform, yaxis2=pixels | {"title": "pixels"})
    frame.tell(fig, "distance", "layer head", values, "Mean attention distance of each head, in patches.")
    return fig.add_trace(go.Scatter(x=[1], y=[0], yaxis="y2", mode="none", hoverinfo="skip"))  # no trace, no axis


@frame.remembered
def entropy(values: Floats, uniform: float) -> go.Figure:
    """Mean entropy `layer head` in nats; dashed: where attention is uniform."""
    fig = _per_head(values, "nats", np.exp(values), "tokens, if all counted alike", uniform)
    return frame.tell(fig, "entropy", "layer head", values, "Mean entropy of the attention of each head, in nats.")


def _per_head(
    values: Floats, unit: str, converted: Floats, other_unit: str, uniform: float, **layout: Any
) -> go.Figure:
    layers, heads = values.shape
    layer, head = np.mgrid[1 : layers + 1, 1 : heads + 1]
    beside = (head - (heads + 1) / 2) / heads * SPREAD
    dots = go.Scatter(
        x=(layer + beside).ravel(),
        y=values.ravel(),
        mode="markers",
        marker={"size": 8, "color": palette.ATTENTION, "opacity": 0.8},
        cliponaxis=False,
        customdata=np.stack([layer, head, converted], axis=-1).reshape(-1, 3),
        hovertemplate="layer %{customdata[0]}, head %{customdata[1]}<br>"
        f"%{{y:.3f}} {unit}<br>%{{customdata[2]:.1f}} {other_unit}<extra></extra>",
    )
    means = go.Scatter(
        x=np.arange(1, layers + 1),
        y=values.mean(axis=1),
        mode="lines",
        line={"color": palette.ATTENTION, "width": 3},
        hovertemplate=f"layer %{{x}}, mean of the heads<br>%{{y:.3f}} {unit}<extra></extra>",
    )
    level = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": uniform, "y1": uniform}
    fig = frame.figure(
        HEIGHT,
        f"dashed: uniform, {numbers.small(uniform)} {unit}",
        xaxis={"title": "layer", "range": [0.5, layers + 0.5], "tick0": 1, "dtick": max(1, layers // 6)},
        yaxis={"title": unit, "range": [0, _top(values, uniform)]},
        shapes=[level | {"line": {"color": palette.RESIDUAL, "width": 2, "dash": "dash"}}],
        **layout,
    )
    return fig.add_traces([dots, means])


def _top(values: Floats, uniform: float) -> float:
    """Where the y axis ends; where all is 0, an axis still has a length."""
    return 1.15 * max(uniform, float(values.max())) or 1.0
