"""Initialisation: what the numbers that training begins with do to the first maps, and why they must differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz.addresses.ranges import Number, to
from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.machine.price import at_once
from vitviz.machine.pytorch import torch
from vitviz.page import Page
from vitviz.plain import ATTENDED, block, embed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace


def maps_of_starts(trace: Trace, config: ViTConfig, starts: Sequence[str], seed: int) -> Array:
    from vitviz.measures.classes import result
    from vitviz.measures.laboratory.first_values import start

    label = int(result(trace).argmax()) if config.classes else 0  # of the loss
    return np.stack([start(trace, name, seed, label).maps for name in starts])


def drawn_weights(trace: Trace, starts: Sequence[str], seed: int) -> list[Mapping[str, Tensor]]:
    from vitviz.measures.laboratory.first_values import first_values

    return [first_values(trace, name, seed) for name in starts]


def names_of_starts(starts: Sequence[str]) -> dict[str, Sequence[str]]:
    return {"start": starts}


def walls_of_starts(values: Array, config: ViTConfig, starts: Sequence[str]) -> Figure:
    from vitviz.figures.laboratory.first_values import first_maps

    grids = {name: row.reshape(-1, *config.grid) for name, row in zip(starts, values, strict=True)}
    return first_maps(grids, [float(it.max()) for it in grids.values()])


def plain_first_maps(drawn: list[Weights], image: Tensor, config: ViTConfig) -> Tensor:
    maps = [block(w, embed(w, image, config), config, 0)[0].softmax(dim=-1)[:, 0, 1:] for w in drawn]
    return torch.stack(maps)  # start head n


FIRST_VALUES = Calculation(
    "what the class token, or the mean token, looks at in layer 1 of untrained models, by what they start from",
    "start head n",
    maps_of_starts,
    plain_first_maps,
    ATTENDED[:-1],
    given={"drawn": drawn_weights},
    names=names_of_starts,
    note="`start` holds lengths by depth, answers and first gradients as well.",
    figure=walls_of_starts,
)


def _starts(words: Words, config: ViTConfig) -> list[str]:
    from vitviz.measures.laboratory.first_values import STARTS

    return list(STARTS[: at_once(config, 5, len(STARTS))])


SEED = Choice("drawn_seed", Number(to(9, 0)), name="seed", label="Seed of the drawn models", usual=0)
SCALE = Choice("map_scale", {"own": False, "shared": True}, label="Scale of the maps")

PAGE = Page(
    __file__,
    "Initialisation",
    order=509,
    says="Compare what three models see in your picture before any training: their parameters are drawn from a "
    "**truncated normal** of standard deviation 0.02 (cut at ±2, as usual code has it: nothing is lost), are all "
    "**zeros**, or from a **normal** of standard deviation 1. Biases begin at 0, norms at 1.",
    stage="model",
    unedited=True,
    choices=(SEED, SCALE),
    follows={"starts": _starts},
    cards=("initial",),
    calculations=Calculations(FIRST_VALUES),
)
