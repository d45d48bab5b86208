"""Tensor shapes: every tensor of the model and of its forward, in order, before any of them exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.counts.tensors import TensorRow


def rows_of_tensors(config: ViTConfig, kind: str) -> Sequence[TensorRow]:
    from vitviz.counts import tensors

    return [row for row in tensors(config) if kind in ("", row.kind)]


def elements(rows: Sequence[TensorRow]) -> NDArray[Any]:
    return np.array([row.elements for row in rows])


def names_of_tensors(rows: Sequence[TensorRow]) -> dict[str, list[str]]:
    return {"tensor": [row.name for row in rows]}


SHAPES = Calculation(
    "how many numbers every tensor of the model and of its forward pass holds, in the order they are computed",
    "tensor",
    elements,
    names=names_of_tensors,
    given={"rows": rows_of_tensors},
    pictured=False,
    lacks="activations are counted by name; `vitviz/activations.py` has their names and axes",
    note="What was searched for is left aside: these are all rows.",
)

KINDS = {"All in order": "", "Activations": "activation", "Parameters": "parameter"}
KIND = Choice("tensors", KINDS, name="kind", label="Tensors")
FIND = Choice("find", label="Search")

PAGE = Page(
    __file__,
    "Tensor shapes",
    order=404,
    says="Every tensor between the picture and the answer, in the order they are computed: follow one axis name.",
    stage="model",
    forward=False,
    choices=(KIND, FIND),
    calculations=Calculations(SHAPES),
)
