"""Figures of norms and activations: two batches, numbers in one against the other, curves above what enters them."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from PIL import Image, ImageOps

from vitviz import palette
from vitviz.figures import blocks, frame, tiles
from vitviz.figures.tiles import Floats

TILE = 96  # pixels
KINDS = {"layer norm": palette.NORM, "batch norm": palette.VALUE}
CURVES = {"gelu": palette.ATTENTION, "relu": palette.MLP, "swiglu": palette.HEAD}


@frame.remembered
def batches(own: NDArray[np.uint8], others: Sequence[NDArray[np.uint8]], names: Sequence[str]) -> go.Figure:
    """Batches of pictures, one in a line: the `own` picture `h w c`, framed, and after it the others', `b y x c`."""
    tall = own.shape[0] / own.shape[1]
    size = round(TILE / max(1, tall)), round(TILE * min(1, tall))
    small = [[np.asarray(ImageOps.fit(Image.fromarray(it), size)) for it in (own, *beside)] for beside in others]
    lines, columns = len(small), len(small[0])
    fig = frame.figure(
        56 + round(92 * tall) * lines,
        annotations=[
            {
                "text": f"<b>{name}</b>",
                "x": -0.6,
                "y": line,
                "xanchor": "right",
                "showarrow": False,
                "font": {"size": frame.FONT_SIZE + 2},
            }
            for line, name in enumerate(names)
        ],
    )
    picture = tiles.mosaic(np.concatenate(small), columns, leading=0)
    fig.add_trace(frame.picture(picture, (lines, columns)))
    for line in range(lines):
        frame.outline(fig, line, 0)
    frame.square(fig, tall)
    fig.layout.xaxis.update(range=[-1.6, columns - 0.5])
    return fig


@frame.remembered
def pairs(values: Floats, photo: bool = False) -> go.Figure:
    """Numbers in batch A (across) and in batch B (down), `kind batch number`, a panel per norm, on one scale.

    In a `photo` they are those of tokens before the first block, in which the picture on screen can be found again.
    """
    limit = 1.05 * float(np.abs(values).max())
    axis = {"range": [-limit, limit], "zeroline": False}
    domains = ((0.0, 0.46), (0.54, 1.0))
    fig = frame.figure(
        400,
        margin=frame.MARGIN | {"t": frame.TITLE_ROOM},
        xaxis=axis | {"domain": domains[0], "title": "in batch A"},
        xaxis2=axis | {"domain": domains[1], "title": "in batch A"},
        yaxis=axis | {"title": "in batch B"},
        yaxis2=axis | {"anchor": "x2", "showticklabels": False},
        annotations=[frame.heading(f"<b>{name}</b>", sum(it) / 2) for name, it in zip(KINDS, domains, strict=True)],
    )
    for place, (own, colour) in enumerate(zip(values, KINDS.values(), strict=True)):
        on = {"xaxis": f"x{place + 1 if place else ''}", "yaxis": f"y{place + 1 if place else ''}"}
        line = {"color": palette.RESIDUAL, "width": 2, "dash": "dash"}
        ends = [-limit, limit]
        fig.add_trace(go.Scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip", **on))
        dots = {"size": 5, "color": colour, "opacity": 0.6}
        hover = "%{x:.3f} in batch A, %{y:.3f} in batch B<extra></extra>"
        meta = frame.PHOTO if photo else None
        shown = go.Scatter(x=own[0], y=own[1], mode="markers", marker=dots, hovertemplate=hover, meta=meta, **on)
        fig.add_trace(shown)
    says = "Evenly spread numbers of the picture's tokens under layer norm and batch norm, in batch A and in batch B."
    return frame.tell(fig, "pairs", "norm batch number", values, says, photo)


@frame.remembered
def activations(counts: Floats, edges: Floats) -> go.Figure:
    """Three activations on one axis, and below it the histogram of what enters them, `counts` between `edges`."""
    low, high = min(-4.0, float(edges[0])), max(4.0, float(edges[-1]))
    across = {"range": [low, high], "zeroline": True}
    line = np.linspace(low, high, 401)
    fig = frame.figure(
        480,
        xaxis=across | {"anchor": "y", "showticklabels": False},
        xaxis2=across | {"anchor": "y2", "title": "hidden value x"},
        yaxis={"domain": (0.4, 1.0), "title": "f(x)"},
        yaxis2={"domain": (0.0, 0.34), "anchor": "x2", "title": "units"},
        showlegend=True,
    )
    fig.layout.legend.update(x=0.02, y=0.98, yanchor="top")
    hover = "%{y} units from %{customdata[0]:.3f} to %{customdata[1]:.3f}"
    on = {"xaxis": "x2", "yaxis": "y2"}
    fig.add_trace(frame.histogram(counts, edges, palette.RESIDUAL, hover, showlegend=False, **on))
    for kind, colour in CURVES.items():
        name, curve = blocks.CURVES[kind]
        hover = f"{name} of %{{x:.2f}} is %{{y:.3f}}<extra></extra>"
        drawn = {"color": colour, "width": 4, "dash": "dash" if kind == "relu" else "solid"}
        fig.add_trace(
            go.Scatter(x=line, y=curve(line), mode="lines", line=drawn, name=shown_name(kind), hovertemplate=hover)
        )
    return fig


def shown_name(kind: str) -> str:
    """What an activation is called beside others: the gate of SwiGLU by its own name, too."""
    name = blocks.CURVES[kind][0]
    return f"{name}, SwiGLU's gate" if kind == "swiglu" else name
