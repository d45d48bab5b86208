"""The drawers of *Heads*: details, formula and code."""

from functools import cache

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from vitviz import equations, numbers, results
from vitviz.config.sides import spelled, tall
from vitviz.demo.dataset import VALIDATION
from vitviz.demo.samples import WATCHED
from vitviz.demo.snapshots import milestone, snapshots, when
from vitviz.figures.attention import maps
from vitviz.measures import attention_weights
from vitviz.measures.attention import attention_by_layer, layer_scores
from vitviz.measures.heads import kernels
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.fallback import explained
from vitviz.ui.widgets.training_slider import moment

RADIUS = 3  # patches each way of a head as a kernel
MOST_NEAR = 12  # heads that are named
NONE_NEAR = "No head of this model looks no further than 1 patch, as a 3 × 3 kernel does."


def show(selection: Selection) -> None:
    config = selection.config
    at = address.read(config)

    if page.drawer("details"):
        server_drawn(selection, at.layer, at.head, at.query)
        as_a_kernel(selection, at.layer, at.head)
        attention_learned(selection, at.layer)

    if page.drawer("formula"):
        sizes = [
            *([rf"\sqrt{{d_h}} = \sqrt{{{config.head_dim}}}"] if r"\sqrt{d_h}" in equations.scores(config) else []),
            rf"{config.heads} \times {config.tokens} \times {config.tokens}",
        ]
        page.formula(
            r" \qquad ".join([f"A = {equations.weights(config)}", *equations.where(config)]),
            r", \quad ".join(sizes),
        )

    if page.drawer("code"):
        page.source(attention_weights, layer_scores, kernels, "attention", "attention_scores")


def server_drawn(selection: Selection, layer: int, head: int, query: int) -> None:
    """What one query token looks at and who looks at it, the matrix of its head, and all heads of its layer."""
    weights = measure(selection, attention_weights, layer)
    rows, column = weights[:, query], weights[head, :, query]
    limit = float(max(rows[head].max(), column.max()))
    seen, looks, looked = st.columns(3)
    with seen:
        _picture(selection, query)
    with looks:
        st.markdown("**What I look at** (row)")
        _overlay(selection, query, rows[head], limit, "It looks at", "a row always does")
    with looked:
        st.markdown("**Who looks at me** (column)")
        _overlay(selection, query, column, limit, "It is looked at by", "the mean over all columns is 1")
    one, every = st.columns(2)
    with one:
        _matrix(selection, weights[head], query)
    with every:
        _wall(selection, rows, head, query)


def _picture(selection: Selection, query: int) -> None:
    name, size = selection.token_name(query), spelled(selection.config.image_size)
    st.markdown(f"**Query: {selection.short_token_name(query)}**")
    page.picture(
        selection,
        maps.crop(results.screen_photo(selection), selection.config.grid, selection.cell(query)),
        f"{size} pixels, exactly what the model sees. The query is {name}"
        + (" and is framed." if selection.cell(query) else ", which stands on no patch."),
        alt=f"What the model sees. {selection.picture.alt}",
        title="What the model sees",
        key="heads_crop",
    )


def _overlay(selection: Selection, query: int, weights: np.ndarray, limit: float, saying: str, why: str) -> None:
    config = selection.config
    prefix = len(config.prefix_tokens)
    strongest = selection.token_name(int(weights.argmax()))
    rest = numbers.small(float(weights[:prefix].sum()))
    others = f", and {rest} for {' and '.join(f'[{name}]' for name in config.prefix_tokens)}" if prefix else ""
    page.picture(
        selection,
        maps.overlay(
            results.screen_photo(selection), weights[prefix:].reshape(config.grid), limit, selection.cell(query)
        ),
        f"{config.patches} weights on the patches{others}. {saying} {strongest} most: "
        f"{numbers.small(float(weights.max()))}, where uniform is {numbers.small(1 / config.tokens)}. "
        f"All {config.tokens} sum to {weights.sum():.4f}; {why}. Row and column have one scale, "
        f"from 0 to {numbers.small(limit)}.",
        title=saying,
        key=f"heads_{saying}",
    )


def _matrix(selection: Selection, weights: np.ndarray, query: int) -> None:
    tokens = selection.config.tokens
    st.markdown("**Every token asks every token** (this head)")
    if not page.matrix_fits(tokens, "weights"):
        return
    names = [selection.token_name(token) for token in range(tokens)]
    page.picture(
        selection,
        maps.matrix(weights, names, selection.config.prefix_tokens, query),
        f"{tokens} × {tokens} weights, one row per {{query}} and one column per {{key}}; each row sums to 1. "
        f"{selection.short_token_name(query)} is framed. Its own scale, from 0 to "
        f"{numbers.small(float(weights.max()))}.",
        alt=f"The attention weights of one head as a matrix of {tokens} by {tokens} tokens.",
        title="Every token asks every token",
        key="heads_matrix",
    )


def _wall(selection: Selection, rows: np.ndarray, head: int, query: int) -> None:
    config = selection.config
    prefix, limit = len(config.prefix_tokens), float(rows.max())
    st.markdown("**What I look at, in all heads** (this layer)")
    page.picture(
        selection,
        maps.wall(
            rows[:, prefix:].reshape(-1, *config.grid),
            "head",
            limit,
            head,
            selection.cell(query),
            tall(config.patch_sides),
        ),
        f"Heads × rows × columns: {config.heads} × {config.grid[0]} × {config.grid[1]} weights of "
        f"{selection.short_token_name(query)}, all on one scale from 0 to {numbers.small(limit)}. "
        f"Head {head + 1} is framed.",
        title="All heads of the layer",
        key="heads_wall",
    )


@st.fragment
@explained()
def as_a_kernel(selection: Selection, layer: int, head: int) -> None:
    """The mean weights of a head by offset beside a 3 × 3 kernel, and which heads look no further than such a one."""
    config = selection.config
    if config.patches == 1:
        return
    kernel = measure(selection, kernels, layer, RADIUS)[head]
    middle = len(kernel) // 2
    inside = float(kernel[middle - 1 : middle + 2, middle - 1 : middle + 2].sum())
    distance = measure(selection, attention_by_layer).distance
    near = [
        f"layer {at + 1} head {of + 1} ({numbers.small(distance[at, of])})" for at, of in np.argwhere(distance <= 1)
    ]
    st.markdown("**Like a convolution?** (this head)")
    page.picture(
        selection,
        maps.beside_a_convolution(kernel, f"layer {layer + 1}, head {head + 1}", tall(config.patch_sides)),
        f"The weight that {{patches}} give to the one at each offset, mean over all {numbers.exact(config.patches)}: "
        f"{numbers.percent(inside)} lies within 3 × 3. Mean distance {numbers.small(distance[layer, head])} patches. "
        + (f"Heads that look no further than 1 patch: {', '.join(near[:MOST_NEAR])}." if near else NONE_NEAR),
        alt=f"Mean weights of layer {layer + 1}, head {head + 1}, by offset, beside a 3 × 3 kernel of equal weights.",
        title="The head beside a 3 × 3 kernel",
        key="heads_kernel",
    )


def attention_learned(selection: Selection, layer: int) -> None:
    """Where the class token of one layer looked on four fixed scenes, mean of its heads, at any moment of training."""
    if (at := moment(selection)) is None:
        return
    prefix = len(selection.config.prefix_tokens)
    weights = snapshots().attention[at, :, layer].mean(axis=1)[:, prefix:].reshape(-1, *selection.config.grid)
    limit = float(weights.max())
    for column, sample, pixels, seen in zip(st.columns(len(WATCHED)), WATCHED, _scenes(), weights, strict=True):
        with column:
            page.picture(
                selection,
                maps.overlay(pixels, seen, limit, None),
                f"{sample.title}: {selection.config.patches} weights, strongest {numbers.small(float(seen.max()))}.",
                title=f"{sample.title}, looked at",
                key=f"attention_learned_{sample.id}",
            )
    st.caption(
        f"{when(at)}, layer {layer + 1}, mean of its {selection.config.heads} heads, one scale from 0 to "
        f"{numbers.small(limit)}. "
        f"On {len(VALIDATION)} held-out scenes, over all heads and layers, the class token looks at the "
        f"target {numbers.small(milestone(at)['attention_on_target'])} times more than chance "
        f"(chance = the share of the picture that the object covers); "
        f"accuracy {numbers.small(milestone(at)['accuracy'])}."
    )


@cache
def _scenes() -> tuple[NDArray[np.uint8], ...]:
    return tuple(np.asarray(sample.scene.image) for sample in WATCHED)
