"""Trace to numbers: maps on trial. What is left of an answer when patches vanish in the order that a map names?

Deletion and insertion (Petsiuk et al. 2018, https://arxiv.org/abs/1806.07421), with patches in place of pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vitviz.machine import price
from vitviz.machine.pytorch import no_grad, torch
from vitviz.machine.wanted import while_wanted
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.classes import result
from vitviz.measures.logit_sum import two_classes
from vitviz.measures.relevance import mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from vitviz.config import ViTConfig
    from vitviz.measures.relevance import Measure
    from vitviz.trace import Trace

Order = NDArray[np.int32]
FILLS = ("grey", "blur", "mean")
OF_144 = (0, 1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 144)  # patches that are gone at each point, of 12 × 12


@dataclass(frozen=True, slots=True)
class Trial:
    """How an answer fares as patches go, and as they come: both in the same order, the most wanted first.

    `counts`: how many of them are gone, or there · `deletion` and `insertion`: the probability of the class, or without
    classes the number that leaves the model, at each of these · `area`: under both, over the share of
    patches · `order`: the patches.
    """

    counts: Order
    deletion: Array
    insertion: Array
    area: Array
    order: Order


def steps(patches: int) -> list[int]:
    """How many patches are gone at each point: 13 of them where there are as many, closer together at the start.

    >>> steps(4)
    [0, 1, 2, 3, 4]
    """
    points = [max(at, round(share * patches / OF_144[-1])) for at, share in enumerate(OF_144)]
    return sorted({min(it, patches) for it in points})


def order_of(values: Array) -> Order:
    """Patches by what a map says of them, the most first; of equals the one that comes first in the picture: `n`.

    What is no number comes last.
    """
    return np.argsort(-values, kind="stable").astype(np.int32)


def trial(trace: Trace, name: str, label: int, fill: str) -> Trial:
    """A map on trial, one of `MAPS` of `relevance`, of one class; one of `FILLS` stands where patches are gone."""
    return tried(lambda function, *args: function(trace, *args), trace.config, name, label, fill)


def tried(measure: Measure, config: ViTConfig, name: str, label: int, fill: str) -> Trial:
    """The same of `measure(function, *args)`, which is `function(trace, *args)`: who keeps these makes none twice."""
    order = tuple(order_of(mapped(measure, config, name, label)).tolist())
    return _in_order(measure, config, order, measure(two_classes, label)[0], fill)


def put_to_trial(trace: Trace, order: Sequence[int], label: int, fill: str) -> Trial:
    """The same with an order of patches."""
    return _in_order(lambda function, *args: function(trace, *args), trace.config, tuple(order), label, fill)


def _in_order(measure: Measure, config: ViTConfig, order: Sequence[int], label: int, fill: str) -> Trial:
    between = [measure(seen_in_part, order, fill, *piece) for piece in while_wanted(pieces(config))]
    return trial_of(config, order, label, measure(both_ends, fill), between)


def pieces(config: ViTConfig) -> list[tuple[int, int]]:
    """The runs between both ends in batches, first and behind the last: those with patches gone, then there."""
    return price.pieces(config, 2 * len(steps(config.patches)[1:-1]))


@no_grad
def both_ends(trace: Trace, fill: str) -> Array:
    """The answers of the whole picture and of one without any patch, which all orders share: `2 classes`."""
    empty = filled(trace["image"].tensor[:1], trace.config, fill)
    return np.stack([result(trace), to_numpy(trace.logits_of(empty).float())[0]])


@no_grad
def seen_in_part(trace: Trace, order: Sequence[int], fill: str, first: int, last: int) -> Array:
    """The answers in runs `first` to `last - 1` of those between both ends, of an order of patches: `run classes`."""
    from vitviz.edits.pixels import cut, joined

    config, picture = trace.config, trace["image"].tensor[:1]
    whole, empty = (cut(it, config.grid)[0] for it in (picture, filled(picture, config, fill)))
    place = torch.from_numpy(np.argsort(order)).to(whole.device)  # of every patch in the order
    gone = torch.stack([place < count for count in steps(config.patches)[1:-1]])
    shown = torch.cat([~gone, gone])[first:last, :, None, None, None]
    return to_numpy(trace.logits_of(joined(torch.where(shown, whole, empty), config.grid)).float())


def trial_of(config: ViTConfig, order: Sequence[int], label: int, ends: Array, between: Sequence[Array]) -> Trial:
    """Both curves, of the answers at both ends and between them."""
    answers = np.concatenate([ends, *between])
    if config.classes:
        answers = np.exp(answers - answers.max(axis=-1, keepdims=True))
        answers /= answers.sum(axis=-1, keepdims=True)
    (whole, empty), (gone, there) = answers[:2, label], answers[2:, label].reshape(2, -1)
    counts, curves = steps(config.patches), ([whole, *gone, empty], [empty, *there, whole])
    deletion, insertion = (np.array(it, np.float32) for it in curves)
    area = np.array([area_under(curve, counts) for curve in (deletion, insertion)], np.float32)
    return Trial(np.array(counts, np.int32), deletion, insertion, area, np.array(order, np.int32))


def area_under(curve: Array, counts: Sequence[int]) -> float:
    """The area under straight lines from point to point, where all patches are 1 across."""
    share = np.array(counts) / max(1, counts[-1])
    return float((np.diff(share) * (curve[1:] + curve[:-1]) / 2).sum())


@no_grad
def filled(picture: Tensor, config: ViTConfig, fill: str) -> Tensor:
    """The whole picture as it is where patches are gone, `b c h w`: the mean of the training pictures ("grey"), every
    patch in its own mean colour ("blur"), or all in the mean colour of this picture ("mean")."""
    from vitviz.edits.pixels import cut, joined, paint

    if fill == "mean":
        return picture.mean(dim=(-2, -1), keepdim=True).expand_as(picture)
    return joined(paint(cut(picture, config.grid), fill), config.grid)


def filled_picture(trace: Trace, fill: str) -> Array:
    """The same of the picture of a trace, normalised as the model reads it: `c h w`."""
    return to_numpy(filled(trace["image"].tensor[:1], trace.config, fill)[0])
