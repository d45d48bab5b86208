"""Patch grid: the picture becomes a sequence."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.config.sides import spelled
from vitviz.counts import attention_weights
from vitviz.numbers import exact, many
from vitviz.page import Moment, Page


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


PAGE = Page(
    __file__,
    "Patch grid",
    order=201,
    stage="patches",
    label="Patches",
    colour=palette.PATCH,
    shape=lambda config: f"{exact(config.patches)} × {exact(config.patch_values)}",
    moments=_moments,
)
