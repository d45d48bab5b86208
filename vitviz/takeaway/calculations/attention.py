"""The numbers of the chapter Attention."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vitviz.cards.papers import ROLLOUT
from vitviz.takeaway.calculations import learning
from vitviz.takeaway.calculations.calculation import Calculation, Calculations
from vitviz.takeaway.notebook import plain

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.takeaway.view import View
    from vitviz.trace import Trace


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


def bars_by_key(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.attention.steps import scores_and_weights
    from vitviz.takeaway.view import token_names

    scores, weights = values
    return scores_and_weights(scores, weights, token_names(config), config.prefix_tokens, int(weights.argmax()))


def looks_at(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.attention import attention_row

    return attention_row(trace, layer, query)


def is_looked_at(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.attention import attention_column

    return attention_column(trace, layer, query)


def all_of_a_head(trace: Trace, layer: int, head: int) -> Array:
    from vitviz.measures.attention import attention_weights

    return attention_weights(trace, layer)[head]


def mean_of_a_layer(trace: Trace, layer: int) -> Array:
    from vitviz.measures.attention import attention_weights

    return attention_weights(trace, layer).mean(axis=0)


def matrix_of_tokens(values: Array, config: ViTConfig) -> Figure:
    from vitviz.figures.attention.maps import matrix
    from vitviz.takeaway.view import token_names

    return matrix(values, token_names(config), config.prefix_tokens, 0)


def rolled_out(trace: Trace, query: int) -> Array:
    from vitviz.measures.attention import rollout

    return rollout(trace)[:, query]


def shares_passed_on(trace: Trace, config: ViTConfig) -> Array:
    """By each head, of what it looks at: layer head."""
    return np.array([trace.passed_on(layer) for layer in range(config.depth)], np.float32)


SCORES = Calculation(
    "the scores of one query in one head, and the weights that softmax makes of them",
    "2 k",
    scores_of_query,
    plain.plain_scores,
    plain.ATTENDED,
    ("score", "weight"),
)
# Where scores are divided by another number than the model divides by.
DIVIDED = Calculation(
    "q·k of one query in one head, divided by another number than the model divides by, and the weights that softmax "
    "makes of that",
    "2 k",
    divided_scores,
    plain.plain_divided,
    plain.ATTENDED,
    ("score", "weight"),
    shown=False,
    figure=bars_by_key,
)
ROW = Calculation(
    "what one query looks at in every head of one layer",
    "head k",
    looks_at,
    plain.plain_row,
    plain.ATTENDED,
)
COLUMN = Calculation(
    "who looks at one token in every head of one layer",
    "head q",
    is_looked_at,
    plain.plain_column,
    plain.ATTENDED,
)
# The moment of Heads that shows the matrix of one of them.
MATRIX = Calculation(
    "what every query looks at in one head of one layer: a row for each query, a column for each key",
    "q k",
    all_of_a_head,
    plain.plain_matrix,
    plain.ATTENDED,
    shown=False,
    figure=matrix_of_tokens,
)
MATRIX_OF_MEAN = replace(
    MATRIX,
    says="what every query looks at in one layer, mean of its heads: a row for each query, a column for each key",
    make=mean_of_a_layer,
    plain=plain.plain_mean_matrix,
)
ROLLED_OUT = Calculation(
    "attention rollout: what has reached one query after every layer",
    "layer k",
    rolled_out,
    plain.plain_rollout,
    plain.ATTENDED[:-1],
    papers=(("Attention rollout", ROLLOUT),),
)
# The same where edits let heads add less to the stream, or nothing.
ROLLED_OUT_EDITED = replace(ROLLED_OUT, plain=plain.plain_rollout_of_edited, given={"passed_on": shares_passed_on})


def chosen_on_query_key_value(view: View) -> Calculation | None:
    return DIVIDED if view.choices.get("divide", "root") != "root" else None


def chosen_on_heads(view: View) -> Calculation | None:
    if view.choices.get("moment") == "matrix":
        return MATRIX_OF_MEAN if view.choices.get("mean") else MATRIX
    return COLUMN if view.shows == "column" else None


def chosen_on_depth(view: View) -> Calculation | None:
    return ROLLED_OUT_EDITED if any(view.edits.of("head", "attention", "block")) else None


PAGES = {
    "query_key_value": Calculations(
        "Query, key, value", SCORES, chosen_on_query_key_value, otherwise=("matrices", "values", "output")
    ),
    "heads": Calculations("Heads", ROW, chosen_on_heads, learned=learning.HEADS),
    "depth": Calculations("Depth", ROLLED_OUT, chosen_on_depth, otherwise=("reach", "journey")),
}
