"""What stands on *Norms*."""

import numpy as np
import streamlit as st

from vitviz import results
from vitviz.edits.running import draw_scenes
from vitviz.figures.laboratory import answers as bars
from vitviz.figures.laboratory import norms as figures
from vitviz.figures.model.blocks import CURVES, curve_of_gelu, curve_of_sigmoid
from vitviz.figures.strips import strips
from vitviz.laboratory.batches import NIGHT as BRIGHTNESS
from vitviz.laboratory.batches import darker, in_batches, two_batches
from vitviz.measures.classes import best
from vitviz.measures.laboratory.norms import Batched, answer_with, batched, hidden, normalised
from vitviz.numbers import exact, percent, power, small
from vitviz.results import measure, measure_long, measurement, requests
from vitviz.selection import Selection
from vitviz.ui import controls, page
from vitviz.ui.board import address
from vitviz.ui.links import escaped
from vitviz.ui.server.client import ask, begin_all
from vitviz.ui.widgets.laboratory import number_of_passes

from .page import LAYER, NIGHT, SIZE

BINS, MOST_CLASSES = 60, 5
OTHER = 100  # the first scene of batch B
SAME = 1e-5  # a change of numbers around 1 that is rounding alone


def show(selection: Selection) -> None:
    config = selection.config
    patch = address.read(config).patch

    sizes, places, lights = st.columns(3)
    with sizes:
        size = controls.draw(SIZE, config)
    with places:
        layer = controls.draw(LAYER, config) - 1
    with lights:
        night = controls.draw(NIGHT, config)

    found = run(selection, size, night, layer, patch)
    moved(selection, found, layer, patch)
    at = formulas(found)
    st.caption(
        f"Component {at + 1} of patch {patch + 1} as it enters layer {layer + 1}, ε = {power(config.epsilon)}, before "
        "the learned scale and shift, which both norms have. At inference there is no batch: batch norm then takes "
        "averages that it kept from training, and those are of other pictures."
    )

    st.subheader("GELU, ReLU and SwiGLU", anchor=False)
    page.sentence(
        "GELU is a smoother ReLU: near 0 it lets a little of negative values through. SwiGLU multiplies the SiLU of "
        "one half of its first layer, the gate, with the other half; a model without that half can have its SiLU only."
    )
    activations(selection, layer)
    gelu, relu, silu = (float(CURVES[kind][1](np.array([-1.0]))[0]) for kind in ("gelu", "relu", "swiglu"))
    page.formula(
        r"\operatorname{GELU}(x) = x\, \Phi(x) \qquad \operatorname{ReLU}(x) = \max(0, x) \qquad "
        r"\operatorname{SiLU}(x) = x\, \sigma(x), \quad \operatorname{SwiGLU}(x) = \operatorname{SiLU}(x W)\, x V",
        rf"x = -1: \quad \operatorname{{GELU}} = {small(gelu)}, \quad \operatorname{{ReLU}} = {small(relu)}, \quad "
        rf"\operatorname{{SiLU}} = {small(silu)}",
    )
    page.source(two_batches, batched, normalised, answer_with, curve_of_gelu, curve_of_sigmoid)


def run(selection: Selection, size: int, night: bool, layer: int, patch: int) -> Batched:
    """The picture in both batches, as it enters `layer`; with fewer others where many take long."""
    from vitviz.engine import Request
    from vitviz.machine.price import require_map

    config = selection.config
    share = max(1, layer) / config.depth
    others = number_of_passes(config, 2 * (size - 1), share, "other pictures", "norms") // 2 or 1
    require_map(config, 2 * others, "running the other pictures of both batches")
    forward, model = requests.forward_request(selection), requests.load_request(selection.model)
    scenes = [Request(draw_scenes, (first, first + others)) for first in (0, OTHER)]
    token = len(config.prefix_tokens) + patch
    request: Request[Batched] = Request(
        in_batches, (forward, model, *scenes, night, layer, token), takes_long=forward.takes_long
    )
    # all at once: the engine goes on while this script draws what has come
    begin_all(*scenes, request, requests.measure_request(forward, hidden, (layer, BINS), {}))
    _pictures(selection, [ask(it, "Drawing scenes").value[0] for it in scenes], night)
    return ask(request, "Running the other pictures").value


def _pictures(selection: Selection, companions: list[np.ndarray], night: bool) -> None:
    others = [companions[0], darker(companions[1], night)]
    count = len(others[0])
    dark = f", darkened to {small(BRIGHTNESS)} of their brightness" if night else ""
    page.drawing(
        figures.batches(results.screen_photo(selection), others, ("A", "B")),
        f"Two batches of {count + 1}: the same first picture, and beside it {count} test scenes each, in B other "
        f"ones{dark}.",
        alt="Your picture in two batches, beside other scenes.",
        title="The two batches",
        key="norms_batches",
    )


def moved(selection: Selection, found: Batched, layer: int, patch: int) -> None:
    """One token's components under both norms in both batches, and all numbers of A against those of B."""
    config = selection.config
    by_layer, by_batch = (float(it) for it in found.moved)
    left, right = st.columns(2)
    with left:
        named = {
            f"{norm}, batch {name}": found.after[kind, place]
            for kind, norm in enumerate(figures.KINDS)
            for place, name in enumerate("AB")
        }
        page.picture(
            selection,
            strips(named, photo=layer == 0),
            f"Patch {patch + 1}: its {exact(config.dim)} components under both norms, on one scale.",
            title="One token under both norms",
            key="norms_strips",
        )
    with right:
        page.picture(
            selection,
            figures.pairs(found.pairs, photo=layer == 0),
            f"{exact(found.pairs.shape[-1])} of {exact(config.tokens * config.dim)} numbers of this picture, in batch "
            f"B against A. Largest change: layer norm {small(by_layer)}, batch norm {small(by_batch)}.",
            title="Batch B against batch A",
            key="norms_pairs",
        )
    page.check(by_layer < SAME, f"Layer norm: the other pictures change no number by more than {small(by_layer)}.")


def formulas(found: Batched) -> int:
    """Both norms of the component that batch norm moves most; which one it is."""
    at = int(np.abs(found.after[1, 0] - found.after[1, 1]).argmax())

    def worked(kind: int, batch: int) -> str:
        mean, variance = float(found.mean[kind, batch, at]), float(found.variance[kind, batch, at])
        above = f"{small(float(found.before[at]))} - {page.addend(mean)}"
        return rf"\tfrac{{{above}}}{{\sqrt{{{small(variance)}}}}} = {small(float(found.after[kind, batch, at]))}"

    page.formula(
        r"\begin{gathered} \hat x_{b,t,i} = \frac{x_{b,t,i} - \mu}{\sqrt{\sigma^2 + \varepsilon}} \\"
        r"\text{layer norm: } \mu, \sigma^2 \text{ over } i \\ \text{batch norm: } \mu, \sigma^2 \text{ over } b, t"
        r"\end{gathered}",
        rf"\begin{{aligned}} \text{{layer, A: }} & {worked(0, 0)} \\[4pt] \text{{layer, B: }} & {worked(0, 1)} \\[4pt]"
        rf"\text{{batch, A: }} & {worked(1, 0)} \\[4pt] \text{{batch, B: }} & {worked(1, 1)} \end{{aligned}}",
    )
    return at


def activations(selection: Selection, layer: int) -> None:
    """The curves over the histogram of what enters them in this layer, and the answer under each."""
    own, config = selection.config.activation, selection.config
    found = measure(selection, hidden, layer, BINS)
    left, right = st.columns(2)
    with left:
        what = "gate values" if own == "swiglu" else "hidden values"
        page.picture(
            selection,
            figures.activations(found.counts, found.edges),
            f"{exact(config.tokens)} tokens × {exact(config.mlp_dim)} units = {exact(int(found.counts.sum()))} {what}; "
            f"{percent(found.below)} lie below 0, where ReLU leaves nothing.",
            alt=f"GELU, ReLU and SiLU, and the histogram of what enters them in layer {layer + 1}.",
            title="Three activations",
            key="norms_activations",
        )
    with right:
        if config.classes:
            _answers(selection, own)
        else:
            page.sentence("This model has no head, so there is no answer to compare.")


def _answers(selection: Selection, own: str) -> None:
    labels, kinds = results.labels(selection), list(dict.fromkeys((own, *figures.CURVES)))
    count = number_of_passes(selection.config, len(kinds), 1, "answers", "activations")
    begin_all(*(measurement(selection, answer_with, kind) for kind in kinds[:count]))
    found = {kind: measure_long(selection, answer_with, kind) for kind in kinds[:count]}
    classes = best(np.maximum.reduce(list(found.values())), MOST_CLASSES)
    words = {
        f"{figures.shown_name(kind)}{' (its own)' if kind == own else ''}": values[classes]
        for kind, values in found.items()
    }
    winner = escaped(labels[int(found[own].argmax())])
    top = int(found[own].argmax())
    each = ", ".join(f"{small(float(values[top]))} with {figures.shown_name(kind)}" for kind, values in found.items())
    page.picture(
        selection,
        bars.answers([labels[at] for at in classes], words),
        f"“{winner}”: {each}; in all {selection.config.depth} layers, and nothing was trained anew.",
        alt=f"Probabilities of {len(classes)} classes with {len(words)} activations.",
        title="Answers under each activation",
        key="norms_answers",
    )
