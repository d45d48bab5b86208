"""Figures of few-shot classes: their pictures, scores of one, what shots are worth, and a copy that learns them."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import numbers, palette
from vitviz.figures import classes, frame, tiles
from vitviz.figures.laboratory.curves import HEIGHT
from vitviz.figures.laboratory.curves import MARGIN as MARGINS
from vitviz.figures.tiles import Floats

NAME, LINE, MARGIN = 32, 92, 16  # pixels of a class: of its name, of its pictures, and around all
ARM = 0.32  # of a picture, from the middle of a cross
CROSSED = "held-out, named wrongly"


@frame.remembered
def pictures(
    names: Sequence[str],
    rows: Sequence[NDArray[np.uint8]],
    shots: Sequence[int],
    wrong: Sequence[Sequence[int]],
    room: int = 0,
) -> go.Figure:
    """Pictures of each class in a line, `picture y x 3`; the first `shots` are framed, those called `wrong` crossed.

    A line has `room` for so many, at least for those that are there.
    """
    columns = max(room, *map(len, rows))
    tall = rows[0].shape[1] / rows[0].shape[2]
    line = NAME + round(LINE * tall)
    fig = frame.figure(MARGIN + line * len(rows), margin=frame.MARGIN | {"t": MARGIN - frame.MARGIN["b"]})
    for place, (name, row, count, missed) in enumerate(zip(names, rows, shots, wrong, strict=True)):
        axis = str(place + 1) if place else ""
        on = {"xref": f"x{axis}", "yref": f"y{axis}"}
        top, bottom = ((len(rows) - place - share) / len(rows) for share in (NAME / line, 1))
        fig.layout[f"xaxis{axis}"] = {"anchor": f"y{axis}", "range": [-0.5, columns - 0.5], "constraintoward": "left"}
        fig.layout[f"yaxis{axis}"] = {"anchor": f"x{axis}", "range": [0.5, -0.5], "domain": [bottom, top]}
        cells = tiles.mosaic(row, len(row), leading=0)
        says = "The pictures of a class, those that it was taught from first."
        frame.tell(fig, name, "picture row column channel", row, says, photo=True)
        fig.add_trace(frame.picture(cells, (1, len(row)), xaxis=f"x{axis}", yaxis=f"y{axis}"))
        fig.add_annotation(frame.heading(f"<b>{frame.escaped(name)}</b>", 0, top) | {"xanchor": "left"})
        edge = {"color": palette.FRAME, "width": 4}
        fig.add_shape(type="rect", x0=-0.5, x1=count - 0.5, y0=-0.5, y1=0.5, line=edge, **on)
        for at in missed:
            left, right = count + at - ARM, count + at + ARM
            path = f"M{left},{-ARM}L{right},{ARM}M{left},{ARM}L{right},{-ARM}"
            fig.add_shape(type="path", path=path, line={"color": palette.KEY, "width": 4}, name=CROSSED, **on)
    frame.square(fig, tall)
    fig.update_yaxes(autorange=None)  # the range is turned already
    return fig


@frame.remembered
def scores(names: Sequence[str], values: Floats) -> go.Figure:
    """The score of each class, as bars around 0."""
    reach = 1.4 * max(1.0, float(np.abs(values).max()))
    fig = frame.figure(
        classes.ROOM + classes.height(names),
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
    frame.tell(fig, "right", "shots draw", right, f"How many of {tested} held-out pictures were named rightly.")
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


@frame.remembered
def by_steps(
    steps: Sequence[int], right: Sequence[tuple[float, float]], held_out: bool, frozen: float | None
) -> go.Figure:
    """The shares of shots and, where there are, of `held_out` pictures named rightly after steps of learning.

    Dashed: that of held-out pictures which the read-out of the `frozen` model names rightly.
    """
    fig = frame.figure(
        HEIGHT,
        margin=MARGINS,
        xaxis={"title": "steps", "range": [-0.04 * max(1, steps[-1]), 1.04 * max(1, steps[-1])], "zeroline": False},
        yaxis={"title": "share right", "range": [-0.03, 1.06], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        showlegend=True,
    )
    fig.layout.legend.update(orientation="h", y=-0.23, yanchor="top")
    shown = {"shots": (0, {"color": palette.FRAME, "dash": "dot"}), "held-out": (1, {"color": palette.HEAD})}
    for name, (at, line) in shown.items():
        if name == "shots" or held_out:
            fig.add_trace(
                go.Scatter(
                    x=list(steps),
                    y=[shares[at] for shares in right],
                    mode="lines+markers",
                    name=name,
                    line=line | {"width": 3},
                    marker={"size": 9},
                    hovertemplate=f"{name}, %{{x}} steps: %{{y:.3f}}<extra></extra>",
                )
            )
    if frozen is not None:
        fig.add_trace(
            go.Scatter(
                x=[steps[0], steps[-1]],
                y=[frozen, frozen],
                mode="lines",
                name="held-out, read-out of the frozen model",
                line={"color": palette.RESIDUAL, "width": 2, "dash": "dash"},
                hovertemplate="read-out: %{y:.3f}<extra></extra>",
            )
        )
    return fig
