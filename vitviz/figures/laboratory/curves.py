"""Figures of lengths from layer to layer: several curves on one logarithmic axis."""

from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures.axes import logarithmic
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Dash, Floats, Line, Mark, Points, Says, Shape

HEIGHT = 344
STYLES: tuple[tuple[str, Dash, Shape], ...] = (
    (palette.ATTENTION, "solid", "circle"),
    (palette.KEY, "dot", "ring"),
    (palette.POSITION, "dash", "diamond"),
    (palette.MLP, "dashdot", "square"),
)


def by_layer(
    curves: Mapping[str, Floats], stages: Sequence[str], span: tuple[float, float], title: str, places: Sequence[int]
) -> Figure:
    """Named curves over named `stages` from `span[0]` to `span[1]`; what is 0 has no place on a logarithmic axis.

    `places` says for each curve, by its number, in which style it is drawn.
    """
    beyond = 10 ** (0.05 * log10(span[1] / span[0]) + 0.1)  # times that the axis is longer than its curves, at each end
    step = max(1, len(stages) // 8)
    ticks = tuple((float(at), stages[at]) for at in range(0, len(stages), step))
    across = Axis(-0.4, len(stages) - 0.6, "layer", ticks, named=True)
    styles = {name: STYLES[place] for name, place in zip(curves, places, strict=True)}
    marks: list[Mark] = []
    parts = []
    for name, values in curves.items():
        x, y = np.arange(len(values)), np.where(values > 0, values, np.nan)
        says = Says("{curve}, {stage}: {value:.3g}", {"curve": np.array(name), "stage": stages[: len(values)]})
        marks += dotted(x, y, says, *styles[name])
        parts.append(numbers(name, x, y, "layer", title))
    panel = Panel(across, logarithmic(span[0] / beyond, span[1] * beyond, title), tuple(marks), HEIGHT)
    keys = tuple(Key(name, colour, dash=dash) for name, (colour, dash, _) in styles.items())
    return Figure(((panel,),), numbers=tuple(parts), legend=keys)


def dotted(
    x: NDArray[Any], y: Floats, says: Says, colour: str, dash: Dash = "solid", shape: Shape = "circle"
) -> Iterator[Mark]:
    """A curve with a dot at each of its points, and a gap where there is none."""
    for part in np.ma.clump_unmasked(np.ma.masked_invalid(y)):
        points = tuple(zip(x[part].tolist(), y[part].tolist(), strict=True))
        yield Line(points, colour, dash=dash, width=3, smooth=False)
    there = np.isfinite(y)
    columns = {name: np.broadcast_to(np.asarray(column), y.shape)[there] for name, column in says.columns.items()}
    yield Points(x[there], y[there], (colour,), (9,), shape, Says(says.words, columns))


def numbers(name: str, x: NDArray[Any], y: NDArray[Any], across: str, down: str) -> Numbers:
    """The points of a curve, or of a cloud, under its name."""
    return Numbers(name, ("point", "coordinate"), np.stack([x, y], axis=1), name, names={"coordinate": (across, down)})


def span(values: Sequence[Floats]) -> tuple[float, float]:
    """The smallest and the largest number above 0; 0.1 and 1 where there is none."""
    above = np.concatenate([np.ravel(it) for it in values])
    above = above[above > 0]
    return (float(above.min()), float(above.max())) if len(above) else (0.1, 1.0)
