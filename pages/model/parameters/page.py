"""Parameters: where the learnable numbers sit, formula by formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.machine.pytorch import torch
from vitviz.page import Page
from vitviz.plain import built

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.plain import Tensor


def parameters_by_name(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import parameters

    return np.array([count for _, count in sorted((row.tensor, row.count) for row in parameters(config))])


def plain_parameters(config: ViTConfig) -> Tensor:
    w = built(config)
    return torch.tensor([w[name].numel() for name in sorted(w)])


COUNTS = Calculation(
    "how many parameters every tensor of the model has, by their names in order",
    "tensors",
    parameters_by_name,
    plain_parameters,
    (built,),
    pictured=False,
)

PAGE = Page(
    __file__,
    "Parameters",
    order=405,
    says="Every learnable number of the model, step by step: the formula, this model's numbers in it, the sum.",
    stage="model",
    forward=False,
    calculations=Calculations(COUNTS),
)
