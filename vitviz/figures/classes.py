"""Figures of the class head: logits and probabilities, and the same read-out after every block."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.tiles import Floats

LINE = 28  # pixels per class
FEWEST = 5  # classes that there is room for
FAINT = 0.1  # where no probability is larger, an axis to 1 would show nothing
ROOM = 90  # pixels above and below the classes
WRITING = 0.35  # share of an axis that leaves room for a number beside the longest bar
BRIGHT = 0.6  # share of the scale above which a cell takes a dark mark
SYMBOLS = ("circle", "diamond")


@frame.remembered
def logits(labels: Sequence[str], values: Floats, heads: Mapping[str, Floats]) -> go.Figure:
    """Logits as bars, the first class on top; where several `heads` are averaged, theirs are marked on the bars."""
    several = len(heads) > 1
    everything = np.stack([values, *heads.values()])
    low, high = min(0.0, float(everything.min())), max(0.0, float(everything.max()))
    room = (high - low) * WRITING
    fig = frame.figure(
        ROOM + height(labels),
        "Logits",
        xaxis={"range": [low - room * (low < 0), high + room]},
        yaxis=lines(labels),
        showlegend=several,
    )
    fig.add_trace(_bars(labels, values, palette.RESIDUAL, numbered=not several))
    if several:
        fig.layout.legend.update(orientation="h", y=-0.12, yanchor="top")
        fig.add_traces([_marks(labels, *head, symbol) for head, symbol in zip(heads.items(), SYMBOLS, strict=True)])
    return fig


@frame.remembered
def probabilities(labels: Sequence[str], values: Floats) -> go.Figure:
    """Probabilities as bars from 0 to 1, the first class on top."""
    fig = frame.figure(
        ROOM + height(labels),
        "Probabilities",
        xaxis={"range": [0, 1 + WRITING], "tickvals": [0, 0.5, 1]},
        yaxis=lines(labels),
    )
    return fig.add_trace(_bars(labels, values, palette.HEAD))


@frame.remembered
def lens(values: Floats, labels: Sequence[str], winners: Sequence[int | None], after: int) -> go.Figure:
    """Probabilities `(depth + 1) classes` as a heat map, one line per class, one column per read-out.

    `winners` says for each column which of these classes has the largest probability, if one of them has; its cell
    carries a dot. The column `after` is framed.
    """
    column = {"x0": after - 0.5, "x1": after + 0.5, "y0": -0.5, "y1": len(labels) - 0.5}
    fig = frame.figure(
        ROOM + frame.SCALE_ROOM + height(labels),
        margin=frame.MARGIN | {"t": ROOM - frame.MARGIN["b"]},
        xaxis={
            "title": "after layer (0: the embedding)",
            "range": [-0.5, len(values) - 0.5],
            "dtick": 1 if len(values) < 16 else 4,
            "side": "top",
            "showgrid": False,
            "zeroline": False,
        },
        yaxis=lines(labels),
        shapes=[{"type": "rect", "line": {"color": palette.FRAME, "width": 4}} | column],
    )
    hover = "%{customdata}<br>after layer %{x}: probability %{z:.4f}"
    names = np.repeat(np.array([frame.escaped(label) for label in labels])[:, None], len(values), axis=1)
    marked = [(place, line) for place, line in enumerate(winners) if line is not None]
    dots = go.Scatter(
        x=[place for place, _ in marked],
        y=[line for _, line in marked],
        mode="markers",
        marker={"size": 13, "color": ["#111111" if values[at] > BRIGHT else "#ffffff" for at in marked]},
        hoverinfo="skip",
    )
    fig.add_traces([frame.heat(values.T, hover=hover, limit=1, text=names), dots])
    return frame.scale_below(fig)


def height(labels: Sequence[str]) -> int:
    """Pixels for one line per class; margins need a picture of some height between them."""
    return LINE * max(len(labels), FEWEST)


def _bars(labels: Sequence[str], values: Floats, colour: str, numbered: bool = True) -> go.Bar:
    return go.Bar(
        x=values,
        y=np.arange(len(labels)),
        orientation="h",
        marker={"color": colour},
        text=[numbers.small(float(value)) for value in values] if numbered else None,
        textposition="outside",
        cliponaxis=False,
        customdata=[frame.escaped(label) for label in labels],
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        showlegend=False,
    )


def _marks(labels: Sequence[str], name: str, values: Floats, symbol: str) -> go.Scatter:
    return go.Scatter(
        x=values,
        y=np.arange(len(labels)),
        mode="markers",
        marker={"symbol": symbol, "size": 13, "color": palette.FRAME, "line": {"width": 1}},
        name=name,
        customdata=[frame.escaped(label) for label in labels],
        hovertemplate=f"%{{customdata}}<br>{name} %{{x:.4f}}<extra></extra>",
    )


def lines(labels: Sequence[str]) -> dict[str, Any]:
    """A y axis with one line per class, the first on top."""
    count = len(labels)
    return {
        "range": [count - 0.5, -0.5],
        "tickvals": np.arange(count),
        "ticktext": [frame.escaped(label) for label in labels],
        "showgrid": False,
        "zeroline": False,
    }
