"""Build a ViT: move one size, and see at once what changes and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculations, Counted
from vitviz.machine.pytorch import torch
from vitviz.page import Page
from vitviz.plain import built, plain_products, products

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.plain import Tensor


def counts_by_kind(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import mac_split, parameter_split

    return np.array([it.count for it in (*parameter_split(config), *mac_split(config))])


def kinds_of_counts(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import mac_split, parameter_split

    parameters = [f"parameters: {it.name}" for it in parameter_split(config)]
    return {"kind": [*parameters, *(f"MACs: {it.name}" for it in mac_split(config))]}


def plain_counts(config: ViTConfig) -> Tensor:
    kinds = dict.fromkeys(("patch_embed", "cls_token", "pos_embed", "attn", "mlp", "norm", "head"), 0)
    for name, value in built(config).items():
        kinds[next(kind for kind in kinds if kind in name)] += value.numel()
    return torch.cat([torch.tensor(list(kinds.values())), plain_products(config)])


BUILT = Counted(
    "parameters by kind, then multiply-accumulates by kind",
    "kind",
    counts_by_kind,
    plain_counts,
    (built, products, plain_products),
    names=kinds_of_counts,
)

PAGE = Page(
    __file__,
    "Build a ViT",
    order=606,
    says="Move one size or switch: every number that changes lights up and says what it was; the others stay quiet. "
    "The model that you build is the model of every page.",
    stage="model",
    forward=False,
    calculations=Calculations(BUILT),
)
