"""Depth: what becomes of attention from the first layer to the last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.cards.papers import ROLLOUT
from vitviz.config.sides import tall
from vitviz.figures.attention.maps import wall_of_tokens
from vitviz.machine.pytorch import torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, embed

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View


def has_class_token(config: ViTConfig) -> bool:
    return "class" in config.prefix_tokens


def rolled_out(trace: Trace, query: int) -> Array:
    from vitviz.measures.attention import rollout

    return rollout(trace)[:, query]


def shares_passed_on(trace: Trace, config: ViTConfig) -> Array:
    """By each head, of what it looks at: layer head."""
    return np.array([trace.passed_on(layer) for layer in range(config.depth)], np.float32)


def plain_rollout(w: Weights, image: Tensor, config: ViTConfig, query: int) -> Tensor:
    x, rolled, rows = embed(w, image, config), torch.eye(config.tokens), []
    for layer in range(config.depth):
        scores, _, x = block(w, x, config, layer)
        mean = scores.softmax(dim=-1).mean(dim=0)
        rolled = (mean + torch.eye(config.tokens)) / 2 @ rolled
        rows.append(rolled[query])
    return torch.stack(rows)


def plain_rollout_of_edited(w: Weights, image: Tensor, config: ViTConfig, query: int, passed_on: Array) -> Tensor:
    x, rolled, rows = embed(w, image, config), torch.eye(config.tokens), []
    for layer, shares in enumerate(torch.tensor(passed_on)):
        scores, _, x = block(w, x, config, layer)
        mean = (shares.view(-1, 1, 1) * scores.softmax(dim=-1)).mean(dim=0)
        rolled = (mean + torch.eye(config.tokens)) / (1 + shares.mean()) @ rolled
        rows.append(rolled[query])
    return torch.stack(rows)


ROLLED_OUT = Calculation(
    "attention rollout: what has reached one query after every layer",
    "layer k",
    rolled_out,
    plain_rollout,
    ATTENDED[:-1],
    printed=Print(
        lambda values, config, layer, query: wall_of_tokens(
            values, "layer", layer, query, config.grid, tall(config.patch_sides)
        ),
        strongest="After layer {layer} it has gathered most from",
    ),
    papers=(("Attention rollout", ROLLOUT),),
)
# The same where edits let heads add less to the stream, or nothing.
ROLLED_OUT_EDITED = replace(ROLLED_OUT, plain=plain_rollout_of_edited, given={"passed_on": shares_passed_on})


def chosen(view: View) -> Calculation | None:
    return ROLLED_OUT_EDITED if any(view.edits.of("head", "attention", "block")) else None


PAGE = Page(
    __file__,
    "Depth",
    order=303,
    stage="blocks",
    label="Depth",
    colour=palette.RESIDUAL,
    shape={"depth=1": "1 block", "": "{depth} blocks"},
    all_moments=(
        Moment("rollout", "One layer looks once; stacked layers pass on what others have seen.", columns=True),
        Moment("reach", "How far the heads look, and how concentrated their attention is.", columns=True),
        Moment(
            "journey",
            "The {class token}'s journey: what it has gathered, layer by layer.",
            when=has_class_token,
            columns=True,
        ),
    ),
    switched=True,
    through=True,
    explored="rollout",
    calculations=Calculations(ROLLED_OUT, chosen, drawn_otherwise=("reach", "journey")),
)
