"""The drawers of *Depth*: details, formula and code."""

from math import exp, log, prod, sqrt

import numpy as np
import streamlit as st

from vitviz import numbers, results
from vitviz.addresses.place import Place
from vitviz.config.sides import spelled, tall
from vitviz.figures.attention import depth as figures
from vitviz.figures.attention import maps
from vitviz.measures import attention_row
from vitviz.measures.attention import AttentionByLayer, attention_by_layer, layer_scores, patch_distances, rollout_step
from vitviz.results import measure
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.board import address

KEPT_OUT = (
    "head",
    "attention",
    "block",
    "drop_path",
)  # kinds of edits that keep heads out of the stream, or scale them


def show(selection: Selection) -> None:
    config = selection.config
    at = address.read(config)

    if page.drawer("details"):
        by_layer = measure(selection, attention_by_layer)
        over_the_picture(selection, by_layer, at.through, at.query)
        left, right = st.columns(2)
        with left:
            distance(selection, by_layer)
        with right:
            entropy(selection, by_layer)
        distance_against_entropy(selection, by_layer, at)
        class_token(selection, by_layer, at.through)

    if page.drawer("formula"):
        page.formula(
            r"R_l = \tfrac{1}{2}\left(\bar{A}_l + I\right) R_{l-1}",
            rf"R_{{{at.through}}}: {config.tokens} \times {config.tokens}",
        )
        if any(selection.edits.of(*KEPT_OUT)):
            page.formula(
                r"R_l = \frac{\sum_h s_h A_{l,h} + \text{heads} \cdot I}{\sum_h s_h + \text{heads}} R_{l-1}",
                r"s_h \text{: what edits multiply head } h \text{ with; 0 is off}",
            )
        page.formula(
            r"D = \frac{1}{n} \sum_{q,\,k} \hat a_{qk} \left\lVert x_q - x_k \right\rVert \qquad "
            r"\hat a_{qk} = \frac{a_{qk}}{\sum_{k'} a_{qk'}}",
            rf"q,\ k,\ k' \text{{ over the patches only}}, \quad n = {numbers.exact(config.patches)}, \quad "
            rf"1 \text{{ patch}} = {spelled(config.patch_size)} \text{{ pixels}}",
        )
        page.formula(
            r"H = -\sum_k a_k \ln a_k \le \ln t",
            rf"\ln {config.tokens} = {numbers.small(log(config.tokens))}",
        )

    if page.drawer("code"):
        page.source(attention_by_layer, rollout_step, patch_distances, layer_scores)


def over_the_picture(selection: Selection, by_layer: AttentionByLayer, through: int, query: int) -> None:
    """The query, what it looks at in layer `through` (counted from 1) alone, and what reaches it from layer 1 on."""
    config, name = selection.config, selection.token_name(query)
    cell = selection.cell(query)
    alone = measure(selection, attention_row, through - 1, query).mean(axis=0)
    rolled = by_layer.rollout[through - 1, query]
    seen, last, all_ = st.columns(3)
    with seen:
        st.markdown(f"**Query: {name.partition(' (')[0]}**")
        page.picture(
            selection,
            maps.crop(results.screen_photo(selection), config.grid, cell),
            f"{spelled(config.image_size)} pixels, exactly what the model sees. The query is {name}.",
            alt=f"What the model sees. {selection.picture.alt}",
            title="What the model sees",
            key="depth_crop",
        )
    with last:
        st.markdown(f"**Layer {through} alone**")
        _overlay(
            selection,
            alone,
            query,
            f"Weights in layer {through}, mean of the heads.",
            "depth_alone",
            f"Layer {through} alone",
        )
    with all_:
        st.markdown(f"**Rollout through layer {through}**")
        left = " as far as edits leave it," if any(selection.edits.of(*KEPT_OUT)) else ""
        caption = (
            f"Attention rollout (Abnar & Zuidema 2020): attention of layers 1 to {through},{left} each averaged with "
            "the identity for the {residual stream}, multiplied up."
        )
        _overlay(selection, rolled, query, caption, "depth_rollout", f"Rollout through layer {through}")


def distance(selection: Selection, by_layer: AttentionByLayer) -> None:
    """How far the patches look."""
    config, values = selection.config, by_layer.distance
    layer, head = _least(values)
    side = sqrt(prod(config.patch_sides))  # the mean of both, where they differ
    shortest = float(values[layer, head])
    st.markdown("**Mean attention distance**: how far the patches look")
    page.picture(
        selection,
        figures.distance(values, by_layer.uniform_distance, side),
        f"Layers × heads: {config.depth} × {config.heads} dots; the line is the mean. Weights times Euclidean distance "
        f" between {{patch}} centres, {numbers.exact(config.patches)} patch queries and keys only, each row "
        f"scaled to sum to 1 on the patches. Shortest: layer {layer + 1}, head {head + 1}, "
        f"{numbers.small(shortest)} patches = {numbers.small(shortest * side)} pixels.",
        alt="Mean attention distance of every head, by layer.",
        title="Mean attention distance",
        key="depth_distance",
    )


def entropy(selection: Selection, by_layer: AttentionByLayer) -> None:
    """How evenly all tokens look."""
    config, values, uniform = selection.config, by_layer.entropy, log(selection.config.tokens)
    layer, head = _least(values)
    lowest = float(values[layer, head])
    st.markdown("**Attention entropy**: how evenly weights are spread")
    page.picture(
        selection,
        figures.entropy(values, uniform),
        f"Entropy of the {numbers.exact(config.tokens)} weights of a row, mean over all {numbers.exact(config.tokens)} "
        f"queries, one dot per head. 0 nats is one token alone, ln {numbers.exact(config.tokens)} = "
        f"{numbers.small(uniform)} nats is all alike. Lowest: layer {layer + 1}, head {head + 1}, "
        f"{numbers.small(lowest)} nats, as over {numbers.small(exp(lowest))} tokens attended to equally.",
        alt="Mean attention entropy of every head, by layer.",
        title="Attention entropy",
        key="depth_entropy",
    )


def distance_against_entropy(selection: Selection, by_layer: AttentionByLayer, at: Place) -> None:
    """Which heads look near and at few, and which far and at all."""
    near = by_layer.distance < by_layer.uniform_distance / 2
    few = by_layer.entropy < log(selection.config.tokens) / 2
    st.markdown("**Distance against entropy**: a point for each head")
    page.chart(
        figures.distance_against_entropy(
            by_layer.distance,
            by_layer.entropy,
            (by_layer.uniform_distance, log(selection.config.tokens)),
            (at.layer, at.head),
            lambda layer, head: page.address("heads", layer=str(layer + 1), head=str(head + 1)),
        ),
        "Distance against entropy",
        f"Of {numbers.exact(near.size)} heads {numbers.exact(int(near.sum()))} look less far than half of the uniform "
        f"distance, {numbers.exact(int(few.sum()))} have less than half of the uniform entropy, and "
        f"{numbers.exact(int((near & few).sum()))} do both.",
        "depth_both",
    )


def class_token(selection: Selection, by_layer: AttentionByLayer, through: int) -> None:
    """What the class token looks at in every layer, and what has reached it by then."""
    config = selection.config
    if by_layer.class_map is None:
        st.caption("This model has no class token: its answer is pooled from all patch tokens.")
        return
    alone, rolled = st.columns(2)
    with alone:
        st.markdown("**The class token, each layer alone**")
        text = "weights of the {class token}, mean of the heads; uniform is "
        _layers(
            selection,
            by_layer.class_map,
            through,
            text + numbers.small(1 / config.tokens),
            "depth_class",
            "Each layer alone",
        )
    with rolled:
        st.markdown("**The class token, rollout through each layer**")
        text = "weights of the rollout, what has reached the {class token} from the patches"
        _layers(selection, by_layer.rollout[:, 0], through, text, "depth_class_rollout", "Rollout through each layer")


def _layers(selection: Selection, rows: np.ndarray, through: int, saying: str, key: str, title: str) -> None:
    """One token's weights `layer k`, every layer a map."""
    (down, across), depth = selection.config.grid, selection.config.depth
    limit = float(rows[:, len(selection.config.prefix_tokens) :].max())
    page.picture(
        selection,
        maps.wall_of_tokens(rows, "layer", through - 1, 0, (down, across), tall(selection.config.patch_sides)),
        f"Layers × rows × columns: {depth} × {down} × {across} {saying}. One scale from 0 to {numbers.small(limit)}; "
        f"layer {through} is framed.",
        title=title,
        key=key,
    )


def _overlay(selection: Selection, weights: np.ndarray, query: int, saying: str, key: str, title: str) -> None:
    """Weights on the patches. The scale ends at the largest weight of another patch: rollout keeps much at home."""
    config = selection.config
    first = len(config.prefix_tokens)
    limit = max((float(weights[token]) for token in range(first, config.tokens) if token != query), default=1.0)
    page.picture(
        selection,
        maps.overlay(
            results.screen_photo(selection), weights[first:].reshape(config.grid), limit, selection.cell(query)
        ),
        f"{saying} {numbers.exact(config.tokens)} weights, sum {weights.sum(dtype=np.float64):.6f}; "
        f"{numbers.small(float(weights[query]))} of it for the query itself. Colours from 0 to "
        f"{numbers.small(limit)}, the largest of the other patches.",
        title=title,
        key=key,
    )


def _least(values: np.ndarray) -> tuple[int, int]:
    """Layer and head of the smallest value."""
    layer, head = np.unravel_index(values.argmin(), values.shape)
    return int(layer), int(head)
