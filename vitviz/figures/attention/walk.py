"""Figures of one query's way through one head: vectors as strips of bars, each in the colour of its role."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.attention.maps import token_ticks

Floats = NDArray[np.floating[Any]]

STRIP = 62  # pixels
LABEL = 34  # pixels above a strip
ROW = 120  # pixels


@dataclass(frozen=True, slots=True)
class Strip:
    """A vector with its name, its role's colour, and the number that its full height stands for."""

    name: str
    values: Floats
    colour: str
    limit: float


def dot_product(q: Floats, k: Floats, key: str) -> go.Figure:
    """q and k of one head, `dh` each, on one scale, and below them their product term by term."""
    terms, limit = q * k, float(max(np.abs(q).max(), np.abs(k).max()))
    fig = _strips(
        [
            Strip("q of the query", q, palette.QUERY, limit),
            Strip(f"k of {key}", k, palette.KEY, limit),
            Strip("q · k, term by term", terms, palette.QUERY, float(np.abs(terms).max())),
        ]
    )
    fig.data[2].update(
        customdata=np.stack([q, k], axis=-1),
        hovertemplate="number %{x}<br>%{customdata[0]:.4f} · %{customdata[1]:.4f} = %{y:.4f}<extra></extra>",
        marker={"pattern": {"shape": "/", "fgcolor": palette.KEY, "fgopacity": 1, "fillmode": "overlay", "size": 6}},
    )
    return fig


def weighted_values(shares: Sequence[tuple[str, Floats]]) -> go.Figure:
    """What keys hand over, weight · v, `dh` each and named, all on one scale."""
    limit = max(float(np.abs(values).max()) for _, values in shares)
    return _strips([Strip(name, values, palette.VALUE, limit) for name, values in shares])


def scores_and_weights(
    scores: Floats, weights: Floats, names: Sequence[str], specials: Sequence[str], key: int
) -> go.Figure:
    """All scores of one query, `k`, and the weights that softmax makes of them; special tokens first, `key` framed."""
    uniform = 1 / len(names)
    fig = _stack(
        [
            "score of every key: q · k / √dh",
            f"its weight; dashed: uniform, {numbers.small(uniform)}",
        ],
        ROW,
    )
    tokens = np.arange(len(names))
    for row, values in enumerate((scores, weights), start=1):
        bars = _bars(tokens, values, np.where(tokens < len(specials), palette.CLASS_TOKEN, palette.KEY))
        bars.update(customdata=list(names), hovertemplate="%{customdata}<br>%{y:.4f}<extra></extra>")
        fig.add_trace(bars, row=row, col=1)
        fig.add_vrect(key - 0.5, key + 0.5, line={"color": palette.FRAME, "width": 3}, row=row, col=1)
    fig.add_hline(uniform, line={"color": palette.RESIDUAL, "dash": "dash", "width": 2}, row=2, col=1)
    return fig.update_xaxes(row=2, col=1, **token_ticks(len(names), specials))


def _strips(strips: Sequence[Strip]) -> go.Figure:
    """Bars of several vectors, one vector below the other, each from -limit to limit."""
    fig = _stack([strip.name for strip in strips], STRIP)
    for row, strip in enumerate(strips, start=1):
        bars = _bars(np.arange(1, len(strip.values) + 1), strip.values, strip.colour)
        fig.add_trace(bars.update(hovertemplate="number %{x}<br>%{y:.4f}<extra></extra>"), row=row, col=1)
        top = strip.limit or 1.0
        fig.update_yaxes(range=[-1.1 * top, 1.1 * top], tickvals=[-top, 0, top], row=row, col=1)
        fig.update_yaxes(ticktext=[numbers.small(value) for value in (-top, 0, top)], row=row, col=1)
    return fig


def _stack(names: Sequence[str], height: int) -> go.Figure:
    """Panels below each other with one x axis; above each, on the left, its name."""
    rows = len(names)
    inner = rows * height + (rows - 1) * LABEL
    bottom = 2 * frame.FONT_SIZE
    fig = make_subplots(
        rows=rows,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=LABEL / inner if rows > 1 else 0,
        subplot_titles=list(names),
        figure=frame.figure(LABEL + inner + bottom),
    )
    fig.update_annotations(x=0, xanchor="left", font={"size": frame.FONT_SIZE})
    return fig.update_layout(margin={"t": LABEL, "b": bottom, "l": 56}, bargap=0.12)


def _bars(places: NDArray[np.int_], values: Floats, colour: Any) -> go.Bar:
    return go.Bar(x=places, y=values, marker={"color": colour, "line": {"width": 0}})
