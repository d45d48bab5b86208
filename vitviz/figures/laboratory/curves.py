"""Figures of lengths from layer to layer: several curves on one logarithmic axis."""

from collections.abc import Mapping, Sequence
from math import floor, log10

import numpy as np
import plotly.graph_objects as go

from vitviz import palette
from vitviz.figures import frame
from vitviz.figures.tiles import Floats

HEIGHT = 490
# Equal beside each other, however long the legend: it has room for four lines on a phone.
MARGIN = {"l": 84, "r": 16, "t": 12, "b": 184, "autoexpand": False}
STYLES = (
    {"color": palette.ATTENTION, "dash": "solid"},
    {"color": palette.KEY, "dash": "dot"},
    {"color": palette.POSITION, "dash": "dash"},
    {"color": palette.MLP, "dash": "dashdot"},
)
SHORT, MOST_TICKS = 0.7, 6  # powers of ten of an axis with equal steps, and about how many
SYMBOLS = ("circle", "x", "diamond", "square")


@frame.remembered
def by_layer(
    curves: Mapping[str, Floats], stages: Sequence[str], span: tuple[float, float], title: str, places: Sequence[int]
) -> go.Figure:
    """Named curves over named `stages` from `span[0]` to `span[1]`; what is 0 has no place on a logarithmic axis.

    `places` says for each curve, by its number, in which style it is drawn.
    """
    low, high = log10(span[0]), log10(span[1])
    beyond = 0.05 * (high - low) + 0.1  # powers of ten that the axis is longer than its curves, at each end
    low, high = low - beyond, high + beyond
    step = max(1, len(stages) // 8)
    fig = frame.figure(
        HEIGHT,
        margin=MARGIN,
        xaxis={
            "title": "layer",
            "range": [-0.4, len(stages) - 0.6],
            "tickvals": list(range(0, len(stages), step)),
            "ticktext": list(stages[::step]),
            "tickangle": 0,
            "zeroline": False,
        },
        yaxis={
            "title": title,
            "type": "log",
            "range": [low, high],
            **_ticks(low, high),
        },
        showlegend=True,
    )
    fig.layout.legend.update(orientation="h", y=-0.23, yanchor="top")
    for place, (name, values) in zip(places, curves.items(), strict=True):
        fig.add_trace(
            go.Scatter(
                x=np.arange(len(values)),
                y=np.where(values > 0, values, np.nan),
                mode="lines+markers",
                name=name,
                line=STYLES[place] | {"width": 3},
                marker={"size": 9, "symbol": SYMBOLS[place]},
                customdata=list(stages),
                hovertemplate=f"{name}, %{{customdata}}: %{{y:.3g}}<extra></extra>",
            )
        )
    return fig


def _ticks(low: float, high: float) -> dict[str, str | int]:
    """Where an axis has ticks, from one power of ten to another, and how they are written: whole numbers if short.

    Plotly would write 20 as a small 2.
    """
    powers = high - low
    if powers > 2:
        return {"dtick": max(1, int(powers) // 6), "exponentformat": "power"}
    if powers > SHORT:
        return {"dtick": "D2" if powers > 1.2 else "D1", "tickformat": "~g"}
    least = (10**high - 10**low) / MOST_TICKS
    power = 10.0 ** floor(log10(least))
    step = power * min(it for it in (1, 2, 5, 10) if it * power >= least)
    return {"dtick": f"L{step:g}", "tickformat": "~g"}


def span(values: Sequence[Floats]) -> tuple[float, float]:
    """The smallest and the largest number above 0; 0.1 and 1 where there is none."""
    above = np.concatenate([np.ravel(it) for it in values])
    above = above[above > 0]
    return (float(above.min()), float(above.max())) if len(above) else (0.1, 1.0)
