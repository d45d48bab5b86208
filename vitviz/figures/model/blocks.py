"""Figures of one encoder block: layer norm, residual stream, activation, and how alike the tokens become."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import erf

import numpy as np

from vitviz import numbers, palette
from vitviz.figures.axes import hidden, linear, whole
from vitviz.figures.figure import Figure, Numbers, Panel
from vitviz.figures.marks import Area, Colours, Floats, Heat, Line, Mark, Points, Says, Text
from vitviz.figures.parts import framed, histogram, on_patches, pictured
from vitviz.figures.tiles import PLACE

BINS = 48
LARGEST_BUBBLE = 44  # pixels across
EDGE = "#444444"  # around a bubble
SPREAD, PICTURE, LARGE_PICTURE, MATRIX, CURVE = 170, 230, 320, 370, 410  # pixels


def spread(before: Floats, after: Floats, reach: float, colour: str) -> Figure:
    """How the d numbers of one token are spread before and, in `colour`, after a layer norm, from -reach to reach."""
    named = ("before", before, palette.RESIDUAL), ("after", after, colour)
    says = "The components of the token {} the norm."
    numbers = tuple(Numbers(name, ("component",), values, says.format(name)) for name, values, _ in named)
    return Figure(tuple((_spread(*it, reach or 1.0),) for it in named), numbers=numbers)


def lengths(panels: Mapping[str, Floats], rows: int, columns: int, chosen: int | None, patch: float = 1) -> Figure:
    """Lengths of vectors on the patch grid, two named panels, `n`, on one scale from 0; `chosen` is framed.

    A patch is `patch` times as high as wide.
    """
    colours = Colours(max(float(values.max()) for values in panels.values()))
    grids = {name: values.reshape(rows, columns) for name, values in panels.items()}
    drawn = [
        pictured(_on_patches(values, "length", colours, chosen), rows, columns, PICTURE, patch, name)
        for name, values in grids.items()
    ]
    says = "Length of a vector at each patch."
    numbers = [Numbers(name, ("row", "column"), values, says) for name, values in grids.items()]
    return Figure((tuple(drawn),), numbers=tuple(numbers), scale=colours)


def activation(hidden: Floats, active: Floats, kind: str) -> Figure:
    """The activation of this `kind`, and on its curve the units of one token, `m` before and after it.

    A bubble's area says how many units there are.
    """
    name, curve_of = CURVES[kind]
    edges = np.unique(np.append(np.histogram_bin_edges(hidden, BINS), np.clip(0, hidden.min(), hidden.max())))
    counts, _ = np.histogram(hidden, edges)  # no bubble has units on both sides of ReLU's corner
    filled = counts > 0
    middles, sums = (
        np.histogram(hidden, edges, weights=values)[0][filled] / counts[filled] for values in (hidden, active)
    )
    low, high = min(-3.0, float(hidden.min())), max(3.0, float(hidden.max()))
    line = np.linspace(low, high, 201)
    curve = curve_of(line)
    bottom, top = float(curve.min()), float(curve.max())
    room = (top - bottom) / 10
    columns = {"count": counts[filled], "low": edges[:-1][filled], "high": edges[1:][filled], "mean": middles}
    words = f"{{count}} units from {{low:.3f}} to {{high:.3f}}\nmean {{mean:.3f}}, after {name} {{value:.3f}}"
    marks: tuple[Mark, ...] = (
        Area(0, bottom - room, high, top - bottom + 2 * room, palette.MLP, opacity=0.12),
        Line(tuple(zip(line.tolist(), curve.tolist(), strict=True)), palette.RESIDUAL, width=3, smooth=False),
        Points(
            middles,
            sums,
            (palette.MLP,),
            (LARGEST_BUBBLE * np.sqrt(counts[filled] / counts.max())).tolist(),
            says=Says(words, columns),
            opacity=0.55,
            edge=EDGE,
        ),
        *(Text(at, top + room, text, "middle", "below") for text, at in (("inactive", low / 2), ("active", high / 2))),
    )
    across = linear(high, "gate x" if kind == "swiglu" else "hidden value x", low=low)
    panel = Panel(across, linear(top + room, f"{name}(x)", low=bottom - room), marks, CURVE)
    numbers = (
        Numbers("before", ("unit",), hidden, f"What enters {name}, unit by unit."),
        Numbers("after", ("unit",), active, f"What {name} makes of it."),
    )
    return Figure(((panel,),), numbers=numbers)


def active(share: Floats, rows: int, columns: int, chosen: int | None, patch: float = 1) -> Figure:
    """The share of active units on the patch grid, `n`; a patch is `patch` times as high as wide."""
    colours = Colours(float(share.max()))
    marks = _on_patches(share.reshape(rows, columns), "active share", colours, chosen)
    panel = pictured(marks, rows, columns, LARGE_PICTURE, patch)
    return Figure(((panel,),), "Share of active units", scale=colours)


def similarity_by_depth(means: Floats, layer: int) -> Figure:
    """Mean cosine between two tokens before the first block and after each, `depth + 1`; `layer` is marked."""
    places = np.arange(len(means))
    here = places == layer + 1
    marks = (
        Line(tuple(zip(places.tolist(), means.tolist(), strict=True)), palette.RESIDUAL, width=3, smooth=False),
        Points(
            places,
            means,
            np.where(here, palette.FRAME, palette.RESIDUAL).tolist(),
            np.where(here, 16, 9).tolist(),
            says=Says("after layer {layer}: {value:.3f}", {"layer": places}),
        ),
    )
    last = len(means) - 1
    across = whole(-0.3, last + 0.3, "after layer (0: the embedding)", 0, last)
    panel = Panel(across, linear(1.05, low=min(0.0, float(means.min())) - 0.05), marks, CURVE)
    return Figure(((panel,),), "Mean cosine of two tokens")


def similarity(cosines: Floats, names: Sequence[str], chosen: int) -> Figure:
    """Cosine of every token with every token, `t t`, from -1 to 1; the row of token `chosen` is framed."""
    count, colours = len(names), Colours(1, signed=True)
    heat = Heat(cosines, colours, Says("{y}\n{x}\ncosine {value:.3f}"), called=names, columns=names)
    marks = heat, framed(chosen, 0, 1, count)
    numbers = Numbers("values", ("row", "column"), cosines, names={"row": names, "column": names})
    panel = pictured(marks, count, count, MATRIX)
    return Figure(((panel,),), "Every token with every token", (numbers,), colours)


def curve_of_gelu(x: Floats) -> Floats:
    """x · Φ(x), exact: the share of a normal distribution that lies below x scales x (Hendrycks & Gimpel 2016)."""
    return x * (1 + np.array([erf(value / 2**0.5) for value in x])) / 2


def curve_of_tanh_gelu(x: Floats) -> Floats:
    """GELU by a tanh that is quick to compute, as its authors offer it (Hendrycks & Gimpel 2016, section 2)."""
    return x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))) / 2


def curve_of_sigmoid(x: Floats, slope: float) -> Floats:
    """x · σ(slope · x): with 1.702 the quick GELU, with 1 SiLU (Hendrycks & Gimpel 2016, section 2)."""
    return x * (1 + np.tanh(slope * x / 2)) / 2


CURVES: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "gelu": ("GELU", curve_of_gelu),
    "gelu_tanh": ("tanh GELU", curve_of_tanh_gelu),
    "quick_gelu": ("quick GELU", partial(curve_of_sigmoid, slope=1.702)),
    "relu": ("ReLU", partial(np.maximum, 0)),
    "swiglu": ("SiLU", partial(curve_of_sigmoid, slope=1.0)),
}


def _spread(name: str, values: Floats, colour: str, reach: float) -> Panel:
    """A histogram with a line at the mean, and a band one standard deviation wide to each side."""
    mean, deviation = float(values.mean()), float(values.std())
    counts, edges = np.histogram(values, BINS)
    top = 1.05 * float(counts.max())
    marks = (
        Area(mean - deviation, 0, 2 * deviation, top, palette.NORM, opacity=0.25),
        histogram(counts, edges, colour, "{value} numbers from {low:.3f} to {high:.3f}"),
        Line(((mean, 0), (mean, top)), palette.NORM, width=3, smooth=False),
    )
    title = f"{name}: mean {numbers.small(values.mean())}, variance {numbers.small(values.var())}"
    return Panel(linear(reach, low=-reach), hidden(0, top), marks, SPREAD, title)


def _on_patches(values: Floats, noun: str, colours: Colours, chosen: int | None) -> list[Mark]:
    frame = [] if chosen is None else [framed(*divmod(chosen, values.shape[1]))]
    return [on_patches(values, f"{PLACE}\n{noun} {{value:.3f}}", colours), *frame]
