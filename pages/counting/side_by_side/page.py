"""Side by side: two models, field by field, and the cards of all to one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculations, Counted
from vitviz.choice import Choice
from vitviz.config import PRESETS
from vitviz.page import Page

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig


def sizes_and_counts(config: ViTConfig, other: str) -> NDArray[Any]:
    from vitviz.config import PRESETS
    from vitviz.counts import total_macs, total_parameters

    both = config, PRESETS[other]
    sizes = [(it.tokens, it.dim, it.depth, it.heads, it.mlp_dim) for it in both]
    return np.array([(*size, total_parameters(it), total_macs(it)) for size, it in zip(sizes, both, strict=True)])


def both_models(other: str) -> dict[str, list[str]]:
    return {"model": ["this model", other]}


SIDE_BY_SIDE = Counted(
    "tokens, dim, depth, heads, MLP width, parameters and multiply-accumulates of two models",
    "model 7",
    sizes_and_counts,
    lacks="two models of any family are counted; `vitviz/counts/totals.py` has the closed form",
    places=("tokens", "dim", "depth", "heads", "MLP width", "parameters", "multiply-accumulates"),
    names=both_models,
)

OTHER = Choice(
    "beside",
    PRESETS.keys(),
    name="other",
    usual="vit_huge_patch14_224",
    refused="there is no model “{text}” to stand beside{nearest}",
)

PAGE = Page(
    __file__,
    "Side by side",
    order=607,
    says="The model on screen beside another: what is larger, and how many times? On the cards every number of every "
    "matrix has the same area, so a card that is larger is a model that is larger.",
    stage="model",
    forward=False,
    choices=(OTHER,),
    calculations=Calculations(SIDE_BY_SIDE),
)
