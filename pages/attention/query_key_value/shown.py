"""The drawers of *Query, key, value*: details, formula and code."""

import streamlit as st

from vitviz import numbers
from vitviz.addresses.place import STRONGEST
from vitviz.measures.attention import attention_steps, fused_difference
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

    if page.drawer("details") or page.drawer("formula"):
        step = measure(selection, attention_steps, at.layer, at.head, at.query)
        key = details.strongest(step)[0] if at.key == STRONGEST else at.key

    if page.drawer("details"):
        asks, answers = (selection.token_name(token) for token in (at.query, key))
        st.subheader(f"1. Multiply: {asks} asks {answers}", anchor=False)
        details.multiply(selection, step, key)
        st.caption(details.weights_of_a_head(config))
        st.subheader("2. Softmax: scores become weights that sum to 1", anchor=False)
        details.compare(selection, step, key)
        details.in_numbers(selection, step, key)
        st.subheader("3. Weighted sum of the values", anchor=False)
        details.mix(selection, step)
        details.compared_with_fused(selection, measure(selection, fused_difference, at.layer))

    if page.drawer("formula"):
        first = rf"{numbers.small(float(step.q[0]))} \cdot {page.addend(float(step.keys[key, 0]))}"
        page.formula(
            details.made(config)[1],
            rf"q \cdot k = {first} + \dots = {numbers.small(float(step.products[key]))} \qquad "
            rf"s_k = {numbers.small(float(step.scores[key]))}".replace("−∞", r"-\infty"),
        )
        st.caption(details.why_scaled(config))
        page.formula(
            r"a_k = \frac{e^{s_k - \max s}}{\sum_j e^{s_j - \max s}}",
            rf"\frac{{{numbers.small(float(step.exponentials[key]))}}}{{{numbers.small(step.denominator)}}} = "
            rf"{numbers.small(float(step.weights[key]))}",
        )
        page.formula(
            r"z = \sum_k a_k v_k",
            rf"z: {config.tokens} \times {config.head_dim} \rightarrow {config.head_dim}",
        )

    if page.drawer("code"):
        page.source(attention_steps, fused_difference, "attention", "Attention")
