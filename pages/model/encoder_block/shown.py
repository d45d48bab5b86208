"""The drawers of *Encoder block*: details, formula and code."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from vitviz import equations, palette
from vitviz.config.sides import tall
from vitviz.figures.figure import Figure
from vitviz.figures.model import blocks as figures
from vitviz.measures import blocks as measures
from vitviz.measures.arrays import Array
from vitviz.measures.blocks import Additions, Normalised, token_similarity
from vitviz.numbers import exact, small
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address

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
READERS = {"norm1": ("attention", palette.ATTENTION), "norm2": ("MLP", palette.MLP)}


def show(selection: Selection) -> None:
    at = address.read(selection.config, "encoder_block")
    layer, token = at.layer, at.query

    if at.moment == "norm":
        first, second = (measure(selection, measures.layer_norm, layer, norm, token) for norm in ("norm1", "norm2"))
        if page.drawer("details"):
            layer_norm(selection, {"norm1": first, "norm2": second}, token)
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
            residual_stream(selection, flow, token)
        enters, attention, middle, mlp, leaves = (
            small(float(lengths[token]))
            for lengths in (flow.entering, flow.attention, flow.middle, flow.mlp, flow.leaving)
        )
        if page.drawer("formula"):
            page.formula(
                r"\begin{aligned} " + r" \\ ".join(equations.block(selection.config)) + r" \end{aligned}",
                rf"\lVert\mathbf z\rVert = {enters} \ \xrightarrow{{\text{{attention adds }}{attention}}} \ "
                rf"{middle} \ \xrightarrow{{\text{{MLP adds }}{mlp}}} \ {leaves}",
            )
        if page.drawer("code"):
            page.source("Block", *(["LayerScale"] if flow.unscaled else []), measures.additions, figures.lengths)

    elif at.moment == "activation":
        gated = selection.config.activation == "swiglu"
        read, result = measure(selection, measures.gate if gated else measures.hidden, layer, token)
        if page.drawer("details"):
            activation(selection, read, result, measure(selection, measures.active_share, layer), token)
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
            similarity(selection, means, layer, token)
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


def layer_norm(selection: Selection, normalised: Mapping[str, Normalised], token: int) -> None:
    """A token before and after the norms of attention ("norm1") and MLP ("norm2")."""
    place = {"pre": "before", "post": "after"}[selection.config.norm_order]
    before = "" if selection.config.norm != "batch" else " A batch norm takes them per component, over all tokens."
    reach = max(float(np.abs(values).max()) for each in normalised.values() for values in (each.before, each.after))
    for column, (norm, values) in zip(st.columns(2), normalised.items(), strict=True):
        reader, colour = READERS[norm]
        with column:
            page.picture(
                selection,
                figures.spread(values.before, values.after, reach, colour),
                f"{norm}, {place} the {reader}: the {exact(selection.config.dim)} components of "
                f"{selection.token_name(token)}. Line: mean; band: one standard deviation to each side.{before}",
                title=f"{norm}, before and after",
            )


def residual_stream(selection: Selection, flow: Additions, token: int) -> None:
    """What attention and MLP add to the stream, as lengths per token."""
    after = ", after its layer scales" if flow.unscaled else ""
    patches = slice(len(selection.config.prefix_tokens), None)
    chosen, patch = _patch(selection, token), tall(selection.config.patch_sides)

    def lengths(vectors: Mapping[str, Array]) -> Figure:
        on_patches = {name: each[patches] for name, each in vectors.items()}
        return figures.lengths(on_patches, *selection.config.grid, chosen, patch)

    equations, added = st.columns(2)
    with equations:
        page.picture(
            selection,
            lengths({"enters": flow.entering, "leaves": flow.leaving}),
            f"Length of the {{residual stream}} of every {{patch}} token: the Euclidean norm of its "
            f"{exact(selection.config.dim)} numbers.",
            title="Lengths in the residual stream",
        )
    with added:
        page.picture(
            selection,
            lengths({"attention adds": flow.attention, "MLP adds": flow.mlp}),
            f"Length of what the block adds{after}, on a scale of its own.",
            title="Lengths of what the block adds",
        )
    st.caption(
        f"The numbers are those of {selection.token_name(token)}. Vectors add up; their lengths do not, for they "
        "point in different directions."
    )
    if flow.unscaled:
        before = [small(float(lengths[token])) for lengths in flow.unscaled]
        attention, mlp = (small(float(lengths[token])) for lengths in (flow.attention, flow.mlp))
        st.caption(
            f"The layer scales γ₁ and γ₂ hold {exact(selection.config.dim)} learned factors each. By γ₁, what "
            f"attention gives goes from length {before[0]} to {attention}; by γ₂, what the MLP gives, from {before[1]} "
            f"to {mlp}."
        )


def activation(selection: Selection, read: Array, result: Array, share: Array, token: int) -> None:
    """The units of a token on the curve of the model's activation, and the share of active units of every token."""
    kind, gated = selection.config.activation, selection.config.activation == "swiglu"
    curve, grid = st.columns([3, 2])
    with curve:
        page.picture(
            selection,
            figures.activation(read, result, kind),
            f"The {exact(len(read))} {'gates' if gated else 'hidden values'} of "
            f"{selection.token_name(token)}; the area of a bubble says how many lie there. "
            f"{exact(int((read > 0).sum()))} are active (above 0), a share of "
            f"{small(float(share[token]))}."
            + (" Each gate, after SiLU, multiplies one hidden value." if gated else ""),
            title="Units on the curve of the activation",
        )
    with grid:
        page.picture(
            selection,
            figures.active(
                share[len(selection.config.prefix_tokens) :],
                *selection.config.grid,
                _patch(selection, token),
                tall(selection.config.patch_sides),
            ),
            f"Share of active units of every {{patch}} token; its mean over all {selection.config.tokens} tokens is "
            f"{small(float(share.mean()))}.",
        )


def similarity(selection: Selection, means: Array, layer: int, token: int) -> None:
    """How alike the tokens are after every block, and which of them after this one."""
    config = selection.config
    by_depth, matrix = st.columns(2)
    with by_depth:
        page.picture(
            selection,
            figures.similarity_by_depth(means, layer),
            f"Mean over all pairs of the {config.tokens} tokens: {small(float(means[0]))} before the first "
            f"block, {small(float(means[layer + 1]))} after layer {layer + 1}, "
            f"{small(float(means[-1]))} after the last.",
        )
    with matrix:
        _similarity_matrix(selection, layer, token)


def _similarity_matrix(selection: Selection, layer: int, token: int) -> None:
    """The cosine of every token with every token after one block, as far as a page can draw it."""
    tokens = selection.config.tokens
    if not page.matrix_fits(tokens, "cosines"):
        return
    names = [selection.token_name(each) for each in range(tokens)]
    page.picture(
        selection,
        figures.similarity(measure(selection, token_similarity, layer + 1), names, token),
        f"{tokens} × {tokens} cosines after layer {layer + 1}, tokens in raster order; the row of {names[token]} is "
        "framed.",
    )


def _patch(selection: Selection, token: int) -> int | None:
    """Which patch a token is; None for a prefix token."""
    prefix = len(selection.config.prefix_tokens)
    return token - prefix if token >= prefix else None
