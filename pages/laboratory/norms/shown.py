"""What stands on *Norms*."""

import numpy as np
import streamlit as st

from vitviz.figures.model.blocks import CURVES, curve_of_gelu, curve_of_sigmoid
from vitviz.laboratory.batches import two_batches
from vitviz.measures.laboratory.norms import answer_with, batched, normalised
from vitviz.numbers import power, small
from vitviz.ui import controls, page
from vitviz.ui.board import address
from vitviz.ui.selection import current

from . import section
from .page import LAYER, NIGHT, SIZE


def show() -> None:
    """Draw it."""
    selection = current().plain
    config = selection.config
    patch = address.read(config).patch

    sizes, places, lights = st.columns(3)
    with sizes:
        size = controls.draw(SIZE, config)
    with places:
        layer = controls.draw(LAYER, config) - 1
    with lights:
        night = controls.draw(NIGHT, config)

    found = section.run(selection, size, night, layer, patch)
    section.moved(selection, found, layer, patch)
    at = section.formulas(found)
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
    section.activations(selection, layer)
    gelu, relu, silu = (float(CURVES[kind][1](np.array([-1.0]))[0]) for kind in ("gelu", "relu", "swiglu"))
    page.formula(
        r"\operatorname{GELU}(x) = x\, \Phi(x) \qquad \operatorname{ReLU}(x) = \max(0, x) \qquad "
        r"\operatorname{SiLU}(x) = x\, \sigma(x), \quad \operatorname{SwiGLU}(x) = \operatorname{SiLU}(x W)\, x V",
        rf"x = -1: \quad \operatorname{{GELU}} = {small(gelu)}, \quad \operatorname{{ReLU}} = {small(relu)}, \quad "
        rf"\operatorname{{SiLU}} = {small(silu)}",
    )
    page.source(two_batches, batched, normalised, answer_with, curve_of_gelu, curve_of_sigmoid)
