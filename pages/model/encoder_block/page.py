"""Encoder block: what attention and MLP do to the residual stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.config import ACTIVATION_NAMES, ViTConfig
from vitviz.figures.strips import strips
from vitviz.machine.pytorch import torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, stream
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace

PLACES = ("what enters", "attention adds", "their sum", "the MLP adds", "what leaves")


def around_a_block(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.blocks import block_values

    values = block_values(trace, layer)
    return np.stack([values[name][query] for name in ("stream", "attention", "middle", "mlp", "leaving")])


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
        ),
        Moment(
            "norm",
            {
                "norm=layer": "Every block adds to the sum; layer norm brings every token to mean 0, variance 1.",
                "norm=rms": "Every block adds to the sum; RMS norm brings every token to a mean square of 1.",
                "norm=batch": "Batch norm: every component to mean 0, variance 1, over all tokens.",
            },
        ),
        Moment(
            "activation",
            {
                "activation=relu": "The MLP's hidden units: ReLU passes what is positive and makes the rest 0.",
                "activation=swiglu": "The MLP's gate: SiLU passes large positive inputs, suppresses the rest.",
                "": "The MLP's hidden units: {activation} passes large positive inputs, suppresses the rest.",
            },
        ),
        Moment("similarity", "A 3 × 3 convolution sees its neighbours. A head may look anywhere."),
    ),
    places={
        "activation": Place("the name of the MLP's activation", lambda config: ACTIVATION_NAMES[config.activation])
    },
    cards=("norm_order", "epsilon", "input_norm", "layer_scale"),
    calculations=Calculations(AROUND, drawn_otherwise=("norm", "activation", "similarity")),
)
