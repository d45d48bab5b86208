"""Figures of what a model costs: where parameters and arithmetic sit, and how large the tensors are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame

Counts = Mapping[str, int]
LEAST_SHARE = 0.08  # of a figure, below which a label would not fit
LABEL = 20  # pixels of a label inside a coloured area, bold: white on colour needs to be large


@frame.remembered
def mosaic(columns: Sequence[tuple[str, Counts]]) -> go.Figure:
    """A model as one rectangle: columns in the order of the forward pass, split by kind; every area a share of all."""
    total = sum(sum(kinds.values()) for _, kinds in columns)
    widths = np.array([sum(kinds.values()) for _, kinds in columns]) / total
    left = np.concatenate([[0.0], np.cumsum(widths)[:-1]])
    fig = frame.figure(height=430)
    floor = np.zeros(len(columns))
    labels: list[dict[str, Any]] = []
    for kind in dict.fromkeys(kind for _, kinds in columns for kind in kinds):
        counts = np.array([kinds.get(kind, 0) for _, kinds in columns])
        heights = np.divide(counts, widths * total, out=np.zeros(len(columns)), where=widths > 0)
        fig.add_trace(
            go.Bar(
                name=f"{kind}, {percent(counts.sum() / total)}",
                x=left,
                y=heights,
                base=floor,
                width=widths,
                offset=0,
                marker={"color": palette.STAGES[kind], "line": {"color": "white", "width": 1}},
                customdata=[(name, numbers.exact(int(it))) for (name, _), it in zip(columns, counts, strict=True)],
                hovertemplate=kind + " in %{customdata[0]}<br>%{customdata[1]} parameters<extra></extra>",
            )
        )
        share = counts.sum() / total
        if share > LEAST_SHARE:
            tallest = int(np.argmax(counts))
            labels.append(
                {
                    "x": float(left[counts > 0][0] + widths[counts > 0].sum() / 2),
                    "y": float(floor[tallest] + heights[tallest] / 2),
                    "text": f"<b>{kind}<br>{percent(share)}</b>",
                    "font": {"size": LABEL, "color": "white"},
                    "bgcolor": palette.STAGES[kind],
                }
            )
        floor = floor + heights
    for (name, _), start, width in zip(columns, left, widths, strict=True):
        label = name.removeprefix("block ")
        if width > (0.02 if label.isdigit() else LEAST_SHARE):
            labels.append({"x": start + width / 2, "y": 0, "text": label, "yanchor": "top", "yshift": -2})
    fig.update_layout(
        barmode="overlay",
        margin={"t": 8},
        annotations=[{"showarrow": False} | label for label in labels],  # one by one they would take ten times as long
        **legend(below=0.1),
    )
    fig.update_xaxes(visible=False, range=[0, 1])
    fig.update_yaxes(visible=False, range=[0, 1])
    return fig


@frame.remembered
def totals(
    models: Sequence[tuple[str, Counts]],
    unit: str,
    *,
    shares: bool = False,
    colours: Mapping[str, str] = palette.STAGES,
    say: Callable[[int], str] = numbers.short,
    named: bool = True,
) -> go.Figure:
    """One bar per model to one scale, split by kind; its name and total stand above it. As `shares` all are as long.

    `named=False` leaves the legend out, where a table beside the figure has the colours.
    """
    sums = [sum(kinds.values()) for _, kinds in models]
    fig = frame.figure(height=(90 if named else 24) + 62 * len(models))
    places = list(range(len(models)))
    for kind in dict.fromkeys(kind for _, kinds in models for kind in kinds):
        counts = [kinds.get(kind, 0) for _, kinds in models]
        fig.add_trace(
            go.Bar(
                name=kind,
                y=places,
                x=[it / total for it, total in zip(counts, sums, strict=True)] if shares else counts,
                orientation="h",
                marker={"color": colours[kind], "line": {"width": 0}},
                customdata=[
                    (frame.escaped(name), numbers.exact(it), percent(it / total))
                    for (name, _), it, total in zip(models, counts, sums, strict=True)
                ],
                hovertemplate=(
                    "%{customdata[0]}<br>" + kind + ": %{customdata[1]} " + unit + " (%{customdata[2]})<extra></extra>"
                ),
            )
        )
    fig.update_layout(
        barmode="stack",
        bargap=0.5,
        margin={"t": 16, "b": 8},
        annotations=above(
            [f"{frame.escaped(name)} <b>{say(it)}</b>" for (name, _), it in zip(models, sums, strict=True)]
        ),
        **(legend() if named else {}),
    )
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False, autorange="reversed")
    return fig


@frame.remembered
def left_out(parts: Sequence[tuple[str, int, str]]) -> go.Figure:
    """Parts that some convention leaves out, (name, count, who leaves it out), as bars to one scale."""
    fig = frame.figure(height=24 + 62 * len(parts))
    places = list(range(len(parts)))
    fig.add_trace(
        go.Bar(
            y=places,
            x=[count for _, count, _ in parts],
            orientation="h",
            marker={"color": [palette.STAGES[name.partition(",")[0]] for name, *_ in parts]},
            hovertext=[f"{name}: {numbers.exact(count)} parameters" for name, count, _ in parts],
            hoverinfo="text",
        )
    )
    names = [f"{name} <b>{numbers.exact(count)}</b>, not in the {who}" for name, count, who in parts]
    fig.update_layout(bargap=0.5, margin={"t": 16}, annotations=above(names))
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False, autorange="reversed")
    return fig


@frame.remembered
def counted_and_measured(stages: Sequence[tuple[str, float, float]]) -> go.Figure:
    """For each stage, (name, share of the arithmetic, share of the time), two bars to one scale."""
    fig = frame.figure(height=90 + 58 * len(stages))
    names, counted, measured = zip(*stages, strict=True)
    for label, shares, colour, pattern in (
        ("share of the multiply-accumulates", counted, palette.ATTENTION, ""),
        ("share of the time", measured, palette.OUTPUT, "/"),
    ):
        fig.add_trace(
            go.Bar(
                name=label,
                y=names,
                x=shares,
                orientation="h",
                marker={"color": colour, "pattern": {"shape": pattern}},
                text=[percent(share) for share in shares],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y}: %{text} " + label.removeprefix("share ") + "<extra></extra>",
            )
        )
    fig.update_layout(barmode="group", bargap=0.25, **legend())
    fig.update_xaxes(visible=False, range=[0, 1.25 * max(*counted, *measured)])
    fig.update_yaxes(autorange="reversed", automargin=True)
    return fig


@frame.remembered
def sizes(tensors: Sequence[tuple[str, str, int]]) -> go.Figure:
    """Bytes of some tensors, (name, shape in words, bytes), as bars to one scale."""
    fig = frame.figure(height=40 + 30 * len(tensors))
    names, shapes, counts = zip(*tensors, strict=True)
    fig.add_trace(
        go.Bar(
            y=names,
            x=counts,
            orientation="h",
            marker={"color": [tensor_colour(name) for name in names]},
            text=[numbers.bytes_(count) for count in counts],
            textposition="outside",
            cliponaxis=False,
            customdata=list(zip(shapes, [numbers.exact(count) for count in counts], strict=True)),
            hovertemplate="%{y}<br>%{customdata[0]}<br>%{customdata[1]} bytes<extra></extra>",
        )
    )
    fig.update_layout(bargap=0.25)
    fig.update_xaxes(visible=False, range=[0, 1.2 * max(counts)])
    fig.update_yaxes(autorange="reversed", automargin=True)
    return fig


def above(texts: Sequence[str]) -> list[dict[str, Any]]:
    """One text above each bar: on a phone there is no room beside them."""
    return [
        {"x": 0, "y": place - 0.25, "text": text, "showarrow": False, "xanchor": "left", "yanchor": "bottom"}
        for place, text in enumerate(texts)
    ]


def tensor_colour(name: str) -> str:
    """The colour of a tensor by its name in the trace: q, k and v have their roles, the stream has its own."""
    local = name.rpartition(".")[2]
    roles = {"q": palette.QUERY, "k": palette.KEY, "v": palette.VALUE, "patches": palette.PATCH, "image": palette.PATCH}
    if local in roles:
        return roles[local]
    if "attn." in name:
        return palette.ATTENTION
    return palette.MLP if "mlp." in name else palette.RESIDUAL


def percent(share: float) -> str:
    """0.654 is 65.4 %; what is less than a tenth of a percent says so, and nothing is 0."""
    if share == 0:
        return "0"
    return f"{100 * share:.1f} %" if share >= 0.001 else "under 0.1 %"


def legend(below: float = 0.03) -> dict[str, object]:
    """A legend under the figure, `below` in shares of its height; colours in the order in which they appear."""
    return {
        "showlegend": True,
        "legend": {
            "font": {"size": frame.FONT_SIZE},
            "orientation": "h",
            "x": 0,
            "y": -below,
            "yanchor": "top",
            "traceorder": "normal",
        },
    }
