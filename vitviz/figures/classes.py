"""Figures of the class head: logits and probabilities, and the same read-out after every block."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.tiles import Floats

LINE = 28  # pixels per class
ROOM = 90  # pixels above and below the classes
WRITING = 0.35  # share of an axis that leaves room for a number beside the longest bar
BRIGHT = 0.6  # share of the scale above which a cell takes a dark mark
SYMBOLS = ("circle", "diamond")


def logits(labels: Sequence[str], values: Floats, heads: Mapping[str, Floats]) -> go.Figure:
    """Logits as bars, the first class on top; where several `heads` are averaged, theirs are marked on the bars."""
    fig = _bars("Logits", labels, values, palette.RESIDUAL)
    low, high = _ends(np.stack([values, *heads.values()]))
    room = (high - low) * WRITING
    fig.update_xaxes(range=[low - room * (low < 0), high + room])
    if len(heads) > 1:
        for (name, own), symbol in zip(heads.items(), SYMBOLS, strict=True):
            fig.add_trace(
                go.Scatter(
                    x=own,
                    y=np.arange(len(labels)),
                    mode="markers",
                    marker={"symbol": symbol, "size": 13, "color": palette.FRAME, "line": {"width": 1}},
                    name=name,
                    customdata=list(labels),
                    hovertemplate=f"%{{customdata}}<br>{name} %{{x:.4f}}<extra></extra>",
                )
            )
        fig.update_traces(text=None, selector={"type": "bar"})
        fig.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.12, "yanchor": "top"})
    return fig


def probabilities(labels: Sequence[str], values: Floats) -> go.Figure:
    """Probabilities as bars from 0 to 1, the first class on top."""
    fig = _bars("Probabilities", labels, values, palette.CLASS_TOKEN)
    return fig.update_xaxes(range=[0, 1 + WRITING], tickvals=[0, 0.5, 1])


def lens(values: Floats, labels: Sequence[str], winners: Sequence[int | None], after: int) -> go.Figure:
    """Probabilities `(depth + 1) classes` as a heat map, one line per class, one column per read-out.

    `winners` says for each column which of these classes has the largest probability, if one of them has; its cell
    carries a dot. The column `after` is framed.
    """
    fig = frame.figure(ROOM + frame.SCALE_ROOM + LINE * len(labels), xaxis_title="after layer (0: the embedding)")
    hover = "%{customdata}<br>after layer %{x}: probability %{z:.4f}"
    names = np.repeat(np.array(labels)[:, None], len(values), axis=1)
    fig.add_trace(frame.heat(values.T, hover=hover, limit=1, text=names))
    marked = [(place, line) for place, line in enumerate(winners) if line is not None]
    fig.add_trace(
        go.Scatter(
            x=[place for place, _ in marked],
            y=[line for _, line in marked],
            mode="markers",
            marker={"size": 13, "color": ["#111111" if values[at] > BRIGHT else "#ffffff" for at in marked]},
            hoverinfo="skip",
        )
    )
    fig.add_shape(
        type="rect",
        x0=after - 0.5,
        x1=after + 0.5,
        y0=-0.5,
        y1=len(labels) - 0.5,
        line={"color": palette.FRAME, "width": 4},
    )
    fig.update_xaxes(dtick=1 if len(values) < 16 else 4, side="top", showgrid=False, zeroline=False)
    fig.update_xaxes(range=[-0.5, len(values) - 0.5])
    fig.update_layout(margin_t=ROOM - frame.MARGIN["b"])
    _name_lines(fig, labels)
    return frame.scale_below(fig)


def _bars(title: str, labels: Sequence[str], values: Floats, colour: str) -> go.Figure:
    fig = frame.figure(ROOM + LINE * len(labels), title)
    fig.add_trace(
        go.Bar(
            x=values,
            y=np.arange(len(labels)),
            orientation="h",
            marker_color=colour,
            text=[numbers.small(float(value)) for value in values],
            textposition="outside",
            cliponaxis=False,
            customdata=list(labels),
            hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
            showlegend=False,
        )
    )
    _name_lines(fig, labels)
    return fig


def _ends(values: Floats) -> tuple[float, float]:
    """The ends of an axis that holds 0 and all values."""
    return min(0.0, float(values.min())), max(0.0, float(values.max()))


def _name_lines(fig: go.Figure, labels: Sequence[str]) -> None:
    lines = len(labels)
    fig.update_yaxes(range=[lines - 0.5, -0.5], tickvals=np.arange(lines), ticktext=list(labels), showgrid=False)
