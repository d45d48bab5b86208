"""Figures of many answers to one picture: a strip of probabilities per class, and what was dropped in each run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures import classes, frame
from vitviz.figures.tiles import Floats

SPREAD = 0.6  # of a line: the answers of one class stand below each other
LINE, ROOM = 46, 120  # pixels of a class, and for the axis and the legend
ROW, AROUND = 22, 96  # pixels of a block, and around all
DIAMOND = {"symbol": "diamond-open", "size": 16, "color": palette.NORM, "line": {"width": 3}}


@frame.remembered
def strips(labels: Sequence[str], values: Floats, plain: Floats) -> go.Figure:
    """Probabilities `run class`, a strip per class, the undisturbed answer's, `class`, as a tick on each strip."""
    runs, count = values.shape
    below = (np.arange(runs) - (runs - 1) / 2) / max(1, runs - 1) * SPREAD
    names = np.array([frame.escaped(label) for label in labels])
    most = float(max(values.max(), plain.max()))
    top = 1.0 if most > classes.FAINT else 1.1 * most
    fig = frame.figure(
        LINE * max(len(labels), 3) + ROOM,
        xaxis={"range": [-0.02 * top, 1.02 * top], "nticks": 6, "title": "probability"},
        yaxis=classes.lines(labels),
        showlegend=True,
    )
    frame.legend_above(fig)
    dots = go.Scatter(
        x=values.T.ravel(),
        y=(np.arange(count)[:, None] + below).ravel(),
        mode="markers",
        marker={"size": 9, "color": palette.HEAD, "opacity": 0.55},
        name=f"{runs} answers",
        customdata=np.stack([np.repeat(names, runs), np.tile(np.arange(1, runs + 1), count)], axis=1),
        hovertemplate="%{customdata[0]}, run %{customdata[1]}: %{x:.4f}<extra></extra>",
    )
    means = _marks(names, values.mean(axis=0), "their mean", DIAMOND)
    tick = {"symbol": "line-ns", "size": 17, "line": {"width": 5, "color": palette.RESIDUAL}}
    undisturbed = _marks(names, plain, "undisturbed", tick | {"color": palette.RESIDUAL})
    return fig.add_traces([dots, means, undisturbed])


@frame.remembered
def left_out(flags: NDArray[np.bool_]) -> go.Figure:
    """Which branches were dropped, `run layer part`: a column per run, a row per block with attention above the MLP."""
    runs, depth, _ = flags.shape
    rows = [
        _cells(flags[:, :, part], depth, part, colour, name)
        for part, (colour, name) in enumerate([(palette.ATTENTION, "attention"), (palette.MLP, "MLP")])
    ]
    fig = frame.figure(
        max(6, depth) * ROW + AROUND,
        xaxis={"title": "run", "range": [0.5, runs + 0.5], "showgrid": False, "zeroline": False},
        yaxis={
            "title": "layer",
            "range": [depth + 0.5, 0.5],
            "dtick": max(1, depth // 6),
            "tick0": 1,
            "zeroline": False,
        },
        showlegend=True,
    )
    frame.legend_above(fig)
    return fig.add_traces(rows)


def _cells(out: NDArray[np.bool_], depth: int, part: int, colour: str, name: str) -> go.Scatter:
    run, layer = np.nonzero(out)
    return go.Scatter(
        x=run + 1,
        y=layer + 1 + (part - 0.5) * 0.4,
        mode="markers",
        marker={"symbol": "square", "size": 9, "color": colour},
        name=f"{name} dropped",
        customdata=layer + 1,
        hovertemplate=f"run %{{x}}: {name} of layer %{{customdata}} dropped<extra></extra>",
        showlegend=True,
    )


def _marks(names: NDArray[Any], values: Floats, name: str, marker: dict[str, Any]) -> go.Scatter:
    return go.Scatter(
        x=values,
        y=np.arange(len(names)),
        mode="markers",
        marker=marker,
        name=name,
        customdata=names,
        hovertemplate=f"%{{customdata}}<br>{name}: %{{x:.4f}}<extra></extra>",
    )
