"""Permutation: two patches change places, and only positions tell a model that they did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice, ChoiceError, quoted
from vitviz.config.sides import middle
from vitviz.machine.pytorch import torch
from vitviz.page import Page
from vitviz.plain import ATTENDED, block, embed, norm

if TYPE_CHECKING:
    from vitviz.choice import Words
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace

EXCHANGED = re.compile(r"(\d{1,7})x(\d{1,7})|shuffled@(\d{1,6})", re.ASCII)


def run_with_swap(trace: Trace, image: Tensor, config: ViTConfig, swap: str) -> Trace:
    from vitviz.edits import Edits
    from vitviz.trace import record

    return record(trace.model, image, edits=Edits.parse(swap, config), plain=trace)


def tokens_moved(swapped: Trace) -> Array:
    from vitviz.measures.laboratory.order import reordered

    moved = reordered(swapped)
    return np.stack([moved.in_place, moved.followed])


def order_of_patches(swapped: Trace) -> Tensor:
    from vitviz.measures.laboratory.order import order_of

    return order_of(swapped)


def maps_of_moves(values: Array) -> Figure:
    from vitviz.figures.laboratory.panels import panels

    maps = {"token of the same place": values[0], "token of the same patch": values[1]}
    return panels(maps, [float(values.max())] * 2, "largest difference")


def plain_moved(w: Weights, image: Tensor, config: ViTConfig, order: Tensor) -> Tensor:
    positions, x = w["pos_embed"][0], embed(w, image, config)
    y = torch.cat([x[:1], (x - positions)[1:][order] + positions[1:]])  # other patches, the same positions
    for layer in range(config.depth):
        x, y = (block(w, it, config, layer)[-1] for it in (x, y))
    x, y = (norm(w, "norm", it, config)[1:] for it in (x, y))
    return torch.stack([(y - it).abs().amax(dim=-1).view(config.grid) for it in (x, x[order])])


ORDER = Calculation(
    "how far tokens moved when patches changed places: that of the same place, and that of the same patch",
    "2 gh gw",
    tokens_moved,
    plain_moved,
    ATTENDED[:-1],
    ("token of the same place", "token of the same patch"),
    given={"swapped": run_with_swap, "order": order_of_patches},
    note="Guess before you run this: two patches, or all, change places. How far does the token of each place move, "
    "and how far the token of each patch? And of a model that was trained without positions?",
    after='The page shows the same of a sibling without positions: `load("shelf_none_0")` makes it, and its second map '
    "is 0 but for rounding.",
    figure=maps_of_moves,
)


def _swap(words: Words, config: ViTConfig) -> str:
    """Two patches, or all of them, that change places, as an edit."""
    text = words.get("swap") or f"1x{middle(config.grid) + 1}"
    found = EXCHANGED.fullmatch(text)
    if not found:
        raise ChoiceError(f"there is no swap “{quoted(text)}”; write 1x{config.patches}, or shuffled@3")
    if found[3]:
        return f"i=shuffled@{int(found[3])}"
    first, second = int(found[1]), int(found[2])
    if not (1 <= first <= config.patches and 1 <= second <= config.patches):
        raise ChoiceError(f"there is no swap {text}: patches are 1 to {config.patches}")
    return f"i{first}={second}" if first != second else ""


GUESS = Choice("guess_order")

PAGE = Page(
    __file__,
    "Permutation",
    order=504,
    says={
        "classes": (
            "Drag one {patch} onto another, or shuffle all, and guess whose answer changes: a model that was trained "
            "without {positions} looks at both pictures, and so does the model on screen. Self-attention treats its "
            "tokens as a set; only the {positions} tell it which patch stands where."
        ),
        "": (
            "Drag one {patch} onto another, or shuffle all, and guess whose result changes: a model that was trained "
            "without {positions} looks at both pictures, and so does the model on screen. Self-attention treats its "
            "tokens as a set; only the {positions} tell it which patch stands where."
        ),
    },
    stage="position_embedding",
    unedited=True,
    choices=(GUESS,),
    follows={"swap": _swap},
    calculations=Calculations(ORDER),
)
