"""Figures of how costs grow: curves with the current model marked, against laws that are straight or bent."""

from collections.abc import Sequence

import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame
from vitviz.figures.counts import legend

FEW = 20  # points; so few are marked one by one, and joined by a bend instead of corners
Curve = tuple[str, Sequence[float], str, str]  # name, values, colour, dash


@frame.remembered
def curves(
    against: Sequence[float], lines: Sequence[Curve], now: tuple[float, float], axis: str, *, unit: str, log: bool
) -> go.Figure:
    """Lines over `against`, the most important first; the point `now` is the model on screen.

    On `log` axes a law of power p has the slope p.
    """
    fig = frame.figure(height=520)
    few = len(against) < FEW
    for name, values, colour, dash in lines:
        fig.add_trace(
            go.Scatter(
                name=name,
                x=list(map(float, against)),
                y=list(map(float, values)),
                mode="lines+markers" if few and dash == "solid" else "lines",
                marker={"size": 11},
                line={
                    "color": colour,
                    "dash": dash,
                    "width": 3 if dash == "dot" else 5,
                    "shape": "spline" if few else "linear",
                },
                customdata=[numbers.short(float(value)) for value in values],
                hovertemplate=f"{name}<br>{axis} %{{x:,}}: %{{customdata}} {unit}<extra></extra>",
            )
        )
    fig.add_trace(
        go.Scatter(
            name="the model on screen",
            x=[now[0]],
            y=[now[1]],
            mode="markers",
            marker={"color": palette.FRAME, "size": 18, "symbol": "diamond", "line": {"color": "#333", "width": 2}},
            hovertemplate=f"the model on screen<br>{numbers.short(now[1])} {unit}<extra></extra>",
        )
    )
    kind = "log" if log else "linear"
    fig.update_xaxes(title=axis, type=kind, gridcolor="rgba(128,128,128,.25)", zeroline=False, dtick=1 if log else None)
    fig.update_yaxes(title=unit, type=kind, gridcolor="rgba(128,128,128,.25)", zeroline=False, exponentformat="SI")
    if not log:  # a law may leave the picture; the model's own curve may not
        fig.update_xaxes(range=[0, max(against)])
        fig.update_yaxes(range=[0, 1.05 * max(lines[0][1])])
    fig.update_layout(margin={"l": 8, "t": 16}, **legend(below=0.2))
    return fig
