"""Figures of few-shot classes: their pictures, the scores of one picture, and what more shots are worth."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import classes, frame, tiles
from vitviz.figures.tiles import Floats

LINE = 70  # pixels of a class
LONGEST = 16  # letters of a name beside its pictures


@frame.remembered
def pictures(
    names: Sequence[str], rows: Sequence[NDArray[np.uint8]], shots: Sequence[int], wrong: Sequence[Sequence[int]]
) -> go.Figure:
    """Pictures of each class in a line, `picture y x 3`; the first `shots` are framed, those called `wrong` crossed."""
    columns = max(map(len, rows))
    blank = np.zeros_like(rows[0][:1])
    full = [np.concatenate([row, *[blank] * (columns - len(row))]) for row in rows]
    cells = tiles.mosaic(np.concatenate(full), columns, leading=0)
    tall = tiles.tall(cells, len(rows), columns)
    fig = frame.figure(24 + round(LINE * tall) * len(rows))
    height, width = cells.shape[0] // len(rows), cells.shape[1] // columns
    for line, row in enumerate(rows):
        cells[line * height : (line + 1) * height, len(row) * width :, 3] = 0  # nothing stands there
    fig.add_trace(frame.picture(cells, (len(rows), columns)))
    for line, (name, count) in enumerate(zip(names, shots, strict=True)):
        shape = {"x0": -0.5, "x1": count - 0.5, "y0": line - 0.5, "y1": line + 0.5}
        fig.add_shape(type="rect", line={"color": palette.FRAME, "width": 4}, **shape)
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        fig.add_annotation(text=f"<b>{frame.escaped(short)}</b>", x=-0.7, y=line, xanchor="right", showarrow=False)
    crossed = [(count + at, line) for line, (count, those) in enumerate(zip(shots, wrong, strict=True)) for at in those]
    fig.add_trace(
        go.Scatter(
            x=[x for x, _ in crossed],
            y=[y for _, y in crossed],
            mode="markers",
            marker={"symbol": "x-thin", "size": 40, "line": {"width": 5, "color": palette.KEY}},
            hovertemplate="held-out, named wrongly<extra></extra>",
        )
    )
    frame.square(fig, tall)
    fig.layout.xaxis.update(range=[-0.5 - columns / 6, columns - 0.5])
    fig.layout.yaxis.update(range=[len(rows) - 0.5, -0.5])
    return fig


@frame.remembered
def scores(names: Sequence[str], values: Floats) -> go.Figure:
    """The score of each class, as bars around 0."""
    reach = 1.4 * max(1.0, float(np.abs(values).max()))
    fig = frame.figure(
        classes.ROOM + classes.height(names),
        "Scores of the picture on screen",
        xaxis={"range": [-reach, reach], "tickvals": [-1, 0, 1], "zeroline": True},
        yaxis=classes.lines(names),
    )
    return fig.add_trace(
        go.Bar(
            x=values,
            y=np.arange(len(names)),
            orientation="h",
            marker={"color": palette.HEAD},
            text=[numbers.small(float(value)) for value in values],
            textposition="outside",
            cliponaxis=False,
            customdata=[frame.escaped(name) for name in names],
            hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        )
    )


@frame.remembered
def by_shots(right: Floats, tested: int, chance: float, chosen: int) -> go.Figure:
    """The share of `tested` pictures named rightly by shots, `shots draw`: a dot per draw, a line of means."""
    most, draws = right.shape
    share, shots = right / tested, np.arange(1, most + 1)
    level = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": chance, "y1": chance}
    fig = frame.figure(
        300,
        f"dashed: by chance, {numbers.small(chance)}",
        xaxis={"title": "shots of each class", "range": [0.5, most + 0.5], "dtick": 1, "tick0": 1},
        yaxis={"title": "share right", "range": [-0.03, 1.06], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        shapes=[level | {"line": {"color": palette.RESIDUAL, "width": 2, "dash": "dash"}}],
    )
    beside = (np.arange(draws) - (draws - 1) / 2) * 0.06
    fig.add_trace(
        go.Scatter(
            x=(shots[:, None] + beside).ravel(),
            y=share.ravel(),
            mode="markers",
            marker={"size": 8, "color": palette.HEAD, "opacity": 0.5},
            hovertemplate="one draw: %{y:.3f}<extra></extra>",
        )
    )
    size = np.where(shots == chosen, 16, 9)
    colour = np.where(shots == chosen, palette.FRAME, palette.HEAD)
    return fig.add_trace(
        go.Scatter(
            x=shots,
            y=share.mean(axis=1),
            mode="lines+markers",
            line={"color": palette.HEAD, "width": 3},
            marker={"size": size, "color": colour, "opacity": 1},
            hovertemplate="%{x} shots: %{y:.3f} on average<extra></extra>",
        )
    )
