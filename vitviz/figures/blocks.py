"""Figures of one encoder block: layer norm, residual stream, activation, and how alike the tokens become."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import erf
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats

BINS = 48
LARGEST_BUBBLE = 44  # pixels across
Part = dict[str, Any]


@frame.remembered
def spread(before: Floats, after: Floats, reach: float, colour: str) -> go.Figure:
    """How the d numbers of one token are spread before and, in `colour`, after a layer norm, from -reach to reach."""
    upper, lower = (0.6, 1.0), (0.0, 0.4)
    across = {"range": [-reach, reach], "zeroline": False}
    fig = frame.figure(
        410,
        margin=frame.MARGIN | {"t": frame.TITLE_ROOM},
        xaxis=across | {"anchor": "y"},
        xaxis2=across | {"anchor": "y2"},
        yaxis={"domain": upper, "visible": False},
        yaxis2={"domain": lower, "visible": False, "anchor": "x2"},
        shapes=[*_mean_and_deviation(before, "x", "y"), *_mean_and_deviation(after, "x2", "y2")],
        annotations=[
            frame.heading(_moments("before", before), 0.5, 1.0),
            frame.heading(_moments("after", after), 0.5, 0.4),
        ],
    )
    for name, values in (("before", before), ("after", after)):
        frame.tell(fig, name, "component", values, f"The components of the token {name} the norm.")
    return fig.add_traces([_histogram(before, palette.RESIDUAL, "x", "y"), _histogram(after, colour, "x2", "y2")])


@frame.remembered
def lengths(panels: Mapping[str, Floats], rows: int, columns: int, chosen: int | None, patch: float = 1) -> go.Figure:
    """Lengths of vectors on the patch grid, two named panels, `n`, on one scale from 0; `chosen` is framed.

    A patch is `patch` times as high as wide.
    """
    limit = max(float(values.max()) for values in panels.values())
    axes, domains = ("", "2"), ((0.0, 0.48), (0.52, 1.0))
    fig = frame.figure(
        330,
        margin=frame.MARGIN | {"t": frame.TITLE_ROOM},
        xaxis={"domain": domains[0]},
        xaxis2={"domain": domains[1]},
        yaxis2={"anchor": "x2"},
        annotations=[frame.heading(name, sum(domain) / 2) for name, domain in zip(panels, domains, strict=True)],
    )
    for axis, (name, values) in zip(axes, panels.items(), strict=True):
        frame.tell(fig, name, "row column", values.reshape(rows, columns), "Length of a vector at each patch.")
        fig.add_trace(
            frame.heat(
                values.reshape(rows, columns),
                hover=f"{tiles.PLACE}<br>length %{{z:.3f}}",
                limit=limit,
                text=tiles.places_of(rows, columns),
                show_scale=axis == "",
                xaxis=f"x{axis}",
                yaxis=f"y{axis}",
            )
        )
        if chosen is not None:
            frame.outline(fig, *divmod(chosen, columns), xref=f"x{axis}", yref=f"y{axis}")
    return frame.square(frame.scale_below(fig), patch)


@frame.remembered
def activation(hidden: Floats, active: Floats, kind: str) -> go.Figure:
    """The activation of this `kind`, and on its curve the units of one token, `m` before and after it.

    A bubble's area says how many units there are.
    """
    name, curve_of = CURVES[kind]
    edges = np.unique(np.append(np.histogram_bin_edges(hidden, BINS), np.clip(0, hidden.min(), hidden.max())))
    counts, _ = np.histogram(hidden, edges)  # no bubble has units on both sides of ReLU's corner
    kept = counts > 0
    middles, sums = (np.histogram(hidden, edges, weights=values)[0] for values in (hidden, active))
    low, high = min(-3.0, float(hidden.min())), max(3.0, float(hidden.max()))
    line = np.linspace(low, high, 201)
    fig = frame.figure(
        420,
        xaxis={"title": "gate x" if kind == "swiglu" else "hidden value x", "zeroline": True},
        yaxis={"title": f"{name}(x)"},
        shapes=[_band(0, high, palette.MLP, 0.12)],
        annotations=[
            frame.heading(text, at, 1.0, xref="x", yanchor="top")
            for text, at in [("inactive", low / 2), ("active", high / 2)]
        ],
    )
    curve = {"mode": "lines", "line": {"color": palette.RESIDUAL, "width": 3}, "hoverinfo": "skip"}
    bubbles = {
        "mode": "markers",
        "marker": {
            "size": LARGEST_BUBBLE * np.sqrt(counts[kept] / counts.max()),
            "color": palette.MLP,
            "opacity": 0.55,
            "line": {"width": 1},
        },
        "customdata": np.stack([counts, edges[:-1], edges[1:]], axis=1)[kept],
        "hovertemplate": "%{customdata[0]} units from %{customdata[1]:.3f} to %{customdata[2]:.3f}<br>"
        f"mean %{{x:.3f}}, after {name} %{{y:.3f}}<extra></extra>",
    }
    frame.tell(fig, "before", "unit", hidden, f"What enters {name}, unit by unit.")
    frame.tell(fig, "after", "unit", active, f"What {name} makes of it.")
    return fig.add_traces(
        [
            go.Scatter(x=line, y=curve_of(line), **curve),
            go.Scatter(x=(middles[kept] / counts[kept]), y=(sums[kept] / counts[kept]), **bubbles),
        ]
    )


@frame.remembered
def active(share: Floats, rows: int, columns: int, chosen: int | None, patch: float = 1) -> go.Figure:
    """The share of active units on the patch grid, `n`; a patch is `patch` times as high as wide."""
    fig = frame.figure(420, "Share of active units")
    hover = f"{tiles.PLACE}<br>active share %{{z:.3f}}"
    fig.add_trace(frame.heat(share.reshape(rows, columns), hover=hover, text=tiles.places_of(rows, columns)))
    if chosen is not None:
        frame.outline(fig, *divmod(chosen, columns))
    return frame.square(frame.scale_below(fig), patch)


@frame.remembered
def similarity_by_depth(means: Floats, layer: int) -> go.Figure:
    """Mean cosine between two tokens before the first block and after each, `depth + 1`; `layer` is marked."""
    here = np.arange(len(means)) == layer + 1
    fig = frame.figure(
        470,
        "Mean cosine of two tokens",
        xaxis={
            "title": "after layer (0: the embedding)",
            "dtick": max(1, len(means) // 8),
            "zeroline": False,
        },
        yaxis={"range": [min(0.0, float(means.min())) - 0.05, 1.05]},
    )
    return fig.add_trace(
        go.Scatter(
            x=np.arange(len(means)),
            y=means,
            mode="lines+markers",
            line={"color": palette.RESIDUAL, "width": 3},
            marker={
                "size": np.where(here, 16, 9),
                "color": np.where(here, palette.FRAME, palette.RESIDUAL),
                "opacity": 1,
            },
            hovertemplate="after layer %{x}: %{y:.3f}<extra></extra>",
        )
    )


@frame.remembered
def similarity(cosines: Floats, names: Sequence[str], chosen: int) -> go.Figure:
    """Cosine of every token with every token, `t t`, from -1 to 1; the row of token `chosen` is framed."""
    tokens = len(names)
    row = {"x0": -0.5, "x1": tokens - 0.5, "y0": chosen - 0.5, "y1": chosen + 0.5}
    fig = frame.figure(
        470,
        "Every token with every token",
        shapes=[{"type": "rect", "line": {"color": palette.FRAME, "width": 2}} | row],
    )
    hover = "%{y}<br>%{x}<br>cosine %{z:.3f}"
    fig.add_trace(frame.heat(cosines, hover=hover, limit=1, signed=True, x=list(names), y=list(names)))
    return frame.square(frame.scale_below(fig))


def curve_of_gelu(x: Floats) -> Floats:
    """x · Φ(x), exact: the share of a normal distribution that lies below x scales x (Hendrycks & Gimpel 2016)."""
    return x * (1 + np.array([erf(value / 2**0.5) for value in x])) / 2


def curve_of_tanh_gelu(x: Floats) -> Floats:
    """GELU by a tanh that is quick to compute, as its authors offer it (Hendrycks & Gimpel 2016, section 2)."""
    return x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))) / 2


def curve_of_sigmoid(x: Floats, slope: float) -> Floats:
    """x · σ(slope · x): with 1.702 the quick GELU, with 1 SiLU (Hendrycks & Gimpel 2016, section 2)."""
    return x * (1 + np.tanh(slope * x / 2)) / 2


CURVES: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "gelu": ("GELU", curve_of_gelu),
    "gelu_tanh": ("tanh GELU", curve_of_tanh_gelu),
    "quick_gelu": ("quick GELU", partial(curve_of_sigmoid, slope=1.702)),
    "relu": ("ReLU", partial(np.maximum, 0)),
    "swiglu": ("SiLU", partial(curve_of_sigmoid, slope=1.0)),
}


def _histogram(values: Floats, colour: str, xaxis: str, yaxis: str) -> go.Bar:
    counts, edges = np.histogram(values, BINS)
    hover = "%{y} numbers from %{customdata[0]:.3f} to %{customdata[1]:.3f}"
    return frame.histogram(counts, edges, colour, hover, xaxis=xaxis, yaxis=yaxis)


def _mean_and_deviation(values: Floats, xaxis: str, yaxis: str) -> list[Part]:
    """A line at the mean, and a band one standard deviation wide to each side."""
    mean, deviation = float(values.mean()), float(values.std())
    where = {"xref": xaxis, "yref": f"{yaxis} domain"}
    line = {"type": "line", "x0": mean, "x1": mean, "y0": 0, "y1": 1, "line": {"color": palette.NORM, "width": 3}}
    return [_band(mean - deviation, mean + deviation, palette.NORM, 0.25) | where, line | where]


def _moments(name: str, values: Floats) -> str:
    return f"{name}: mean {numbers.small(values.mean())}, variance {numbers.small(values.var())}"


def _band(left: float, right: float, colour: str, opacity: float) -> Part:
    """A coloured stretch of the x axis, over the whole height."""
    ends = {"x0": left, "x1": right, "y0": 0, "y1": 1, "yref": "y domain"}
    return {"type": "rect", "fillcolor": colour, "opacity": opacity, "line": {"width": 0}, "layer": "below"} | ends
