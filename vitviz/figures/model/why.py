"""Figures of what an answer owes to layers, heads and patches, and of maps on trial."""

from collections.abc import Mapping, Sequence

import numpy as np

from vitviz import palette
from vitviz.figures.axes import linear, names
from vitviz.figures.figure import Axis, Figure, Key, Panel
from vitviz.figures.laboratory.curves import dotted, numbers
from vitviz.figures.marks import Colours, Dash, Floats, Heat, Mark, Says, Shape
from vitviz.figures.parts import on_patches, pictured
from vitviz.figures.tiles import PLACE

LINE, TITLED, CURVES, MAP = 28, 50, 320, 420  # pixels: of a layer, around them, of curves, and of a map
FEWEST = 4  # layers that there is room for
STYLES: tuple[tuple[str, Dash, Shape], ...] = (
    (palette.HEAD, "solid", "circle"),
    (palette.ATTENTION, "dash", "diamond"),
    (palette.KEY, "dot", "ring"),
    (palette.POSITION, "dashdot", "square"),
    (palette.MLP, "solid", "ring"),
    (palette.VALUE, "dash", "square"),
    (palette.RESIDUAL, "dot", "circle"),
)


def shares(values: Floats, parts: Sequence[str]) -> Figure:
    """What each part of every layer adds, `layer part`, as a heat map around 0, the first layer on top."""
    layers, many = values.shape
    colours = _signed(values)
    columns = {"layer": np.arange(1, layers + 1)[:, None], "part": np.asarray(parts)[None]}
    down = names([f"layer {layer}" for layer in range(1, layers + 1)])
    step = max(1, many // 12)
    ticks = tuple((float(at), parts[at]) for at in range(0, many, step))
    across = Axis(-0.5, many - 0.5, "", ticks, named=True, grid=False)
    drawn = Heat(values, colours, Says("layer {layer}, {part}\nadds {value:.4f}", columns))
    return Figure(((Panel(across, down, (drawn,), LINE * max(layers, FEWEST) + TITLED),),), scale=colours)


def owed(values: Floats, grid: tuple[int, int], patch: float, signed: bool) -> Figure:
    """A map of the patches, `n`, around 0 where it is `signed`; a patch is `patch` times as high as wide."""
    colours = _signed(values) if signed else Colours(float(np.nanmax(values, initial=0)) or 1.0)
    drawn = on_patches(values.reshape(grid), f"{PLACE}\n{{value:.4f}}", colours)
    return Figure(((pictured((drawn,), *grid, MAP, patch),),), scale=colours)


def on_trial(counts: Sequence[int], curves: Mapping[str, Floats], what: str, patches: int) -> Figure:
    """Curves by name of `what` is left of an answer, at equal steps, each with so many of all patches gone or there."""
    return _curves(curves, [str(count) for count in counts], f"of {patches} patches", what)


def alike(curves: Mapping[str, Floats], parts: Sequence[str]) -> Figure:
    """Rank correlations by name of a map, as one part of the model after the other is drawn anew."""
    return _curves(curves, parts, "drawn anew, from the head down to", "rank correlation")


def _curves(curves: Mapping[str, Floats], places: Sequence[str], across: str, down: str) -> Figure:
    step = max(1, len(places) // 8)
    ticks = tuple((float(at), places[at]) for at in range(0, len(places), step))
    values = np.concatenate([np.ravel(it) for it in curves.values()])
    low, high = float(np.nanmin(values, initial=0)), float(np.nanmax(values, initial=1))
    marks: list[Mark] = []
    for (name, curve), style in zip(curves.items(), STYLES, strict=False):
        says = Says("{curve}, {place}: {value:.4f}", {"curve": np.array(name), "place": np.asarray(places)})
        marks += dotted(np.arange(len(curve)), curve, says, *style)
    axes = Axis(-0.4, len(places) - 0.6, across, ticks, named=True), linear(high, down, low=low)
    legend = tuple(Key(name, colour, dash=dash) for name, (colour, dash, _) in zip(curves, STYLES, strict=False))
    points = tuple(numbers(name, np.arange(len(curve)), curve, "place", down) for name, curve in curves.items())
    return Figure(((Panel(*axes, tuple(marks), CURVES),),), numbers=points, legend=legend)


def _signed(values: Floats) -> Colours:
    return Colours(float(np.nanmax(np.abs(values), initial=0)) or 1.0, signed=True)
