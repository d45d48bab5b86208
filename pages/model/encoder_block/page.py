"""Encoder block: what attention and MLP do to the residual stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.config import ACTIVATION_NAMES, ViTConfig
from vitviz.config.sides import tall
from vitviz.figures.attention.maps import wall_of_tokens
from vitviz.figures.strips import strips
from vitviz.machine.pytorch import F, torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, linear, norm, stream
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace

AROUND_NORMS = ("before the first", "after the first", "before the second", "after the second")
PLACES = ("what enters", "attention adds", "their sum", "the MLP adds", "what leaves")


def around_a_block(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.blocks import block_values

    values = block_values(trace, layer)
    return np.stack([values[name][query] for name in ("stream", "attention", "middle", "mlp", "leaving")])


def around_norms(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.blocks import layer_norm

    first, second = (layer_norm(trace, layer, norm, query) for norm in ("norm1", "norm2"))
    return np.stack([first.before, first.after, second.before, second.after])


def units_of_mlp(trace: Trace, config: ViTConfig, layer: int, query: int) -> Array:
    from vitviz.measures.blocks import gate, hidden

    return np.stack((gate if config.activation == "swiglu" else hidden)(trace, layer, query))


def patch_looks_at(trace: Trace, config: ViTConfig, layer: int, patch: int) -> Array:
    from vitviz.measures.attention import attention_row

    return attention_row(trace, layer, len(config.prefix_tokens) + patch)


def curve_and_units(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.model.blocks import activation

    before, after = values
    return activation(before, after, config.activation)


def plain_norms(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    x, name = stream(w, image, config, layer), f"blocks.{layer}.norm"
    middle = block(w, x, config, layer)[1]
    return torch.stack([x, norm(w, f"{name}1", x, config), middle, norm(w, f"{name}2", middle, config)])[:, query]


def plain_units(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    middle, name = block(w, stream(w, image, config, layer), config, layer)[1], f"blocks.{layer}"
    before = linear(w, f"{name}.mlp.fc1", norm(w, f"{name}.norm2", middle[query], config))
    return torch.stack([before, F.gelu(before)])


def plain_looks(w: Weights, image: Tensor, config: ViTConfig, layer: int, patch: int) -> Tensor:
    scores, *_ = block(w, stream(w, image, config, layer), config, layer)
    return scores.softmax(dim=-1)[:, 1 + patch]


def plain_around(w: Weights, image: Tensor, config: ViTConfig, layer: int, query: int) -> Tensor:
    x = stream(w, image, config, layer)
    _, middle, leaving = block(w, x, config, layer)
    return torch.stack([x, middle - x, middle, leaving - middle, leaving])[:, query]


AROUND = Calculation(
    "one token around a block: what enters, what attention adds, their sum, what the MLP adds, what leaves",
    "5 d",
    around_a_block,
    plain_around,
    ATTENDED,
    PLACES,
    printed=Print(lambda values: strips(dict(zip(PLACES, values, strict=True))), below=True),
)
NORMS = Calculation(
    "one token before and after both norms of a block",
    "4 d",
    around_norms,
    plain_norms,
    ATTENDED,
    AROUND_NORMS,
    printed=Print(lambda values: strips(dict(zip(AROUND_NORMS, values, strict=True))), below=True),
)
UNITS = Calculation(
    "the hidden units of the MLP of one token, before and after the activation",
    "2 m",
    units_of_mlp,
    plain_units,
    ATTENDED,
    ("before", "after"),
    printed=Print(curve_and_units),
)
LOOKS = Calculation(
    "what one patch looks at in every head of one layer",
    "head k",
    patch_looks_at,
    plain_looks,
    ATTENDED,
    note="A 3 × 3 convolution has seen as many patches each way as there were layers.",
    printed=Print(
        lambda values, config, head, patch: wall_of_tokens(
            values, "head", head, len(config.prefix_tokens) + patch, config.grid, tall(config.patch_sides)
        ),
        strongest="{head} looks most at",
    ),
)


PAGE = Page(
    __file__,
    "Encoder block",
    order=401,
    stage="block",
    tensors=("blocks.", "blocks.attn.out"),
    label="Block",
    colour=palette.MLP,
    shape="{tokens} × {dim}",
    all_moments=(
        Moment(
            "stream",
            {
                "norm_order=pre": "Read, add; read, add: a block never replaces the {residual stream}.",
                "norm_order=post": "Read, add, normalise: each norm changes the {residual stream} itself.",
            },
            AROUND,
        ),
        Moment(
            "norm",
            {
                "norm=layer": "Every block adds to the sum; layer norm brings every token to mean 0, variance 1.",
                "norm=rms": "Every block adds to the sum; RMS norm brings every token to a mean square of 1.",
                "norm=batch": "Batch norm: every component to mean 0, variance 1, over all tokens.",
            },
            NORMS,
        ),
        Moment(
            "activation",
            {
                "activation=relu": "The MLP's hidden units: ReLU passes what is positive and makes the rest 0.",
                "activation=swiglu": "The MLP's gate: SiLU passes large positive inputs, suppresses the rest.",
                "": "The MLP's hidden units: {activation} passes large positive inputs, suppresses the rest.",
            },
            UNITS,
        ),
        Moment("similarity", "A 3 × 3 convolution sees its neighbours. A head may look anywhere.", LOOKS),
    ),
    places={
        "activation": Place("the name of the MLP's activation", lambda config: ACTIVATION_NAMES[config.activation])
    },
    cards=("norm_order", "epsilon", "input_norm", "layer_scale"),
    calculations=Calculations(AROUND),
)
