"""Figures of untrained models: their first attention maps, and the first gradients head by head."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import frame, tiles
from vitviz.figures.tiles import Floats

COLOURS = (palette.QUERY, palette.KEY, palette.VALUE, palette.OUTPUT)
HEIGHT, TOP = 200, 70  # pixels of a panel, and above the first
LINE, SHARED_ROOM, MOST_HEADS = 132, 84, 12  # pixels of a line of maps and of the scale; heads in a line
HEADING = 0.2  # of a line, for what stands above its maps


@frame.remembered
def first_maps(
    starts: Mapping[str, Floats], limits: Sequence[float], patch: float = 1, awaited: Sequence[str] = ()
) -> go.Figure:
    """Maps of the first heads, `head gh gw`, in a line for each named start, each line from 0 to its own limit.

    A patch is `patch` times as high as wide. Starts that are `awaited` have their lines, without maps.
    """
    rows, columns = next(iter(starts.values())).shape[1:]
    across = columns * 1.06
    heads = min(MOST_HEADS, len(next(iter(starts.values()))))
    lines = len(starts) + len(awaited)
    fig = frame.figure(LINE * lines + SHARED_ROOM)
    panels = ["", *map(str, range(2, lines + 1))]
    for line, at in enumerate(panels):
        below = 1 - (line + 1) / lines
        fig.layout[f"xaxis{at}"] = {"anchor": f"y{at}", "range": [-0.5, heads * across - 0.5]}
        fig.layout[f"yaxis{at}"] = {
            "anchor": f"x{at}",
            "domain": (below, below + (1 - HEADING) / lines),
            "range": [rows - 0.5, -0.5],
        }
    for line, ((name, maps), limit) in enumerate(zip(starts.items(), limits, strict=True)):
        for head in range(heads):
            fig.add_trace(
                frame.heat(
                    maps[head],
                    hover=f"{name}, head {head + 1}<br>{tiles.PLACE}<br>%{{z:.4f}}",
                    limit=limit,
                    show_scale=line == head == 0 and len(set(limits)) == 1 and not awaited,
                    text=tiles.places_of(rows, columns),
                    x0=head * across,
                    xaxis=f"x{panels[line]}",
                    yaxis=f"y{panels[line]}",
                )
            )
        says = "What the first query of each head looks at before any training."
        frame.tell(fig, name, "head row column", maps[:heads], says)
    said = [f"0 to {numbers.small(limit)}" for limit in limits] + ["…"] * len(awaited)
    for line, (name, words) in enumerate(zip((*starts, *awaited), said, strict=True)):
        fig.add_annotation(
            text=f"<b>{name}</b>: {words}",
            x=-0.5,
            y=-0.5,
            xref=f"x{panels[line]}",
            yref=f"y{panels[line]}",
            xanchor="left",
            yanchor="bottom",
            showarrow=False,
            font={"size": frame.FONT_SIZE},
        )
    frame.square(frame.scale_below(fig), patch)
    for down in fig.select_yaxes():
        down.autorange = None
    return fig


@frame.remembered
def by_head(starts: Mapping[str, Floats], matrices: Sequence[str]) -> go.Figure:
    """Lengths of the gradient, `matrix head` for each named start, as bars: a panel per start, on its own scale."""
    count, gap = len(starts), 0.34 / max(1, len(starts))
    fig = frame.figure(TOP + HEIGHT * count, margin=frame.MARGIN | {"t": TOP}, barmode="group", showlegend=True)
    frame.legend_above(fig, 1 + 44 / (HEIGHT * count))
    for place, (name, values) in enumerate(starts.items()):
        heads = np.arange(1, values.shape[1] + 1)
        top = 1 - place / count
        axis = str(place + 1) if place else ""
        fig.layout[f"yaxis{axis}"] = {
            "domain": (top - 1 / count + gap, top - 0.02),
            "anchor": f"x{axis}",
            "range": [0, 1.15 * float(values.max()) or 1.0],
            "nticks": 4,
        }
        fig.layout[f"xaxis{axis}"] = {
            "anchor": f"y{axis}",
            "dtick": max(1, len(heads) // 8),
            "tick0": 1,
            "title": "head" if place == count - 1 else "",
        }
        fig.add_annotation(
            text=f"<b>{name}</b>",
            x=0,
            xref="paper",
            y=top - 0.02,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            font={"size": frame.FONT_SIZE},
        )
        for matrix, row, colour in zip(matrices, values, COLOURS, strict=True):
            frame.tell(fig, f"{name}, {matrix}", "head", row, f"Length of the first gradient of {matrix}, by head.")
            fig.add_trace(
                go.Bar(
                    x=heads,
                    y=row,
                    name=matrix,
                    marker={"color": colour},
                    showlegend=place == 0,
                    hovertemplate=f"{name}, {matrix} of head %{{x}}: %{{y:.4g}}<extra></extra>",
                    xaxis=f"x{axis}",
                    yaxis=f"y{axis}",
                )
            )
    return fig
