"""Patch embedding: each patch becomes a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.config.sides import tall
from vitviz.config.stems import drawn_as, read_by_projection
from vitviz.figures.figure import Numbers
from vitviz.figures.strips import bars
from vitviz.machine.pytorch import torch
from vitviz.numbers import exact
from vitviz.page import Moment, Page
from vitviz.plain import EMBEDDED, linear, patches
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

MOST_FILTERS = 64  # that are printed


def token_of_patch(trace: Trace, patch: int) -> Array:
    from vitviz.measures.tokens import embedded

    return embedded(trace, "patch_tokens")[patch]


def filters_of_projection(trace: Trace) -> Array:
    from vitviz.measures.tokens import filters

    return filters(trace.model).reshape(trace.config.dim, -1)


def outline_of_filters(config: ViTConfig) -> Numbers:
    axes = "component", "channel", "pixel_row", "pixel_column"
    return Numbers("values", axes, np.broadcast_to(0, (config.dim, *drawn_as(config))))


def components_of_filters(trace: Trace) -> Array:
    from vitviz.measures.tokens import filter_components

    return filter_components(trace.model, 28).directions


def shares_of_components(trace: Trace) -> Numbers:
    from vitviz.measures.tokens import filter_components

    share = filter_components(trace.model, 28).share
    return Numbers("share", ("component",), share, "Of the variance of all filters, by component.")


def pictures_of_filters(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.tokens.patch_embedding import filters

    return filters(values[:MOST_FILTERS].reshape(-1, *drawn_as(config)), config.dim)


def pictures_of_components(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.tokens.patch_embedding import filter_components

    return filter_components(values.reshape(-1, *drawn_as(config)))


def tokens_as_colours(trace: Trace) -> Array:
    from vitviz.measures.tokens import token_components

    return token_components(trace, 3).coordinates


def coloured_tokens(values: Array, config: ViTConfig, patch: int) -> Figure:
    from vitviz.figures.tokens.patch_embedding import token_grid

    return token_grid(values, *config.grid, patch, tall(config.patch_sides))


def tokens_as_points(trace: Trace) -> Array:
    from vitviz.measures.tokens import token_components

    return token_components(trace, 2).coordinates


def principal_components() -> dict[str, list[str]]:
    return {"component": ["principal component 1", "principal component 2"]}


def three_components() -> dict[str, list[str]]:
    return {"component": ["principal component 1", "principal component 2", "principal component 3"]}


def cloud_of_tokens(values: Array, trace: Trace, loaded: Loaded, config: ViTConfig, patch: int) -> Figure:
    from vitviz.figures.tokens.patch_embedding import token_cloud
    from vitviz.weights.arrays import pixels_of

    return token_cloud(values, pixels_of(trace, loaded), *config.grid, patch)


def plain_token(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return linear(w, "patch_embed.proj", patches(image, config)[patch])


def plain_filters(w: Weights) -> Tensor:
    return w["patch_embed.proj.weight"].flatten(1)


def directions(cloud: Tensor, most: int) -> Tensor:
    centred = cloud.double() - cloud.double().mean(dim=0)
    across = torch.linalg.svd(centred, full_matrices=False).Vh[: max(1, min(most, len(cloud) - 1, cloud.shape[1]))]
    largest = across.gather(1, across.abs().argmax(dim=1, keepdim=True))
    return across * largest.sign()  # the largest entry of each direction is positive


def plain_components(w: Weights) -> Tensor:
    return directions(w["patch_embed.proj.weight"].flatten(1), 28)


def plain_colours(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = linear(w, "patch_embed.proj", patches(image, config)).double()
    return (tokens - tokens.mean(dim=0)) @ directions(tokens, 3).T


def plain_points(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = linear(w, "patch_embed.proj", patches(image, config)).double()
    return (tokens - tokens.mean(dim=0)) @ directions(tokens, 2).T


TOKEN = Calculation(
    "the token that the linear projection makes of one patch",
    "d",
    token_of_patch,
    plain_token,
    EMBEDDED,
    printed=Print(lambda values: bars("components of the token", values, palette.PATCH, photo=True)),
)
FILTERS = Calculation(
    "the filters: the columns of the matrix E, one for each component of a token",
    "d (c ph pw)",
    filters_of_projection,
    plain_filters,
    of_any=True,
    printed=Print(pictures_of_filters),
    outline=outline_of_filters,
)
COMPONENTS = Calculation(
    "the first 28 principal components of the filters, each of length 1",
    "component (c ph pw)",
    components_of_filters,
    plain_components,
    (directions,),
    of_any=True,
    printed=Print(pictures_of_components),
    also=shares_of_components,
)
COLOURS = Calculation(
    "where the token of every patch lies on the first three principal components of all: red, green and blue",
    "n component",
    tokens_as_colours,
    plain_colours,
    (*EMBEDDED, directions),
    names=three_components,
    printed=Print(coloured_tokens),
)
POINTS = Calculation(
    "where the token of every patch lies on the first two principal components of all",
    "n component",
    tokens_as_points,
    plain_points,
    (*EMBEDDED, directions),
    names=principal_components,
    printed=Print(cloud_of_tokens),
    figure=cloud_of_tokens,
)


PAGE = Page(
    __file__,
    "Patch embedding",
    order=202,
    stage="patch_embedding",
    tensors=("patch_embed", "embed.norm_in", "embed.projected", "embed.patch_tokens"),
    label="Embedding",
    colour=palette.PATCH,
    shape="{number of patches} × {dim}",
    all_moments=(
        Moment(
            "product",
            {
                "stem=patch": "A {patch} times a filter, added up: one component of its token.",
                "": "Convolutions first: of each {patch} they make {width} channels. Times a filter: one component.",
            },
            TOKEN,
            embedded=True,
        ),
        Moment(
            "filters",
            {
                "stem=patch dim=1": "E has 1 column. Each is a filter: a small template to compare with.",
                "stem=patch": "E has {dim} columns. Each is a filter: a small template to compare with.",
                "dim=1": "E has 1 column, each a filter over the {width} channels of the stem.",
                "": "E has {dim} columns, each a filter over the {width} channels of the stem.",
            },
            FILTERS,
            embedded=True,
        ),
        Moment(
            "components",
            {
                "dim=1": "The only filter, which is its own principal component.",
                "": "What the {dim} filters have in common: their principal components.",
            },
            COMPONENTS,
            embedded=True,
        ),
        Moment("colours", "Two {patches} that look alike become tokens that are alike.", COLOURS, embedded=True),
        Moment(
            "points",
            {
                "dim=1": "Each token is a point in 1 dimension: the plane in which they spread most.",
                "": "Each token is a point in {dim} dimensions: the plane in which they spread most.",
            },
            POINTS,
            embedded=True,
        ),
    ),
    places={
        "width": Place("how many channels the stem has", lambda config: exact(read_by_projection(config)[0])),
    },
    cards=("stem", "patch_norm", "patch_bias"),
    calculations=Calculations(TOKEN, pixels=True),
)
