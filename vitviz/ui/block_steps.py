"""The steps of an encoder block, one screen each: layer norm, residual stream, GELU, similarity of the tokens."""

import numpy as np
import streamlit as st

from vitviz import numbers, palette
from vitviz.figures import blocks as figures
from vitviz.measures import blocks as measures
from vitviz.model import MLP, Block
from vitviz.ui import controls
from vitviz.ui import furniture as page
from vitviz.ui.links import plain
from vitviz.ui.view import View


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
    first = normed["norm1"]
    page.formula(
        r"\operatorname{LN}(\mathbf x)_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma_i + \beta_i",
        rf"\operatorname{{norm1}}(\mathbf x)_1 = \frac{{{numbers.small(first.before[0])} - {page.addend(first.mean)}}}"
        rf"{{\sqrt{{{numbers.small(first.variance)} + 0.000001}}}} \cdot {page.addend(first.scale[0])} + "
        rf"{page.addend(first.shift[0])} = {numbers.small(first.after[0])}",
    )
    page.code(measures.layer_norm, Block, figures.spread)


def residual_stream(view: View, layer: int, token: int) -> None:
    """What attention and MLP add to the stream, as lengths per token."""
    flow = view.measure(measures.additions, layer)
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
            "Length of what the block adds, on a scale of its own.",
        )
    enters, attention, middle, mlp, leaves = (
        numbers.small(float(lengths[token]))
        for lengths in (flow.entering, flow.attention, flow.middle, flow.mlp, flow.leaving)
    )
    page.formula(
        r"\begin{aligned} \mathbf z' &= \mathbf z + \operatorname{MSA}(\operatorname{LN}(\mathbf z)) \\ "
        r"\mathbf z'' &= \mathbf z' + \operatorname{MLP}(\operatorname{LN}(\mathbf z')) \end{aligned}",
        rf"\lVert\mathbf z\rVert = {enters} \ \xrightarrow{{\text{{attention adds }}{attention}}} \ "
        rf"{middle} \ \xrightarrow{{\text{{MLP adds }}{mlp}}} \ {leaves}",
    )
    st.caption(
        f"The numbers are those of {controls.token_name(view, token)}. Vectors add up; their lengths do not, for they "
        "point in different directions."
    )
    page.code(Block, measures.additions, figures.lengths)


def gelu(view: View, layer: int, token: int) -> None:
    """The hidden values of a token on the curve of GELU, and how many of them are active."""
    hidden, active = view.measure(measures.hidden, layer, token)
    share = view.measure(measures.active_share, layer)
    curve, grid = st.columns([3, 2])
    with curve:
        page.picture(
            view,
            figures.gelu(hidden, active),
            f"The {numbers.exact(len(hidden))} hidden values of {controls.token_name(view, token)}; the area of a "
            f"bubble says how many lie there. {numbers.exact(int((hidden > 0).sum()))} are active (above 0), a "
            f"share of {numbers.small(float(share[token]))}.",
        )
    with grid:
        page.picture(
            view,
            figures.active(share[len(view.config.special_tokens) :], *view.config.grid, _patch(view, token)),
            f"Share of active units of every {{patch}} token; its mean over all {view.config.tokens} tokens is "
            f"{numbers.small(float(share.mean()))}.",
        )
    largest, result = numbers.small(hidden.max()), numbers.small(active[hidden.argmax()])
    put_in = rf"\operatorname{{GELU}}({largest}) = {result} \quad \text{{for the largest of them}}"
    if view.config.activation != "gelu":
        put_in = rf"\text{{The bubbles are this model's own: {plain(view.config.activation)} in place of GELU.}}"
    page.formula(
        r"\operatorname{GELU}(x) = x \cdot \Phi(x) \qquad "
        r"\Phi(x) = \tfrac12\bigl(1 + \operatorname{erf}(x / \sqrt2)\bigr)",
        put_in,
    )
    page.code(MLP, measures.hidden, measures.active_share, figures.gelu)


def similarity(view: View, layer: int, token: int) -> None:
    """How alike the tokens are after every block, and which of them after this one."""
    config = view.config
    means = view.measure(measures.mean_similarity)
    cosines = view.measure(measures.token_similarity, layer + 1)
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
        names = [controls.token_name(view, each) for each in range(config.tokens)]
        page.picture(
            view,
            figures.similarity(cosines, names, token),
            f"{config.tokens} × {config.tokens} cosines after layer {layer + 1}, tokens in raster order; "
            f"the row of {names[token]} is framed.",
        )
    pairs = numbers.exact(config.tokens * (config.tokens - 1))
    page.formula(
        r"\cos(\mathbf x_i, \mathbf x_j) = "
        r"\frac{\mathbf x_i \cdot \mathbf x_j}{\lVert\mathbf x_i\rVert\,\lVert\mathbf x_j\rVert}",
        rf"\frac{{1}}{{{pairs}}} \sum_{{i \ne j}} \cos(\mathbf x_i, \mathbf x_j) = "
        rf"{numbers.small(float(means[layer + 1]))}",
    )
    page.code(measures.mean_similarity, measures.token_similarity, figures.similarity_by_depth)


STEPS = {"Layer norm": layer_norm, "Residual stream": residual_stream, "GELU": gelu, "Similarity": similarity}


def _patch(view: View, token: int) -> int | None:
    """Which patch a token is; None for a special token."""
    specials = len(view.config.special_tokens)
    return token - specials if token >= specials else None
