"""Depth: what becomes of attention from the first layer to the last."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.cards.papers import LOGIT_LENS, ROLLOUT
from vitviz.config.sides import tall
from vitviz.figures.attention.depth import distance, entropy
from vitviz.figures.attention.maps import wall_of_tokens
from vitviz.figures.parts import beside_each_other
from vitviz.machine.pytorch import torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, embed

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
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


def journey_of_class_token(trace: Trace) -> Array:
    from vitviz.measures.attention import rollout

    return rollout(trace)[:, 0]


def reach_of_heads(trace: Trace) -> Array:
    from vitviz.measures.attention import attention_by_layer

    found = attention_by_layer(trace)
    return np.stack([found.distance, found.entropy])


def clouds(values: Array, config: ViTConfig) -> Figure:
    from vitviz.measures.attention import patch_distances

    uniform = float(patch_distances(*config.grid).mean())
    patch = float(np.mean(config.patch_sides))
    return beside_each_other((), (distance(values[0], uniform, patch), entropy(values[1], log(config.tokens))))


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


def plain_reach(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    (rows, columns), x, found = config.grid, embed(w, image, config), []
    cells = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).float()
    apart = (cells[:, None] - cells).norm(dim=-1)  # n n, in patches
    for layer in range(config.depth):
        scores, _, x = block(w, x, config, layer)
        summed = scores[:, 1:, 1:].softmax(dim=-1) * apart, torch.special.entr(scores.softmax(dim=-1))
        found.append(torch.stack([it.sum(dim=-1).mean(dim=-1) for it in summed]))
    return torch.stack(found, dim=1)


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
REACH = Calculation(
    "how far every head looks, in patches, and how concentrated its attention is: its entropy, in nats",
    "2 layer head",
    reach_of_heads,
    plain_reach,
    ATTENDED[:-1],
    ("distance", "entropy"),
    printed=Print(clouds),
)
JOURNEY = replace(
    ROLLED_OUT,
    says="attention rollout: what has reached the class token after every layer",
    make=journey_of_class_token,
    plain=None,
    lacks="25 lines roll out to any query, as another moment of the page does; this is the one of the first token",
    papers=(*ROLLED_OUT.papers, ("Logit lens", LOGIT_LENS)),
    note="What the head would say of it after every layer: `logit_lens(trace)` of `vitviz/measures/classes.py`.",
    printed=Print(
        lambda values, config, layer: wall_of_tokens(values, "layer", layer, 0, config.grid, tall(config.patch_sides)),
        strongest="After layer {layer} it has gathered most from",
    ),
)


def rolled_out_to_query(view: View) -> Calculation:
    return ROLLED_OUT_EDITED if any(view.edits.of("head", "attention", "block")) else ROLLED_OUT


PAGE = Page(
    __file__,
    "Depth",
    order=303,
    stage="blocks",
    label="Depth",
    colour=palette.RESIDUAL,
    shape={"depth=1": "1 block", "": "{depth} blocks"},
    all_moments=(
        Moment(
            "rollout",
            "One layer looks once; stacked layers pass on what others have seen.",
            rolled_out_to_query,
            columns=True,
        ),
        Moment("reach", "How far the heads look, and how concentrated their attention is.", REACH, columns=True),
        Moment(
            "journey",
            "The {class token}'s journey: what it has gathered, layer by layer.",
            JOURNEY,
            when=has_class_token,
            columns=True,
        ),
    ),
    switched=True,
    through=True,
    explored="rollout",
    calculations=Calculations(ROLLED_OUT, rolled_out_to_query),
)
