"""Layer table: what torchsummary prints, a summary that walks from module to module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculations, Counted
from vitviz.choice import HEAD_CLASSES, Choice
from vitviz.page import Page

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig


def rows_of_layers(config: ViTConfig, classes: int) -> NDArray[Any]:
    from vitviz.counts import layer_table

    return np.array([(row.parameters, row.outputs) for row in layer_table(config.with_(classes=classes))])


def names_of_layers(config: ViTConfig, classes: int) -> dict[str, list[str]]:
    from vitviz.counts import layer_table

    return {"call": [row.name for row in layer_table(config.with_(classes=classes))]}


LAYERS = Counted(
    "parameters and results of every call of a module, as torchsummary lists them",
    "call 2",
    rows_of_layers,
    lacks="the modules are those of the usual PyTorch port; `vitviz/counts/layers.py` lists their calls",
    places=("parameters", "results"),
    names=names_of_layers,
)

SHOWN_AS = Choice("table", ("Text", "Tree"), label="Shown as")

PAGE = Page(
    __file__,
    "Layer table",
    order=602,
    stage="model",
    forward=False,
    choices=(HEAD_CLASSES, SHOWN_AS),
    calculations=Calculations(LAYERS),
)
