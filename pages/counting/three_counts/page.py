"""Three ways to count: why published totals of one model differ, item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculations, Counted
from vitviz.choice import HEAD_CLASSES
from vitviz.machine.pytorch import torch
from vitviz.page import Page
from vitviz.plain import built

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig
    from vitviz.plain import Tensor


def three_counts(config: ViTConfig, classes: int) -> NDArray[Any]:
    from vitviz.counts import conventions

    return np.array([it.total for it in conventions(config.with_(classes=classes))])


def plain_three_counts(config: ViTConfig, classes: int) -> Tensor:
    w = built(config.with_(classes=classes))
    whole = {name: value.numel() for name, value in w.items()}
    layers = [count for name, count in whole.items() if name.endswith(("weight", "bias"))]
    envelope = [count for name, count in whole.items() if w[name].ndim > 1 and name != "cls_token"]
    return torch.tensor([sum(whole.values()), sum(layers), sum(envelope)])


THREE_COUNTS = Counted(
    "all parameters, those that a layer table sees, and those of a back-of-the-envelope count",
    "3",
    three_counts,
    plain_three_counts,
    (built,),
    places=("exact", "layer table", "envelope"),
)

PAGE = Page(
    __file__,
    "Three ways to count",
    order=601,
    says="Three totals for one model, each right about what it counts. A dash marks a part that a count leaves out.",
    stage="model",
    forward=False,
    choices=(HEAD_CLASSES,),
    calculations=Calculations(THREE_COUNTS),
)
