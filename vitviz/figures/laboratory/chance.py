"""Figures of many answers to one picture: a strip of probabilities per class, and what was dropped in each run."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vitviz import palette
from vitviz.figures.axes import linear, names, whole
from vitviz.figures.figure import Figure, Key, Panel
from vitviz.figures.laboratory.curves import numbers
from vitviz.figures.marks import Floats, Line, Mark, Points, Says, Shape
from vitviz.figures.model import classes

SPREAD = 0.6  # of a line: the answers of one class stand below each other
TICK = 0.24  # of a line: half the length of a tick on its strip
SHAPES: tuple[tuple[str, Shape], ...] = (
    (palette.HEAD, "circle"),
    (palette.NORM, "diamond"),
    (palette.RESIDUAL, "square"),
)
LINE, ROOM = 46, 70  # pixels of a class, and for the axis
ROW, AROUND = 22, 50  # pixels of a block, and around all


def strips(labels: Sequence[str], values: Floats, plain: Floats) -> Figure:
    """Probabilities `run class`, a strip per class, the undisturbed answer's, `class`, as a tick on each strip."""
    runs, count = values.shape
    below = (np.arange(runs) - (runs - 1) / 2) / max(1, runs - 1) * SPREAD
    lines = np.arange(count)
    most = float(max(values.max(), plain.max()))
    top = 1.0 if most > classes.FAINT else 1.1 * most
    means = values.mean(axis=0)
    dots = values.T.ravel(), (lines[:, None] + below).ravel()
    run_of = {"label": np.repeat(np.array(labels), runs), "run": np.tile(np.arange(1, runs + 1), count)}
    says = Says("{label}, run {run}: {probability:.4f}", run_of | {"probability": dots[0]})
    mean = Says("{label}\ntheir mean: {probability:.4f}", {"label": labels, "probability": means})
    marks: tuple[Mark, ...] = (
        Points(*dots, (palette.HEAD,), (9,), says=says, opacity=0.55),
        Points(means, lines, (palette.NORM,), (15,), "diamond", mean, edge="#ffffff"),
        *(_tick(label, line, float(it)) for line, (label, it) in enumerate(zip(labels, plain, strict=True))),
    )
    legend = {f"{runs} answers": dots, "their mean": (means, lines), "undisturbed": (plain, lines)}
    across = linear(1.02 * top, "probability", low=-0.02 * top)
    return Figure(
        ((Panel(across, names(labels), marks, LINE * max(count, 3) + ROOM),),),
        numbers=tuple(numbers(name, *places, "probability", "y") for name, places in legend.items()),
        legend=tuple(Key(name, colour, shape=shape) for name, (colour, shape) in zip(legend, SHAPES, strict=True)),
    )


def left_out(flags: NDArray[np.bool_]) -> Figure:
    """Which branches were dropped, `run layer part`: a column per run, a row per block with attention above the MLP."""
    runs, depth, _ = flags.shape
    marks, values, keys = [], [], []
    for part, (colour, name) in enumerate([(palette.ATTENTION, "attention"), (palette.MLP, "MLP")]):
        run, layer = (places + 1 for places in np.nonzero(flags[:, :, part]))
        below = layer + (part - 0.5) * 0.4
        says = Says(f"run {{run}}: {name} of layer {{layer}} dropped", {"run": run, "layer": layer})
        marks.append(Points(run, below, (colour,), (9,), "square", says))
        values.append(numbers(f"{name} dropped", run, below, "run", "layer"))
        keys.append(Key(f"{name} dropped", colour))
    across = replace(whole(0.5, runs + 0.5, "run", 1, runs), grid=False)
    panel = Panel(across, whole(depth + 0.5, 0.5, "layer", 1, depth, 6), tuple(marks), max(6, depth) * ROW + AROUND)
    return Figure(((panel,),), numbers=tuple(values), legend=tuple(keys))


def _tick(label: str, line: int, value: float) -> Line:
    ends = ((value, line - TICK), (value, line + TICK))
    return Line(ends, palette.RESIDUAL, says=f"{label}\nundisturbed: {value:.4f}", width=5, smooth=False)
