"""Find the model: a budget, and the configurations that come nearest to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import DECIMAL, Number, Span
from vitviz.calculation import Calculations, Counted
from vitviz.choice import Choice
from vitviz.counts.scaling.search import COUNTS
from vitviz.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.counts.scaling.search import Found


def nearest_models(config: ViTConfig, budget: float, unit: str) -> Sequence[Found]:
    from vitviz.counts import nearest

    return nearest(config, round(budget * {"parameters": 10**6, "MACs": 10**9}[unit]), unit)


def sizes_by_dim(found: Sequence[Found]) -> NDArray[Any]:
    return np.array(sorted((it.config.dim, it.config.depth, it.config.mlp_dim, it.count) for it in found))


def dims(found: Sequence[Found]) -> dict[str, list[str]]:
    return {"model": [f"dim {dim}" for dim in sorted(it.config.dim for it in found)]}


NEAREST = Counted(
    "dim, depth, MLP width and count of the models that come nearest to a budget, in the order of their dim",
    "model 4",
    sizes_by_dim,
    given={"found": nearest_models},
    lacks="it is a search; `vitviz/counts/scaling/search.py` searches",
    places=("dim", "depth", "MLP width", "count"),
    names=dims,
)

UNIT = Choice("budget_of", COUNTS.keys(), name="unit", label="Budget of")
BUDGET = Choice("budget", Number(Span(0.1, 10_000.0), DECIMAL), name="budget", usual=50.0, typed=True)
THERE = Choice(
    "there",
    re.compile(r"[1-9]\d{0,5}x[1-9]\d{0,3}", re.ASCII),  # dim and depth of a model
    refused="{word} “{text}”, and a place is dim and depth such as 768x12",
)

PAGE = Page(
    __file__,
    "Find the model",
    order=608,
    says="Say what a model may cost, and see which come nearest: many shapes fit one budget, wide and shallow or "
    "narrow and deep. All else is as in the model on screen: picture, patches, classes, switches, the width of a "
    "head.",
    stage="model",
    forward=False,
    choices=(UNIT, BUDGET, THERE),
    calculations=Calculations(NEAREST),
)
