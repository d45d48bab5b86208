"""Pictures of an encoder block: layer norm, residual stream, activation, similarity of the tokens."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from vitviz import numbers, palette
from vitviz.config.sides import tall
from vitviz.figures.model import blocks as figures
from vitviz.measures.arrays import Array
from vitviz.measures.blocks import Additions, Normalised, token_similarity
from vitviz.ui import page
from vitviz.ui.results import measure
from vitviz.ui.selection import Selection
from vitviz.ui.widgets.matrix import matrix_fits

READERS = {"norm1": ("attention", palette.ATTENTION), "norm2": ("MLP", palette.MLP)}


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
                f"{norm}, {place} the {reader}: the {numbers.exact(selection.config.dim)} components of "
                f"{selection.token_name(token)}. Line: mean; band: one standard deviation to each side.{before}",
                title=f"{norm}, before and after",
            )


def residual_stream(selection: Selection, flow: Additions, token: int) -> None:
    """What attention and MLP add to the stream, as lengths per token."""
    after = ", after its layer scales" if flow.unscaled else ""
    patches = slice(len(selection.config.prefix_tokens), None)
    chosen, patch = _patch(selection, token), tall(selection.config.patch_sides)
    stream, added = st.columns(2)
    with stream:
        page.picture(
            selection,
            figures.lengths(
                {"enters": flow.entering[patches], "leaves": flow.leaving[patches]},
                *selection.config.grid,
                chosen,
                patch,
            ),
            f"Length of the {{residual stream}} of every {{patch}} token: the Euclidean norm of its "
            f"{numbers.exact(selection.config.dim)} numbers.",
            title="Lengths in the residual stream",
        )
    with added:
        page.picture(
            selection,
            figures.lengths(
                {"attention adds": flow.attention[patches], "MLP adds": flow.mlp[patches]},
                *selection.config.grid,
                chosen,
                patch,
            ),
            f"Length of what the block adds{after}, on a scale of its own.",
            title="Lengths of what the block adds",
        )
    st.caption(
        f"The numbers are those of {selection.token_name(token)}. Vectors add up; their lengths do not, for they "
        "point in different directions."
    )
    if flow.unscaled:
        before = [numbers.small(float(lengths[token])) for lengths in flow.unscaled]
        attention, mlp = (numbers.small(float(lengths[token])) for lengths in (flow.attention, flow.mlp))
        st.caption(
            f"The layer scales γ₁ and γ₂ hold {numbers.exact(selection.config.dim)} learned factors each. By γ₁, what "
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
            f"The {numbers.exact(len(read))} {'gates' if gated else 'hidden values'} of "
            f"{selection.token_name(token)}; the area of a bubble says how many lie there. "
            f"{numbers.exact(int((read > 0).sum()))} are active (above 0), a share of "
            f"{numbers.small(float(share[token]))}."
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
            f"{numbers.small(float(share.mean()))}.",
        )


def similarity(selection: Selection, means: Array, layer: int, token: int) -> None:
    """How alike the tokens are after every block, and which of them after this one."""
    config = selection.config
    by_depth, matrix = st.columns(2)
    with by_depth:
        page.picture(
            selection,
            figures.similarity_by_depth(means, layer),
            f"Mean over all pairs of the {config.tokens} tokens: {numbers.small(float(means[0]))} before the first "
            f"block, {numbers.small(float(means[layer + 1]))} after layer {layer + 1}, "
            f"{numbers.small(float(means[-1]))} after the last.",
        )
    with matrix:
        _similarity_matrix(selection, layer, token)


def _similarity_matrix(selection: Selection, layer: int, token: int) -> None:
    """The cosine of every token with every token after one block, as far as a page can draw it."""
    tokens = selection.config.tokens
    if not matrix_fits(tokens, "cosines"):
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
