"""Overview: the whole model on one page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import HEADLESS, Calculation, Calculations, Print
from vitviz.choice import Choice
from vitviz.config.sides import tall
from vitviz.figures.attention.maps import wall_of_tokens
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, linear, norm, stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View

MOST_LIGHT = 1 << 20  # bytes: two layers of 32 × 32 patches
MOST_CLASSES = 8  # that are printed
STRONGEST = "In layer {layer} it looks most at"


def lit_layers(config: ViTConfig) -> tuple[int, ...]:
    """The layers whose light is sent with the front page: all, or as many, evenly from first to last, as are small."""
    of_a_layer = (config.patches**2 + 1) // 2  # before it is deflated: two patches share a byte
    many = min(config.depth, MOST_LIGHT // of_a_layer)
    step = (config.depth - 1) / max(many - 1, 1)
    return tuple(round(number * step) for number in range(many))


def answer(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.classes import answer as read_out

    return read_out(trace, config.depth).probabilities


def patch_looks_at(trace: Trace, config: ViTConfig, patch: int) -> Array:
    from vitviz.measures.attention import attention_row

    query = len(config.prefix_tokens) + patch
    return np.stack([attention_row(trace, layer, query).mean(axis=0) for layer in range(config.depth)])


def class_looks_at(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.attention import class_attention, mean_attention

    return class_attention(trace).mean(axis=1) if config.pool == "class" else mean_attention(trace)


def wall_of_layers(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.attention.maps import wall

    on_patches = values[:, len(config.prefix_tokens) :].reshape(-1, *config.grid)
    return wall(on_patches, "layer", float(on_patches.max()), 0)


def printed_answer(values: Array, labels: Sequence[str]) -> Figure:
    from vitviz.figures.model.classes import probabilities
    from vitviz.measures.classes import best

    shown = best(values, MOST_CLASSES)
    return probabilities([labels[at] for at in shown], values[shown])


def maps_of_layers(values: Array, config: ViTConfig, layer: int, token: int, edge: str) -> Figure:
    return wall_of_tokens(values, "layer", layer, token, config.grid, tall(config.patch_sides), edge=edge)


def plain_answer(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return linear(w, "head", norm(w, "norm", stream(w, image, config, config.depth)[0], config)).softmax(dim=-1)


ANSWER = Calculation(
    "the probability of every class",
    "classes",
    answer,
    plain_answer,
    ATTENDED,
    headed=True,
    printed=Print(printed_answer, classes=MOST_CLASSES),
)
LOOKS = Calculation(
    "what one patch looks at in every layer, mean of the heads",
    "layer k",
    patch_looks_at,
    lacks=HEADLESS,
    printed=Print(
        lambda values, config, layer, patch: maps_of_layers(
            values, config, layer, len(config.prefix_tokens) + patch, palette.QUERY
        ),
        strongest=STRONGEST,
    ),
)
MAPS = replace(
    LOOKS,
    says="what the class token, or the mean token, looks at in every layer, mean of the heads",
    make=class_looks_at,
    printed=Print(
        lambda values, config, layer, query: maps_of_layers(values, config, layer, query, palette.FRAME),
        strongest=STRONGEST,
    ),
    figure=wall_of_layers,
)


def answer_or_looks(view: View) -> Calculation:
    return ANSWER if view.config.classes else LOOKS


def answer_or_maps(view: View) -> Calculation:
    return ANSWER if view.config.classes else MAPS


PAGE = Page(
    __file__,
    "Overview",
    order=101,
    stage="model",
    label="Photo",
    colour=palette.RESIDUAL,
    shape="{image size} × {channels}",
    all_moments=(
        Moment(
            "light",
            {
                lit_layers: "Move over the picture. Light: what this {patch} looks at.",
                "": "This is a Vision Transformer. Choose a picture.",
            },
            answer_or_looks,
        ),
        Moment(
            "stages",
            {
                "classes": "A picture goes in, an answer comes out. What happens between?",
                "": "A picture goes in, a vector comes out. What happens between?",
            },
            answer_or_maps,
            columns=True,
        ),
    ),
    choices=(Choice("covered", ("no", "yes"), scene=True),),
    calculations=Calculations(ANSWER, headless=LOOKS),
)
