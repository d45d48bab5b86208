"""The steps of an encoder block, one screen each: layer norm, residual stream, activation, similarity of the tokens."""

import numpy as np
import streamlit as st

from vitviz import numbers, palette
from vitviz.figures import blocks as figures
from vitviz.measures import blocks as measures
from vitviz.model import MLP, Block, GatedMLP, LayerScale
from vitviz.ui import controls, page
from vitviz.ui.view import View
from vitviz.ui.widgets.matrix import matrix_fits

ACTIVATIONS = {
    "gelu": r"\operatorname{GELU}(x) = x \cdot \Phi(x) \qquad "
    r"\Phi(x) = \tfrac12\bigl(1 + \operatorname{erf}(x / \sqrt2)\bigr)",
    "gelu_tanh": r"\operatorname{GELU}_{\tanh}(x) = \tfrac12 x \bigl(1 + "
    r"\tanh\bigl(\sqrt{2 / \pi}\,(x + 0.044715\,x^3)\bigr)\bigr)",
    "quick_gelu": r"\operatorname{GELU}_{\text{quick}}(x) = x \cdot \sigma(1.702\,x) \qquad "
    r"\sigma(x) = \frac{1}{1 + e^{-x}}",
    "swiglu": r"\operatorname{SwiGLU}(g, h) = \operatorname{SiLU}(g) \cdot h \qquad "
    r"\operatorname{SiLU}(g) = \frac{g}{1 + e^{-g}}",
}


def layer_norm(view: View, layer: int, token: int) -> None:
    """The copies of a token that attention and MLP read, before and after they are normed."""
    readers: dict[str, tuple[measures.Norm, str]] = {
        "attention": ("norm1", palette.ATTENTION),
        "MLP": ("norm2", palette.MLP),
    }
    normed = {norm: view.measure(measures.layer_norm, layer, norm, token) for norm, _ in readers.values()}
    reach = max(float(np.abs(values).max()) for each in normed.values() for values in (each.before, each.after))
    for column, (reader, (norm, colour)) in zip(st.columns(2), readers.items(), strict=True):
        with column:
            page.picture(
                view,
                figures.spread(normed[norm].before, normed[norm].after, reach, colour),
                f"{norm}, before the {reader}: the {numbers.exact(view.config.dim)} numbers of "
                f"{controls.token_name(view, token)}. Line: mean; band: one standard deviation to each side.",
            )
    first, epsilon = normed["norm1"], np.format_float_positional(view.config.epsilon)
    page.formula(
        r"\operatorname{LN}(\mathbf x)_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma_i + \beta_i",
        rf"\operatorname{{norm1}}(\mathbf x)_1 = \frac{{{numbers.small(first.before[0])} - {page.addend(first.mean)}}}"
        rf"{{\sqrt{{{numbers.small(first.variance)} + {epsilon}}}}} \cdot {page.addend(first.scale[0])} + "
        rf"{page.addend(first.shift[0])} = {numbers.small(first.after[0])}",
    )
    page.source(measures.layer_norm, Block, figures.spread)


def residual_stream(view: View, layer: int, token: int) -> None:
    """What attention and MLP add to the stream, as lengths per token."""
    flow = view.measure(measures.additions, layer)
    after, *scales = (
        (", after its layer scales", r"\gamma_1 \odot ", r"\gamma_2 \odot ") if flow.unscaled else ("",) * 3
    )
    patches = slice(len(view.config.special_tokens), None)
    chosen = _patch(view, token)
    stream, added = st.columns(2)
    with stream:
        page.picture(
            view,
            figures.lengths(
                {"enters": flow.entering[patches], "leaves": flow.leaving[patches]}, *view.config.grid, chosen
            ),
            f"Length of the {{residual stream}} of every {{patch}} token: the Euclidean norm of its "
            f"{numbers.exact(view.config.dim)} numbers.",
        )
    with added:
        page.picture(
            view,
            figures.lengths(
                {"attention adds": flow.attention[patches], "MLP adds": flow.mlp[patches]}, *view.config.grid, chosen
            ),
            f"Length of what the block adds{after}, on a scale of its own.",
        )
    enters, attention, middle, mlp, leaves = (
        numbers.small(float(lengths[token]))
        for lengths in (flow.entering, flow.attention, flow.middle, flow.mlp, flow.leaving)
    )
    page.formula(
        rf"\begin{{aligned}} \mathbf z' &= \mathbf z + {scales[0]}"
        r"\operatorname{MSA}(\operatorname{LN}(\mathbf z)) \\ "
        rf"\mathbf z'' &= \mathbf z' + {scales[1]}"
        r"\operatorname{MLP}(\operatorname{LN}(\mathbf z')) \end{aligned}",
        rf"\lVert\mathbf z\rVert = {enters} \ \xrightarrow{{\text{{attention adds }}{attention}}} \ "
        rf"{middle} \ \xrightarrow{{\text{{MLP adds }}{mlp}}} \ {leaves}",
    )
    st.caption(
        f"The numbers are those of {controls.token_name(view, token)}. Vectors add up; their lengths do not, for they "
        "point in different directions."
    )
    if flow.unscaled:
        before = [numbers.small(float(lengths[token])) for lengths in flow.unscaled]
        st.caption(
            f"The layer scales γ₁ and γ₂ hold {numbers.exact(view.config.dim)} learned factors each. By γ₁, what "
            f"attention gives goes from length {before[0]} to {attention}; by γ₂, what the MLP gives, from {before[1]} "
            f"to {mlp}."
        )
    page.source(Block, *([LayerScale] if flow.unscaled else []), measures.additions, figures.lengths)


def activation(view: View, layer: int, token: int) -> None:
    """The units of a token on the curve of the model's activation, and how many of them are active."""
    kind, gated = view.config.activation, view.config.activation == "swiglu"
    read, result = view.measure(measures.gate if gated else measures.hidden, layer, token)
    share = view.measure(measures.active_share, layer)
    curve, grid = st.columns([3, 2])
    with curve:
        page.picture(
            view,
            figures.activation(read, result, kind),
            f"The {numbers.exact(len(read))} {'gates' if gated else 'hidden values'} of "
            f"{controls.token_name(view, token)}; the area of a bubble says how many lie there. "
            f"{numbers.exact(int((read > 0).sum()))} are active (above 0), a share of "
            f"{numbers.small(float(share[token]))}."
            + (" Each gate, after SiLU, multiplies one hidden value." if gated else ""),
        )
    with grid:
        page.picture(
            view,
            figures.active(share[len(view.config.special_tokens) :], *view.config.grid, _patch(view, token)),
            f"Share of active units of every {{patch}} token; its mean over all {view.config.tokens} tokens is "
            f"{numbers.small(float(share.mean()))}.",
        )
    at = int(read.argmax())
    name, largest, put_in = ACTIVATIONS[kind].partition("(")[0], numbers.small(read[at]), numbers.small(result[at])
    if gated:
        hidden, active = (float(values[at]) for values in view.measure(measures.hidden, layer, token))
        largest, put_in = (
            f"{largest}, {numbers.small(hidden)}",
            rf"{put_in} \cdot {page.addend(hidden)} = {numbers.small(active)}",
        )
    page.formula(
        ACTIVATIONS[kind],
        rf"{name}({largest}) = {put_in} \quad \text{{for the largest {'gate' if gated else 'of them'}}}",
    )
    ran = (GatedMLP, measures.gate) if gated else (MLP, measures.hidden)
    page.source(*ran, measures.active_share, figures.activation)


def similarity(view: View, layer: int, token: int) -> None:
    """How alike the tokens are after every block, and which of them after this one."""
    config = view.config
    means = view.measure(measures.mean_similarity)
    by_depth, matrix = st.columns(2)
    with by_depth:
        page.picture(
            view,
            figures.similarity_by_depth(means, layer),
            f"Mean over all pairs of the {config.tokens} tokens: {numbers.small(float(means[0]))} before the first "
            f"block, {numbers.small(float(means[layer + 1]))} after layer {layer + 1}, "
            f"{numbers.small(float(means[-1]))} after the last.",
        )
    with matrix:
        _similarity_matrix(view, layer, token)
    pairs = numbers.exact(config.tokens * (config.tokens - 1))
    page.formula(
        r"\cos(\mathbf x_i, \mathbf x_j) = "
        r"\frac{\mathbf x_i \cdot \mathbf x_j}{\lVert\mathbf x_i\rVert\,\lVert\mathbf x_j\rVert}",
        rf"\frac{{1}}{{{pairs}}} \sum_{{i \ne j}} \cos(\mathbf x_i, \mathbf x_j) = "
        rf"{numbers.small(float(means[layer + 1]))}",
    )
    page.source(measures.mean_similarity, measures.token_similarity, figures.similarity_by_depth)


STEPS = {
    "Layer norm": layer_norm,
    "Residual stream": residual_stream,
    "Activation": activation,
    "Similarity": similarity,
}


def _similarity_matrix(view: View, layer: int, token: int) -> None:
    """The cosine of every token with every token after one block, as far as a page can draw it."""
    tokens = view.config.tokens
    if not matrix_fits(tokens, "cosines"):
        return
    names = [controls.token_name(view, each) for each in range(tokens)]
    page.picture(
        view,
        figures.similarity(view.measure(measures.token_similarity, layer + 1), names, token),
        f"{tokens} × {tokens} cosines after layer {layer + 1}, tokens in raster order; the row of {names[token]} is "
        "framed.",
    )


def _patch(view: View, token: int) -> int | None:
    """Which patch a token is; None for a special token."""
    specials = len(view.config.special_tokens)
    return token - specials if token >= specials else None
