"""Figures of several answers to one picture beside each other: a group of bars per class."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vitviz import palette
from vitviz.figures.axes import names
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Floats, Says
from vitviz.figures.model import classes

COLOURS = (palette.HEAD, palette.OUTPUT, palette.NORM, palette.MLP)
BAR, ROOM = 20, 60  # pixels of a bar, and for the axis
GROUP = 0.85  # of a line: the bars of one class


def answers(labels: Sequence[str], values: Mapping[str, Floats]) -> Figure:
    """Probabilities as bars, the first class on top; in each class a bar for each of the named `values`.

    The axis goes to 1, and where all are faint, to the largest.
    """
    count, many, most = len(labels), len(values), max(float(it.max()) for it in values.values())
    top = 1 if most > classes.FAINT else most
    ticks = tuple((tick, f"{tick:.2g}") for tick in (0, top / 2, top))
    marks = []
    for place, ((name, probabilities), colour) in enumerate(zip(values.items(), COLOURS, strict=False)):
        says = Says("{label}, {answer}: {value:.4f}", {"label": labels, "answer": np.array(name)})
        bars, below = classes.bars(labels, probabilities, colour), (place - (many - 1) / 2) * GROUP / many
        marks.append(replace(bars, places=bars.places + below, says=says, thick=GROUP / many))
    across = Axis(0, top * (1 + classes.WRITING), ticks=ticks, named=True)
    height = max(count, 3) * (BAR * many + 10) + ROOM
    return Figure(
        ((Panel(across, names(labels), tuple(marks), height),),),
        numbers=tuple(Numbers(name, ("bar",), it, name, names={"bar": labels}) for name, it in values.items()),
        legend=tuple(map(Key, values, COLOURS)),
    )
