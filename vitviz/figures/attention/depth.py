"""Figures of what becomes of attention from layer to layer, one dot per head."""

from dataclasses import replace

import numpy as np

from vitviz import palette
from vitviz.figures.axes import linear, whole
from vitviz.figures.figure import Axis, Figure, Numbers, Panel
from vitviz.figures.marks import Floats, Line, Points, Says
from vitviz.figures.parts import level
from vitviz.numbers import small

HEIGHT = 356
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


def _per_head(
    numbers: Numbers, unit: str, converted: Floats, other_unit: str, uniform: float, right: Axis | None = None
) -> Figure:
    layers, heads = numbers.values.shape
    layer, head = (places.ravel() for places in np.mgrid[1 : layers + 1, 1 : heads + 1])
    beside = (head - (heads + 1) / 2) / heads * SPREAD
    words = f"layer {{layer}}, head {{head}}\n{{value:.3f}} {unit}\n{{converted:.1f}} {other_unit}"
    means = numbers.values.mean(axis=1)
    places = np.arange(1, layers + 1)
    marks = (
        level(uniform, 0.5, layers + 0.5),
        Points(
            layer + beside,
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
