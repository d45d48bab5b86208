"""Norms: layer norm against batch norm, and GELU against ReLU and the gate of SwiGLU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz.addresses.ranges import Number, to
from vitviz.calculation import Calculation, Calculations
from vitviz.cards.papers import BATCH_NORM, LAYER_NORM
from vitviz.choice import ON_OFF, Choice
from vitviz.config import LIMITS
from vitviz.machine.price import at_once
from vitviz.page import Page

if TYPE_CHECKING:
    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.trace import Trace
    from vitviz.weights import Loaded


def token_in_two_batches(
    trace: Trace, loaded: Loaded, config: ViTConfig, layer: int, patch: int, beside: int, night: bool
) -> Array:
    from vitviz.edits.running import draw_scenes
    from vitviz.laboratory.batches import two_batches

    one, other = (draw_scenes(start, start + beside) for start in (0, 100))  # test scenes
    return two_batches(trace, loaded, one, other, night, layer, len(config.prefix_tokens) + patch).after


def two_batches_named() -> dict[str, list[str]]:
    return {"batch": ["A", "B"]}


def strips_by_norm(values: Array) -> Figure:
    from vitviz.figures.strips import strips

    names = [f"{norm} norm, batch {batch}" for norm in ("layer", "batch") for batch in "AB"]
    return strips(dict(zip(names, values.reshape(4, -1), strict=True)))


NORMS = Calculation(
    "one token of the picture under layer norm and under batch norm, beside the pictures of two batches",
    "2 batch d",
    token_in_two_batches,
    places=("layer norm", "batch norm"),
    names=two_batches_named,
    lacks="the other pictures run through the model, too; `vitviz/measures/laboratory/norms.py` has both norms",
    figure=strips_by_norm,
    papers=(("Layer norm", LAYER_NORM), ("Batch norm", BATCH_NORM)),
)


SIZE = Choice("batch_size", Number((2, 4, 8, 16)), label="Pictures in a batch", usual=8)
LAYER = Choice("norm_layer", Number(to(LIMITS["depth"]), of=lambda config: to(config.depth)), label="Layer", usual=1)
NIGHT = Choice("night", ON_OFF, name="night", label="Darken the other pictures of batch B")


def _layer(words: Words, config: ViTConfig) -> int:
    layer: int = LAYER.read(words, config)
    return layer - 1


def _beside(words: Words, config: ViTConfig) -> int:
    """How many other pictures stand in each batch."""
    size, share = SIZE.read(words, config), max(1, _layer(words, config)) / config.depth
    return at_once(config, share, 2 * (size - 1)) // 2 or 1


PAGE = Page(
    __file__,
    "Norms",
    order=508,
    says="Change the other pictures of the batch, and see which norm changes what it makes of yours. A layer norm "
    "takes mean and variance of **one token**; a batch norm those of each component over the tokens of **all "
    "pictures**.",
    stage="model",
    unedited=True,
    choices=(SIZE, LAYER, NIGHT),
    follows={"beside": _beside, "layer": _layer},
    cards=("norm", "activation"),
    calculations=Calculations(NORMS),
)
