"""Find the model: a budget, and the configurations that come nearest to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import LARGEST_BUDGET, LEAST_BUDGET
from vitviz.calculation import Calculations, Counted
from vitviz.choice import number, one_of
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

PAGE = Page(
    __file__,
    "Find the model",
    order=608,
    stage="model",
    forward=False,
    choices={
        "unit": one_of("budget_of", {unit: unit for unit in COUNTS}),
        "budget": number("budget", LEAST_BUDGET, LARGEST_BUDGET, 50.0),
    },
    calculations=Calculations(NEAREST),
)
