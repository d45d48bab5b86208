"""Depth: what becomes of attention from the first layer to the last."""

from math import log

import streamlit as st

from vitviz import numbers
from vitviz.measures.attention import attention_by_layer, layer_scores, patch_distances, rollout_step
from vitviz.ui import controls, page
from vitviz.ui.results import measure
from vitviz.ui.sections.attention import depth
from vitviz.ui.selection import current

view = current()
config = view.config

page.sentence(
    "Look from the first layer to the last: what a token looks at, how far the {patch}es look, how evenly they look, "
    "and how much of the picture has reached one token."
)
left, right = st.columns(2)
with left:
    through = controls.through(view)
with right:
    query = controls.query(view)

by_layer = measure(view, attention_by_layer)
depth.over_the_picture(view, by_layer, through, query)
left, right = st.columns(2)
with left:
    depth.distance(view, by_layer)
with right:
    depth.entropy(view, by_layer)
depth.class_token(view, by_layer, through)

page.formula(
    r"R_l = \tfrac{1}{2}\left(\bar{A}_l + I\right) R_{l-1}",
    rf"R_{{{through}}}: {config.tokens} \times {config.tokens}",
)
page.formula(
    r"D = \frac{1}{n} \sum_{q,\,k} \hat a_{qk} \left\lVert x_q - x_k \right\rVert \qquad "
    r"\hat a_{qk} = \frac{a_{qk}}{\sum_{k'} a_{qk'}}",
    rf"q,\ k,\ k' \text{{ over the patches only}}, \quad n = {numbers.exact(config.patches)}, \quad "
    rf"1 \text{{ patch}} = {config.patch_size} \text{{ pixels}}",
)
page.formula(
    r"H = -\sum_k a_k \ln a_k \le \ln t",
    rf"\ln {config.tokens} = {numbers.small(log(config.tokens))}",
)
page.source(attention_by_layer, rollout_step, patch_distances, layer_scores)
