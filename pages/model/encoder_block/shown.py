"""The drawers of *Encoder block*: details, formula and code."""

import numpy as np

from vitviz.equations import stream
from vitviz.figures.model import blocks as figures
from vitviz.measures import blocks as measures
from vitviz.numbers import exact, small
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.results import measure
from vitviz.ui.selection import current

from . import details

FORMULAS = {
    "gelu": r"\operatorname{GELU}(x) = x \cdot \Phi(x) \qquad "
    r"\Phi(x) = \tfrac12\bigl(1 + \operatorname{erf}(x / \sqrt2)\bigr)",
    "gelu_tanh": r"\operatorname{GELU}_{\tanh}(x) = \tfrac12 x \bigl(1 + "
    r"\tanh\bigl(\sqrt{2 / \pi}\,(x + 0.044715\,x^3)\bigr)\bigr)",
    "quick_gelu": r"\operatorname{GELU}_{\text{quick}}(x) = x \cdot \sigma(1.702\,x) \qquad "
    r"\sigma(x) = \frac{1}{1 + e^{-x}}",
    "relu": r"\operatorname{ReLU}(x) = \max(0, x)",
    "swiglu": r"\operatorname{SwiGLU}(g, h) = \operatorname{SiLU}(g) \cdot h \qquad "
    r"\operatorname{SiLU}(g) = \frac{g}{1 + e^{-g}}",
}
NORMS = {
    "layer": r"\operatorname{LN}(\mathbf x)_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma_i + \beta_i",
    "rms": r"\operatorname{RMS}(\mathbf x)_i = \frac{x_i}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma_i \qquad "
    r"\sigma^2 = \tfrac1d \textstyle\sum_j x_j^2",
    "batch": r"\operatorname{BN}(\mathbf x)_i = \frac{x_i - \mu_i}{\sqrt{\sigma_i^2 + \epsilon}} \cdot \gamma_i + "
    r"\beta_i \qquad \mu_i, \sigma_i^2 \text{ over all tokens}",
}


def show() -> None:
    """Draw it."""
    selection = current()

    at = address.read(selection.config, "encoder_block")
    layer, token = at.layer, at.query

    if at.moment == "norm":
        first, second = (measure(selection, measures.layer_norm, layer, norm, token) for norm in ("norm1", "norm2"))
        if page.drawer("details"):
            details.layer_norm(selection, {"norm1": first, "norm2": second}, token)
        if page.drawer("formula"):
            page.formula(
                NORMS[selection.config.norm],
                r"\operatorname{norm1}(\mathbf x)_1 = "
                rf"\frac{{{small(first.before[0])} - {page.addend(first.mean[0])}}}"
                rf"{{\sqrt{{{small(first.variance[0])} + {np.format_float_positional(selection.config.epsilon)}}}}} "
                r"\cdot "
                rf"{page.addend(first.scale[0])} + {page.addend(first.shift[0])} = {small(first.after[0])}",
            )
        if page.drawer("code"):
            page.source(measures.layer_norm, "Block", figures.spread)

    elif at.moment == "stream":
        flow = measure(selection, measures.additions, layer)
        if page.drawer("details"):
            details.residual_stream(selection, flow, token)
        enters, attention, middle, mlp, leaves = (
            small(float(lengths[token]))
            for lengths in (flow.entering, flow.attention, flow.middle, flow.mlp, flow.leaving)
        )
        if page.drawer("formula"):
            page.formula(
                r"\begin{aligned} " + r" \\ ".join(stream.block(selection.config)) + r" \end{aligned}",
                rf"\lVert\mathbf z\rVert = {enters} \ \xrightarrow{{\text{{attention adds }}{attention}}} \ "
                rf"{middle} \ \xrightarrow{{\text{{MLP adds }}{mlp}}} \ {leaves}",
            )
        if page.drawer("code"):
            page.source("Block", *(["LayerScale"] if flow.unscaled else []), measures.additions, figures.lengths)

    elif at.moment == "activation":
        gated = selection.config.activation == "swiglu"
        read, result = measure(selection, measures.gate if gated else measures.hidden, layer, token)
        if page.drawer("details"):
            details.activation(selection, read, result, measure(selection, measures.active_share, layer), token)
        function, place = FORMULAS[selection.config.activation], int(read.argmax())
        largest, put_in = small(read[place]), small(result[place])
        if gated:
            hidden, active = (float(values[place]) for values in measure(selection, measures.hidden, layer, token))
            largest += f", {small(hidden)}"
            put_in += rf" \cdot {page.addend(hidden)} = {small(active)}"
        if page.drawer("formula"):
            page.formula(
                function,
                rf"{function.partition('(')[0]}({largest}) = {put_in} \quad "
                rf"\text{{for the largest {'gate' if gated else 'of them'}}}",
            )
        ran = ("GatedMLP", measures.gate) if gated else ("MLP", measures.hidden)
        if page.drawer("code"):
            page.source(*ran, measures.active_share, figures.activation)

    else:
        means = measure(selection, measures.mean_similarity)
        if page.drawer("details"):
            details.similarity(selection, means, layer, token)
        pairs = exact(selection.config.tokens * (selection.config.tokens - 1))
        if page.drawer("formula"):
            page.formula(
                r"\cos(\mathbf x_i, \mathbf x_j) = "
                r"\frac{\mathbf x_i \cdot \mathbf x_j}{\lVert\mathbf x_i\rVert\,\lVert\mathbf x_j\rVert}",
                rf"\frac{{1}}{{{pairs}}} \sum_{{i \ne j}} \cos(\mathbf x_i, \mathbf x_j) = "
                rf"{small(float(means[layer + 1]))}",
            )
        if page.drawer("code"):
            page.source(measures.mean_similarity, measures.token_similarity, figures.similarity_by_depth)
