"""Class head: what the class token says, after the last block and after every other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import HEADLESS, Calculation, Calculations, Print
from vitviz.cards.papers import LOGIT_LENS
from vitviz.figures.strips import strips
from vitviz.machine.pytorch import torch
from vitviz.numbers import exact
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, embed, linear, norm, stream
from vitviz.sentences import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace

STATIONS = ("its token", "its position", "their sum", "what leaves")
MOST_CLASSES = 16  # that are printed
READ = "the vector that a head would read"


def reads(config: ViTConfig) -> int:
    """Numbers that the head reads."""
    return config.pre_logits or config.pooled


def answers_by_layer(trace: Trace) -> Array:
    from vitviz.measures.classes import logit_lens

    return logit_lens(trace)


def class_token_by_layer(trace: Trace, config: ViTConfig) -> Array:
    from vitviz.measures.classes import answer

    return np.stack([answer(trace, layer).stream[0] for layer in range(config.depth + 1)])


def way_of_patch(trace: Trace, config: ViTConfig, patch: int) -> Array:
    from vitviz.measures.blocks import block_values
    from vitviz.measures.tokens import embedded, patch_positions, placed_tokens

    token, leaving = len(config.prefix_tokens) + patch, block_values(trace, config.depth - 1)["leaving"]
    added = embedded(trace, "patch_tokens")[patch], patch_positions(trace)[patch]
    return np.stack([*added, placed_tokens(trace)[token], leaving[token]])


def vector_read(trace: Trace) -> Array:
    from vitviz.measures.classes import result

    return result(trace)


def curves_of_classes(values: Array, labels: Sequence[str]) -> Figure:
    from vitviz.figures.model.classes import curves
    from vitviz.measures.classes import named_classes

    lines = named_classes(values, MOST_CLASSES)
    return curves([labels[at] for at in lines], values[:, lines])


def plain_lens(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    tokens = [stream(w, image, config, after)[0] for after in range(config.depth + 1)]
    return linear(w, "head", norm(w, "norm", torch.stack(tokens), config)).softmax(dim=-1)


def plain_class_token(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return torch.stack([stream(w, image, config, after)[0] for after in range(config.depth + 1)])


def plain_way(w: Weights, image: Tensor, config: ViTConfig, patch: int) -> Tensor:
    placed, position = embed(w, image, config)[1 + patch], w["pos_embed"][0, 1 + patch]
    return torch.stack([placed - position, position, placed, stream(w, image, config, config.depth)[1 + patch]])


LENS = Calculation(
    "what the head would say before the first block and after each, as probabilities",
    "(depth + 1) classes",
    answers_by_layer,
    plain_lens,
    ATTENDED,
    headed=True,
    printed=Print(curves_of_classes, classes=MOST_CLASSES),
    papers=(("Logit lens", LOGIT_LENS),),
)
# The same of a model without a head.
VECTOR = Calculation(
    READ,
    "d",
    vector_read,
    lacks=HEADLESS,
    printed=Print(lambda values: strips({READ: values})),
)
CLASS_TOKEN = Calculation(
    "the class token in the residual stream before the first block and after each",
    "(depth + 1) d",
    class_token_by_layer,
    plain_class_token,
    ATTENDED,
    note="The page draws that of another picture beside it.",
    printed=Print(
        lambda values: strips({f"after {at}" if at else "before": it for at, it in enumerate(values)}), below=True
    ),
)
WAY = Calculation(
    "one patch on its way: its token, its position, their sum, and what leaves the last block",
    "4 d",
    way_of_patch,
    plain_way,
    ATTENDED,
    STATIONS,
    printed=Print(lambda values: strips(dict(zip(STATIONS, values, strict=True)), photo=True), below=True),
)

PAGE = Page(
    __file__,
    "Class head",
    order=402,
    stage="head",
    tensors=("",),  # whatever comes after the blocks
    label="Class",
    colour=palette.HEAD,
    shape={"classes": "{classes}", "": "{numbers read}"},
    all_moments=(
        Moment(
            "lens",
            "The answer grows: what the head would say after every layer.",
            LENS,
            untrained="Untrained, it answers at random: what the head would say after every layer.",
            when="classes",
            columns=True,
        ),
        Moment(
            "scores",
            "The head gives one logit per class; softmax makes them probabilities.",
            LENS,
            when="classes",
            columns=True,
        ),
        Moment(
            "token",
            "Before layer 1 the {class token} is the same for every picture; then it gathers.",
            CLASS_TOKEN,
            when="pool=class",
            columns=True,
        ),
        Moment(
            "result",
            "This model has no head: its result is the vector that a head would read.",
            VECTOR,
            when="classes=0",
            columns=True,
        ),
        Moment(
            "way",
            {
                "classes": "The whole way of one {patch}, from its pixels to the answer.",
                "": "The whole way of one {patch}, from its pixels to the result.",
            },
            WAY,
        ),
    ),
    places={
        "classes": Place("how many classes there are", lambda config: exact(config.classes)),
        "numbers read": Place("how many numbers a head would read", lambda config: exact(reads(config))),
    },
    switched=True,
    cards=("pool", "keep_class_token", "norm_after_pooling", "pre_logits", "distilled"),
    calculations=Calculations(LENS, headless=VECTOR),
)
