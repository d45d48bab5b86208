"""Patch grid: the picture becomes a sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.choice import Choice
from vitviz.figures.tokens.patch_grid import channels
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, linear, norm, patches, stream

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View

MOST_CLASSES = 8  # that are printed


def pixels_of_patch(trace: Trace, patch: int) -> Array:
    from vitviz.measures.tokens import embedded

    return embedded(trace, "patches")[patch]


def plain_pixels(image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return patches(image, config)[patch]


def sizes_of_patches(config: ViTConfig) -> dict[str, ViTConfig]:
    from vitviz.config.config import changed
    from vitviz.config.sides import spelled

    others = (changed(config, patch_size=size) for size in dict.fromkeys((32, 16, 8, 4, config.patch_size)))
    found = sorted((it for it in others if it), key=lambda it: it.patches)
    return {spelled(it.patch_size): it for it in found}


def costs_of_sizes(sizes: Mapping[str, ViTConfig]) -> NDArray[Any]:
    from vitviz.counts.scaling.complexity import cost

    costs = map(cost, sizes.values())
    return np.array([[it.tokens, it.attention_weights, it.parameters, it.macs] for it in costs])


def names_of_sizes(sizes: Mapping[str, ViTConfig]) -> dict[str, list[str]]:
    return {"size": [*sizes], "count": ["tokens", "attention weights", "parameters", "multiply-accumulates"]}


def answer_to_crop(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.classes import answer

    return answer(trace, config.depth).probabilities


def printed_answer(values: Array, labels: Sequence[str]) -> Figure:
    from vitviz.figures.model.classes import probabilities
    from vitviz.measures.classes import best

    shown = best(values, MOST_CLASSES)
    return probabilities([labels[at] for at in shown], values[shown])


def plain_answer(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return linear(w, "head", norm(w, "norm", stream(w, image, config, config.depth)[0], config)).softmax(dim=-1)


PIXELS = Calculation(
    "the pixels of one patch as the model reads them, normalised, channel by channel",
    "(c ph pw)",
    pixels_of_patch,
    plain_pixels,
    (patches,),
    printed=Print(lambda values, config: channels(values.reshape(config.channels, *config.patch_sides)), grid=True),
)
SIZES = Calculation(
    "what the model costs with other sizes of patches",
    "size count",
    costs_of_sizes,
    names=names_of_sizes,
    given={"sizes": sizes_of_patches},
    lacks="counts are made of formulas; `vitviz/counts/` has them",
)
ANSWER = Calculation(
    "the probability of every class, of what lies inside of the crop",
    "classes",
    answer_to_crop,
    plain_answer,
    ATTENDED,
    headed=True,
    printed=Print(printed_answer, classes=MOST_CLASSES),
)


def answer_or_pixels(view: View) -> Calculation:
    return ANSWER if view.config.classes else PIXELS


PAGE = Page(
    __file__,
    "Patch grid",
    order=201,
    stage="patches",
    tensors=("image", "embed.patches"),
    label="Patches",
    colour=palette.PATCH,
    shape="{number of patches} × {numbers of a patch}",
    all_moments=(
        Moment(
            "patches",
            {
                "patches=1": "The model does not see a picture. It sees 1 square: the {patches}.",
                "": "The model does not see a picture. It sees {number of patches} squares: the {patches}.",
            },
            PIXELS,
            embedded=True,
        ),
        Moment(
            "sequence",
            "Row by row, {rows} × {columns} {patches} become a sequence of {number of patches}.",
            PIXELS,
            embedded=True,
        ),
        Moment(
            "pixels",
            {
                "channels=1": "A {patch} is {patch size} pixels of 1 colour: {numbers of a patch} numbers.",
                "": "A {patch} is {patch size} pixels of {channels} colours: {numbers of a patch} numbers.",
            },
            PIXELS,
            embedded=True,
        ),
        Moment(
            "sizes",
            {
                "attention=linear": (
                    "Half the patch size: four times the tokens, and in linear attention no weights at all."
                ),
                "": "Half the patch size: four times the tokens, sixteen times the attention weights.",
            },
            SIZES,
            embedded=True,
        ),
        Moment(
            "crop",
            "What lies outside of the crop, the model never sees. Drag it.",
            answer_or_pixels,
            embedded="classes=0",
        ),
    ),
    choices=(Choice("tried", ("own", "32", "16", "8", "4"), scene=True),),
    cards=("image_size", "patch_size", "channels"),
    calculations=Calculations(PIXELS, pixels=True),
)
