"""Query, key, value: one query token's way through one head, in numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.choice import Choice
from vitviz.figures.strips import strips
from vitviz.machine.pytorch import torch
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, linear, norm, stream
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View


def made_of_token(trace: Trace, layer: int, head: int, query: int) -> Array:
    from vitviz.measures.heads import layer_values

    values = layer_values(trace, layer)
    return np.stack([it[head, query] for it in (values.q, values.k, values.v)])


def scores_of_query(trace: Trace, layer: int, head: int, query: int) -> Array:
    from vitviz.measures.attention import attention_steps

    steps = attention_steps(trace, layer, head, query)
    return np.stack([steps.scores, steps.weights])


def divided_scores(trace: Trace, config: ViTConfig, layer: int, head: int, query: int, divide: str) -> Array:
    from vitviz.measures.attention import attention_steps

    divisor = {"one": 1, "all": config.head_dim}[divide]
    scores = attention_steps(trace, layer, head, query).products / divisor
    exponentials = np.exp(scores - scores.max())
    return np.stack([scores, exponentials / exponentials.sum()])


def weighted_values(trace: Trace, layer: int, head: int, query: int, scores: Array) -> Array:
    from vitviz.measures.attention import attention_steps

    return attention_steps(trace, layer, head, query).values * scores[1][:, None]


def shares_of_heads(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.heads import head_shares

    return head_shares(trace, layer, query)


def bars_by_key(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.attention.steps import scores_and_weights

    scores, weights = values
    return scores_and_weights(scores, weights, config.token_names, config.prefix_tokens, int(weights.argmax()))


def sum_of_values(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.attention.steps import weighted_values

    largest = np.abs(values).max(axis=1).argsort()[::-1][:4]
    parts = [(f"from {config.token_names[key]}", values[key]) for key in sorted(largest.tolist())]
    return weighted_values(parts, [(f"all {config.tokens} added up: the output of the head", values.sum(axis=0))])


def plain_made(w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int, query: int) -> Tensor:
    x = norm(w, f"blocks.{layer}.norm1", stream(w, image, config, layer)[query], config)
    return linear(w, f"blocks.{layer}.attn.qkv", x).view(3, config.heads, -1)[:, head]


def plain_scores(w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int, query: int) -> Tensor:
    scores = block(w, stream(w, image, config, layer), config, layer)[0][head, query]
    return torch.stack([scores, scores.softmax(dim=-1)])


def plain_divided(
    w: Weights, image: Tensor, config: ViTConfig, layer: int, head: int, query: int, divide: str
) -> Tensor:
    scores = block(w, stream(w, image, config, layer), config, layer)[0][head, query]
    scores = scores * config.head_dim**0.5 / {"one": 1, "all": config.head_dim}[divide]
    return torch.stack([scores, scores.softmax(dim=-1)])


MADE = Calculation(
    "the query, the key and the value that three matrices make of one token in one head",
    "3 dh",
    made_of_token,
    plain_made,
    ATTENDED,
    ("query", "key", "value"),
    printed=Print(lambda values: strips(dict(zip(("query", "key", "value"), values, strict=True)))),
)
SCORES = Calculation(
    "the scores of one query in one head, and the weights that softmax makes of them",
    "2 k",
    scores_of_query,
    plain_scores,
    ATTENDED,
    ("score", "weight"),
    printed=Print(bars_by_key),
)
# Where scores are divided by another number than the model divides by.
DIVIDED = replace(
    SCORES,
    says="q·k of one query in one head, divided by another number than the model divides by, and the weights that "
    "softmax makes of that",
    make=divided_scores,
    plain=plain_divided,
    figure=bars_by_key,
)
WEIGHTED = Calculation(
    "what one query in one head is handed of every value, times its weight: their sum is the output of the head",
    "k dh",
    weighted_values,
    lacks="25 lines return no values of a single head; `vitviz/measures/attention.py` does",
    given={"scores": scores_of_query},
    printed=Print(sum_of_values),
)
WEIGHTED_DIVIDED = replace(WEIGHTED, given={"scores": divided_scores}, figure=sum_of_values)
SHARES = Calculation(
    "what every head adds to one token: its output times its own rows of Wₒ, before bias and layer scale",
    "head d",
    shares_of_heads,
    lacks="25 lines return no output of a single head; `vitviz/measures/heads.py` does",
    printed=Print(lambda values: strips({f"head {at}": share for at, share in enumerate(values, start=1)}), below=True),
)


def is_divided(view: View) -> bool:
    return view.choices.get("divide", "root") != "root"


def scores_or_divided(view: View) -> Calculation:
    return DIVIDED if is_divided(view) else SCORES


def weighted_or_divided(view: View) -> Calculation:
    return WEIGHTED_DIVIDED if is_divided(view) else WEIGHTED


PAGE = Page(
    __file__,
    "Query, key, value",
    order=301,
    stage="attention",
    label="Q · K · V",
    colour=palette.QUERY,
    shape="{heads} × {tokens} × {head_dim}",
    all_moments=(
        Moment("matrices", "Three matrices, the same for every token, make its {query}, {key} and {value}.", MADE),
        Moment("scores", "The {query} asks every {key}: multiply, add up, and that is the score.", scores_or_divided),
        Moment(
            "softmax",
            {
                "attention=linear": "φ(q)·φ(k), divided by their sum over all keys: weights without softmax.",
                "attention=full score_scale=None": "Divided by √dₕ, softmax makes the scores weights that sum to 1.",
                "attention=full": "Times {scale}, softmax makes the scores weights that sum to 1.",
                "attention=top_k score_scale=None": (
                    "Divided by √dₕ, the {top k} largest scores stay; softmax makes them weights."
                ),
                "attention=top_k": "Times {scale}, the {top k} largest scores stay; softmax makes them weights.",
                "attention=window score_scale=None": (
                    "Divided by √dₕ, scores of near patches stay; softmax makes them weights."
                ),
                "attention=window": "Times {scale}, scores of near patches stay; softmax makes them weights.",
            },
            scores_or_divided,
        ),
        Moment(
            "values",
            "Every {value}, times its weight, flows into one sum: the output of the head.",
            weighted_or_divided,
        ),
        Moment(
            "output",
            {
                "heads=1": "The head's output, times Wₒ: what attention adds to the {residual stream}.",
                "": "The {heads} heads side by side, times Wₒ: what attention adds to the {residual stream}.",
            },
            SHARES,
        ),
    ),
    places={
        "head_dim": Place("how many components a query of a head has", lambda config: str(config.head_dim)),
        "scale": Place("what the scores are multiplied by", lambda config: str(config.score_scale)),
        "top k": Place("how many scores of a query are kept", lambda config: str(config.top_k)),
    },
    switched=True,
    tensors=("blocks.attn", "blocks.norm1"),
    choices=(Choice("divide", ("root", "one", "all"), name="divide", scene=True),),
    cards=("score_scale", "head_dim", "qkv_bias", "qk_norm"),
    calculations=Calculations(SCORES),
)
