"""Figures of untrained models: their first attention maps, and the first gradients head by head."""

from collections.abc import Mapping, Sequence

import numpy as np

from vitviz import palette
from vitviz.figures.axes import hidden, linear, whole
from vitviz.figures.figure import Figure, Key, Numbers, Panel
from vitviz.figures.marks import Bars, Colours, Floats, Says
from vitviz.figures.parts import on_patches
from vitviz.figures.tiles import PLACE
from vitviz.numbers import small

COLOURS = (palette.QUERY, palette.KEY, palette.VALUE, palette.OUTPUT)
HEIGHT, TITLED, LEFT = 172, 24, 70  # pixels of a panel of bars, of a title below the last, and beside all
GROUP = 0.8  # of a head's room: its bars
LINE, MOST_HEADS = 104, 12  # pixels of a line of maps; heads in a line
FEW_HEADS = 4  # whose maps leave room for the other starts beside them
PITCH = 1.06  # times the width of a map: with a gap


def first_maps(
    starts: Mapping[str, Floats],
    limits: Sequence[float],
    patch: float = 1,
    awaited: Sequence[str] = (),
    shared: bool = False,
) -> Figure:
    """Maps of the first heads, `head gh gw`, in a line for each named start, each from 0 to its own limit.

    A patch is `patch` times as high as wide. Starts that are `awaited` have their lines, without maps. The scale stands
    below where it is `shared`: from the first map on, so that nothing moves when others come.
    """
    first = next(iter(starts.values()))
    rows, columns = first.shape[1:]
    across, heads = columns * PITCH, min(MOST_HEADS, len(first))
    axes = hidden(-0.5, (heads - 1) * across + columns - 0.5), hidden(rows - 0.5, -0.5)
    panels = []
    for (name, maps), limit in zip(starts.items(), limits, strict=True):
        marks = [
            on_patches(values, f"{name}, head {at + 1}\n{PLACE}\n{{value:.4f}}", Colours(limit), across * at)
            for at, values in enumerate(maps[:heads])
        ]
        panels.append(Panel(*axes, tuple(marks), LINE, f"{name}: 0 to {small(limit)}", square=patch))
    panels += [Panel(*axes, (), LINE, f"{name}: …", square=patch) for name in awaited]
    caption = "What the first query of each head looks at before any training."
    lines = [panels] if heads <= FEW_HEADS else [[panel] for panel in panels]
    return Figure(
        tuple(map(tuple, lines)),
        numbers=tuple(Numbers(name, ("head", "row", "column"), it[:heads], caption) for name, it in starts.items()),
        scale=Colours(limits[0]) if shared else None,
    )


def by_head(starts: Mapping[str, Floats], matrices: Sequence[str]) -> Figure:
    """Lengths of the gradient, `matrix head` for each named start, as bars: a panel per start, on its own scale."""
    panels: list[tuple[Panel]] = []
    numbers = []
    thick = GROUP / len(matrices)
    for name, values in starts.items():
        heads, last = np.arange(1, values.shape[1] + 1), len(panels) == len(starts) - 1
        marks = []
        for place, (matrix, row, colour) in enumerate(zip(matrices, values, COLOURS, strict=True)):
            says = Says(f"{name}, {matrix} of head {{head}}: {{value:.4g}}", {"head": heads})
            x = heads + (place - (len(matrices) - 1) / 2) * thick
            marks.append(Bars(x, row, (colour,), says, thick=thick))
            numbers.append(
                Numbers(f"{name}, {matrix}", ("head",), row, f"Length of the first gradient of {matrix}, by head.")
            )
        across = whole(0.5, len(heads) + 0.5, "head" if last else "", 1, len(heads))
        down = linear(1.15 * float(values.max()) or 1.0, ticks=4)
        panels.append((Panel(across, down, tuple(marks), HEIGHT + TITLED * last, name, left=LEFT),))
    return Figure(tuple(panels), numbers=tuple(numbers), legend=tuple(map(Key, matrices, COLOURS)))
