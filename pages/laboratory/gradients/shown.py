"""What stands on *Gradients*."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from vitviz import results
from vitviz.config import ViTConfig
from vitviz.figures.laboratory import curves as figures
from vitviz.measures.arrays import Array
from vitviz.measures.classes import best
from vitviz.measures.laboratory.gradients import (
    NORMS,
    RESIDUAL,
    SCORES,
    USUAL,
    Gradients,
    backward,
    changed,
    gradients,
    ways,
)
from vitviz.numbers import exact, small
from vitviz.results import measurement, measurement_beside
from vitviz.selection import Selection
from vitviz.ui import controls, page, pieces
from vitviz.ui.sidebar.models import published
from vitviz.ui.takeaway.views import unsaid
from vitviz.ui.widgets import predictions
from vitviz.ui.widgets.laboratory import number_of_passes
from vitviz.ui.widgets.table import table

from .page import INITIAL, OF

PASSES = 3  # forward passes that a gradient takes: there, and twice as much back
MOST_OFFERED = 50  # classes
OWN, UNTRAINED = "own", "untrained"

Curve = tuple[str, str]  # whose parameters, and which way


def show(selection: Selection) -> None:
    config = selection.config

    if config.classes:
        chosen, kind, begun = st.columns([4, 6, 4])
        with chosen:
            label = loss_class(selection)
        with kind:
            of = controls.draw(OF, config)
        with begun:
            initial = controls.draw(INITIAL, config)
        place = st.empty()
        for found in run(selection, label, initial):
            with place.container():
                pictures(selection, found, of)
        numbers(selection, found, of)
        formulas(found, label, config)
    else:
        published.offer(published.WITH_CLASSES, "with-gradients")
        page.formula(r"\mathcal L = -\ln p_y")
    if config.classes == 1:
        page.sentence("With one class softmax says 1 whatever the logit: the loss is 0, and so is every gradient.")
    st.caption(
        "Cross-entropy of one picture, before any step of an optimiser; nothing is learned here, and the model that "
        "everybody shares stays as it is."
    )
    page.source(gradients, backward, changed)


@dataclass(frozen=True, slots=True)
class Found:
    """The gradients by curve, and of how many there would be."""

    curves: Mapping[Curve, Gradients]
    total: int


def loss_class(selection: Selection) -> int:
    """The class whose cross-entropy is the loss: the most probable one, until another is chosen."""
    labels = results.labels(selection)
    classes = best(predictions.final(selection).probabilities, MOST_OFFERED)
    chosen = st.selectbox(
        "Target class",
        classes,
        format_func=lambda at: labels[at],
        key=f"loss class {selection.digest}",
        help=f"The {len(classes)} most probable; the model's own answer stands first.",
    )
    why = "a file is of the class that the model names; choose the first one"
    st.session_state[unsaid("gradients", selection)] = why if chosen != classes[0] else ""
    return chosen


def run(selection: Selection, label: int, initial: str) -> Iterator[Found]:
    """The gradients of all curves as they come; of a large model one alone, until all are asked for."""
    trained, config = results.trained(selection), selection.config
    own = [(OWN, way) for way in ways(config) if not trained or way in (USUAL, SCORES)]
    drawn = [(UNTRAINED, way) for way in ways(config)] if trained else []
    curves = [*own[:1], *drawn[:1], *own[1:], *drawn[1:]]
    count = number_of_passes(config, len(curves), PASSES, "curves", "gradients")
    beside = results.untrained(selection.model, initial, selection.model.seed)
    requests = [
        measurement_beside(selection, gradients, label, way, beside)
        if whose == UNTRAINED
        else measurement(selection, gradients, label, way)
        for whose, way in curves[:count]
    ]
    first = min(count, 1 + trained)  # of each panel
    for found in pieces.growing(requests, "Measuring gradients", least=first):
        yield Found(dict(zip(curves, found, strict=False)), len(curves))


def named(config: ViTConfig, way: str) -> str:
    """What a curve is called."""
    divided = "÷ √dₕ" if config.score_scale is not None else "not ÷ √dₕ"
    other = "pre-norm" if config.norm_order == "post" else "post-norm"
    return {USUAL: "as it is", RESIDUAL: "no residual connections", NORMS: other, SCORES: divided}[way]


def pictures(selection: Selection, found: Found, of: str) -> None:
    """The curves of the parameters on screen, and beside them those of an untrained model, on one scale."""
    lengths = {curve: lengths_of(it, of) for curve, it in found.curves.items()}
    if not any(values.any() for values in lengths.values()):
        return
    span = figures.span(list(lengths.values()))
    trained = results.trained(selection)
    panels = {OWN: "What was learned, as on screen" if trained else "The untrained model on screen"}
    panels |= {UNTRAINED: "An untrained model of the same sizes"} if trained else {}
    for place, (whose, heading) in zip(st.columns(len(panels)), panels.items(), strict=True):
        with place:
            of_these = {way: values for (owner, way), values in lengths.items() if owner == whose}
            if of_these:
                _panel(selection, whose, heading, of_these, of, span)
            else:
                page.sentence(f"**{heading}**: not measured yet; ask for all curves above.")
    if trained:
        st.caption(
            "The parameters on screen were learned with their residual connections and their norms where they are: "
            "without, they would mean nothing, so these curves are of the untrained model alone. Scores that are "
            "divided or not only make the same softmax sharper or softer."
        )


def _panel(
    selection: Selection, whose: str, heading: str, lengths: Mapping[str, Array], of: str, span: tuple[float, float]
) -> None:
    config = selection.config
    usual = lengths[USUAL]
    zero = [named(config, way) for way, values in lengths.items() if not values.all()]
    first, last = (float(it) for it in (usual[of == "stages" :][0], usual[: len(usual) - (of == "stages")][-1]))
    fading = f", {small(first / last)} times" if last else ""
    page.drawing(
        figures.by_layer(
            {named(config, way): values for way, values in lengths.items()},
            stages(config, of),
            span,
            "length of the gradient",
            [ways(config).index(way) if way in ways(config) else 0 for way in lengths],
        ),
        f"{len(lengths)} curves × {len(usual)} lengths. As it is: {small(first)} at the first layer, {small(last)} at "
        f"the last{fading}." + f" Where a length is 0, no point is drawn: {', '.join(zero)}." * bool(zero),
        heading=heading,  # which says whose parameters are untrained; a label would push one of both panels down
        alt=f"Length of the gradient by layer, {whose} parameters.",
        key=f"gradients_{whose}",
    )


def lengths_of(found: Gradients, of: str) -> Array:
    """The lengths that are drawn."""
    lengths: Array = getattr(found, of)
    return lengths


def stages(config: ViTConfig, of: str) -> list[str]:
    """What the lengths belong to."""
    layers = list(map(str, range(1, config.depth + 1)))
    return {"stages": ["embed", *layers, "head"], "scores": layers, "streams": ["0", *layers]}[of]


def numbers(selection: Selection, found: Found, of: str) -> None:
    """All lengths as a table, and the loss under each curve."""
    config, trained = selection.config, results.trained(selection)
    heads = [
        f"{named(config, way)}{', learned' if whose == OWN and trained else ', untrained'}"
        for whose, way in found.curves
    ]
    columns = [lengths_of(it, of) for it in found.curves.values()]
    rows = [(stage, *(small(float(column[at])) for column in columns)) for at, stage in enumerate(stages(config, of))]
    losses = ("loss", *(small(it.loss) for it in found.curves.values()))
    table(f"Length of the gradient, {of}", ("layer", *heads), rows, total=losses)
    st.caption(f"{len(found.curves)} of {exact(found.total)} curves, and the loss of each in the last line.")


def formulas(found: Found, label: int, config: ViTConfig) -> None:
    """The loss, and what a residual connection does to its gradient, with the lengths of this picture."""
    usual = found.curves[OWN, USUAL]
    probability, labels = float(np.exp(-usual.loss)), config.classes
    norm = r"\frac{\partial \mathbf z_l}{\partial (\mathbf z_{l-1} + f_l)}" if config.norm_order == "post" else ""
    page.formula(
        r"\begin{gathered} \mathcal L = -\ln p_y \\ \frac{\partial \mathcal L}{\partial \mathbf z_{l-1}} = "
        rf"\frac{{\partial \mathcal L}}{{\partial \mathbf z_l}} {norm}"
        r"\Bigl(I + \frac{\partial f_l}{\partial \mathbf z_{l-1}}\Bigr) \\ "
        r"\text{no residual connections:} \\ \frac{\partial \mathcal L}{\partial \mathbf z_l}\, "
        rf"{norm} "
        r"\frac{\partial f_l}{\partial \mathbf z_{l-1}} \end{gathered}",
        rf"\begin{{gathered}} y = {label + 1} \text{{ of }} {labels}: \quad p_y = {small(probability)} \\ "
        rf"\mathcal L = {small(usual.loss)} \\ \lVert \partial \mathcal L / \partial \mathbf z_0 \rVert = "
        rf"{small(float(usual.streams[0]))} \\ \lVert \partial \mathcal L / \partial \mathbf "
        rf"z_{{{len(usual.scores)}}} \rVert = {small(float(usual.streams[-1]))} \end{{gathered}}",
    )
