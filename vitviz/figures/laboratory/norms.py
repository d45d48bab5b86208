"""Figures of norms and activations: two batches, numbers in one against the other, curves above what enters them."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageOps

from vitviz import palette
from vitviz.figures.axes import bare, hidden, linear
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Dash, Floats, Line, Mark, Picture, Pixels, Points, Says, Text
from vitviz.figures.model import blocks
from vitviz.figures.parts import framed, histogram
from vitviz.figures.tiles import mosaic

TILE, LEFT = 96, 84  # pixels of a picture, and beside plots that lie below each other
KINDS = {"layer norm": palette.NORM, "batch norm": palette.VALUE}
CURVES: dict[str, tuple[str, Dash]] = {
    "gelu": (palette.ATTENTION, "solid"),
    "relu": (palette.MLP, "dash"),
    "swiglu": (palette.HEAD, "solid"),
}


def batches(own: Pixels, others: Sequence[Pixels], names: Sequence[str]) -> Figure:
    """Batches of pictures, one in a line: the `own` picture `h w c`, framed, and after it the others', `b y x c`."""
    tall = own.shape[0] / own.shape[1]
    size = round(TILE / max(1, tall)), round(TILE * min(1, tall))
    small = [[np.asarray(ImageOps.fit(Image.fromarray(it), size)) for it in (own, *beside)] for beside in others]
    lines, columns = len(small), len(small[0])
    marks: tuple[Mark, ...] = (
        Picture(mosaic(np.concatenate(small), columns, leading=0), lines, columns),
        *(framed(line, 0) for line in range(lines)),
        *(Text(-0.6, line, "", "end", "middle", lead=name) for line, name in enumerate(names)),
    )
    across, down = hidden(-1.6, columns - 0.5), Axis(lines - 0.5, -0.5)
    return Figure(((Panel(across, down, marks, 36 + round(92 * tall) * lines, square=tall),),))


def pairs(values: Floats, photo: bool = False) -> Figure:
    """Numbers in batch A (across) and in batch B (down), `kind batch number`, a panel per norm, on one scale.

    In a `photo` they are those of tokens before the first block, in which the picture on screen can be found again.
    """
    limit = 1.05 * float(np.abs(values).max())
    across = linear(limit, "in batch A", 4, -limit)
    down = linear(limit, "in batch B", low=-limit)
    same = Line(((-limit, -limit), (limit, limit)), palette.RESIDUAL, dash="dash", width=2, smooth=False)
    row: list[Panel] = []
    for (name, colour), (a, b) in zip(KINDS.items(), values, strict=True):
        says = Says("{a:.3f} in batch A, {b:.3f} in batch B", {"a": a, "b": b})
        points = Points(a, b, (colour,), (5,), says=says, opacity=0.6, photo=photo)
        row.append(Panel(across, bare(down) if row else down, (same, points), 348, name))
    title = "Evenly spread numbers of the picture's tokens under layer norm and batch norm, in batch A and in batch B."
    return Figure((tuple(row),), numbers=(Numbers("pairs", ("norm", "batch", "number"), values, title, photo),))


def activations(counts: Floats, edges: Floats) -> Figure:
    """Three activations on one axis, and below it the histogram of what enters them, `counts` between `edges`."""
    low, high = min(-4.0, float(edges[0])), max(4.0, float(edges[-1]))
    across = linear(high, "hidden value x", 8, low)
    line = np.linspace(low, high, 401)
    marks, ends = [], []
    for kind, (colour, dash) in CURVES.items():
        name, curve = blocks.CURVES[kind]
        points = tuple(zip(line.tolist(), curve(line).tolist(), strict=True))
        says = Says(f"{name} of {{x:.2f}} is {{value:.3f}}", {"x": line})
        marks.append(Line(points, colour, shown_name(kind), says, dash, smooth=False))
        ends += [float(it) for _, it in points]
    beyond = 0.05 * (max(ends) - min(ends))
    down = linear(max(ends) + beyond, "f(x)", low=min(ends) - beyond)
    bars = histogram(counts, edges, palette.RESIDUAL, "{value} units from {low:.3f} to {high:.3f}")
    units = linear(1.05 * float(counts.max()) or 1.0, "units", 3)
    rows = (Panel(bare(across), down, tuple(marks), 290, left=LEFT),), (Panel(across, units, (bars,), 180, left=LEFT),)
    keys = tuple(Key(name := shown_name(kind), colour, name, dash) for kind, (colour, dash) in CURVES.items())
    return Figure(rows, legend=keys)


def shown_name(kind: str) -> str:
    """What an activation is called beside others: the gate of SwiGLU by its own name, too."""
    name = blocks.CURVES[kind][0]
    return f"{name}, SwiGLU's gate" if kind == "swiglu" else name
