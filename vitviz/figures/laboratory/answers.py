"""Figures of several answers to one picture beside each other: a group of bars per class."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from vitviz import numbers, palette
from vitviz.figures import classes, frame
from vitviz.figures.tiles import Floats

COLOURS = (palette.HEAD, palette.OUTPUT, palette.NORM, palette.MLP)
BAR, ROOM = 20, 110  # pixels of a bar, and for the axis and the legend


@frame.remembered
def answers(labels: Sequence[str], values: Mapping[str, Floats]) -> go.Figure:
    """Probabilities as bars, the first class on top; in each class a bar for each of the named `values`.

    The axis goes to 1, and where all are faint, to the largest.
    """
    count, most = len(labels), max(float(it.max()) for it in values.values())
    top = 1 if most > classes.FAINT else most
    fig = frame.figure(
        max(count, 3) * (BAR * len(values) + 10) + ROOM,
        xaxis={
            "range": [0, top * (1 + classes.WRITING)],
            "tickvals": [0, top / 2, top],
            "ticktext": [f"{tick:.2g}" for tick in (0, top / 2, top)],
        },
        yaxis=classes.lines(labels),
        showlegend=True,
        bargap=0.15,
    )
    frame.legend_above(fig)
    names = [frame.escaped(label) for label in labels]
    return fig.add_traces(
        [
            go.Bar(
                x=probabilities,
                y=np.arange(count),
                orientation="h",
                name=name,
                marker={"color": colour},
                text=[numbers.small(float(value)) for value in probabilities],
                textposition="outside",
                cliponaxis=False,
                customdata=names,
                hovertemplate=f"%{{customdata}}, {name}: %{{x:.4f}}<extra></extra>",
            )
            for (name, probabilities), colour in zip(values.items(), COLOURS, strict=False)
        ]
    )
