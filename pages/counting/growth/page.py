"""Growth: what one size costs when all others stay, against the linear and the quadratic law."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculations, Counted
from vitviz.choice import one_of
from vitviz.counts.scaling.growth import FIELDS
from vitviz.page import Page

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig


def growing_macs(config: ViTConfig, field: str) -> NDArray[Any]:
    from vitviz.counts import growth

    return np.array([(it.against, it.macs, it.quadratic) for it in growth(config, field)])


def growing_sizes(config: ViTConfig, field: str) -> dict[str, list[str]]:
    from vitviz.counts import growth

    return {"size": [f"{field} {it.size}" for it in growth(config, field)]}


GROWTH = Counted(
    "what it is drawn against, all multiply-accumulates, and those of QKᵀ and AV, at every size of the curve",
    "size 3",
    growing_macs,
    lacks="it counts a model for every size; `vitviz/counts/totals.py` has the closed form",
    places=("drawn against", "all MACs", "of QKᵀ and AV"),
    names=growing_sizes,
)

PAGE = Page(
    __file__,
    "Growth",
    order=604,
    stage="model",
    forward=False,
    choices={"field": one_of("grow", {field.replace("_", " ").capitalize(): field for field in FIELDS})},
    calculations=Calculations(GROWTH),
)
