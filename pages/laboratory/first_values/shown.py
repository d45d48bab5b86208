"""What stands on *Initialisation*."""

from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt

import numpy as np
import streamlit as st

from vitviz import equations, results
from vitviz.config import ViTConfig
from vitviz.config.sides import tall
from vitviz.figures.laboratory import answers as bars
from vitviz.figures.laboratory import curves
from vitviz.figures.laboratory import first_values as figures
from vitviz.measures.classes import best
from vitviz.measures.laboratory.first_values import ALIKE, MATRICES, STARTS, Start, first_values, start
from vitviz.numbers import exact, many, percent, small
from vitviz.results import measurement
from vitviz.selection import Selection
from vitviz.ui import controls, page, pieces
from vitviz.ui.links import escaped
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.laboratory import number_of_passes
from vitviz.ui.widgets.table import table

from .page import SCALE, SEED

PASSES = 5  # forward passes that a start takes: drawing it, the picture, and the way back
MOST_CLASSES = 4
NAMES = {
    "trunc_normal": "trunc normal 0.02",
    "zeros": "zeros",
    "normal": "normal 1",
    ALIKE: "every head as head 1",
}

Starts = Mapping[str, Start]


def show(selection: Selection) -> None:
    config = selection.config

    drawn, scaled = st.columns(2)
    with drawn:
        seed = controls.draw(SEED, config)
    with scaled:
        shared = controls.draw(SCALE, config)
    names = names_of_starts(selection)
    maps = st.empty()
    starts: Starts = {}
    for starts in run(selection, names, seed):
        with maps.container():
            first_maps(selection, starts, names, shared)
    depth_and_answer(selection, starts)
    st.subheader("Why not zeros", anchor=False)
    gradients(selection, starts)
    page.formula(*first_scores(config))
    page.source(start, first_values, "initialise")


def names_of_starts(selection: Selection) -> tuple[str, ...]:
    """The starts that are shown: of a large model the usual one, until all are asked for."""
    from vitviz.machine.price import require_drawable

    require_drawable(selection.config)
    return STARTS[: number_of_passes(selection.config, len(STARTS), PASSES, "untrained models", "first_values")]


def run(selection: Selection, names: Sequence[str], seed: int) -> Iterator[Starts]:
    """The starts of these names on the picture, as they come."""
    label = int(predictions.final(selection).probabilities.argmax()) if selection.config.classes else 0
    requests = [measurement(selection, start, name, seed, label) for name in names]
    return (dict(zip(names, found, strict=False)) for found in pieces.growing(requests, "Drawing untrained models"))


def first_maps(selection: Selection, starts: Starts, names: Sequence[str], shared: bool) -> None:
    """What the first layer looks at under each start, on one scale or on their own; of all `names` some are awaited."""
    config = selection.config
    drawn = {name: it for name, it in starts.items() if name != ALIKE}
    awaited = [NAMES[name] for name in names if name not in starts and name != ALIKE]
    brightest = {name: float(it.maps.max()) for name, it in drawn.items()}
    limits = [brightest[name] if not shared else max(brightest.values()) for name in drawn]
    looks = "the {class token} looks" if config.pool == "class" else "the tokens on average look"
    entropies = "; ".join(
        f"{NAMES[name]}: {small(float(it.entropy.min()))} to {small(float(it.entropy.max()))}"
        for name, it in drawn.items()
    )
    page.drawing(
        figures.first_maps(
            {NAMES[name]: it.maps.reshape(-1, *config.grid) for name, it in drawn.items()},
            limits,
            tall(config.patch_sides),
            awaited,
            shared=shared,
        ),
        f"Where {looks} in layer 1, {min(config.heads, figures.MOST_HEADS)} of {many(config.heads, 'head')}; "
        f"{'one scale' if shared else 'unequal scales: each model from 0 to its own largest'}.",
        untrained=True,
        alt="Attention maps of the first layer of three untrained models.",
        title="First attention maps",
        key="first_maps",
    )
    st.caption(
        f"Entropy of the weights, in nats of at most ln {exact(config.tokens)} = {small(log(config.tokens))}: "
        f"{entropies}."
    )


def depth_and_answer(selection: Selection, starts: Starts) -> None:
    """How long tokens are from layer to layer, and the answer, under each start."""
    drawn = {name: it for name, it in starts.items() if name != ALIKE}
    lengths = {NAMES[name]: it.lengths for name, it in drawn.items()}
    left, right = st.columns(2)
    with left:
        growth = ", ".join(f"{name} {_grown(values)}" for name, values in lengths.items())
        page.drawing(
            curves.by_layer(
                lengths,
                list(map(str, range(selection.config.depth + 1))),
                curves.span(list(lengths.values())),
                "mean length of a token",
                range(len(lengths)),
            ),
            f"Mean length of {exact(selection.config.tokens)} tokens: {growth}. A length of 0 is not on a log axis.",
            heading="Sizes of the untrained streams, before the first block (0) and after each",
            alt="Mean length of a token by layer under each start.",
            title="Sizes of the untrained streams",
            key="first_lengths",
        )
    with right:
        if selection.config.classes:
            _answers(selection, drawn)
        else:
            page.sentence("This model has no head, so there is no answer.")


def _answers(selection: Selection, drawn: Starts) -> None:
    labels = results.labels(selection)
    classes = best(np.maximum.reduce([it.probabilities for it in drawn.values()]), MOST_CLASSES)
    first = ", ".join(
        f"{small(float(it.probabilities.max()))} for “{escaped(labels[int(it.probabilities.argmax())])}” with "
        f"{NAMES[name]}"
        for name, it in drawn.items()
        if name != "zeros"
    )
    even = small(1 / selection.config.classes)
    page.drawing(
        bars.answers(
            [labels[at] for at in classes], {NAMES[name]: it.probabilities[classes] for name, it in drawn.items()}
        ),
        f"Largest: {first}. Zeros say {even} of each of {exact(selection.config.classes)} classes.",
        heading="The untrained answers",
        alt="Probabilities under each start.",
        key="first_answers",
    )


def gradients(selection: Selection, starts: Starts) -> None:
    """The first gradients head by head, and how many parameters have one."""
    if not selection.config.classes:
        page.sentence("Without a head there is no loss, and no gradient.")
        return
    page.drawing(
        figures.by_head({NAMES[name]: it.gradients for name, it in starts.items()}, MATRICES),
        f"Layer 1, {selection.config.heads} heads: length of the first gradient of each head's part of the matrices of "
        "queries, keys, values and of the output; unequal scales, one for each model.",
        untrained=True,
        alt="First gradients of each head under each start.",
        title="First gradients, head by head",
        key="first_gradients",
    )
    rows = [
        (
            NAMES[name],
            f"{exact(it.moved)} of {exact(it.parameters)}",
            percent(it.moved / it.parameters),
            apart(it.gradients),
        )
        for name, it in starts.items()
    ]
    table("What the first gradient moves", ("start", "parameters with a gradient", "share", "heads differ by"), rows)
    st.caption(
        "With zeros only the head's bias has a gradient: all else is multiplied by a zero on the way back. Heads that "
        "begin alike have gradients, but the same ones, so a step leaves them alike, and the next one, too: they never "
        "learn apart. That is why first values are random. The loss is the cross-entropy of the class that the model "
        "on screen names."
    )


def apart(lengths: np.ndarray) -> str:
    """How far heads differ, of the largest length of each matrix: nothing, rounding, or a share."""
    top = lengths.max(axis=1)
    share = float(np.max((top - lengths.min(axis=1))[top > 0] / top[top > 0], initial=0))
    return "nothing" if share == 0 else "under 10⁻⁴" if share < 1e-4 else percent(share)


def _grown(lengths: np.ndarray) -> str:
    first, last = float(lengths[0]), float(lengths[-1])
    return f"{small(first)} to {small(last)}" if last or first else "0 throughout"


def first_scores(config: ViTConfig) -> tuple[str, str]:
    """How far the first scores of this model are apart, and with each of the first values, in LaTeX."""
    product = equations.score(config).partition(" + ")[0]
    if config.attention == "linear":
        return rf"{product} \qquad {equations.FEATURE}", r"\sigma = 0: \varphi(0) = 1 \text{ for all, exactly even}"
    scale = 1.0 if config.score_scale is None else config.score_scale * sqrt(config.head_dim)
    if config.qk_norm:
        return (
            rf"{product} \qquad q = \operatorname{{LN}}(\hat x W_q),\ k = \operatorname{{LN}}(\hat x' W_k)",
            rf"\operatorname{{sd}} \approx {small(scale)} \text{{ whatever }} \sigma > 0",
        )
    factor = "" if scale == 1 else rf"{small(scale)} \cdot "
    spread = {sigma: scale * sigma**2 * config.dim for sigma in (0.02, 1)}
    product = "" if config.score_scale == 1 else rf"{product}, \quad "
    takes = r"\text{, softmax takes one key}" if spread[1] > 1 else ""
    even = r"\text{, almost even}" if spread[0.02] < 1 else ""
    return (
        rf"{product}q \cdot k = \textstyle\sum_{{i=1}}^{{d_h}} (\hat x W_q)_i (\hat x' W_k)_i "
        rf"\qquad \operatorname{{sd}} \approx {factor}\sigma^2 d",
        rf"d = {exact(config.dim)}: \quad \sigma = 0.02: {small(spread[0.02])}{even} \qquad "
        rf"\sigma = 1: {small(spread[1])}{takes} \qquad \sigma = 0: 0 \text{{, exactly even}}",
    )
