"""Gradients: how long the loss's gradient is in each layer, and what residual connections, norms and √dₕ do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.machine.price import at_once
from vitviz.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

LENGTHS = {"all parameters": "stages", "queries and keys": "scores", "residual stream": "streams"}


def starts_and_ways(loaded: Loaded, config: ViTConfig, initial: str, curves: int) -> list[tuple[str, str]]:
    """Of each curve, from what it starts, nothing for the model's own parameters, and what of the model is changed."""
    from vitviz.measures.laboratory.gradients import ways

    own = [("", way) for way in ways(config) if not loaded.trained or way in ("usual", "scores")]
    drawn = [(initial, way) for way in ways(config)] if loaded.trained else []
    return [*own[:1], *drawn[:1], *own[1:], *drawn[1:]][:curves]


def lengths_of_gradients(trace: Trace, wanted: Sequence[tuple[str, str]], of: str, seed: int) -> Array:
    from vitviz.measures.classes import result
    from vitviz.measures.laboratory.gradients import gradients, untrained

    label = int(result(trace).argmax())  # the class that the model names
    drawn = {begun: untrained(trace.model, begun, seed) for begun in {it for it, _ in wanted if it}}
    return np.stack([getattr(gradients(trace, label, way, drawn.get(begun)), of) for begun, way in wanted])


def names_of_curves(config: ViTConfig, wanted: Sequence[tuple[str, str]], of: str) -> dict[str, list[str]]:
    layers = [f"layer {number}" for number in range(1, config.depth + 1)]
    streams = ["embedding", *layers]
    parts = {"stages": [*streams, "after the blocks"], "scores": layers, "streams": streams}
    return {"curve": [f"{begun or 'own'}, {way}" for begun, way in wanted], "part": parts[of]}


def curves_by_layer(values: Array, loaded: Loaded, config: ViTConfig, wanted: Sequence[tuple[str, str]]) -> Figure:
    from vitviz.figures.laboratory.curves import by_layer, span
    from vitviz.measures.laboratory.gradients import ways

    own = "learned" if loaded.trained else "untrained"
    lines = {f"{begun or own}, {way}": row for (begun, way), row in zip(wanted, values, strict=True)}
    styles = [ways(config).index(way) for _, way in wanted]
    return by_layer(lines, [str(part) for part in range(values.shape[1])], span([values]), "length", styles)


GRADIENTS = Calculation(
    "the length of the loss's gradient, layer by layer: of the model as it is and with parts of it changed, then of an "
    "untrained one",
    "curve part",
    lengths_of_gradients,
    given={"wanted": starts_and_ways},
    names=names_of_curves,
    note="The class that the answer should be stands in no address: it is the one that the model names.",
    figure=curves_by_layer,
    lacks="changed architectures and a backward pass; `vitviz/measures/laboratory/gradients.py` has both",
    headed=True,
)

OF = Choice("gradient_of", LENGTHS, name="of", label="Gradient of")
INITIAL = Choice(
    "untrained_begins", ("trunc_normal", "normal"), name="initial", label="Initialisation of the untrained model"
)

PAGE = Page(
    __file__,
    "Gradients",
    order=511,
    says={
        "classes": (
            "Read the curves from right to left: the loss of this one picture says how every parameter should move, "
            "layer by layer from the head down. How long that gradient still is at the first layer depends on the "
            "**residual connections**, on where the **norms** stand, and on scores being **divided by √dₕ**."
        ),
        "": (
            "This model has no head, so there is no loss and no gradient; choose one with classes. How long the "
            "gradient then is at the first layer depends on the **residual connections**, on where the **norms** "
            "stand, and on scores being **divided by √dₕ**."
        ),
    },
    stage="model",
    unedited=True,
    choices=(OF, INITIAL),
    follows={"curves": lambda _, config: at_once(config, 3, 6)},
    calculations=Calculations(GRADIENTS),
)
