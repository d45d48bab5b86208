"""Intervene: parts of the running model are switched off, and the unedited run stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice
from vitviz.demo.samples import second_sample
from vitviz.machine.pytorch import torch
from vitviz.numbers import exact
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, embed, linear, norm
from vitviz.samples import first, samples
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.choice import Words
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


def second_picture(words: Words, config: ViTConfig) -> str:
    """The sample that the address puts beside the picture, or the usual one."""
    donor, own = words.get("donor", ""), words.get("picture", "")
    return donor if donor in samples() else second_sample(own or words.get("sample", first().id))


def moved_by_each_state(
    trace: Trace, image: Tensor, loaded: Loaded, config: ViTConfig, second: str, traced: str
) -> Array:
    from vitviz.images import open_image
    from vitviz.machine.price import require_map, runs_at_once
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import moved_share, put_in
    from vitviz.samples import samples
    from vitviz.trace import record

    require_map(config, config.tokens * (config.depth + 1) // 2, "a causal trace")
    picture = loaded.preprocess(open_image(samples()[second].data))
    here, there = record(trace.model, image), record(trace.model, picture)
    (host, donor), moved = (here, there) if traced == "needed" else (there, here), []
    label, other = (int(result(it).argmax()) for it in (here, there))  # what the model names each
    for layer in range(config.depth):
        step = runs_at_once(config, layer)
        stretches = (range(first, min(first + step, config.tokens)) for first in range(0, config.tokens, step))
        logits = np.concatenate([put_in(host, donor, layer, it.start, it.stop) for it in stretches])
        moved.append(moved_share(logits, result(host), result(donor), label, other))
    return np.stack(moved)


def logits(w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    x = embed(w, image, config)
    for layer in range(config.depth):
        x = block(w, x, config, layer)[-1]
    return linear(w, "head", norm(w, "norm", x[0], config))


def plain_before_and_after(unedited_w: Weights, w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    return torch.stack([logits(it, image, config) for it in (unedited_w, w)])


def plain_heads_off(unedited_w: Weights, image: Tensor, config: ViTConfig) -> Tensor:
    w, on = unedited_w, 1 - torch.eye(config.heads).repeat_interleave(config.head_dim, dim=1)
    (now, at), its = logits(w, image, config).max(dim=0), map("blocks.{}.attn.proj.weight".format, range(config.depth))
    return torch.tensor([[logits({**w, it: w[it] * row}, image, config)[at] - now for row in on] for it in its])


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
TRACED = Calculation(
    "how far each state of the residual stream alone moves the answer from one picture's to the other's, as a share",
    "layer t",
    moved_by_each_state,
    lacks="states are put in inside the model; `vitviz/measures/interventions.py` does it",
    headed=True,
)


def off_or_at_means(view: View) -> Calculation:
    return HEADS_AT_MEANS if view.choices.get("taken") == "mean" else HEADS_OFF


PAGE = Page(
    __file__,
    "Intervene",
    order=501,
    stage="model",
    label="Intervene",
    colour=palette.FRAME,
    shape={"depth=1 heads=1": "1 head", "": "{all heads} heads"},
    all_moments=(
        Moment("heads", "Take a head away, or a whole layer: what changes?", EDITED),
        Moment("patches", "Hide a {patch}, paint it over, swap two: what does the model need?", EDITED),
        Moment("attention", "Turn attention itself: temperature, top-k, window, mask, {positions}.", EDITED),
        Moment("experiments", "Guess first, then see: six experiments.", EDITED),
        Moment(
            "everything",
            "Everything once: every head off alone, every {patch} hidden alone.",
            off_or_at_means,
            when="classes",
        ),
        Moment(
            "tracing",
            "Activation patching (causal tracing): which state is sufficient, which necessary?",
            TRACED,
            when="classes",
        ),
    ),
    places={"all heads": Place("how many heads all layers have", lambda config: exact(config.depth * config.heads))},
    compares=True,
    choices=(
        Choice("taken", ("off", "mean"), name="taken", scene=True),
        Choice("hides", ("grey", "masked"), scene=True),
        Choice("measured", ("no", "yes"), scene=True),
        Choice("traced", ("no", "enough", "needed"), name="traced", scene=True),
    ),
    follows={"second": second_picture},
    calculations=Calculations(EDITED),
)
