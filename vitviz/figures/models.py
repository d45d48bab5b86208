"""Figures of several models at once: cards to one scale, and the plane of dim and depth with a budget in it."""

from collections.abc import Sequence
from itertools import accumulate

import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.counts import legend

Card = tuple[str, int, int, int, int]  # name, dim, width of the MLP's matrices side by side, depth, parameters
SMALLEST = 14  # pixels of text that the last row can still read
GRID = "rgba(128,128,128,.25)"
Place = tuple[str, int, int]  # name, dim, depth


@frame.remembered
def cards(models: Sequence[Card], framed: Sequence[str]) -> go.Figure:
    """Each model as a card: one row per block, as high as dim; in it the four matrices of attention, then the MLP's.

    Every number of every matrix has the same area on all cards. `framed` are the names of the models in question.
    """
    fig = frame.figure(height=600)
    widths = [4 * dim + width for _, dim, width, _, _ in models]
    slots = [max(width * 1.15, sum(widths) / 7) for width in widths]  # room for the label of a small card
    for (name, dim, _, depth, count), width, slot, room in zip(
        models, widths, slots, accumulate(slots, initial=0.0), strict=False
    ):
        left = room + (slot - width) / 2
        right, top = left + width, depth * dim
        for part, start, end, colour in (
            ("attention", left, left + 4 * dim, palette.ATTENTION),
            ("MLP", left + 4 * dim, right, palette.MLP),
        ):
            fig.add_trace(
                _rows(part, start, end, dim, depth, colour, f"{frame.escaped(name)}: {depth} blocks of dim {dim}")
            )
        if name in framed:
            fig.add_shape(
                type="rect", x0=left, x1=right, y0=0, y1=top, line={"color": palette.FRAME, "width": 4}, layer="above"
            )
        fig.add_annotation(
            x=(left + right) / 2,
            y=0,
            text=f"<b>{frame.escaped(name)}</b><br>{numbers.short(count)}",
            showarrow=False,
            yanchor="top",
            font={"size": SMALLEST},
        )
    fig.update_xaxes(visible=False, range=[0, sum(slots)])
    tallest = max(dim * depth for _, dim, _, depth, _ in models)
    fig.update_yaxes(visible=False, scaleanchor="x", range=[-0.12 * tallest, 1.02 * tallest])
    return fig


@frame.remembered
def plane(
    budget: Sequence[tuple[int, float]], found: Sequence[Place], presets: Sequence[Place], limits: tuple[int, int]
) -> go.Figure:
    """Dim against depth: the curve on which a budget is met, the whole models nearest to it, and the presets.

    Between the dotted lines lie `limits`, the fewest and most numbers of dim per block.
    """
    fig = frame.figure(height=520)
    dims = [dim for dim, _ in budget]
    for dim_per_block in limits:
        fig.add_trace(
            go.Scatter(
                name=f"dim = {dim_per_block} · depth",
                x=dims,
                y=[dim / dim_per_block for dim in dims],
                mode="lines",
                line={"color": palette.RESIDUAL, "dash": "dot", "width": 2},
                hoverinfo="skip",
            )
        )
    fig.add_trace(
        go.Scatter(
            name="the budget",
            x=dims,
            y=[depth for _, depth in budget],
            mode="lines",
            line={"color": palette.ATTENTION, "width": 5},
            hovertemplate="dim %{x}: depth %{y:.1f}<extra></extra>",
        )
    )
    for name, places, symbol, colour in (
        ("presets", presets, "circle", palette.RESIDUAL),
        ("nearest models", found, "diamond", palette.FRAME),
    ):
        fig.add_trace(
            go.Scatter(
                name=name,
                x=[dim for _, dim, _ in places],
                y=[depth for *_, depth in places],
                text=[label for label, *_ in places],
                mode="markers+text",
                textposition="top center",
                textfont={"size": frame.FONT_SIZE},
                marker={"symbol": symbol, "size": 15, "color": colour, "line": {"color": "#333", "width": 1}},
                hovertemplate="%{text}: dim %{x}, depth %{y}<extra></extra>",
            )
        )
    seen = [*found, *presets]
    fig.update_xaxes(title="dim", range=[0, 1.15 * max(dim for _, dim, _ in seen)], gridcolor="rgba(128,128,128,.25)")
    fig.update_yaxes(
        title="depth", range=[0, 1.2 * max(depth for *_, depth in seen)], gridcolor="rgba(128,128,128,.25)"
    )
    return fig.update_layout(margin={"t": 16}, **legend(below=0.2))


def _rows(part: str, start: float, end: float, dim: int, depth: int, colour: str, hover: str) -> go.Scatter:
    """One rectangle per block, as one trace."""
    x: list[float | None] = []
    y: list[float | None] = []
    for layer in range(depth):
        low, high = layer * dim, (layer + 1) * dim
        x += [start, end, end, start, start, None]
        y += [low, low, high, high, low, None]
    return go.Scatter(
        name=part,
        x=x,
        y=y,
        mode="lines",
        fill="toself",
        fillcolor=colour,
        line={"color": "rgba(255,255,255,.6)", "width": 0.5},
        text=f"{hover}<br>{part}",
        hoverinfo="text",
    )
