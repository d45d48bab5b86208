"""The numbers of the chapter Model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.cards.papers import LOGIT_LENS
from vitviz.takeaway.calculations.calculation import HEADLESS, Calculation, Calculations
from vitviz.takeaway.notebook import plain

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.counts.tensors import TensorRow
    from vitviz.measures.arrays import Array
    from vitviz.trace import Trace


def around_a_block(trace: Trace, layer: int, query: int) -> Array:
    from vitviz.measures.blocks import block_values

    values = block_values(trace, layer)
    return np.stack([values[name][query] for name in ("stream", "attention", "middle", "mlp", "leaving")])


def answers_by_layer(trace: Trace) -> Array:
    from vitviz.measures.classes import logit_lens

    return logit_lens(trace)


def vector_read(trace: Trace) -> Array:
    from vitviz.measures.classes import result

    return result(trace)


def rows_of_tensors(config: ViTConfig, kind: str) -> Sequence[TensorRow]:
    from vitviz.counts import tensors

    return [row for row in tensors(config) if kind in ("", row.kind)]


def elements(rows: Sequence[TensorRow]) -> NDArray[Any]:
    return np.array([row.elements for row in rows])


def names_of_tensors(rows: Sequence[TensorRow]) -> dict[str, list[str]]:
    return {"tensor": [row.name for row in rows]}


def parameters_by_name(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import parameters

    return np.array([count for _, count in sorted((row.tensor, row.count) for row in parameters(config))])


AROUND = Calculation(
    "one token around a block: what enters, what attention adds, their sum, what the MLP adds, what leaves",
    "5 d",
    around_a_block,
    plain.plain_around,
    plain.ATTENDED,
    ("what enters", "attention adds", "their sum", "the MLP adds", "what leaves"),
)
LENS = Calculation(
    "what the head would say before the first block and after each, as probabilities",
    "(depth + 1) classes",
    answers_by_layer,
    plain.plain_lens,
    plain.ATTENDED,
    headed=True,
    papers=(("Logit lens", LOGIT_LENS),),
)
# The same of a model without a head.
VECTOR = Calculation(
    "the vector that a head would read",
    "d",
    vector_read,
    lacks=HEADLESS,
)
SHAPES = Calculation(
    "how many numbers every tensor of the model and of its forward pass holds, in the order they are computed",
    "tensor",
    elements,
    names=names_of_tensors,
    given={"rows": rows_of_tensors},
    pictured=False,
    shown=False,
    lacks="activations are counted by name; `vitviz/activations.py` has their names and axes",
    note="What was searched for is left aside: these are all rows.",
)
COUNTS = Calculation(
    "how many parameters every tensor of the model has, by their names in order",
    "tensors",
    parameters_by_name,
    plain.plain_parameters,
    (plain.built,),
    pictured=False,
    shown=False,
)
PAGES = {
    "encoder_block": Calculations("Encoder block", AROUND, otherwise=("norm", "activation", "similarity")),
    "class_head": Calculations("Class head", LENS, headless=VECTOR, otherwise=("token", "way")),
    "tensor_shapes": Calculations("Tensor shapes", SHAPES),
    "parameters": Calculations("Parameters", COUNTS),
}
