"""Figures of one query's way through one head: vectors as strips of bars, each in the colour of its role."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.attention.maps import token_ticks

Floats = NDArray[np.floating[Any]]
Named = tuple[str, Floats]

STRIP = 62  # pixels
LABEL = 34  # pixels above a strip
ROW = 120  # pixels
BOTTOM = 32  # pixels below the lowest strip for its axis


@dataclass(frozen=True, slots=True)
class Strip:
    """A vector with its name, its role's colour, and the number that its full height stands for."""

    name: str
    values: Floats
    colour: str
    limit: float


@frame.remembered
def dot_product(q: Floats, k: Floats, key: str) -> go.Figure:
    """q and k of one head, `dh` each, on one scale, and below them their product term by term."""
    terms, limit = q * k, float(max(np.abs(q).max(), np.abs(k).max()))
    fig = _strips(
        [
            Strip("q of the query", q, palette.QUERY, limit),
            Strip(f"k of {key}", k, palette.KEY, limit),
            Strip("q · k, term by term", terms, palette.SCORES, float(np.abs(terms).max())),
        ]
    )
    fig.data[2].update(
        customdata=np.stack([q, k], axis=-1),
        hovertemplate="number %{x}<br>%{customdata[0]:.4f} · %{customdata[1]:.4f} = %{y:.4f}<extra></extra>",
    )
    return fig


@frame.remembered
def weighted_values(parts: Sequence[Named], totals: Sequence[Named]) -> go.Figure:
    """What single keys hand over, weight · v, `dh` each, all on one scale; below them their totals, on another."""
    strips = []
    for group in (parts, totals):
        limit = max(float(np.abs(values).max()) for _, values in group)
        strips += [Strip(name, values, palette.VALUE, limit) for name, values in group]
    return _strips(strips)


@frame.remembered
def scores_and_weights(
    scores: Floats, weights: Floats, names: Sequence[str], prefix: Sequence[str], key: int
) -> go.Figure:
    """All scores of one query, `k`, and the weights that softmax makes of them; prefix tokens first, `key` framed."""
    uniform = 1 / len(names)
    chosen = {"type": "rect", "x0": key - 0.5, "x1": key + 0.5, "y0": 0, "y1": 1}
    frames = [chosen | {"yref": f"{axis} domain", "line": {"color": palette.FRAME, "width": 3}} for axis in ("y", "y2")]
    level = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "yref": "y2", "y0": uniform, "y1": uniform}
    fig = _stack(
        {"score of every key": {}, f"its weight; dashed: uniform, {numbers.small(uniform)}": {}},
        ROW,
        ticks=token_ticks(len(names), prefix),
        shapes=[*frames, level | {"line": {"color": palette.RESIDUAL, "width": 2, "dash": "dash"}}],
    )
    tokens = np.arange(len(names))
    frame.tell(fig, "scores", "key", scores, "The score of every key.")
    frame.tell(fig, "weights", "key", weights, "The weight of every key.")
    colours = np.where(tokens < len(prefix), palette.CLASS_TOKEN, palette.KEY)
    hover = {"customdata": list(names), "hovertemplate": "%{customdata}<br>%{y:.4f}<extra></extra>"}
    return fig.add_traces([_bars(1, tokens, scores, colours, **hover), _bars(2, tokens, weights, colours, **hover)])


def _strips(strips: Sequence[Strip]) -> go.Figure:
    """Bars of several vectors, one vector below the other, each from -limit to limit."""
    axes = {}
    for strip in strips:
        marks = [-strip.limit, 0, strip.limit]
        span = 1.1 * strip.limit or 1.0
        labels = [numbers.small(mark) for mark in marks]
        axes[strip.name] = {"range": [-span, span], "tickvals": marks, "ticktext": labels}
    places = np.arange(1, len(strips[0].values) + 1)
    hover = "number %{x}<br>%{y:.4f}<extra></extra>"
    fig = _stack(axes, STRIP)
    for strip in strips:
        frame.tell(fig, strip.name, "component", strip.values)
    return fig.add_traces(
        [_bars(row, places, it.values, it.colour, hovertemplate=hover) for row, it in enumerate(strips, start=1)]
    )


def _stack(
    panels: Mapping[str, dict[str, Any]],
    height: int,
    ticks: dict[str, Any] | None = None,
    shapes: Sequence[dict[str, Any]] = (),
) -> go.Figure:
    """Panels below each other over one x axis, each with its name above it; `panels` maps names to y axes."""
    step = height + LABEL
    inner = len(panels) * step - LABEL
    axes: dict[str, Any] = {}
    names = []
    for row, (name, axis) in enumerate(panels.items()):
        top = 1 - row * step / inner
        axes[f"yaxis{row + 1}"] = {"domain": [max(0, top - height / inner), top], "anchor": "x", **axis}
        names.append({"text": name, "y": top, "x": 0, "xref": "paper", "yref": "paper", "showarrow": False})
    corner = {"xanchor": "left", "yanchor": "bottom", "font": {"size": frame.FONT_SIZE}}
    return frame.figure(
        LABEL + inner + BOTTOM,
        margin=frame.MARGIN | {"t": LABEL, "b": BOTTOM, "l": 56},
        annotations=[name | corner for name in names],
        bargap=0.12,
        **axes,
        xaxis={"anchor": f"y{len(panels)}", **(ticks or {})},
        shapes=shapes,
    )


def _bars(row: int, places: NDArray[np.int_], values: Floats, colour: Any, **trace: Any) -> go.Bar:
    return go.Bar(x=places, y=values, yaxis=f"y{row}", marker={"color": colour, "line": {"width": 0}}, **trace)
