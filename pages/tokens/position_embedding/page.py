"""Position embedding: where a patch comes from is added to its token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Learned
from vitviz.machine.pytorch import F
from vitviz.numbers import exact
from vitviz.page import Moment, Page

if TYPE_CHECKING:
    from pathlib import Path

    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View

# How a token gets to know where its patch was, by kind of positions; and what every layer adds, where each does.
ONCE = {
    "learned": "A token does not know where its {patch} was: a learned {position} is added to it.",
    "learned_2d": "Where was the {patch}? A half for its row and one for its column is added.",
    "sincos_2d": "Where was the {patch}? Fixed waves of its row and column are added.",
    "relative": "Where is another {patch}? Each offset adds a learned number to the scores.",
    "rotary": "Where is another {patch}? Queries and keys are turned by row and column.",
    "none": "A token does not know where its {patch} was, and nothing tells it.",
}
AGAIN = {
    "learned": "learned {position}s",
    "learned_2d": "halves for row and column",
    "sincos_2d": "fixed waves of row and column",
}
ALIKE = {
    "learned": "Neighbours learn similar {position}s. Nobody told them rows and columns.",
    "learned_2d": "One row shares a half of its {position}s, one column the other.",
    "sincos_2d": "Neighbours have similar waves: rows and columns are built in, not learned.",
    "relative": "What was learned of offsets: where each {patch} looks because of its place alone.",
    "rotary": "Two equal vectors, turned: how much of their product stays, by the offset alone.",
    "none": "Without {position}s no place is like or unlike another.",
}
UNTRAINED = {"learned": "Untrained, no {position} is like another. Training makes neighbours alike."}


def _moments(config: ViTConfig) -> tuple[Moment, ...]:
    kind, before = config.positions, not config.classes
    found = (
        Moment("sum", _added_where(config), columns=True, embedded=before),
        Moment("similarity", ALIKE[kind], untrained=UNTRAINED.get(kind, ""), columns=True, embedded=before),
    )
    if not config.classes:
        return found
    without = (
        "No {position}s to take away: left of and right of are the same to this model."
        if kind == "none"
        else "Take the {position}s away, and what lies left, right, above or below is a guess."
    )
    swap = "Without {position}s order does not matter: swap two {patch}es, and the answer stays."
    return *found, Moment("answers", without, columns=True), Moment("swap", swap, columns=True)


def _added_where(config: ViTConfig) -> str:
    if config.positions_at == "stem":
        return ONCE[config.positions]
    same, own = ("", " of its own") if _differ_by_layer(config) else ("the same ", "")
    return f"Where was the {{patch}}? Every layer adds {same}{AGAIN[config.positions]}{own}."


def _differ_by_layer(config: ViTConfig) -> bool:
    return config.positions_at == "every_layer" and config.positions != "sincos_2d"


def similar_positions(trace: Trace, config: ViTConfig, patch: int) -> Array:
    from vitviz.measures.tokens import position_maps

    return position_maps(trace)[divmod(patch, config.grid[1])]


def answers_by_positions(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.classes import answer
    from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions

    learned = answer(trace, config.depth).probabilities
    return np.stack([learned, probabilities_without_positions(trace), probabilities_with_shuffled_positions(trace)])


def positions_then(step: int, config: ViTConfig, patch: int) -> Array:
    from vitviz.demo.snapshots import snapshots

    return snapshots().position_maps(step)[patch].reshape(config.grid)


def map_of_positions(values: Array, patch: int) -> Figure:
    from vitviz.figures.tokens.position_embedding import similarity_map

    return similarity_map(values, patch)


def plain_positions(w: Weights, config: ViTConfig, patch: int) -> Tensor:
    positions = w["pos_embed"][0, 1:]  # n d, without that of the class token
    return F.cosine_similarity(positions[patch], positions).view(config.grid)


def plain_positions_then(file: Path, config: ViTConfig, step: int, patch: int) -> Tensor:
    from safetensors.torch import load_file

    kept = load_file(file)
    positions = kept["positions"][kept["steps"].tolist().index(step), 1:].float()  # n d
    return F.cosine_similarity(positions[patch], positions).view(config.grid)


POSITIONS = Calculation(
    "how similar the position of one patch is to those of all, as cosines",
    "gh gw",
    similar_positions,
    plain_positions,
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
LEARNED = Learned(
    "how similar the position of one patch was to those of all, as cosines",
    "gh gw",
    positions_then,
    plain_positions_then,
    figure=map_of_positions,
)


def chosen(view: View) -> Calculation | None:
    return WITHOUT_POSITIONS if view.choices.get("moment") == "answers" and view.config.classes else None


PAGE = Page(
    __file__,
    "Position embedding",
    order=203,
    stage="position_embedding",
    label="Position",
    colour=palette.POSITION,
    shape=lambda config: f"{exact(config.tokens)} × {exact(config.dim)}",
    moments=_moments,
    calculations=Calculations(
        POSITIONS, chosen, learned=LEARNED, learned_at={"second": "similarity"}, otherwise=("sum", "swap")
    ),
)
