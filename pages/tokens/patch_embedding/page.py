"""Patch embedding: each patch becomes a token."""

from vitviz import palette
from vitviz.config import ViTConfig
from vitviz.config.stems import read_by_projection
from vitviz.numbers import exact, many
from vitviz.page import Moment, Page


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    product = "A {patch} times a filter, added up: one component of its token."
    filters = f"E has {many(config.dim, 'column')}. Each is a filter: a small template to compare with."
    if config.stem != "patch":
        width = exact(read_by_projection(config)[0])
        product = f"Convolutions first: of each {{patch}} they make {width} channels. Times a filter: one component."
        filters = f"E has {many(config.dim, 'column')}, each a filter over the {width} channels of the stem."
    components = f"What the {many(config.dim, 'filter')} have in common: their principal components."
    points = f"Each token is a point in {many(config.dim, 'dimension')}: the plane in which they spread most."
    return (
        Moment("product", product, embedded=True),
        Moment("filters", filters, embedded=True),
        Moment("components", components, embedded=True),
        Moment("colours", "Two {patch}es that look alike become tokens that are alike.", embedded=True),
        Moment("points", points, embedded=True),
    )


PAGE = Page(
    __file__,
    "Patch embedding",
    order=202,
    stage="patch_embedding",
    label="Embedding",
    colour=palette.PATCH,
    shape=lambda config: f"{exact(config.patches)} × {exact(config.dim)}",
    moments=_moments,
)
