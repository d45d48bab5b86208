"""Figures of what becomes of attention from layer to layer, one dot per head."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vitviz import palette
from vitviz.figures.axes import linear, whole
from vitviz.figures.colours import table
from vitviz.figures.figure import Axis, Figure, Key, Numbers, Panel
from vitviz.figures.marks import Area, Floats, Line, Pair, Points, Says, Spot
from vitviz.figures.parts import chart, level
from vitviz.numbers import small

HEIGHT = 356
SHADES = 60, 200  # of the 256 colours of weights, those that are seen on white and on black
SPREAD = 0.6  # of a layer's room: its heads stand beside each other


def distance(values: Floats, uniform: float, patch_size: float) -> Figure:
    """Mean attention distance `layer head`, in patches and in pixels; dashed: where attention is uniform."""
    says = "Mean attention distance of each head, in patches."
    numbers = Numbers("distance", ("layer", "head"), values, says)
    right = replace(linear(_top(values, uniform) * patch_size, "pixels"), grid=False)
    return _per_head(numbers, "patches", values * patch_size, "pixels", uniform, right)


def entropy(values: Floats, uniform: float) -> Figure:
    """Mean entropy `layer head` in nats; dashed: where attention is uniform."""
    says = "Mean entropy of the attention of each head, in nats."
    numbers = Numbers("entropy", ("layer", "head"), values, says)
    return _per_head(numbers, "nats", np.exp(values), "tokens, if all counted alike", uniform)


def distance_against_entropy(
    distances: Floats, entropies: Floats, uniform: Pair, chosen: tuple[int, int], leads: Callable[[int, int], str]
) -> Figure:
    """Mean attention distance and entropy of every head, each `layer head`, as a point that names its head.

    `leads(layer, head)`, both from 0, is the address of the app that it leads to; the head `chosen` has a ring. Dashed:
    the `uniform` distance and entropy.
    """
    layers, heads = distances.shape
    right, top = (_top(values, most) for values, most in zip((distances, entropies), uniform, strict=True))
    colours = table(signed=False)[np.linspace(*SHADES, layers).astype(int)]
    spots, areas = [], []
    for layer, head in np.ndindex(layers, heads):
        x, y = float(distances[layer, head]), float(entropies[layer, head])
        name = f"layer {layer + 1}, head {head + 1}"
        says = f"{name}: {small(x)} patches, {small(y)} nats"
        colour = "#" + bytes(colours[layer]).hex()
        spots.append(Spot(x, y, colour, row=name, says=says))
        if (layer, head) == chosen:
            spots.append(Spot(x, y, palette.FRAME, "ring", row=name, says=says))
        around = x - right / 200, y - top / 200, right / 100, top / 100
        areas.append(Area(*around, "transparent", name, says, leads=leads(layer, head)))
    upright = Line(((uniform[0], 0), (uniform[0], top)), palette.RESIDUAL, dash="dash", width=2)
    named = sorted({0, layers // 2, layers - 1})
    figure = chart(
        linear(right, "mean attention distance, patches"),
        linear(top, "entropy, nats"),
        HEIGHT,
        areas=areas,
        lines=(level(uniform[1], 0, right), upright),
        spots=spots,
        legend=tuple(Key(f"layer {layer + 1}", "#" + bytes(colours[layer]).hex()) for layer in named),
        says="A head that is pointed at says its numbers; a click leads to it.",
    )
    numbers = (("distance", distances), ("entropy", entropies))
    return replace(figure, numbers=tuple(Numbers(name, ("layer", "head"), values) for name, values in numbers))


def _per_head(
    numbers: Numbers, unit: str, converted: Floats, other_unit: str, uniform: float, right: Axis | None = None
) -> Figure:
    layers, heads = numbers.values.shape
    layer, head = (places.ravel() for places in np.mgrid[1 : layers + 1, 1 : heads + 1])
    aside = (head - (heads + 1) / 2) / heads * SPREAD
    words = f"layer {{layer}}, head {{head}}\n{{value:.3f}} {unit}\n{{converted:.1f}} {other_unit}"
    means = numbers.values.mean(axis=1)
    places = np.arange(1, layers + 1)
    marks = (
        level(uniform, 0.5, layers + 0.5),
        Points(
            layer + aside,
            numbers.values.ravel(),
            (palette.ATTENTION,),
            says=Says(words, {"layer": layer, "head": head, "converted": converted.ravel()}),
            opacity=0.8,
        ),
        Line(
            tuple(zip(places.tolist(), means.tolist(), strict=True)),
            palette.ATTENTION,
            says=Says(f"layer {{layer}}, mean of the heads\n{{value:.3f}} {unit}", {"layer": places}),
            width=3,
            smooth=False,
        ),
    )
    across = replace(whole(0.5, layers + 0.5, "layer", 1, layers, 6), grid=False)
    panel = Panel(across, linear(_top(numbers.values, uniform), unit), marks, HEIGHT, right=right)
    return Figure(((panel,),), f"dashed: uniform, {small(uniform)} {unit}", (numbers,))


def _top(values: Floats, uniform: float) -> float:
    """Where the y axis ends; where all is 0, an axis still has a length."""
    return 1.15 * max(uniform, float(values.max())) or 1.0
