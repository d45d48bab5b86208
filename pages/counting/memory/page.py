"""Memory: what the parameters take in use and in training, and what the activations add."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import Number, to
from vitviz.calculation import Calculations, Counted
from vitviz.choice import Choice
from vitviz.page import Page

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from vitviz.config import ViTConfig


def bytes_of_memory(config: ViTConfig, batch: int) -> NDArray[Any]:
    from vitviz.counts import activation_memory, inference_memory, training_memory

    of_parameters = [it.bytes for it in (*inference_memory(config), *training_memory(config))]
    return np.array([*of_parameters, *(2 * batch * numbers for numbers in activation_memory(config).values())])


def kinds_of_memory(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import activation_memory, inference_memory, training_memory

    used = [f"in use: {it.name}" for it in inference_memory(config)]
    trained = [f"in training: {it.name}" for it in training_memory(config)]
    return {"kind": [*used, *trained, *(f"activations: {kind}" for kind in activation_memory(config))]}


MEMORY = Counted(
    "bytes: the parameters in use, each of the copies that training holds, and all activations of a batch in 16 bit, "
    "kind by kind",
    "kind",
    bytes_of_memory,
    names=kinds_of_memory,
    lacks="activations are counted by name; `vitviz/activations.py` has their names and axes",
)

BATCH = Choice("batch", Number(to(256)), name="batch", label="Pictures in a batch", usual=32)

PAGE = Page(
    __file__,
    "Memory",
    order=605,
    says="To use a model takes 2 bytes for each of its Φ parameters; to train it takes ten times as much. Activations "
    "come on top, and they grow with every picture of the batch.",
    stage="model",
    forward=False,
    choices=(BATCH,),
    calculations=Calculations(MEMORY),
)
