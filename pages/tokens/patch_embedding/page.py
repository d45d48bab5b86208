"""Patch embedding: each patch becomes a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.config.stems import read_by_projection
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
    from vitviz.view import View
    from vitviz.weights import Loaded


def token_of_patch(trace: Trace, patch: int) -> Array:
    from vitviz.measures.tokens import embedded

    return embedded(trace, "patch_tokens")[patch]


def tokens_as_points(trace: Trace) -> Array:
    from vitviz.measures.tokens import token_components

    return token_components(trace, 2).coordinates


def principal_components() -> dict[str, list[str]]:
    return {"component": ["principal component 1", "principal component 2"]}


def cloud_of_tokens(values: Array, trace: Trace, loaded: Loaded, config: ViTConfig, patch: int) -> Figure:
    from vitviz.figures.tokens.patch_embedding import token_cloud
    from vitviz.weights.arrays import pixels_of

    return token_cloud(values, pixels_of(trace, loaded), *config.grid, patch)


def plain_token(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    return linear(w, "patch_embed.proj", patches(image, config)[patch])


def plain_points(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = linear(w, "patch_embed.proj", patches(image, config)).double()
    centred = tokens - tokens.mean(dim=0)
    across = torch.linalg.svd(centred, full_matrices=False).Vh[: max(1, min(2, len(tokens) - 1, config.dim))]
    largest = across.gather(1, across.abs().argmax(dim=1, keepdim=True))
    return centred @ (across * largest.sign()).T  # the largest entry of each direction is positive


TOKEN = Calculation(
    "the token that the linear projection makes of one patch",
    "d",
    token_of_patch,
    plain_token,
    EMBEDDED,
    printed=Print(lambda values: bars("components of the token", values, palette.PATCH, photo=True)),
)
# The moment of Patch embedding that shows all tokens as points.
POINTS = Calculation(
    "where the token of every patch lies on the first two principal components of all",
    "n component",
    tokens_as_points,
    plain_points,
    EMBEDDED,
    names=principal_components,
    printed=Print(cloud_of_tokens),
    figure=cloud_of_tokens,
)


def chosen(view: View) -> Calculation | None:
    return POINTS if view.choices.get("moment") == "points" else None


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
            embedded=True,
        ),
        Moment(
            "components",
            {
                "dim=1": "The only filter, which is its own principal component.",
                "": "What the {dim} filters have in common: their principal components.",
            },
            embedded=True,
        ),
        Moment("colours", "Two {patches} that look alike become tokens that are alike.", embedded=True),
        Moment(
            "points",
            {
                "dim=1": "Each token is a point in 1 dimension: the plane in which they spread most.",
                "": "Each token is a point in {dim} dimensions: the plane in which they spread most.",
            },
            embedded=True,
        ),
    ),
    places={
        "width": Place("how many channels the stem has", lambda config: exact(read_by_projection(config)[0])),
    },
    cards=("stem", "patch_norm", "patch_bias"),
    calculations=Calculations(TOKEN, chosen, drawn_otherwise=("filters", "components", "colours"), pixels=True),
)
