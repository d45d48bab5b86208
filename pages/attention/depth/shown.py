"""The drawers of *Depth*: details, formula and code."""

from math import log

import streamlit as st

from vitviz import numbers
from vitviz.config.sides import spelled
from vitviz.measures.attention import attention_by_layer, layer_scores, patch_distances, rollout_step
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.results import measure
from vitviz.ui.selection import current

from . import details


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    at = address.read(config)

    if page.drawer("details"):
        by_layer = measure(selection, attention_by_layer)
        details.over_the_picture(selection, by_layer, at.through, at.query)
        left, right = st.columns(2)
        with left:
            details.distance(selection, by_layer)
        with right:
            details.entropy(selection, by_layer)
        details.distance_against_entropy(selection, by_layer, at)
        details.class_token(selection, by_layer, at.through)

    if page.drawer("formula"):
        page.formula(
            r"R_l = \tfrac{1}{2}\left(\bar{A}_l + I\right) R_{l-1}",
            rf"R_{{{at.through}}}: {config.tokens} \times {config.tokens}",
        )
        if any(selection.edits.of(*details.KEPT_OUT)):
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
