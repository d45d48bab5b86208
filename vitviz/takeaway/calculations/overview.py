"""The numbers of the whole model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.takeaway.calculations.calculation import HEADLESS, Calculation, Calculations
from vitviz.takeaway.notebook import plain

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.takeaway.view import View
    from vitviz.trace import Trace


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


ANSWER = Calculation(
    "the probability of every class",
    "classes",
    answer,
    plain.plain_answer,
    plain.ATTENDED,
    headed=True,
)
# The same of a model without a head: its first moment, which shows what a patch looks at, layer by layer.
LOOKS = Calculation(
    "what one patch looks at in every layer, mean of the heads",
    "layer k",
    patch_looks_at,
    lacks=HEADLESS,
)
# Its second one, with all stages: the maps of Depth.
MAPS = Calculation(
    "what the class token, or the mean token, looks at in every layer, mean of the heads",
    "layer k",
    class_looks_at,
    lacks=HEADLESS,
    shown=False,
    figure=wall_of_layers,
)


def chosen_on_overview(view: View) -> Calculation | None:
    return MAPS if view.choices.get("moment") == "stages" and not view.config.classes else None


PAGES = {"overview": Calculations("Overview", ANSWER, chosen_on_overview, LOOKS)}
