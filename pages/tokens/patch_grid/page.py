"""Patch grid: the picture becomes a sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz import palette
from vitviz.calculation import Calculation, Calculations
from vitviz.config.sides import spelled
from vitviz.counts import attention_weights
from vitviz.numbers import exact, many
from vitviz.page import Moment, Page
from vitviz.plain import patches

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor
    from vitviz.trace import Trace


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    rows, columns = config.grid
    colours = many(config.channels, "colour")
    return (
        Moment(
            "patches",
            f"The model does not see a picture. It sees {many(config.patches, 'square')}: the {{patch}}es.",
            embedded=True,
        ),
        Moment(
            "sequence",
            f"Row by row, {rows} × {columns} {{patch}}es become a sequence of {exact(config.patches)}.",
            embedded=True,
        ),
        Moment(
            "pixels",
            f"A {{patch}} is {spelled(config.patch_size)} pixels of {colours}: {exact(config.patch_values)} numbers.",
            embedded=True,
        ),
        Moment("sizes", f"Half the patch size: four times the tokens, {_sixteen(config)}.", embedded=True),
        Moment(
            "crop",
            "What lies outside of the crop, the model never sees. Drag it.",
            embedded=not config.classes,
        ),
    )


def _sixteen(config: ViTConfig) -> str:
    squared = attention_weights(config)
    return "sixteen times the attention weights" if squared else "and in linear attention no weights at all"


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
)


PAGE = Page(
    __file__,
    "Patch grid",
    order=201,
    stage="patches",
    label="Patches",
    colour=palette.PATCH,
    shape=lambda config: f"{exact(config.patches)} × {exact(config.patch_values)}",
    moments=_moments,
    calculations=Calculations(PIXELS, otherwise=("sizes", "crop"), pixels=True),
)
