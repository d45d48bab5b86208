"""The numbers of the chapter Tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.takeaway.calculations import learning
from vitviz.takeaway.calculations.calculation import Calculation, Calculations
from vitviz.takeaway.notebook import plain

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.takeaway.view import View
    from vitviz.trace import Trace
    from vitviz.weights import Loaded


def pixels_of_patch(trace: Trace, patch: int) -> Array:
    from vitviz.measures.tokens import embedded

    return embedded(trace, "patches")[patch]


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
    from vitviz.takeaway.pixels import pixels_of

    return token_cloud(values, pixels_of(trace, loaded), *config.grid, patch)


def similar_positions(trace: Trace, config: ViTConfig, patch: int) -> Array:
    from vitviz.measures.tokens import position_maps

    return position_maps(trace)[divmod(patch, config.grid[1])]


def answers_by_positions(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.classes import answer
    from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions

    learned = answer(trace, config.depth).probabilities
    return np.stack([learned, probabilities_without_positions(trace), probabilities_with_shuffled_positions(trace)])


PIXELS = Calculation(
    "the pixels of one patch as the model reads them, normalised, channel by channel",
    "(c ph pw)",
    pixels_of_patch,
    plain.plain_pixels,
    (plain.patches,),
)
TOKEN = Calculation(
    "the token that the linear projection makes of one patch",
    "d",
    token_of_patch,
    plain.plain_token,
    plain.EMBEDDED,
)
# The moment of Patch embedding that shows all tokens as points.
POINTS = Calculation(
    "where the token of every patch lies on the first two principal components of all",
    "n component",
    tokens_as_points,
    plain.plain_points,
    plain.EMBEDDED,
    names=principal_components,
    shown=False,
    figure=cloud_of_tokens,
)
POSITIONS = Calculation(
    "how similar the position of one patch is to those of all, as cosines",
    "gh gw",
    similar_positions,
    plain.plain_positions,
)
# The moment of Position embedding that takes positions away.
WITHOUT_POSITIONS = Calculation(
    "the probability of every class with positions as learned, without those of patches, and with those shuffled",
    "3 classes",
    answers_by_positions,
    places=("as learned", "positions off", "positions shuffled"),
    lacks="positions are changed inside the model; `vitviz/measures/positions.py` does it",
    shown=False,
    headed=True,
)


def chosen_on_patch_embedding(view: View) -> Calculation | None:
    return POINTS if view.choices.get("moment") == "points" else None


def chosen_on_position_embedding(view: View) -> Calculation | None:
    return WITHOUT_POSITIONS if view.choices.get("moment") == "answers" and view.config.classes else None


PAGES = {
    "patch_grid": Calculations("Patch grid", PIXELS, otherwise=("sizes", "crop")),
    "patch_embedding": Calculations(
        "Patch embedding", TOKEN, chosen_on_patch_embedding, otherwise=("filters", "components", "colours")
    ),
    "position_embedding": Calculations(
        "Position embedding",
        POSITIONS,
        chosen_on_position_embedding,
        learned=learning.POSITIONS,
        otherwise=("sum", "swap"),
    ),
}
