"""Patch grid: the picture becomes a sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.choice import Choice
from vitviz.figures.tokens.patch_grid import channels
from vitviz.page import Moment, Page
from vitviz.plain import patches

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor
    from vitviz.trace import Trace


def pixels_of_patch(trace: Trace, patch: int) -> Array:
    from vitviz.measures.tokens import embedded

    return embedded(trace, "patches")[patch]


def plain_pixels(image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return patches(image, config)[patch]


PIXELS = Calculation(
    "the pixels of one patch as the model reads them, normalised, channel by channel",
    "(c ph pw)",
    pixels_of_patch,
    plain_pixels,
    (patches,),
    printed=Print(lambda values, config: channels(values.reshape(config.channels, *config.patch_sides)), grid=True),
)


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
            embedded=True,
        ),
        Moment(
            "sequence",
            "Row by row, {rows} × {columns} {patches} become a sequence of {number of patches}.",
            embedded=True,
        ),
        Moment(
            "pixels",
            {
                "channels=1": "A {patch} is {patch size} pixels of 1 colour: {numbers of a patch} numbers.",
                "": "A {patch} is {patch size} pixels of {channels} colours: {numbers of a patch} numbers.",
            },
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
            embedded=True,
        ),
        Moment(
            "crop",
            "What lies outside of the crop, the model never sees. Drag it.",
            embedded="classes=0",
        ),
    ),
    choices=(Choice("tried", ("own", "32", "16", "8", "4"), scene=True),),
    cards=("image_size", "patch_size", "channels"),
    calculations=Calculations(PIXELS, drawn_otherwise=("sizes", "crop"), pixels=True),
)
