"""Intervene: parts of the running model are switched off, and the unedited run stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.machine.pytorch import torch
from vitviz.numbers import exact
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, embed, linear, norm
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace
    from vitviz.view import View
    from vitviz.weights import Loaded


def logits_before_and_after(trace: Trace, image: Tensor) -> Array:
    from vitviz.measures.classes import result
    from vitviz.trace import record

    return np.stack([result(record(trace.model, image)), result(trace)])


def logit_without_each_head(trace: Trace, image: Tensor, config: ViTConfig) -> Array:
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import heads_off
    from vitviz.trace import record

    unedited = record(trace.model, image)
    label = int(result(unedited).argmax())  # the class that it names
    return np.stack([heads_off(unedited, layer, 0, config.heads)[:, label] for layer in range(config.depth)])


def logit_with_each_head_at_its_mean(trace: Trace, image: Tensor, loaded: Loaded, config: ViTConfig) -> Array:
    from vitviz.edits.running import reference_means
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import heads_off
    from vitviz.trace import record

    unedited, means = record(trace.model, image), reference_means(loaded)
    label = int(result(unedited).argmax())  # the class that it names
    return np.stack([heads_off(unedited, layer, 0, config.heads, means)[:, label] for layer in range(config.depth)])


def logits(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x = embed(w, image, config)
    for layer in range(config.depth):
        x = block(w, x, config, layer)[-1]
    return linear(w, "head", norm(w, "norm", x[0], config))


def plain_before_and_after(unedited_w: Weights, w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return torch.stack([logits(it, image, config) for it in (unedited_w, w)])


def plain_heads_off(unedited_w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    w, on = unedited_w, 1 - torch.eye(config.heads).repeat_interleave(config.head_dim, dim=1)
    now, label = logits(w, image, config).max(dim=0)
    names = [f"blocks.{layer}.attn.proj.weight" for layer in range(config.depth)]  # a head off: its columns are 0
    return torch.tensor([[logits({**w, it: w[it] * row}, image, config)[label] - now for row in on] for it in names])


# Of all moments but the one that tries everything.
EDITED = Calculation(
    "what leaves the model without the edits, and with them: logits",
    "2 classes",
    logits_before_and_after,
    plain_before_and_after,
    (*ATTENDED[:-1], logits),
    ("without the edits", "with them"),
)
HEADS_OFF = Calculation(
    "how the logit of the answer changes when every head is off alone",
    "layer head",
    logit_without_each_head,
    plain_heads_off,
    (*ATTENDED[:-1], logits),
    passes=lambda config: config.depth * config.heads + 1,
    note='Every patch hidden alone: `occluded(unedited, "grey", 0, config.patches)[:, label]` of the same module.',
    headed=True,
)
HEADS_AT_MEANS = Calculation(
    "how the logit of the answer changes when every head alone stands at its mean over scenes",
    "layer head",
    logit_with_each_head_at_its_mean,
    lacks="means over scenes need all of them; `vitviz/measures/interventions.py` makes them",
    note=HEADS_OFF.note,
    headed=True,
)


def chosen(view: View) -> Calculation | None:
    if view.choices.get("moment") == "everything":
        return HEADS_AT_MEANS if view.choices["taken"] == "mean" else HEADS_OFF
    return None


PAGE = Page(
    __file__,
    "Intervene",
    order=501,
    stage="model",
    label="Intervene",
    colour=palette.FRAME,
    shape={"depth=1 heads=1": "1 head", "": "{all heads} heads"},
    all_moments=(
        Moment("heads", "Take a head away, or a whole layer: what changes?"),
        Moment("patches", "Hide a {patch}, paint it over, swap two: what does the model need?"),
        Moment("attention", "Turn attention itself: temperature, top-k, window, mask, {positions}."),
        Moment("experiments", "Guess first, then see: six experiments."),
        Moment(
            "everything",
            "Everything once: every head off alone, every {patch} hidden alone.",
            when="classes",
        ),
        Moment(
            "tracing",
            "Activation patching (causal tracing): which state is sufficient, which necessary?",
            when="classes",
        ),
    ),
    places={"all heads": Place("how many heads all layers have", lambda config: exact(config.depth * config.heads))},
    compares=True,
    choices=(
        Choice("taken", ("off", "mean"), name="taken", scene=True),
        Choice("hides", ("grey", "masked"), scene=True),
        Choice("measured", ("no", "yes"), scene=True),
        Choice("traced", ("no", "enough", "needed"), scene=True),
    ),
    calculations=Calculations(EDITED, chosen, drawn_otherwise=("tracing",)),
)
